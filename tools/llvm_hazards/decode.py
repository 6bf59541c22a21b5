"""What LLVM inserted, in the words of assembly: wait states as a number, waits as counts per counter."""

from __future__ import annotations

import re
from typing import NamedTuple

_IMMEDIATE = re.compile(r"(S_\w+)\s+(-?\d+)")
BLOCK = "bb"  # a line that marks the start of a block
FULL = {"vmcnt": 63, "expcnt": 7, "lgkmcnt": 15}


class Inserted(NamedTuple):
    """What stands before one instruction: wait states, and the counts waited for (counters not waited for are left out)."""

    states: int
    counts: dict[str, int]


def decode_counts(immediate: int) -> dict[str, int]:
    """The counts of an s_waitcnt of gfx9; those at their maximum mean nothing and are left out."""
    field = immediate & 0xFFFF
    counts = {"vmcnt": field & 15 | field >> 14 << 4, "expcnt": field >> 4 & 7, "lgkmcnt": field >> 8 & 15}
    return {name: count for name, count in counts.items() if count != FULL[name]}


def inserted_before(answer: list[tuple[int | None, str]], index: int) -> Inserted:
    """What LLVM put between instruction `index` and the original one before it, in the block of `index`.

    What stands at the end of another block serves no instruction: before a loop of stores LLVM waits for older loads.
    """
    states = 0
    counts: dict[str, int] = {}
    for tag, text in answer:
        if tag == index:
            return Inserted(states, counts)
        if tag is not None or text == BLOCK:
            states, counts = 0, {}
            continue
        match = _IMMEDIATE.match(text)
        if match and match.group(1) == "S_NOP":
            states += int(match.group(2)) + 1
        elif match and match.group(1) == "S_WAITCNT":
            for name, count in decode_counts(int(match.group(2))).items():
                counts[name] = min(count, counts.get(name, count))
    return Inserted(states, counts)
