"""Loads that transpose a matrix between lanes, decoded once to a closure on `Waves`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from isa.diagnostics import InputError
from isa.emulator.program.reports import describe, place_of, refusal
from isa.emulator.state.footprint import Footprint
from isa.emulator.state.global_memory import MemoryFault
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Step, Waves
from isa.emulator.steps.memory.access import locator
from isa.emulator.steps.memory.data import define_row, gather, put
from isa.instruction import Instr
from isa.semantics.transposes import TransposedLoad


def transposed_load_step(instr: Instr, load: TransposedLoad, layout: RegisterLayout) -> Step:
    """Every lane of a wave takes part, or none: with some lanes off the manuals leave the result undefined,
    which is an error here."""
    if layout.lanes != load.lanes:
        wave = f"a wave of {layout.lanes}"
        raise refusal(instr, f"what goes to which lane of {wave} is not published, and is not modelled")
    locate, row, words = locator(instr, layout), define_row(instr, layout), load.size // 4
    origins = _atoms(load)

    def step(w: Waves) -> None:
        if not w.full and not _whole_waves(w):
            raise _partial(instr)
        place = locate(w, load.size, False, 0)
        if load.alignment > 1:
            _check_alignment(w, place, load)
        w.watch.loaded(w, place, load.size)
        values = gather(place.store, place.indexes, load.size)
        moved = _permuted(values, load, origins)
        for i in range(words):
            put(w, row + i, place.lanes, moved[:, i])

    return step


def _check_alignment(w: Waves, place: Footprint, load: TransposedLoad) -> None:
    """Raises MemoryFault if an LDS address is not aligned."""
    starts = w.lds_starts if place.lanes is None else w.lds_starts.take(place.lanes)
    misplaced = np.flatnonzero((place.indexes - starts) & (load.alignment - 1))
    if len(misplaced):
        message = f"the address of {load.size} bytes to transpose is not a multiple of {load.alignment}"
        raise MemoryFault(message, int(misplaced[0]), misplaced)


def _whole_waves(w: Waves) -> bool:
    """Whether each wave of the group has all lanes on or all off."""
    active = w.active
    return bool((active == active[:, :1]).all())


def _partial(instr: Instr) -> InputError:
    name = instr.row.mnemonic
    message = f"{name} runs with some lanes of a wave off in EXEC; its result is then undefined"
    help = "all lanes on: `s_mov_b64 exec, -1` before it, or whole waves in the workgroup"
    return InputError(place_of(instr), "EMU023", message, (f"at {describe(instr)}",), help)


def _atom_bits(load: TransposedLoad) -> int:
    """The unit of a move in bits: a byte if elements consist of bytes, otherwise a bit."""
    return 8 if load.bits % 8 == 0 else 1


def _atoms(load: TransposedLoad) -> NDArray[np.intp]:
    """The place in a wave that each atom of its result comes from, flat."""
    each = load.bits // _atom_bits(load)
    return (load.origins()[:, :, None] * each + np.arange(each)).reshape(-1)


def _permuted(
    values: NDArray[np.uint32], load: TransposedLoad, origins: NDArray[np.intp]
) -> NDArray[np.uint32]:
    """uint32[lane, word] of whole waves, as the lanes get it."""
    octets = np.ascontiguousarray(values).view(np.uint8).reshape(-1, load.lanes * load.size)
    if _atom_bits(load) == 8:
        moved = octets[:, origins]
    else:
        moved = np.packbits(np.unpackbits(octets, 1, None, "little")[:, origins], 1, "little")
    return np.ascontiguousarray(moved).view(np.uint32).reshape(values.shape)
