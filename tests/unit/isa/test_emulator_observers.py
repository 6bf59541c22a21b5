"""Observers see each instruction once, in order, with its accesses, whatever the sanitizer runs again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from isa.emulator import run_image
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.launching.launch import Settings
from isa.emulator.observers import Access, AccessKind, Observer, Space
from isa.emulator.program.code import Operation
from isa.emulator.state.waves import Waves
from isa.instruction import Instr, Trait
from tests.unit.isa.programs import BEGIN, END, Array, image_of

LOOP = (
    BEGIN
    + """
s_mov_b32 s8, 0
again:
v_add_u32_e32 v2, 1, v1
s_add_i32 s8, s8, 1
s_cmp_lt_i32 s8, 3
s_cbranch_scc1 again
ds_write_b32 v10, v2
s_waitcnt lgkmcnt(0)
s_barrier
ds_read2_b32 v[4:5], v10 offset1:0
s_waitcnt lgkmcnt(0)
"""
    + END
)
UNWRITTEN = BEGIN + "v_mov_b32_e32 v2, v1\nds_read2_b32 v[4:5], v10 offset1:0\ns_waitcnt lgkmcnt(0)\nv_mov_b32_e32 v6, v5\n" + END


class Everything(Observer):
    """Records every event of a run."""

    def __init__(self) -> None:
        self.begun: list[Array] = []
        self.blocks: list[tuple[int, int, int]] = []
        self.steps: dict[int, list[int]] = {}
        self.accesses: list[tuple[int, Space, AccessKind, Array, Array, Array, int]] = []
        self.before_values: list[int] = []
        self.after_values: list[int] = []
        self.passed: list[tuple[int, list[int]]] = []
        self.ended = 0

    def begin(self, w: Waves) -> None:
        self.begun.append(w.numbers)

    def enter(self, w: Waves, start: int, past: int) -> None:
        self.blocks.append((w.width, start, past))

    def watches(self, index: int, operation: Operation) -> bool:
        return isinstance(operation, Instr)

    def before(self, w: Waves, index: int) -> None:
        self.before_values.append(int(w.rows[2][0, 0]))

    def after(self, w: Waves, index: int, accesses: Sequence[Access]) -> None:
        self.after_values.append(int(w.rows[2][0, 0]))
        for wave in w.numbers[w.indexes].tolist():
            self.steps.setdefault(wave, []).append(index)
        for each in accesses:
            waves = w.numbers[w.indexes[each.waves(w)]]
            self.accesses.append((index, each.space(w), each.kind, waves, each.lanes(w), each.addresses(w), each.size))

    def released(self, w: Waves, index: int, waves: NDArray[np.intp]) -> None:
        self.passed.append((index, w.numbers[waves].tolist()))

    def end(self, w: Waves) -> None:
        self.ended += 1


class Loads(Observer):
    """Watches loads only."""

    def __init__(self) -> None:
        self.seen: list[int] = []

    def watches(self, index: int, operation: Operation) -> bool:
        return isinstance(operation, Instr) and Trait.LOAD in operation.row.traits

    def after(self, w: Waves, index: int, accesses: Sequence[Access]) -> None:
        assert accesses
        self.seen.append(index)


def run(text: str, *observers: Observer, sanitize: bool = True, grid: int = 2, settings: Settings = Settings()) -> Any:
    image = image_of(text, lds_bytes=1024)
    x = np.arange(128, dtype=np.uint32)
    call = KernelCall((grid, 1, 1), (128, 1, 1), (x, np.zeros_like(x)), frozenset({1}))
    return run_image(image, call, sanitize=sanitize, settings=settings, observers=observers)


@pytest.mark.parametrize("sanitize", [False, True])
def test_each_wave_runs_each_instruction_of_its_path(sanitize: bool) -> None:
    seen = Everything()
    _ = run(LOOP, seen, sanitize=sanitize, grid=1)
    path = [*range(6), *[6, 7, 8, 9] * 3, *range(10, 19)]
    assert seen.steps == {0: path, 1: path}
    assert seen.passed == [(12, [0, 1])]
    assert seen.ended == 1
    assert [blocks[1:] for blocks in seen.blocks][:4] == [(0, 6), (6, 10), (6, 10), (6, 10)]


def test_before_and_after_see_the_registers() -> None:
    seen = Everything()
    _ = run(LOOP, seen, grid=1)
    first = 6  # v_add_u32_e32 v2, 1, v1
    assert seen.before_values[first] != 1 and seen.after_values[first] == 1


@pytest.mark.parametrize("text", [LOOP, UNWRITTEN])
def test_accesses_are_seen_once(text: str) -> None:
    """In UNWRITTEN the sanitizer runs a load of LDS three times."""
    seen = Everything()
    _ = run(text, seen, grid=1)
    lds = [access for access in seen.accesses if access[1] is Space.LDS and access[2] is AccessKind.LOAD]
    assert len(lds) == 2
    for _, _, _, waves, lanes, addresses, size in lds:
        assert size == 4 and (addresses[lanes == 3] % 256 == 12).all() and sorted(set(waves)) == [0, 1]
    kinds = [access[2] for access in seen.accesses]
    assert kinds.count(AccessKind.SCALAR_LOAD) == 1


def test_addresses_are_those_of_memory() -> None:
    """The load of x and the store to out differ by the distance of the buffers, which the kernarg segment has."""
    seen = Everything()
    _ = run(LOOP, seen, grid=1)
    memory = [access for access in seen.accesses if access[1] is Space.GLOBAL and access[2] is not AccessKind.SCALAR_LOAD]
    load, store = memory
    assert (np.diff(load[5][:64]) == 4).all() and (load[5] >> 40 == store[5] >> 40).all()
    assert store[5][0] - load[5][0] >= 1 << 33


def test_waves_have_their_numbers_in_the_launch() -> None:
    seen = Everything()
    _ = run(LOOP, seen, grid=3, settings=Settings(chunk_waves=2, groups=(1, 2)), sanitize=False)
    assert [numbers.tolist() for numbers in seen.begun] == [[2, 3], [4, 5]]
    assert sorted(seen.steps) == [2, 3, 4, 5]


def test_several_observers_at_once() -> None:
    everything, loads = Everything(), Loads()
    alone = Loads()
    _ = run(LOOP, everything, loads, grid=1)
    _ = run(LOOP, alone, grid=1)
    assert loads.seen == alone.seen == [0, 3, 13]
    assert everything.steps[0][-1] == 18


def test_observers_change_nothing() -> None:
    assert all((a == b).all() for a, b in zip(run(LOOP), run(LOOP, Everything(), Loads()), strict=True))
