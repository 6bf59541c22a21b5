"""Parts of expressions are made once while they are used, and freed afterwards."""

from __future__ import annotations

import gc
from collections.abc import Callable

import pytest

from asmgen.index import interning
from asmgen.index.expression import dim_symbol, symbol
from asmgen.index.nodes import Index
from asmgen.index.size import Size

N = dim_symbol("n", 1, 1 << 20)
ROW = symbol("row", 0, Size(N - 1))
FLOOD = 100_000


def flood() -> None:
    """Ask for more expressions than are remembered."""
    for number in range(FLOOD):
        _ = symbol("flood", 0, 7 + number) + N


@pytest.mark.parametrize(
    "of",
    [
        (lambda: ROW.times(N)), (lambda: (ROW + 3) // 5), (lambda: (ROW + 3) % 5), (lambda: (ROW + N).at_most(9)), (lambda: ROW.smaller(N - 5)),
        (lambda: (ROW + 3).divided(N)), (lambda: (ROW + 3).remaining(N)), (lambda: symbol("lane", 0, 63, 4)),
    ],
    ids=["product", "quotient", "remainder", "minimum", "smaller", "sized quotient", "sized remainder", "symbol"],
)  # fmt: skip
def test_an_expression_in_use_is_the_same_after_many_others(of: Callable[[], Index]) -> None:
    used: Index = of() + 1000
    flood()
    assert of() + 1000 is used


def test_expressions_that_nothing_uses_are_freed() -> None:
    gc.collect()
    before = len(interning.PARTS)  # other tests of the process may keep theirs
    flood()
    gc.collect()
    assert len(interning.PARTS) - before < FLOOD
