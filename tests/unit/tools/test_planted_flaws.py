"""A flaw in a loop costs clocks, in the order in which sources measured the flaws."""

from __future__ import annotations

import pytest

from tools.planted_flaws import flaws, main


@pytest.mark.slow
def test_each_flaw_loses_clocks_in_the_published_order() -> None:
    assert main() == 0
    conflict, *_ = flaws()
    assert conflict.published is not None and abs(conflict.lost - conflict.published) < 0.02
