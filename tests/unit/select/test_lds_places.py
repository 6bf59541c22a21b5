"""Buffers in LDS share memory if a barrier of all waves is between their accesses."""

from __future__ import annotations

import pytest

from asmgen.ir.program import Region, Statement, Value
from asmgen.ir.types import F32, tensor
from asmgen.lanewise.ops import ASYNC_WAIT, BARRIER, FOR, IF, LDS_ALLOCATE, LDS_LOAD, LOAD_TO_LDS, STAGGER
from asmgen.select.memory.lds_places import places_of

BUFFERS = {name: Value(name, tensor(F32, (size,))) for name, size in (("a", 64), ("b", 16), ("c", 64))}
OTHERS = {
    "|": Statement(BARRIER, (), ()),
    "~": Statement(IF, (), (), {}, (Region((), (Statement(STAGGER, (), ()),)),)),
    ".": Statement(ASYNC_WAIT, (), (), {"pending": 0}),
    "-": Statement(ASYNC_WAIT, (), (), {"pending": 1}),
    "o": Statement(FOR, (), (), {}, (Region((), (Statement(BARRIER, (), ()),)),)),
}


def statement(letter: str) -> Statement:
    """A letter is an access, and a capital a copy."""
    if letter in OTHERS:
        return OTHERS[letter]
    return Statement(LOAD_TO_LDS if letter.isupper() else LDS_LOAD, (BUFFERS[letter.lower()],), ())


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("abc", (0, 256, 320)),
        ("ab|c", (0, 256, 0)),
        ("ab|ca", (0, 256, 256)),
        ("a|b|c", (0, 0, 0)),
        ("b|ac", (0, 0, 256)),  # c beside a
        ("boac", (0, 256, 320)),  # a barrier in a loop parts nothing
        ("~b|ac~", (0, 256, 320)),  # nor does a barrier of waves out of step
        ("~b~|ac", (0, 0, 256)),
        ("A|.b|c", (0, 256, 0)),  # a copy is under way until the wave waits for it
        ("A-|b|c", (0, 256, 256)),
        ("A.|b|c", (0, 0, 0)),
    ],
)
def test_buffers_that_no_phase_has_both_share_memory(text: str, places: tuple[int, ...]) -> None:
    allocations = [Statement(LDS_ALLOCATE, (), (buffer,)) for buffer in BUFFERS.values()]
    found = places_of([*allocations, *map(statement, text)])
    assert tuple([found[buffer] for buffer in BUFFERS.values()]) == places
