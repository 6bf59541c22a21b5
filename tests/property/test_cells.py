"""Every op with every element type on every target, each from its row to the emulator; the float64 reference judges."""

from __future__ import annotations

from itertools import product

import pytest

import asmgen
from asmgen.graph.ops import GRAPH_OPS
from asmgen.verification import hold
from isa.targets import TARGETS
from tests.cells import Cell, cells
from tests.device import chosen_device

_IN_EVERY_RUN = 61  # one cell of so many, with the targets in turn
_LOWERED = [cell for cell in cells() if cell.element in GRAPH_OPS[cell.op].lowered]
_THIN = [(cell, [*TARGETS][turn % len(TARGETS)]) for turn, cell in enumerate(_LOWERED[::_IN_EVERY_RUN])]


@pytest.mark.parametrize(("cell", "target"), _THIN, ids=str)
def test_a_cell_agrees_with_the_reference(cell: Cell, target: str) -> None:
    check(cell, target)


@pytest.mark.slow
@pytest.mark.parametrize(("cell", "target"), product(_LOWERED, TARGETS), ids=str)
def test_every_cell_agrees_with_the_reference(cell: Cell, target: str) -> None:
    check(cell, target)


def check(cell: Cell, target: str) -> None:
    report = hold(asmgen.compile(cell.text, target=target, verify_passes=True), chosen_device())
    assert not report.is_broken, "\n".join(str(check) for check in report.checks)
