"""Every construct of the language: what it finds, what it does not, nested, negated."""

import pytest

from app.tests.engines import on_every_engine
from app.tests.search.query.conftest import Keep

pytestmark = on_every_engine

SERRE, BATEAU, JOURNAL, HOME, WORK = "Serre", "Bateau", "2025-07-14", "Home", "work notes"
ALL = {SERRE, BATEAU, JOURNAL, HOME, WORK}

WORDS = [
    ("meeting work", {WORK}),
    ("budget", {SERRE, JOURNAL}),
    ("decision", {JOURNAL, HOME}),
    ("udge", {SERRE, JOURNAL}),
    ("C++", {JOURNAL}),
    ("⏫", {JOURNAL}),
    ("議の", {HOME}),
    ("-budget", ALL - {SERRE, JOURNAL}),
    ("budget -devis", {JOURNAL}),
]
PHRASES = [
    ('"budget de la serre"', {SERRE}),
    ('"the flour and the water"', {BATEAU}),
    ('"décision"', {HOME}),
    ('"said \\"hello\\" to"', {BATEAU}),
    ('-"happy cat"', ALL - {BATEAU}),
    ('"projects/ser"', {SERRE, JOURNAL, HOME}),
]
GROUPS = [
    ("flour OR ikea", {BATEAU, HOME}),
    ("budget (devis OR fermee)", {SERRE, JOURNAL}),
    ("budget -(devis serre)", {JOURNAL}),
    ("-(-budget)", {SERRE, JOURNAL}),
    ('(("happy cat"))', {BATEAU}),
]
NAMES = [
    ("file:serre", {SERRE}),
    ("path:projects", {SERRE, BATEAU}),
    ('path:"Projects/Ser"', {SERRE}),
    ("path:/\\d{4}-\\d{2}-\\d{2}/", {JOURNAL}),
    ("file:/^[a-h]/", {BATEAU, HOME}),
    ('content:"happy cat"', {BATEAU}),
    ("content:decision", {JOURNAL}),
]
CASE = [
    ("match-case:HappyCat", {HOME}),
    ('match-case:"Happy Cat"', {BATEAU}),
    ("match-case:(Budget ignore-case:SERRE)", {SERRE}),
    ("match-case:file:serre", set()),
    ("match-case:/budget V/", set()),
    ("match-case:tag:#work", {SERRE, JOURNAL}),
]
TAGS = [
    ("tag:#work", {SERRE, JOURNAL}),
    ("tag:#work/late", {JOURNAL}),
    ("tag:#gard", set()),
    ("tag:#code", set()),
    ("tag:(#work -#garden)", {JOURNAL}),
    ("tag:/^#my/", {HOME}),
]
UNITS = [
    ("line:(flour water)", set()),
    ('line:("budget" -voté)', {SERRE}),
    ("line:(budget vote)", set()),
    ("line:/^mix.*r$/", {BATEAU}),
    ("-line:(budget serre)", ALL - {SERRE, JOURNAL}),
    ("line:(match-case:IKEA décision)", {HOME}),
    ("block:(dog cat)", {BATEAU}),
    ("block:(meeting dog)", set()),
    ("block:(appeler demain)", {SERRE}),
    ("section:(dog cat)", {BATEAU, WORK}),
    ("section:(coûte budget)", set()),
]
TASKS = [
    ("task:(appeler OR call)", {SERRE, BATEAU}),
    ("task:/./", {SERRE, BATEAU}),
    ("task:(appeler demain)", {SERRE}),
    ("task-todo:/./", {SERRE}),
    ("task-done:(payer OR call)", {SERRE, BATEAU}),
    ("task-done:trier", set()),
    ("-task-done:call", ALL - {BATEAU}),
]
PROPERTIES = [
    ("[status]", {SERRE, BATEAU, JOURNAL}),
    ("[status:(draft OR done)]", {SERRE, JOURNAL}),
    ("[status:raf]", {SERRE}),
    ('[status:"raf"]', set()),
    ("[status:/^d/]", {SERRE, JOURNAL}),
    ("[/^sta/:done]", {JOURNAL}),
    ("[status OR price:7]", {JOURNAL}),
    ('["status":done]', {JOURNAL}),
    ("[empty:null]", {BATEAU}),
    ('[note:""]', {BATEAU}),
    ("[list]", {BATEAU}),
    ("[price:>5]", {BATEAU, JOURNAL}),
    ('[price:"12.0"]', {BATEAU}),
    ("[price:(>5 <10)]", {JOURNAL}),
    ("[due:>2025-02]", {SERRE}),
    ("[status:>5]", set()),
    ("[aliases:verrière]", {SERRE}),
    ("[aliases:(glass verrière)]", {SERRE}),
    ("[up:home]", {SERRE}),
    ('[up:"accueil"]', {SERRE}),
    ("-[status:draft]", ALL - {SERRE}),
    ('"[unknown]"', set()),
]
EXPRESSIONS = [
    ("/\\d{4}-\\d{2}-\\d{2}/", {SERRE, BATEAU, JOURNAL}),
    ("/^mix\\b.*salt$/", {BATEAU}),
    ("/flour\\nand/", {BATEAU}),
    ("/(?<!la )serre/", {SERRE, JOURNAL, HOME}),
    ("/(?<l>[b-df-hj-np-tv-z])\\k<l>/", ALL - {WORK}),
    ("/meeting (?=work)/", {WORK}),
]
OWN = [
    ("links-to:Serre", {JOURNAL, HOME}),
    ("links-to:[[Bateau]]", {HOME}),
    ("links-to:Missing", {SERRE}),
    ("links-to:(Serre -Bateau)", {JOURNAL}),
    ("linked-from:(Home OR Serre)", {SERRE, BATEAU, HOME}),
    ("-links-to:Serre", {SERRE, BATEAU, WORK}),
    ("created:<2025-02-10", {SERRE}),
    ("created:(2025-01 OR 2025-02-10)", {SERRE, BATEAU}),
    ("created:2025-01..2025-02-09", {SERRE}),
    ("modified:>2999", set()),
    ('modified:>="3 days ago"', ALL),
    ("heading:(le bateau)", {BATEAU}),
    ("heading:/^(home|soir)$/", {HOME, JOURNAL}),
    ("alias:(glass verrière)", set()),
]
EVERY = {
    "words": WORDS, "phrases": PHRASES, "groups": GROUPS, "names": NAMES, "case": CASE, "tags": TAGS, "units": UNITS,
    "tasks": TASKS, "properties": PROPERTIES, "expressions": EXPRESSIONS, "own": OWN,
}  # fmt: skip


@pytest.mark.parametrize("kind", EVERY)
def test_a_query_keeps_just_these_notes(kind: str, keep: Keep) -> None:
    wanted = dict(EVERY[kind])
    assert {query: keep(query) for query in wanted} == wanted
