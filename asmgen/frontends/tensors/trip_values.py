"""The values in the body of a counted loop, in all trips at once."""

from __future__ import annotations

from typing import Literal

from asmgen.frontends.tensors.op_call import Item
from asmgen.frontends.traced.array import Array
from asmgen.index.size import Dim
from isa.named_tuple import NamedTuple


class Same(NamedTuple):
    """The same in every trip."""

    item: Item


class Each(NamedTuple):
    """Another in each trip: the first axis of the array has the trips."""

    array: Array


class Counter(NamedTuple):
    """The integer `first` in the first trip, and `step` more, 1 or -1, in each trip after it."""

    first: Dim
    step: int


class Linear(NamedTuple):
    """The carried value as it was before the trip, times `factor`, plus `summand`; None is 1 and 0."""

    carried: int
    factor: Same | Each | None = None
    summand: Same | Each | None = None

    @property
    def is_itself(self) -> bool:
        return self.factor is None and self.summand is None


class Extreme(NamedTuple):
    """The larger or the smaller of the carried value before the trip and another value."""

    carried: int
    word: Literal["max", "min"]
    other: Same | Each


class Latest(NamedTuple):
    """Another value in trips with a true `is_new`; in all other trips the carried value before the trip."""

    carried: int
    is_new: Same | Each
    other: Same | Each


class Written(NamedTuple):
    """A carried array to which each trip writes a slice; after all trips it is this array."""

    carried: int
    whole: Array


class Open(NamedTuple):
    """Not known yet: it is made of carried values in another way."""


OPEN = Open()
TripValue = Same | Each | Counter | Linear | Extreme | Latest | Written | Open


def array_of(value: Same | Each) -> Array:
    item = value.array if isinstance(value, Each) else value.item
    assert isinstance(item, Array), "its readers take arrays alone"
    return item
