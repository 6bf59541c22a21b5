"""The data of memory instructions: bytes of a flat array, and the registers of the lanes that access them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from isa.diagnostics import InternalError
from isa.emulator.operands.operands import Reader, source_reader
from isa.emulator.state.footprint import Footprint, Indexes
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Waves
from isa.emulator.steps.memory.addressing import named
from isa.instruction import Instr, OperandSpec
from isa.registers import Register
from isa.semantics.accesses import Load


def gather(store: NDArray[np.uint8], indexes: Indexes, size: int) -> NDArray[np.uint32]:
    """uint32[lane, word]: `size` bytes (a multiple of 4) at each index, by the widest access that all
    alignments allow."""
    words = size // 4
    low_bits = int(np.bitwise_or.reduce(indexes)) if indexes.size else 0
    if size == 16 and not low_bits & 15 and not store.size & 15:
        return store.view(np.uint32).reshape(-1, 4).take(indexes >> 4, axis=0)
    if size == 8 and not low_bits & 7 and not store.size & 7:
        return store.view(np.uint64).take(indexes >> 3).view(np.uint32).reshape(-1, 2)
    if not low_bits & 3 and not store.size & 3:
        first = indexes >> 2
        words32 = store.view(np.uint32)
        if words == 1:
            return words32.take(first)[:, None]
        return words32.take(first[:, None] + np.arange(words))
    return store.take(indexes[:, None] + np.arange(size)).view(np.uint32)


def scatter(store: NDArray[np.uint8], indexes: Indexes, size: int, values: NDArray[np.uint32]) -> None:
    """The reverse of `gather`; if lanes write the same byte, the last lane wins."""
    low_bits = int(np.bitwise_or.reduce(indexes)) if indexes.size else 0
    if size == 16 and not low_bits & 15 and not store.size & 15:
        store.view(np.uint32).reshape(-1, 4)[indexes >> 4] = values
    elif not low_bits & 3 and not store.size & 3:
        words32 = store.view(np.uint32)
        first = indexes >> 2
        for i in range(size // 4):
            words32[first + i] = values[:, i]
    else:
        store[indexes[:, None] + np.arange(size)] = (
            np.ascontiguousarray(values).view(np.uint8).reshape(-1, size)
        )


def define_row(instr: Instr, layout: RegisterLayout) -> int:
    """The first row of the destination."""
    operand = instr.operands[instr.row.defines[0]]
    assert isinstance(operand, Register)
    return layout.row(operand.first)


def put(w: Waves, row: int, lanes: NDArray[np.intp] | None, values: Any) -> None:
    """Values of the accessed lanes into a register."""
    if lanes is None:
        w.rows[row] = values.reshape(w.width, w.lanes)
        return
    w.changing[row].reshape(-1)[lanes] = values


def fetch(w: Waves, row: int, place: Footprint, size: int) -> None:
    """`size` bytes (a multiple of 4) at each index into the registers from `row` on."""
    if (
        size == 4
        and place.lanes is None
        and not place.store.size & 3
        and not int(np.bitwise_or.reduce(place.indexes)) & 3
    ):
        # every index is within the store, so that wrapping changes none; unlike other modes it makes no copy
        np.take(
            place.store.view(np.uint32),
            (place.indexes >> 2).reshape(w.width, w.lanes),
            out=w.changing[row],
            mode="wrap",
        )
        return
    values = gather(place.store, place.indexes, size)
    for i in range(size // 4):
        put(w, row + i, place.lanes, values[:, i])


def clear(w: Waves, row: int, count: int) -> None:
    """Write 0 to the active lanes, the result of a buffer load out of range."""
    for i in range(count):
        w.write_row(row + i, np.uint32(0))


def extended(place: Footprint, load: Load) -> NDArray[np.uint32]:
    """Bytes or halves of memory as 32 bits."""
    if load.size == 1:
        raw = place.store.take(place.indexes)
    else:
        raw = place.store.take(place.indexes[:, None] + np.arange(2)).view(np.uint16)[:, 0]
    return (
        raw.view(f"i{load.size}").astype(np.int32).view(np.uint32) if load.signed else raw.astype(np.uint32)
    )


def data_readers(instr: Instr, name: str, layout: RegisterLayout) -> list[Reader]:
    """A reader for each 32-bit unit of a data operand."""
    operand = named(instr, name)
    if operand is None or not isinstance(operand[0], Register):
        raise InternalError("emulator", instr.row.mnemonic, f"{name} is not a register")
    spec = OperandSpec(name, operand[1].role, operand[1].kinds, "u32")
    return [source_reader(Register(unit), spec, layout) for unit in operand[0].units]


DATA = ("vdata", "data0", "data1", "data")
"""The names of the operands of which an access stores the values."""


def data_name(instr: Instr) -> str:
    """The name of the data operand: `vdata` for memory, `data0` for LDS, `data` if the instruction has a
    result."""
    for name in ("vdata", "data0", "data"):
        if named(instr, name):
            return name
    raise InternalError("emulator", instr.row.mnemonic, "the row has no data operand")


def lane_words(w: Waves, readers: list[Reader], lanes: NDArray[np.intp] | None) -> NDArray[np.uint32]:
    """uint32[lane, word] of the accessed lanes."""
    if len(readers) == 1 and lanes is None:
        return np.ascontiguousarray(readers[0](w)).reshape(-1, 1)
    result = np.empty((w.width * w.lanes if lanes is None else len(lanes), len(readers)), np.uint32)
    for i, read in enumerate(readers):
        flat = np.ascontiguousarray(read(w)).reshape(-1)
        result[:, i] = flat if lanes is None else flat[lanes]
    return result
