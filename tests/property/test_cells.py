"""Every op with every element type on every target, each from its row to the emulator; the float64 reference judges."""

from __future__ import annotations

from itertools import product

import pytest

import asmgen
from asmgen.verification import hold
from isa.targets import TARGETS
from tests.cells import Cell, cells
from tests.device import chosen_device

_IN_EVERY_RUN = 61  # one cell of so many, with the targets in turn
_CELLS = cells()
_THIN = [(cell, [*TARGETS][turn % len(TARGETS)]) for turn, cell in enumerate(_CELLS[::_IN_EVERY_RUN])]


@pytest.mark.parametrize(("cell", "target"), _THIN, ids=str)
def test_a_cell_agrees_with_the_reference(cell: Cell, target: str) -> None:
    check(cell, target)


@pytest.mark.slow
@pytest.mark.parametrize(("cell", "target"), product(_CELLS, TARGETS), ids=str)
def test_every_cell_agrees_with_the_reference(cell: Cell, target: str) -> None:
    check(cell, target)


def check(cell: Cell, target: str) -> None:
    report = hold(asmgen.compile(cell.text, target=target, verify_passes=True), chosen_device())
    assert not report.is_broken, "\n".join(str(check) for check in report.checks)
