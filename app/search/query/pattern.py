"""Regular expressions as JavaScript writes them, run so that none can hang."""

import time
from contextlib import suppress
from dataclasses import dataclass, field

from app.errors import BadRequestError

SECONDS = 1.2
"""How long the expressions of one query may run, all notes together."""


@dataclass(slots=True)
class Clock:
    """The time that the regular expressions of one query still have, in seconds."""

    left: float = SECONDS


@dataclass(frozen=True, slots=True)
class Pattern:
    """A JavaScript regular expression; ``case`` makes case count. Make one by `read_pattern`.

    ``literals`` are texts that stand in whatever it meets, for narrowing by the index.
    """

    source: str
    case: bool = False
    literals: tuple[str, ...] = field(default=(), compare=False)
    translated: str = field(default="", compare=False, repr=False)

    def meets(self, text: str, clock: Clock) -> bool:
        """Return whether the expression meets a text.

        Raises:
            BadRequestError: the clock has run out.
        """
        from app.vault.javascript import compiled

        expression = compiled(self.translated, case=self.case, lines=True)
        begun, left = time.perf_counter(), clock.left
        clock.left, found = 0.0, None
        with suppress(TimeoutError):
            # `concurrent` lets other threads run meanwhile.
            found = expression.search(text, timeout=max(left, 1e-3), concurrent=True)
            clock.left = left - (time.perf_counter() - begun)
        if clock.left <= 0:
            raise BadRequestError(
                "the regular expression /{source}/ takes too long; it was stopped after {seconds} s",
                "avoid repeats within repeats, or put a word, a tag or a path beside it",
                source=self.source,
                seconds=SECONDS,
            )
        return found is not None


def read_pattern(source: str, *, case: bool = False) -> Pattern:
    """Read what stands between the slashes.

    Raises:
        PatternError: it is no JavaScript expression, or uses a form that is not supported.
    """
    from app.vault.javascript import compiled, translate

    translation = translate(source)
    compiled(translation.text, case=case, lines=True)
    return Pattern(source, case, translation.literals, translation.text)
