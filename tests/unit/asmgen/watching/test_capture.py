"""The capture of a trace: computed destinations, and waves of several chunks that take turns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from asmgen.runtime.watching.capture import Log, Tracer
from asmgen.runtime.watching.lines import InstructionLines
from asmgen.runtime.watching.selection import WaveRanges
from isa.emulator import run_image
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.launching.launch import Settings
from isa.emulator.state.global_memory import Memory
from tests.unit.isa.programs import BEGIN, END, FRAMES, image_of

X = np.arange(128, dtype=np.uint32)


class Kept:
    """A sink that keeps what waves wrote: register, wave and words of lane 0, in order."""

    def __init__(self) -> None:
        self.written: list[tuple[int, str, int, int]] = []

    def take(self, logs: Sequence[Log], lanes: int, memory: Memory) -> None:
        for log in logs:
            for (kept, _), (name, _) in zip(log.vectors, log.traced.vectors, strict=True):
                for step, waves, content in zip(log.steps, log.waves, kept, strict=True):
                    words = np.frombuffer(content, np.uint32).reshape(len(waves), lanes)
                    self.written += [(step, name, wave, int(word)) for wave, word in zip(waves.tolist(), words[:, 0], strict=True)]


def traced(text: str, machine: str, waves: WaveRanges | None = None, **settings: int) -> list[tuple[int, str, int, int]]:
    image = image_of(text, machine=machine)
    sink = Kept()
    tracer = Tracer(image, InstructionLines(image), None, waves, sink)
    size = 64 if image.descriptor.wave_size == 64 else 32
    block = (2 * size, 1, 1)
    how = Settings(**settings)  # type: ignore[arg-type]
    arrays = [X[: 2 * size], np.zeros(2 * size, np.uint32)]
    _ = run_image(image, KernelCall((2, 1, 1), block, tuple(arrays), frozenset({1})), settings=how, observers=tracer.observers())
    tracer.flush()
    return sorted(sink.written)


@pytest.mark.parametrize(
    ("machine", "body"),
    [
        ("gfx942:xnack-", "s_set_gpr_idx_on s9, gpr_idx(DST)\nv_mov_b32_e32 v20, v1\ns_set_gpr_idx_off\n"),
        ("gfx1100", "s_mov_b32 m0, s9\nv_movreld_b32_e32 v20, v1\n"),
    ],
)
def test_a_computed_destination_is_named_by_its_own_number(machine: str, body: str) -> None:
    """Wave w of a workgroup writes v(20 + 3 w)."""
    from isa.targets import parse_target

    begin, end = FRAMES[parse_target(machine).target.name]
    shift = 6 if machine.startswith("gfx942") else 5
    text = f"{begin}v_readfirstlane_b32 s8, v0\ns_lshr_b32 s8, s8, {shift}\ns_mul_i32 s9, s8, 3\n{body}v_mov_b32_e32 v2, v1\n{end}"
    written = traced(text, machine)
    assert {(name, wave) for _, name, wave, _ in written if name in ("v20", "v23")} == {("v20", 0), ("v23", 1), ("v20", 2), ("v23", 3)}


def test_chosen_waves_of_chunks_that_take_turns() -> None:
    """The first workgroup waits in a loop for the second, so their chunks take turns. All waves of the first are chosen,
    and wave 3."""
    wait = "again:\ns_load_dword s8, s[6:7], 0x0 glc\ns_waitcnt lgkmcnt(0)\ns_cmp_lg_u32 s8, 0\ns_cbranch_scc0 again\n"
    skip = "s_cmp_lg_u32 s2, 0\ns_cbranch_scc1 set\n" + wait + "s_branch done\n"
    store = "set:\nv_mov_b32_e32 v3, 1\nv_mov_b32_e32 v4, 0\nglobal_store_dword v4, v3, s[6:7]\ndone:\nv_mov_b32_e32 v2, v1\n"
    text = BEGIN + skip + store + "s_endpgm\n" + END
    written = traced(text, "gfx942:xnack-", WaveRanges("", ((0, 1), (3, 3))), chunk_waves=2)
    assert {wave for _, _, wave, _ in written} == {0, 1, 3}
    assert [(name, wave, word) for _, name, wave, word in written if name in ("v2", "v3")] == [
        ("v3", 3, 1),
        ("v2", 3, 64),
        ("v2", 0, 0),
        ("v2", 1, 64),
    ]
