"""What was left out of texts before they were sent to a model elsewhere: collected, and said."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from app.notices import Notice, NoticeKind


@dataclass
class LeftOut:
    """What was left out while this was collected, each text once."""

    found: dict[tuple[str, str], Notice] = field(default_factory=dict)
    """Kinds, by the text and the model it did not reach."""
    told: int = 0

    def notices(self) -> list[Notice]:
        """Say what was left out since this was called last; one sentence a model."""
        kinds: dict[str, list[Notice]] = {}
        for (_, model), kind in list(self.found.items())[self.told :]:
            kinds.setdefault(model, []).append(kind)
        self.told = len(self.found)
        return [
            Notice(NoticeKind.KEY_MASKED, what=each[0], model=model)
            if len(each) == 1
            else Notice(NoticeKind.KEYS_MASKED, count=len(each), model=model)
            for model, each in kinds.items()
        ]


_collecting: ContextVar[tuple[LeftOut, ...]] = ContextVar("collecting", default=())


@contextmanager
def left_out(into: LeftOut | None = None) -> Iterator[LeftOut]:
    """Collect what is left out of what is sent while this lasts, here and in whatever stands around it."""
    found = into if into is not None else LeftOut()
    token = _collecting.set((*_collecting.get(), found))
    try:
        yield found
    finally:
        _collecting.reset(token)


def leave_out(text: str, kind: Notice, model: str) -> None:
    """Note for whoever collects it that a text of some kind did not reach a model."""
    for collecting in _collecting.get():
        collecting.found.setdefault((text, model), kind)
