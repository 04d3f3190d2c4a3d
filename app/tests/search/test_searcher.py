"""One searcher a vault, index and settings; its links are those of the whole vault."""

from app.config.settings import IndexDefinition, IndexSettings
from app.search.searcher import searcher_for
from app.tests.conftest import MakeVault


def test_a_searcher_is_opened_once_and_anew_after_it_was_closed(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"a.md": "x"})
    first = searcher_for(vault)
    assert searcher_for(vault) is first
    first.close()
    assert searcher_for(vault) is not first


def test_links_of_notes_that_the_index_leaves_out_are_told_as_well(tiny_vault: MakeVault) -> None:
    notes = {"a.md": "[[t/c]]", "t/c.md": "[[a]]"}
    definition = IndexDefinition(exclude=("t",))
    partial = tiny_vault(notes, index=IndexSettings(indexes={"notes": definition}))
    whole = tiny_vault(notes)
    for vault in (partial, whole):
        ask = searcher_for(vault).ask_links
        assert [edge.source for edge in ask(lambda graph: graph.incoming("a.md"))] == ["t/c.md"]
        assert [edge.target for edge in ask(lambda graph: graph.outgoing("a.md"))] == ["t/c.md"]
