"""The day when a task is due."""

from datetime import date

import pytest

from app.markdown.due import due_day


@pytest.mark.parametrize(
    ("task", "due"),
    [
        ("- [ ] sew 📅 2026-11-24", date(2026, 11, 24)),
        ("- [ ] sew ⏫ 📅2026-11-24 🔁 every week", date(2026, 11, 24)),
        ("- [ ] sew [due:: 2026-11-24]", date(2026, 11, 24)),
        ("- [ ] sew (due::2026-11-24 ) by hand", date(2026, 11, 24)),
        ("- [ ] sew ⏳ 2026-11-24 🛫 2026-11-20 ✅ 2026-11-25", None),
        ("- [ ] sew [scheduled:: 2026-11-24]", None),
        ("- [ ] sew 📅 2026-11-245", None),
        ("- [ ] sew due:: 2026-11-24", None),
    ],
)
def test_a_task_is_due_on_the_day_that_plugins_write(task: str, due: date | None) -> None:
    assert due_day(task) == due
