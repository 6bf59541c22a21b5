"""Transfers through LDS without a lane's load or store: exchange of lanes, and memory to LDS."""

from __future__ import annotations

import numpy as np

from isa.emulator.operands.modifiers import number
from isa.emulator.operands.operands import scalar_reader, source_reader
from isa.emulator.program.reports import refusal
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Step, Waves
from isa.emulator.steps.memory.access import lds_place, locator
from isa.emulator.steps.memory.addressing import named
from isa.emulator.steps.memory.data import data_readers, define_row, extended, gather, scatter
from isa.instruction import Instr
from isa.registers import M0
from isa.semantics.accesses import LdsDma, Load
from isa.semantics.cross import LdsExchange, swizzle_lanes


def lds_exchange_step(instr: Instr, what: LdsExchange, layout: RegisterLayout) -> Step:
    """ds_bpermute, ds_permute (addresses in a VGPR, plus the offset) and ds_swizzle (a fixed pattern)."""
    row = define_row(instr, layout)
    address = named(instr, "addr")
    assert address is not None
    first = source_reader(address[0], address[1], layout)
    if named(instr, "data0") is None:
        pattern = number(instr, "offset")
        if pattern >= 0xE000:
            raise refusal(instr, "the FFT patterns are not modelled")
        lanes = swizzle_lanes(pattern, layout.lanes)[None, :]

        def swizzle(w: Waves) -> None:
            w.write_row(
                row, what.call(np.broadcast_to(lanes, (w.width, w.lanes)), first(w), w.active_lanes())
            )

        return swizzle
    (data,) = data_readers(instr, "data0", layout)
    offset = np.uint32(number(instr, "offset"))
    reach = layout.lanes if layout.target.wave_wide_bpermute else 32

    def exchange(w: Waves) -> None:
        """Groups of `reach` lanes exchange among themselves."""
        parts = [
            x.reshape(-1, reach)
            for x in (
                np.ascontiguousarray(first(w) + offset),
                np.ascontiguousarray(data(w)),
                w.active_lanes(),
            )
        ]
        w.write_row(row, what.call(*parts).reshape(w.width, w.lanes))

    return exchange


def lds_dma_step(instr: Instr, what: LdsDma, layout: RegisterLayout) -> Step:
    """Memory to LDS: each lane's bytes go to M0's base + the immediate + lane times their size, bytes and
    halves extended to a dword. Bytes out of a buffer's range are 0."""
    locate = locator(instr, layout)
    base = scalar_reader(M0, "u32", layout)
    offset, width = number(instr, "offset"), max(what.size, 4)
    bounded = named(instr, "srsrc") is not None

    def step(w: Waves) -> None:
        source = locate(w, what.size, False, 0)
        w.watch.loaded(w, source, what.size)
        lane = base(w).astype(np.int64)[:, None] + offset + width * np.arange(w.lanes)
        flat = np.broadcast_to(lane, (w.width, w.lanes)).reshape(-1)
        narrow = what.size < 4
        values = (
            extended(source, Load(what.size, what.signed))[:, None]
            if narrow
            else gather(source.store, source.indexes, width)
        )
        lanes = source.lanes
        if bounded and lanes is not None:
            reached, loaded = lanes, values
            lanes = np.flatnonzero(w.active_lanes())
            values = np.zeros((len(lanes), loaded.shape[1]), np.uint32)
            values[np.searchsorted(lanes, reached)] = loaded
        target = lds_place(w, flat if lanes is None else flat[lanes], lanes, width)
        w.watch.stored(w, target, width)
        scatter(target.store, target.indexes, width, values)

    return step
