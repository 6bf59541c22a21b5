"""Every op with every element type on every target, each from its row to the emulator; the float64 reference judges."""

from __future__ import annotations

import pytest

import asmgen
from asmgen.graph.ops import GRAPH_OPS
from asmgen.verification import hold
from isa.targets import TARGETS
from tests.cells import Cell, cells
from tests.device import chosen_device

_IN_EVERY_RUN = 61  # one cell of so many, with the targets in turn


def _cases() -> list[object]:
    found: list[object] = []
    for number, cell in enumerate(one for one in cells() if one.element in _lowered(one)):
        for turn, target in enumerate(TARGETS):
            is_kept = number % _IN_EVERY_RUN == 0 and number // _IN_EVERY_RUN % len(TARGETS) == turn
            found.append(pytest.param(cell, target, marks=() if is_kept else pytest.mark.slow, id=f"{cell} {target}"))
    return found


def _lowered(cell: Cell) -> frozenset[str]:
    return GRAPH_OPS[cell.op].lowered


@pytest.mark.parametrize(("cell", "target"), _cases())
def test_a_cell_agrees_with_the_reference(cell: Cell, target: str) -> None:
    report = hold(asmgen.compile(cell.text, target=target, verify_passes=True), chosen_device())
    assert not report.is_broken, "\n".join(str(check) for check in report.checks)
