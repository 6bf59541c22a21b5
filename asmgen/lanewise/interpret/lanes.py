"""Vectors, and exchange between the lanes of a wave or the waves of a workgroup."""

from __future__ import annotations

import numpy as np

from asmgen.ir.program import Statement
from asmgen.lanewise.interpret.state import Array, Run, lanes_of
from asmgen.lanewise.matrices import multiplied
from asmgen.lanewise.records import Extract, LaneScan, LaneStep, Reduction, instruction_of, lane_of, mask_of
from asmgen.lanewise.result_types import LANES_OF_ROW

_ROW = 16  # lanes within which steps of a scan shift
_REDUCTIONS: dict[str, np.ufunc] = {
    "sum": np.add,
    "mean": np.add,
    "prod": np.multiply,
    "max": np.fmax,
    "min": np.fmin,
}
_KEEPING_NAN: dict[str, np.ufunc] = {"max": np.maximum, "min": np.minimum}


def pack(run: Run, statement: Statement) -> None:
    parts = [run.values[operand].reshape(run.items, -1) for operand in statement.operands]
    run.define(statement.result, np.concatenate(parts, axis=1).reshape(run.shape(statement.result)))


def extract(run: Run, statement: Statement) -> None:
    index, size = Extract.of(statement)
    vector = run.values[statement.operands[0]].reshape(run.items, -1)
    run.define(statement.result, vector[:, index : index + size].reshape(run.shape(statement.result)))


def splat(run: Run, statement: Statement) -> None:
    repeated = np.repeat(run.values[statement.operands[0]][:, None], lanes_of(statement.result), axis=1)
    run.define(statement.result, repeated.reshape(run.shape(statement.result)))


def split_bits(run: Run, statement: Statement) -> None:
    """The numbers of each element, with the sign of their uppermost bit in an i8."""
    packed, bits = run.values[statement.operands[0]].reshape(run.items, -1, 1), statement.attributes["bits"]
    assert isinstance(bits, int), "the parser reads an integer"
    firsts = np.arange(0, 8 * packed.dtype.itemsize, bits)
    numbers = packed.astype(np.int64) >> firsts & (1 << bits) - 1
    if statement.attributes["type"] == "i8":
        numbers -= 2 * (numbers & 1 << bits - 1)
    run.define(statement.result, numbers.reshape(run.shape(statement.result)))


def dot_pairs(run: Run, statement: Statement) -> None:
    """Each product is exact and is added by itself, that of the first elements first. A single sum gets the
    pairs in turn."""
    a, b, total = (run.values[operand].reshape(run.items, -1) for operand in statement.operands)
    products = a.astype(np.float64) * b.astype(np.float64)
    together = total.shape[1]
    for pair in range(0, products.shape[1], 2 * together):
        pairs = products[:, pair : pair + 2 * together]
        for part in (pairs[:, ::2], pairs[:, 1::2]):
            total = (total.astype(np.float64) + part).astype(np.float32)
    run.define(statement.result, total.reshape(run.shape(statement.result)))


def lane_shuffle(run: Run, statement: Statement) -> None:
    """Lanes are counted within the wave, modulo its size, as ds_bpermute does."""
    value, lane = (run.values[operand] for operand in statement.operands)
    run.define(statement.result, value[_in_wave(run, lane.astype(np.int64) % run.wave)])


def lane_exchange(run: Run, statement: Statement) -> None:
    value, lane = run.values[statement.operands[0]], np.arange(run.items) % run.group_size % run.wave
    run.define(statement.result, value[_in_wave(run, lane ^ mask_of(statement))])


def row_broadcast(run: Run, statement: Statement) -> None:
    value = run.values[statement.operands[0]]
    lane = np.arange(run.items) % run.group_size % run.wave
    run.define(statement.result, value[_in_wave(run, lane - lane % LANES_OF_ROW + lane_of(statement))])


def _in_wave(run: Run, lane: Array) -> Array:
    """The item at `lane` of each item's wave."""
    local = np.arange(run.items) % run.group_size
    return np.minimum(np.arange(run.items) - local % run.wave + lane, run.items - 1)


def dpp_reduce(run: Run, statement: Statement) -> None:
    """Every lane of a group has the result; of a whole wave only the last lane's is defined."""
    lanes = Reduction.of(statement).over
    run.define(
        statement.result,
        _reduced(statement, run.values[statement.operands[0]].reshape(-1, lanes)).repeat(lanes),
    )


def dpp_scan(run: Run, statement: Statement) -> None:
    scan, combine = LaneScan.of(statement), _REDUCTIONS[Reduction.of(statement).op]
    value = run.values[statement.operands[0]].reshape(-1, scan.lanes)
    turned = value[:, ::-1] if scan.reverse else value
    done = combine.accumulate(turned, axis=1, dtype=value.dtype)
    run.define(statement.result, (done[:, ::-1] if scan.reverse else done).reshape(-1))


def lane_before(run: Run, statement: Statement) -> None:
    scan = LaneScan.of(statement)
    value, first = (run.values[operand].reshape(-1, scan.lanes) for operand in statement.operands)
    ends = (value[:, 1:], first[:, -1:]) if scan.reverse else (first[:, :1], value[:, :-1])
    run.define(statement.result, np.concatenate(ends, axis=1).reshape(-1))


def lane_step(run: Run, statement: Statement) -> None:
    """Within a row the value of the lane that is `combined` lanes away, beyond it that of the last lane
    before."""
    value, otherwise = (run.values[operand] for operand in statement.operands)
    step, lane = LaneStep.of(statement), np.arange(run.items)
    if step.way == "reduce":
        run.define(statement.result, value[lane ^ step.combined])
        return
    direction = -1 if step.way == "reverse" else 1
    size = max(2 * step.combined, _ROW)
    place = lane % size if direction == 1 else size - 1 - lane % size
    distance = step.combined if step.combined < _ROW else place - step.combined + 1
    brought = value[np.clip(lane - direction * distance, 0, run.items - 1)]
    run.define(statement.result, np.where(place >= step.combined, brought, otherwise))


def lane_reduce(run: Run, statement: Statement) -> None:
    run.define(
        statement.result,
        _reduced(statement, run.values[statement.operands[0]].reshape(run.items, -1)),
    )


def reduce_waves(run: Run, statement: Statement) -> None:
    of_waves = run.values[statement.operands[0]].reshape(run.groups, -1, run.wave)[:, :, -1]
    run.define(statement.result, _reduced(statement, of_waves).repeat(run.group_size))


def _reduced(statement: Statement, values: Array) -> Array:
    reduction = Reduction.of(statement)
    table = _KEEPING_NAN if reduction.keeps_nan else _REDUCTIONS
    return table[reduction.op].reduce(values, axis=1, dtype=values.dtype)


def matrix(run: Run, statement: Statement) -> None:
    """Every wave takes part or none does, so that no mask matters."""
    assert run.table is not None, "a module with matrix instructions is run by the table that has them"
    a, b, c, *scales = run.operands(statement)
    result = multiplied(run.table, instruction_of(statement), a, b, c, *scales)
    run.define(statement.result, result.reshape(run.shape(statement.result)))


def is_lane(run: Run, statement: Statement) -> None:
    run.define(statement.result, np.arange(run.items) % run.group_size % run.wave == lane_of(statement))


def find_lane(run: Run, statement: Statement) -> None:
    """The lane of the first or the last active item of each wave for which the condition is true."""
    holds = np.flatnonzero(run.values[statement.operands[0]] & run.mask)
    local = np.arange(run.items) % run.group_size % run.wave
    lanes = np.full(run.items, -1, np.int32)
    for item in holds if statement.attributes["last"] else holds[::-1]:
        first = int(item) - int(local[item])
        lanes[first : first + run.wave] = local[item]
    run.define(statement.result, lanes)


def any_lane(run: Run, statement: Statement) -> None:
    """Whether the condition is true for an active item of the wave."""
    items = np.arange(run.items)
    wave = items // run.group_size * (run.group_size + run.wave) + items % run.group_size // run.wave
    holds = wave[run.values[statement.operands[0]] & run.mask]
    run.define(statement.result, np.isin(wave, holds))


def ballot(run: Run, statement: Statement) -> None:
    """32 bits of each wave, set for the active items for which the condition is true."""
    word = statement.attributes["word"]
    assert isinstance(word, int)
    local = np.arange(run.items) % run.group_size % run.wave
    bits = np.zeros(run.items, np.uint32)
    for item in np.flatnonzero(run.values[statement.operands[0]] & run.mask):
        if local[item] // 32 == word:
            first = int(item) - int(local[item])
            bits[first : first + run.wave] |= np.uint32(1 << int(local[item]) % 32)
    run.define(statement.result, bits)


def read_first_lane(run: Run, statement: Statement) -> None:
    """The value of the first item of the wave that takes part."""
    items = np.arange(run.items)
    wave = items // run.group_size * (run.group_size + run.wave) + items % run.group_size // run.wave
    first: dict[int, int] = {}
    for item in np.flatnonzero(run.mask)[::-1]:
        first[int(wave[item])] = int(item)
    source = np.array([first.get(int(w), int(i)) for i, w in zip(items, wave, strict=True)])
    run.define(statement.result, run.values[statement.operands[0]][source])
