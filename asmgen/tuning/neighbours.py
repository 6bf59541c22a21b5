"""The neighbours of a schedule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations

from msgspec.structs import asdict, replace

from asmgen.blockwise.schedules.choices import Choice, Transpose

_Values = Mapping[str, tuple[int | None, ...]]
# Attributes that may be left open, or that count no accesses: each value is a neighbour of every other.
_VALUES: _Values = {"pieces": (None, 1, 2, 4, 8), "stages": (None, 1, 2, 3), "apart": (None, 1)}
_OF_TYPE: dict[type[Choice], _Values] = {Transpose: {"lanes": (None, 4, 8, 16)}}
_ANY_COUNT = "repeat"


def neighbours(choice: Choice) -> Iterator[Choice]:
    """Choices that differ in a single way: a count is doubled or halved; a count is doubled and another is
    halved, so that their product stays; an attribute is left open, or has another value. A choice may come
    twice, and many do not fit the kernel."""
    values = {**_VALUES, **_OF_TYPE.get(type(choice), {})}
    given = asdict(choice)
    counts = {name: value for name, value in given.items() if type(value) is int and name not in values}
    for name, value in counts.items():
        yield replace(choice, **{name: value * 2})
        if value > 1:
            yield replace(choice, **{name: value // 2})
    for first, second in permutations(counts, 2):
        if counts[second] > 1:
            yield replace(choice, **{first: counts[first] * 2, second: counts[second] // 2})
    for name in [name for name in values if name in given]:
        for value in values[name]:
            if value != given[name]:
                yield replace(choice, **{name: value})
    if counts.get(_ANY_COUNT, 0) > 1:
        yield replace(choice, **{_ANY_COUNT: counts[_ANY_COUNT] + 1})
        yield replace(choice, **{_ANY_COUNT: counts[_ANY_COUNT] - 1})
