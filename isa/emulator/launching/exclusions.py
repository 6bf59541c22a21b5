"""Runs an instruction without the accesses that are out of bounds, if a run goes on after such a fault."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from isa.emulator.program.code import Operation
from isa.emulator.state.waves import Step, Waves
from isa.instruction import Instr, Unit


def accesses_by_wave(operation: Operation) -> bool:
    """Whether an operation accesses memory for a wave as a whole, and not for its lanes."""
    return isinstance(operation, Instr) and operation.row.unit is Unit.SMEM


def run_without(w: Waves, step: Step, wrong: NDArray[np.intp], by_wave: bool) -> None:
    """Run a step of the group without these of its lanes that are on, or without these waves."""
    if by_wave:
        _run_without_waves(w, step, wrong)
        return
    active = w.active_lanes().copy()
    active.reshape(-1)[np.flatnonzero(active)[wrong]] = False
    if active.any():
        w.within(active, lambda: step(w))


def _run_without_waves(w: Waves, step: Step, wrong: NDArray[np.intp]) -> None:
    group = w.indexes
    rest = np.delete(group, wrong)
    if not len(rest):
        return
    w.choose(rest)
    try:
        step(w)
    finally:
        w.choose(group)
