"""The example questions of the search tool's description, over a vault of the layout that it describes."""

import pytest

from app.config.settings import Settings
from app.search import search
from app.search.index.chunk import split_lines
from app.search.models import Hit
from app.vault.client import VaultClient

X, APPART = "projects/startup-x", "projects/appart-search"
NOTES = {
    "overview.md": "# Vue d'ensemble\n\nDeux projets : startup-x, bloqué, et appart-search.\n",
    "profile.md": "# Profil\n\nIndépendant, Paris.\n",
    "inbox/vocal.md": "Note : tout est bloqué, encore.\n",
    f"{X}/description.md": (
        "---\nupdated: 2025-05-02\n---\n# Startup-x\n\nApplication de réservation pour un client stratégique. "
        "Nous construisons le module de paiement.\n"
    ),
    f"{X}/state.md": (
        "---\nupdated: 2025-07-14\nstatus: bloqué\n---\n# État\n\n## Focus actuel\n\nIntégration du module de "
        "paiement.\n\n## Ce qui bloque\n\nAPI externe : prestataire indisponible avant juin. Décision "
        "d'internaliser.\n\n## Deadlines en cours\n\nDeadline de la démo : mars.\n"
    ),
    f"{X}/tasks.md": (
        "# Choisir la bibliothèque de paiement\n\nstatus: en-cours\nprio: haute\n\nComparer trois offres.\n\n"
        "# Écrire les tests du backend\n\nstatus: à-faire\nprio: basse\n\nCouvrir le remboursement.\n\n"
        "# Relancer le prestataire\n\nstatus: bloqué\nprio: haute\n\nIl ne répond plus au courrier.\n"
    ),
    f"{X}/changelog.md": (
        "# 2025-07-14\n\n## [décision] Abandon de l'API externe\n\nLe prestataire ne peut pas livrer avant juin. "
        "Notre deadline est mars. Impact : le paiement est construit par nous.\n\n"
        "# 2025-06-03\n\n## Specs reçues du client v2.1\n\nChangements mineurs sur le module paiement. Pas "
        "d'impact planning.\n\n"
        "# 2025-05-20\n\n## [décision] Stack technique\n\nPostgres et Python, rien de plus.\n\n"
        "# 2025-02-11\n\n## Meeting avec le client\n\nIl veut une démo en mars.\n"
    ),
    f"{X}/bucket/contrat.md": (
        "---\ntype: email\nupdated: 2025-04-10\n---\n# Contrat du prestataire\n\nLe prestataire facture "
        "l'API Stripe au nombre d'appels.\n"
    ),
    f"{APPART}/description.md": (
        "---\nupdated: 2025-03-01\n---\n# Appart-search\n\nRecherche d'un appartement à Paris : immobilier "
        "ancien, trois pièces, avec balcon.\n"
    ),
    f"{APPART}/state.md": (
        "---\nupdated: 2025-07-10\nstatus: en-cours\n---\n# État\n\nDeux visites prévues. En attente de la "
        "banque.\n"
    ),
    f"{APPART}/tasks.md": (
        "# Envoyer le dossier à l'agence\n\nstatus: en-cours\nprio: haute\n\nAvec les trois derniers bilans.\n\n"
        "# Acheter des cartons\n\nstatus: à-faire\nprio: basse\n\nPlus tard.\n"
    ),
    f"{APPART}/changelog.md": (
        "# 2025-07-12\n\n## Meeting à l'agence\n\nLe client d'avant se retire.\n\n"
        "# 2025-06-15\n\n## [décision] Pas plus de 1 800 euros\n\nCharges comprises.\n"
    ),
    f"{APPART}/bucket/annonce.md": (
        "---\ntype: vocal\nupdated: 2025-07-09\n---\n# Annonce\n\nAppartement T3, rue de Rivoli, au quatrième "
        "étage, lumineux.\n"
    ),
    "bucket/recette.md": (
        "---\ntype: vocal\nupdated: 2025-07-01\n---\n# Recette\n\nTarte aux poires pour dimanche.\n"
    ),
    "changelog.md": (
        "# 2025-07-14\n\n## Décision de pivot technique sur startup-x\n\nAbandon de l'approche API externe pour "
        "le module paiement.\n\n"
        "# 2025-07-07\n\n## Point hebdo\n\nStartup-x bloqué sur l'API. Appart-search en avance.\n"
    ),
    "tasks.md": (
        "# Déclarer la TVA Q3\n\nstatus: en-cours\nprio: haute\n\nLe comptable attend le bilan.\n\n"
        "# Arroser les plantes\n\nstatus: fait\nprio: basse\n\nMarie le fait en août.\n"
    ),
}  # fmt: skip
STATES = ["vault/projects/*/state.md"]
TASKS = ["vault/projects/*/tasks.md", "vault/tasks.md"]


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> VaultClient:
    folder = tmp_path_factory.mktemp("source")
    for path, text in NOTES.items():
        file = folder / "notes" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return VaultClient(folder / "notes", Settings(cache_dir=folder / "cache"))


def text_of(hit: Hit) -> str:
    first, last = map(int, hit.lines.split("-"))
    return "\n".join(split_lines(NOTES[hit.path])[first - 1 : last])


def paths(hits: list[Hit]) -> list[str]:
    return list(dict.fromkeys(hit.path for hit in hits))


@pytest.mark.parametrize(
    ("literal", "scopes"),
    [
        ("[décision]", None),
        ("status: en-cours", None),
        ("prio: haute", TASKS),
        ("2025-07-14", None),
        ("bloqué", ["project:startup-x"]),
        ("Marie", None),
        ("API Stripe", None),
        ("TVA Q3", None),
    ],
)
def test_what_holds_the_term_is_first(vault: VaultClient, literal: str, scopes: list[str] | None) -> None:
    everything = search(vault, ["*"], "fast", scopes)
    holding = {(hit.path, hit.lines) for hit in everything if literal.casefold() in text_of(hit).casefold()}
    found = search(vault, [literal], "fast", scopes)
    assert holding
    assert {(hit.path, hit.lines) for hit in found[: len(holding)]} == holding
    assert not any(hit.path.startswith(("inbox/", "overview", "profile")) for hit in found)
    if scopes == ["project:startup-x"]:
        assert all(hit.path.startswith(X) for hit in found)


def test_the_projects_that_are_blocked(vault: VaultClient) -> None:
    hits = search(vault, ["bloqué", "en attente"], "fast", STATES)
    assert set(paths(hits)) == {f"{X}/state.md", f"{APPART}/state.md"}
    texts = [text_of(hit).casefold() for hit in hits[:2]]
    assert all("bloqué" in text or "en attente" in text for text in texts)


def test_whether_something_on_accounting_is_there_already(vault: VaultClient) -> None:
    hits = search(vault, ["comptable", "TVA", "bilan"], "fast")
    assert (hits[0].path, "TVA Q3" in text_of(hits[0])) == ("tasks.md", True)
    assert len({(hit.path, hit.lines) for hit in hits}) == len(hits), "a chunk is there once"


@pytest.mark.parametrize(
    "queries",
    [["abandon API externe"], ["abandon API externe", "prestataire paiement"]],
)
def test_the_context_of_a_past_decision_in_words(vault: VaultClient, queries: list[str]) -> None:
    hits = search(vault, queries, "fast", [f"vault/{X}/*"])
    assert "Abandon de l'API externe" in text_of(hits[0])
    assert f"{X}/state.md" in paths(hits)[:4]


def test_the_decisions_of_one_quarter(vault: VaultClient) -> None:
    hits = search(
        vault,
        ["[décision]"],
        "fast",
        [f"vault/{X}/changelog.md"],
        date_from="2025-04-01",
        date_to="2025-06-30",
    )
    assert [hit.date for hit in hits if "[décision]" in text_of(hit)] == ["2025-05-20"]
    assert "Stack technique" in text_of(hits[0])
    assert {hit.date for hit in hits} <= {"2025-05-20", "2025-06-03"}


def test_all_of_some_days(vault: VaultClient) -> None:
    hits = search(vault, ["*"], "fast", date_from="2025-07-09", date_to="2025-07-14")
    assert set(paths(hits)) == {
        f"{X}/state.md", f"{X}/changelog.md", f"{APPART}/state.md", f"{APPART}/changelog.md",
        f"{APPART}/bucket/annonce.md", "changelog.md",
    }  # fmt: skip


def test_bucket_notes_by_their_type(vault: VaultClient) -> None:
    hits = search(
        vault, ["type: vocal", "type: email"], "fast", ["vault/projects/*/bucket/*", "vault/bucket/*"]
    )
    assert set(paths(hits)[:3]) == {
        f"{X}/bucket/contrat.md",
        f"{APPART}/bucket/annonce.md",
        "bucket/recette.md",
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("queries", "scopes", "first"),
    [
        (["recherche appartement", "immobilier"], ["vault/projects/*/description.md"], f"{APPART}/description.md"),
        (["abandon API externe", "prestataire paiement"], [f"vault/{X}/*"], f"{X}/changelog.md"),
        (["rue de Rivoli", "appartement T3"], ["vault/projects/*/bucket/*", "vault/bucket/*"],
         f"{APPART}/bucket/annonce.md"),
        (["pourquoi a-t-on abandonné l'API externe ?"], [f"vault/{X}/*"], f"{X}/changelog.md"),
        (["relation client"], ["project:startup-x"], f"{X}/changelog.md"),
    ],
)  # fmt: skip
def test_by_meaning(vault: VaultClient, queries: list[str], scopes: list[str], first: str) -> None:
    assert search(vault, queries, "deep", scopes)[0].path == first
