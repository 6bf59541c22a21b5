"""EXEC through a program on physical registers: the active lanes of each instruction, and inclusions among
these sets.

Text does not show which branches only skip lanes, so the sets are followed through the scalar instructions
that make them. A set is a bit vector of `SAMPLES` lanes. An unknown mask (the outcome of a comparison, a mask
from memory) is an *atom*, a pseudo-random vector named after the instruction; the rest is computed by the
instructions' own semantics. A set is taken to contain another if it does so on every sample: atoms are
independent, so a false inclusion needs 2^-512 luck or some ten masks nested in each other.
"""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any, cast

import numpy as np

from isa.instruction import ExecMode, Immediate, Instr, Kind, Operand, Row, Unit
from isa.lane_masks import MASK_TYPES, LaneMasks, lane_masks
from isa.program import Kernel
from isa.registers import EXEC, FIRST_VGPR, NULL, SCC, Register
from isa.semantics import resolve
from isa.semantics.lane import LaneFunction
from regalloc.cfg import FlowGraph
from regalloc.pools import kernel_target

SAMPLES = 4096
ALL_LANES = (1 << SAMPLES) - 1
_PATIENCE = 8  # visits of a block after which sets that still differ there are no longer followed

_WORDS: dict[int, Any] = {1: np.uint32, 2: np.uint64}
"""The words that a mask's bits are, by its SGPRs."""
_BIT_TYPES = MASK_TYPES | {"b32", "b64"}  # of operands that are no numbers

Masks = dict[int, int]
"""Lane sets by the first unit of their register, or of their pair if a wave has 64 lanes; EXEC is among
them."""


@cache
def atom(name: str) -> int:
    """A set known by nothing but its name."""
    return int.from_bytes(hashlib.shake_128(name.encode()).digest(SAMPLES // 8), "little")


@cache
def truth_table(row: Row, units: int) -> tuple[int, tuple[tuple[int, ...], ...]] | None:
    """(inputs, a table per written mask) of a row that acts on each bit of masks of `units` SGPRs by itself,
    found by trying it.

    The inputs are its uses, then EXEC if it reads that; a table has the result bit for each combination of
    input bits. None for every other row.
    """
    inputs = len(row.uses) + len(row.reads)
    specs = [row.operands[i] for i in (*row.uses, *row.defines)]
    if row.unit is not Unit.SALU or row.exec_mode is not ExecMode.SCALAR or not 1 <= inputs <= 2:
        return None
    if any(
        spec.count != units or spec.type not in _BIT_TYPES or spec.kinds & Kind.SIMM for spec in specs
    ) or set(row.reads) - {EXEC}:
        return None
    if set(row.writes) - {EXEC, SCC}:
        return None
    meaning: Any = resolve(row.semantics)
    if not isinstance(meaning, LaneFunction):
        return None
    words = [np.frombuffer(hashlib.shake_128(bytes([i])).digest(64), _WORDS[units]) for i in range(inputs)]
    result_of_row: Any = meaning.call(None, *words)
    results = cast(tuple[Any, ...], result_of_row) if isinstance(result_of_row, tuple) else (result_of_row,)
    masks: list[Any] = [
        results[i] for i, register in enumerate((*row.defines, *sorted(row.writes))) if register != SCC
    ]
    tables = tuple(_table_of(words, np.asarray(result, _WORDS[units])) for result in masks)
    return None if None in tables else (inputs, tuple(table for table in tables if table is not None))


def _table_of(words: list[Any], result: Any) -> tuple[int, ...] | None:
    """The result bit of each combination of input bits; None if a combination gives both."""
    given = sum(_bits(word).astype(np.int64) << i for i, word in enumerate(words))
    wanted = _bits(result)
    table: list[int] = []
    for combination in range(1 << len(words)):
        seen = set(wanted[given == combination].tolist())
        if len(seen) != 1:
            return None
        table.append(int(seen.pop()))
    return tuple(table)


def _bits(words: Any) -> Any:
    return np.unpackbits(words.view(np.uint8))


def _apply(table: tuple[int, ...], inputs: list[int]) -> int:
    result = 0
    for combination, bit in enumerate(table):
        if bit:
            lanes = ALL_LANES
            for i, value in enumerate(inputs):
                lanes &= value if combination >> i & 1 else ~value
            result |= lanes
    return result


def _value(masks: Masks, operand: Operand, kind: LaneMasks) -> int:
    if isinstance(operand, Immediate):
        return {0: 0, kind.every_lane: ALL_LANES}.get(operand.bits, atom(f"constant {operand.bits}"))
    assert isinstance(operand, Register), "an operand of a mask's width is a register or a constant"
    known = masks.get(operand.first)
    return atom(f"entry {operand.first}") if known is None else known


def step(masks: Masks, instr: Instr, name: str, kind: LaneMasks) -> None:
    """Follow an instruction; `name` is unique to it in the program, `kind` are the masks of its wave size."""
    row = instr.row
    defines = [operand for i in row.defines if isinstance(operand := instr.operands[i], Register)]
    written = [*defines, *(register for register in sorted(row.writes) if register != SCC)]
    if all(register.first >= FIRST_VGPR for register in written):
        return
    counted = truth_table(row, kind.units)
    if counted is None:
        _forget(masks, instr, name, kind)
    else:
        count, tables = counted
        inputs = [_value(masks, instr.operands[i], kind) for i in row.uses] + [masks[EXEC.first]] * (
            count - len(row.uses)
        )
        masks |= {
            register.first: _apply(table, inputs) for register, table in zip(written, tables, strict=True)
        }
    masks.pop(NULL.first, None)


def _forget(masks: Masks, instr: Instr, name: str, kind: LaneMasks) -> None:
    """Give an atom to each mask that an instruction writes without a table, within EXEC if it is a mask of
    active lanes."""
    row = instr.row
    # a comparison or a carry gives 0 in inactive lanes; other results of a vector instruction in SGPRs are
    # no mask
    bound = masks[EXEC.first] if row.exec_mode is ExecMode.MASKED else ALL_LANES
    given = [
        (operand, row.operands[i].type in MASK_TYPES)
        for i in row.defines
        if isinstance(operand := instr.operands[i], Register)
    ]
    for register, is_mask in (
        *given,
        *((register, True) for register in sorted(row.writes) if register != SCC),
    ):
        if register.first >= FIRST_VGPR:
            continue
        first = register.first - register.first % kind.units
        for mask in range(first, register.first + register.count, kind.units):
            masks[mask] = atom(f"{name} {mask - first}") & (bound if is_mask else ALL_LANES)


class LaneSets:
    """EXEC before every instruction: `before[block][slot]`, with an extra slot at the end (terminator
    included)."""

    def __init__(self, kernel: Kernel, graph: FlowGraph) -> None:
        self._kernel = kernel
        self._graph = graph
        self._kind = lane_masks(kernel_target(kernel).wave_size)
        self._leaving: dict[int, Masks] = {}
        self._visits = [0] * len(kernel.blocks)
        self.before: list[list[int]] = [[] for _ in kernel.blocks]
        pending = list(graph.order)
        while pending:
            block = pending.pop(0)
            if self._visit(block):
                pending += [target for target in graph.successors[block] if target not in pending]

    def _visit(self, block: int) -> bool:
        """Follow a block; whether its masks at the end have changed."""
        self._visits[block] += 1
        masks = self._met(block)
        instructions = self._kernel.blocks[block].instructions
        terminator = self._kernel.blocks[block].terminator
        execs = [masks[EXEC.first]]
        everything = instructions if terminator is None else [*instructions, terminator]
        for slot, instr in enumerate(everything):
            step(masks, instr, f"instruction {block} {slot}", self._kind)
            execs.append(masks[EXEC.first])
        self.before[block] = execs
        changed = self._leaving.get(block) != masks
        self._leaving[block] = masks
        return changed

    def _met(self, block: int) -> Masks:
        """The masks on which all predecessors agree; if they differ, an atom within their union."""
        incoming = [
            self._leaving[source] for source in self._graph.predecessors[block] if source in self._leaving
        ]
        if block == 0:
            incoming.append({EXEC.first: ALL_LANES})
        met: Masks = {}
        for mask in sorted(set[int]().union(*incoming)):
            values = [masks.get(mask, atom(f"entry {mask}")) for masks in incoming]
            if all(value == values[0] for value in values):
                met[mask] = values[0]
                continue
            bound = 0 if self._visits[block] <= _PATIENCE else ALL_LANES
            for value in values:
                bound |= value
            met[mask] = atom(f"meeting {block} {mask}") & bound
        return met
