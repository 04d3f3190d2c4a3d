"""The part of a file that is this program's own, between two marks; everything else stays as it is."""

from app.errors import ConfigError


def with_section(text: str, name: str, section: str, front: str = "") -> str:
    """Return a file's text with the section of this name put in, or in the place of its earlier one.

    Args:
        text: What the file holds.
        name: The section's name; a file may hold those of several vaults.
        section: The new section.
        front: What begins a file that held nothing.

    Raises:
        ConfigError: the marks in the file are not one pair.
    """
    begin, end = (f"<!-- vault-assistant:{edge} {name} -->" for edge in ("begin", "end"))
    own = f"{begin}\n{section}{end}\n"
    if not text.strip():
        return f"{front}\n{own}" if front else own
    newline = "\r\n" if "\r\n" in text else "\n"
    own = own.replace("\n", newline)
    lines = text.splitlines(keepends=True)
    marks = [line.strip() for line in lines]
    begins, ends = marks.count(begin), marks.count(end)
    if not begins and not ends:
        return text + newline * (1 if text.endswith("\n") else 2) + own
    first, last = (marks.index(begin) if begins else 0), (marks.index(end) if ends else 0)
    if (begins, ends) != (1, 1) or last < first:
        raise ConfigError(
            "the marks '{begin}' and '{end}' are not one pair",
            "mend the file, or remove both",
            begin=begin,
            end=end,
        )
    if not lines[last].endswith("\n"):
        own = own.removesuffix(newline)
    return "".join(lines[:first]) + own + "".join(lines[last + 1 :])
