"""Index expressions that differ for all values of their symbols: examples, and random expressions against
every value."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from asmgen.index import Index, constant, symbol
from asmgen.index.apart import differ
from asmgen.index.expression import as_symbol
from asmgen.index.text import index_of

DIFFER = (
    ("trip mod 2", "(trip + 1) mod 2"),
    ("trip mod 3", "(trip + 2) mod 3"),
    ("(trip floordiv 4) mod 2", "((trip + 4) floordiv 4) mod 2"),
    ("1 - trip mod 2", "trip mod 2"),
    ("0", "1"),
    ("2*row", "2*column + 1"),
    ("trip", "trip + 1"),
    ("trip mod 4", "(trip + 1) mod 2"),
    ("(3*trip) mod 4", "(3*trip + 1) mod 4"),
    ("64*row + trip mod 2", "64*row + (trip + 1) mod 2"),
)
MAY_MEET = (
    ("trip mod 2", "(trip + 2) mod 2"),
    ("trip mod 2", "row mod 2"),
    ("(trip floordiv 4) mod 2", "((trip + 1) floordiv 4) mod 2"),
    ("row", "column"),
    ("trip mod 4", "(trip + 2) mod 2"),
    ("trip mod 2", "1"),
)
NAMES = ("trip", "row")
VALUES = 24
PAIRS = 400


@pytest.mark.parametrize(("a", "b"), DIFFER)
def test_expressions_differ(a: str, b: str) -> None:
    assert differ(index_of(a), index_of(b))
    assert differ(index_of(b), index_of(a))


@pytest.mark.parametrize(("a", "b"), MAY_MEET)
def test_expressions_may_be_equal(a: str, b: str) -> None:
    assert not differ(index_of(a), index_of(b))


def drawn(random: Random) -> Index:
    total = constant(random.randrange(4))
    for name in NAMES:
        total += symbol(name) * random.choice((0, 0, 1, 1, 2, 4))
    if random.random() < 0.7:
        total = total // random.choice((1, 1, 2, 4)) % random.choice((2, 3, 4))
    return total * random.choice((1, 1, 2)) + random.randrange(3)


def test_random_expressions_that_are_shown_to_differ_differ_everywhere() -> None:
    random, shown = Random(26), 0
    for number in range(PAIRS):
        a, b = drawn(random), drawn(random)
        if not differ(a, b):
            continue
        shown += 1
        for values in product(range(VALUES), repeat=len(NAMES)):
            known = {as_symbol(symbol(name)): value for name, value in zip(NAMES, values, strict=True)}
            assert a.evaluate(known, 0) != b.evaluate(known, 0), f"pair {number}: {a.text} and {b.text} at {values}"
    assert shown > PAIRS // 20
