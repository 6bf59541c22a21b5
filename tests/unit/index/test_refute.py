"""Conditions on indices that have no solution."""

import pytest

from asmgen.index import symbol
from asmgen.index.refute import is_refuted

FIRST, SECOND, LAST = [symbol(name, 0, 1 << 20) for name in ("first", "second", "last")]
C0, C1 = [symbol(name, 0, 127) for name in ("c0", "c1")]


@pytest.mark.parametrize(("step", "is_shown"), [(128, True), (127, False)])
def test_a_tile_that_begins_earlier_stores_what_no_tile_before_has(step: int, is_shown: bool) -> None:
    """Tiles of 128 begin at multiples of a step, or earlier. Each stores the elements from its multiple on. Of two tiles with an
    element in common, the second begins 127 elements before the first at most."""
    element, other = C0 + (FIRST * step).smaller(LAST), C1 + (SECOND * step).smaller(LAST)
    assert is_refuted((element - other,), (element - FIRST * step, FIRST - SECOND - 1)) is is_shown
