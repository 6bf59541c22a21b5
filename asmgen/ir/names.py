"""Names that are not given yet."""

from __future__ import annotations


def fresh_name(hint: str, taken: set[str]) -> str:
    """`hint`, or `hint` with the first number that makes it new; `taken` has it from then on."""
    name, number = hint, 0
    while name in taken:
        number += 1
        name = f"{hint}_{number}"
    taken.add(name)
    return name
