"""Runs the operations that may read undefined values, and reports a value that decides something. See
`undefined.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, auto
from functools import cache

import numpy as np
from numpy.typing import NDArray

from isa.constants import BIT_TYPES, BITS
from isa.emulator.program.code import Operation
from isa.emulator.sanitizer.paths.facts import meaning_of, units_of
from isa.emulator.sanitizer.paths.paths import Paths
from isa.emulator.sanitizer.undefined import Doubt, FirstRead, Undefined, Words, first_wave
from isa.emulator.state.footprint import EmptyLoad, Footprint
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Step, Waves
from isa.emulator.steps.memory.data import DATA
from isa.instruction import Instr, Role, Row, Trait, Unit
from isa.lane_masks import MASK_TYPES
from isa.named_tuple import NamedTuple
from isa.registers import EXEC, Register
from isa.semantics.accesses import Half, Store
from isa.semantics.control import Control

Flags = NDArray[np.uint8]
_ACCESS = frozenset({Trait.LOAD, Trait.STORE, Trait.ATOMIC, Trait.LDS_DMA})
_PAIRS = {"f16x2": 2, "bf16x2": 2, "i16x2": 2, "u16x2": 2, "f32x2": 2}  # numbers that are computed at once


class Stored(NamedTuple):
    """A word that a store reads: its undefined bits, None for none, and their origin."""

    bits: Words | None
    origin: FirstRead


class Pass(Enum):
    """The runs of a load: the only run, the run with other bits in place of undefined bits, or the run that
    counts."""

    ONLY = auto()
    OTHER = auto()
    LAST = auto()


# a fault's origin, the wave in the group, lanes, the decision; it raises, unless the run goes on
Report = Callable[[FirstRead, int, list[int], str], None]


class Suspects:
    """The suspects of a chunk of waves."""

    def __init__(
        self, w: Waves, operations: Sequence[Operation], layout: RegisterLayout, paths: Paths, report: Report
    ) -> None:
        self._w = w
        self._operations = operations
        self._layout = layout
        self._paths = paths
        self._report = report
        self._undefined = Undefined(w, layout)
        self.run_of_load = Pass.ONLY
        self._swapped: list[tuple[NDArray[np.uint8], NDArray[np.int64]]] = []
        self._data: list[list[Stored]] = []
        self._stores = 0
        self._words: list[Stored] = []  # of the store that runs
        # of scratch and of LDS (by their flags), bytes of numbers computed from undefined values
        self._computed: dict[int, set[int]] = {}
        self._loads_computed = False
        self._origin = FirstRead(0, "", False)

    def run(self, index: int, doubts: list[Doubt], step: Step | None) -> None:
        """Run an operation of the current group, if it has a step. Raises `Report`'s error if an undefined
        value decides something."""
        operation = self._operations[index]
        others = self._undefined.others(doubts)
        reads = tuple(unit for doubt in doubts for unit in doubt.units)
        partial = any(unit in doubt.partial for doubt in doubts for unit in doubt.units)
        self._origin = self._origin_of(others, reads, index, partial)
        if step is None:
            self._decides(others, reads, "the next instruction")
            return
        if isinstance(operation, Instr) and not _ACCESS.isdisjoint(operation.row.traits):
            self._access(index, operation, others, reads, step)
            return
        if isinstance(operation, Instr) and meaning_of(operation) is Control.SET_REGISTER:
            self._decides(others, reads, "a mode")
        self._compute(index, others, step)

    def _origin_of(
        self, others: dict[int, Words], reads: tuple[int, ...], index: int, partial: bool
    ) -> FirstRead:
        difference = self._undefined.differences(others, reads)
        unit = difference[0] if difference else reads[0] if reads else -1
        return (
            self._undefined.origin(unit, index, partial) if unit >= 0 else FirstRead(index, "memory", False)
        )

    def _decides(
        self, others: dict[int, Words], units: tuple[int, ...], what: str, *, idle: bool = True
    ) -> None:
        """Report the first of these units that would differ; unless `idle`, only in waves with an active
        lane."""
        difference = self._undefined.differences(others, units)
        if difference is None:
            return
        unit, wrong = difference
        if not idle and wrong.ndim == 1:
            wrong = wrong & (self._w.exec_masks() != 0)
            if not wrong.any():
                return
        wave, lanes = first_wave(wrong)
        self._report(
            self._undefined.origin(unit, self._origin.operation, self._origin.partial), wave, lanes, what
        )

    def _compute(self, index: int, others: dict[int, Words], step: Step) -> None:
        defines = self._defines(index)
        results = self._undefined.twice(step, others, defines)
        masks = {unit: values for unit, values in results.items() if unit in EXEC.units}
        self._decides(masks, tuple(masks), "which lanes are active")
        origin = self._origin._replace(computed=self._origin.computed or self._computes(index, results))
        for unit, values in results.items():
            self._undefined.hold(unit, values, origin)

    def _computes(self, index: int, results: dict[int, Words]) -> bool:
        """Whether an operation computes a number from undefined values. An operation that computes several
        numbers may need only some of them, and a 16-bit operation only half of its register."""
        operation = self._operations[index]
        width = _number_width(operation.row) if isinstance(operation, Instr) else 0
        if not width or not results:
            return False
        differ = [self._undefined.bits(results, unit) for unit in results]
        joined = [0 if bits is None else int(np.bitwise_or.reduce(bits, axis=None)) for bits in differ]
        undefined = sum(word << 32 * i for i, word in enumerate(joined))
        numbers = range(0, 32 * len(joined) if _makes_several(operation) else width, width)
        return all(undefined >> first & ((1 << width) - 1) for first in numbers)

    def _defines(self, index: int) -> tuple[int, ...]:
        """The units that an operation may write, of those that the kernel has."""
        units = units_of(self._paths.facts(index).written)
        return tuple(unit for unit in units if self._layout.has(Register(unit)))

    def _access(
        self, index: int, instr: Instr, others: dict[int, Words], reads: tuple[int, ...], step: Step
    ) -> None:
        data = [units for name in DATA for units in _units_named(instr, name)]
        address = tuple(unit for unit in reads if not any(unit in units for units in data))
        self._decides(others, address, "the address of an access", idle=instr.row.unit is Unit.SMEM)
        if Trait.ATOMIC in instr.row.traits:
            self._decides(
                others,
                tuple(unit for units in data for unit in units),
                "the result of an atomic in memory",
                idle=False,
            )
        if Trait.STORE in instr.row.traits:
            self._data = [[self._stored(others, unit, index) for unit in units] for units in data]
            self._stores = 0
            try:
                step(self._w)
            finally:
                self._data = []
            return
        self._load(index, step)

    def _stored(self, others: dict[int, Words], unit: int, index: int) -> Stored:
        origin = self._undefined.origin(unit, index, self._origin.partial)
        return Stored(self._undefined.bits(others, unit), origin)

    def _load(self, index: int, step: Step) -> None:
        defines = self._defines(index)
        if index not in self._paths.empty_loads:
            try:
                step(self._w)
            except EmptyLoad:
                self._w.refresh_exec()
            else:
                for unit in defines:
                    self._undefined.hold(unit, None, self._origin)
                return
        self._loads_computed = False
        results = self._other_load(step, defines)
        self._origin = FirstRead(index, "memory", False, self._loads_computed)
        self.run_of_load = Pass.LAST
        try:
            step(self._w)
        finally:
            self.run_of_load = Pass.ONLY
        for unit, values in results.items():
            self._undefined.hold(unit, values, self._origin)

    def _other_load(self, step: Step, defines: tuple[int, ...]) -> dict[int, Words]:
        """The result of a load if undefined memory had other bits."""
        self.run_of_load = Pass.OTHER
        try:
            return self._undefined.tried(step, defines)
        finally:
            self.run_of_load = Pass.ONLY
            for store, at in self._swapped:
                store[at] = ~store[at]
            self._swapped = []

    def swap(self, place: Footprint, size: int, flags: Flags) -> None:
        """Put other bits into the undefined bytes of a load while it runs."""
        at = np.unique((place.indexes[:, None] + np.arange(size)).reshape(-1))
        at = at[flags[at] == 0]
        computed = self._computed.get(id(flags))
        self._loads_computed |= computed is not None and not computed.isdisjoint(at.tolist())
        place.store[at] = ~place.store[at]
        self._swapped.append((place.store, at))

    def undefined_bytes(self, place: Footprint, size: int, store: Store | None) -> NDArray[np.bool_] | None:
        """bool[lane, byte]: the undefined bytes of the current store; None if all are defined."""
        if not self._data:
            return None
        words = self._words = self._data[min(self._stores, len(self._data) - 1)]
        self._stores += 1
        if all(word.bits is None for word in words):
            return None
        nothing = np.zeros((self._w.width, self._w.lanes), np.uint32)
        bits = np.stack([nothing if word.bits is None else word.bits for word in words], -1)
        bits = bits.reshape(-1, len(words))
        bits = bits if place.lanes is None else bits[place.lanes]
        if store is not None and store.half is Half.HIGH:
            bits = bits >> np.uint32(16)
        return (np.ascontiguousarray(bits).view(np.uint8) != 0)[:, :size]

    def keep(self, undefined: NDArray[np.bool_], place: Footprint, flags: Flags) -> None:
        """Record the undefined bytes of a store to scratch or LDS, and which of them belong to numbers."""
        size = undefined.shape[1]
        at = np.asarray(place.indexes[:, None] + np.arange(size), np.int64)
        flags[at] = ~undefined
        numbers: NDArray[np.bool_] = np.array([word.origin.computed for word in self._words], np.bool_)
        of_numbers = undefined & numbers.repeat(4)[:size]
        copied, made = at[undefined & ~of_numbers], at[of_numbers]
        computed = self._computed.setdefault(id(flags), set())
        computed.difference_update(copied.tolist())
        computed.update(made.tolist())

    def stores_nothing_known(self, undefined: NDArray[np.bool_], place: Footprint) -> None:
        """Report a lane's store if each of its words begins with an undefined byte, or if a computed number
        has an undefined byte. Bytes that are only copied may be padding."""
        begins = undefined[:, ::4]
        lanes, size = undefined.shape
        whole = np.zeros((lanes, 4 * begins.shape[1]), np.bool_)
        whole[:, :size] = undefined
        touched = whole.reshape(lanes, -1, 4).any(axis=2)
        computed = touched & np.array([word.origin.computed for word in self._words])[: begins.shape[1]]
        wrong = begins.all(axis=1) | computed.any(axis=1)
        if not wrong.any():
            return
        at = np.flatnonzero(wrong) if place.lanes is None else place.lanes[wrong]
        wave = int(at[0]) // self._w.lanes
        mine = at[at // self._w.lanes == wave] % self._w.lanes
        first = computed[wrong][0]
        word = int(np.argmax(first if first.any() else begins[wrong][0]))
        origin = self._words[word].origin
        self._report(origin, wave, [int(lane) for lane in mine], "the contents of memory")


@cache
def _number_width(row: Row) -> int:
    """The bits of a number of the result; 0 if the bits are only moved, chosen or packed."""
    types = [row.operands[i].type for i in row.defines if row.operands[i].type not in MASK_TYPES]
    if not types or (types[0] in BIT_TYPES and Trait.MIXES not in row.traits):
        return 0
    return BITS[types[0]] // _PAIRS.get(types[0], 1)


def _makes_several(operation: Operation) -> bool:
    """Whether the result is several numbers, as those of `_PAIRS` are."""
    return isinstance(operation, Instr) and operation.row.operands[operation.row.defines[0]].type in _PAIRS


def _units_named(instr: Instr, name: str) -> list[tuple[int, ...]]:
    return [
        tuple(operand.units)
        for spec, operand in zip(instr.row.operands, instr.operands, strict=True)
        if spec.name == name and spec.role is Role.USE and isinstance(operand, Register)
    ]
