"""Combining a number with the identity element of an op gives the number, in every type."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, isnan

import pytest

from asmgen.ir.identities import filling, identity
from asmgen.ir.numbers import integer_range
from asmgen.ir.types import ELEMENT_TYPES, ElementType

COMBINE: dict[str, Callable[[int, int], int]] = {
    "sum": lambda a, b: a + b,
    "prod": lambda a, b: a * b,
    "max": max,
    "min": min,
}
TYPES = tuple(dict.fromkeys(ELEMENT_TYPES.values()))


@pytest.mark.parametrize("kind", COMBINE)
@pytest.mark.parametrize("element", [each for each in TYPES if not each.is_float], ids=str)
def test_identity_elements_of_integers_are_exact(kind: str, element: ElementType) -> None:
    number = identity(kind, element)
    assert isinstance(number, int)
    assert all(COMBINE[kind](number, each) == each for each in integer_range(element))


@pytest.mark.parametrize("element", [each for each in TYPES if each.is_float], ids=str)
def test_missing_floats_lose_in_max_and_min(element: ElementType) -> None:
    assert isnan(filling("max", element)) and isnan(filling("min", element))
    begins = identity("max", element), identity("min", element)
    assert begins == (-inf, inf) or all(map(isnan, begins))
