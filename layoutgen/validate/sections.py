"""What a section of a builtin's page is about: an operand, and formats of one width."""

from __future__ import annotations

import re

from layoutgen.emulator.formats import F8F6F4
from layoutgen.validate.setting import PLAIN, Modifiers
from layoutgen.validate.subject import Subject

_SECTION = re.compile(
    r"Layouts? of (?:the )?(A|B|C and D|index|scales of [AB])(?:, (\d+)-bit formats)?$"
)


def about(subject: Subject, section: tuple[str, ...]) -> tuple[str, list[Modifiers]]:
    """Return the operand of a section, and the settings: those whose formats have its width.

    The operand is empty where the section is about none.
    """
    match = _SECTION.search(section[-1]) if section else None
    if match is None:
        return "", [PLAIN]
    operand = match[1][-1] if match[1] != "index" else "index"
    if match[1].startswith("scales"):
        operand = f"scale_{match[1][-1].lower()}"
    if match[2] is None:
        return operand, [PLAIN]
    name = "cbsz" if operand == "A" else "blgp"
    every = [Modifiers(**{name: code}) for code in range(len(F8F6F4))]
    return operand, [m for m in every if subject.width(operand, m) == int(match[2])]
