"""Counts how often each instruction of a launch is executed: by how many waves, in how many lanes, and how
often a conditional branch is taken."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from isa.emulator.launching.launch import layout_of
from isa.emulator.observers import Observer
from isa.emulator.operands.operands import PLAIN_BITS, scalar_value
from isa.emulator.program.code import Operation
from isa.emulator.program.image import Image
from isa.emulator.sanitizer.paths.facts import meaning_of
from isa.emulator.state.waves import Waves
from isa.instruction import Instr, Trait
from isa.lane_masks import lane_masks, writes_exec
from isa.semantics.control import Branch


class Executions(Struct, frozen=True):
    """For each operation: the waves that executed it, the lanes that were on then, and for a conditional
    branch how often it was taken."""

    waves: NDArray[np.int64]
    lanes: NDArray[np.int64]
    taken: NDArray[np.int64]

    def __add__(self, other: Executions) -> Executions:
        return Executions(self.waves + other.waves, self.lanes + other.lanes, self.taken + other.taken)


class ExecutionCounter(Observer):
    """Counts by blocks: EXEC changes at few instructions."""

    def __init__(self, image: Image) -> None:
        count = len(image.code.operations) + 1
        self._operations = image.code.operations
        self._layout = layout_of(image)
        # differences: the number added from an operation on
        self._waves = np.zeros(count, np.int64)
        self._lanes = np.zeros(count, np.int64)
        self._taken = np.zeros(count - 1, np.int64)
        self._past = 0
        self._on = 0  # lanes of the group that are on

    def executions(self) -> Executions:
        return Executions(np.cumsum(self._waves)[:-1], np.cumsum(self._lanes)[:-1], self._taken)

    def enter(self, w: Waves, start: int, past: int) -> None:
        self._past = past
        self._waves[start] += w.width
        self._waves[past] -= w.width
        self._on = _lanes_on(w)
        self._lanes[start] += self._on
        self._lanes[past] -= self._on

    def watches(self, index: int, operation: Operation) -> bool:
        if not isinstance(operation, Instr):
            return False
        return writes_exec(operation) or Trait.CONDITIONAL_BRANCH in operation.row.traits

    def before(self, w: Waves, index: int) -> None:
        operation = self._operations[index]
        meaning = meaning_of(operation) if isinstance(operation, Instr) else None
        if not isinstance(meaning, Branch) or meaning.register is None:
            return
        masks = lane_masks(self._layout.lanes)
        register = meaning.register.part(0, min(meaning.register.count, masks.units))
        value = np.atleast_1d(scalar_value(register, PLAIN_BITS[register.count], self._layout)(w))
        self._taken[index] += int(np.count_nonzero((value != 0) == meaning.nonzero))

    def after(self, w: Waves, index: int, accesses: object) -> None:
        on = _lanes_on(w)
        if index + 1 < self._past and on != self._on:
            self._lanes[index + 1] += on - self._on
            self._lanes[self._past] -= on - self._on
            self._on = on


def _lanes_on(w: Waves) -> int:
    return w.width * w.lanes if w.full else int(np.count_nonzero(w.active))
