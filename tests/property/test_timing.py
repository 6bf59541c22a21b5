"""The clock model on random programs of several waves: every clock is charged once, steady loops that are
skipped have the clocks of the loop that looks at each instruction, and more work never takes less time."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from isa.instruction import Trait, Unit
from isa.targets import TARGETS
from isa.timing.cached import CachedMemory
from isa.timing.machine import MACHINES
from isa.timing.state import Placement
from isa.timing.steady import Steady
from isa.timing.timeline import Timeline
from isa.timing.trace import Access, Trace
from isa.timing.unit import Code, replay
from tests.property.shrinking import check_shrinking
from tests.unit.isa.timing_programs import trace_of

SIZE = 30
CDNA = (
    "v_add_f32 v{a}, v{b}, v{c}", "v_fma_f32 v{a}, v{b}, v{c}, v{a}", "v_exp_f32 v{a}, v{b}",
    "v_mfma_f32_16x16x4{m}f32 a[0:3], v{b}, v{c}, a[0:3]", "s_add_u32 s{a}, s{b}, s{c}",
    "s_mul_i32 s{a}, s{b}, s{c}", "ds_read_b32 v{a}, v{b}", "ds_write_b64 v{a}, v[{e}:{f}]",
    "global_load_dwordx4 v[12:15], v[{e}:{f}], off", "global_store_dword v[{e}:{f}], v{a}, off",
    "s_load_dword s{a}, s[10:11], 0x0", "s_waitcnt vmcnt({n})", "s_waitcnt lgkmcnt(0)", "s_nop 2", "s_barrier",
    "v_cmp_lt_f32 vcc, v{a}, v{b}", "v_readfirstlane_b32 s{a}, v{b}",
)  # fmt: skip
RDNA = (
    "v_add_f32 v{a}, v{b}, v{c}", "v_fma_f32 v{a}, v{b}, v{c}, v{a}", "v_exp_f32 v{a}, v{b}",
    "v_add_f64 v[{e}:{f}], v[{e}:{f}], v[0:1]", "v_lshlrev_b64 v[{e}:{f}], v{a}, v[{e}:{f}]",
    "s_add_{u}u32 s{a}, s{b}, s{c}", "s_mul_i32 s{a}, s{b}, s{c}", "ds_load_b32 v{a}, v{b}",
    "ds_store_b64 v{a}, v[{e}:{f}]", "global_load_b128 v[12:15], v[{e}:{f}], off",
    "global_store_b32 v[{e}:{f}], v{a}, off", "s_load_b32 s{a}, s[10:11], 0x0", "s_nop 2", "s_clause 0x1",
    "v_cmp_lt_f32 vcc_lo, v{a}, v{b}", "v_readfirstlane_b32 s{a}, v{b}", "v_add_f32 v{a}, s{b}, v{c}",
)  # fmt: skip
WAITS = {
    "rdna3": ("s_waitcnt vmcnt({n})", "s_waitcnt lgkmcnt(0)", "s_barrier", "s_delay_alu instid0(VALU_DEP_1)"),
    "rdna4": ("s_wait_loadcnt {n}", "s_wait_dscnt 0", "s_wait_kmcnt 0", "s_wait_alu 0xfffd", "s_barrier_signal -1"),
}


_A = {"rdna3": "v[16:23]", "rdna4": "v[16:19]"}  # factors of a matrix instruction
BESIDE_MATRICES = (
    "v_wmma_f32_16x16x16_f16 v[0:7], {x}, {x}, v[0:7]", "v_wmma_f32_16x16x16_f16 v[8:15], {x}, {x}, v[8:15]",
    "v_mov_b32 v{a}, v{b}", "v_exp_f32 v{a}, v{b}", "v_exp_f32 v{a}, v{b}", "s_mul_i32 s{a}, s{b}, s{c}", "s_nop 2",
)  # fmt: skip


class Program:
    """Lines, of which a part is a loop, and the trips of each wave."""

    def __init__(self, generator: random.Random, size: int, hints: bool = True, of: Sequence[str] = ()) -> None:
        self.target = generator.choice([name for name in TARGETS if not of or TARGETS[name].family == "rdna"])
        target = TARGETS[self.target]
        forms = of or (CDNA if target.family == "cdna" else (*RDNA, *WAITS[target.generation]))
        if not hints:
            forms = tuple(form for form in forms if "delay" not in form)
        self.lines = [_line(generator, generator.choice(forms), target.generation) for _ in range(size)]
        if target.generation == "rdna4":
            # a wave waits at each barrier that it signals
            self.lines = [one for line in self.lines for one in ((line, "s_barrier_wait -1") if "signal" in line else (line,))]
        self.head = generator.randrange(len(self.lines))
        self.trips = generator.choice((1, 2, 30))
        self.waves = generator.choice((1, 2, 5))
        self.places = [Placement(generator.randrange(2), generator.choice((0, 0, 7, 300))) for _ in range(self.waves)]

    def trace(self, lines: Sequence[str] | None = None, head: int | None = None) -> Trace:
        lines, head = lines or self.lines, self.head if head is None else head
        branch = "s_cbranch_scc1 65500"
        path = [*range(len(lines)), len(lines)] + [*range(head, len(lines)), len(lines)] * (self.trips - 1)
        return trace_of(self.target, [*lines, branch, "s_endpgm"], [[*path, len(lines) + 1]] * self.waves)

    def replayed(self) -> Timeline:
        return replay(self.trace(), placement=self.places, code=Code())


def _line(generator: random.Random, form: str, generation: str) -> str:
    even = 2 * generator.randrange(4)
    return form.format(
        a=generator.randrange(8), b=generator.randrange(8), c=generator.randrange(8), e=even, f=even + 1,
        n=generator.randrange(3), u="co_" if generation == "rdna4" else "", m="" if generation == "cdna2" else "_",
        x=_A.get(generation),
    )  # fmt: skip


def assert_same(first: Timeline, second: Timeline) -> None:
    for one, other in zip(first.waves, second.waves, strict=True):
        assert (one.start, one.end) == (other.start, other.end)
        for field in ("issue", "step", "cause", "clocks", "culprit", "other"):
            assert np.array_equal(getattr(one, field), getattr(other, field)), field


def assert_charged(timeline: Timeline) -> None:
    for wave in timeline.waves:
        assert (wave.clocks > 0).all()
        assert wave.clocks.sum() == wave.end - wave.start
        assert (np.diff(wave.step) >= 0).all()
        assert (np.diff(wave.issue) >= 0).all()


# of 517, 1063 and 1124: waves that wait long at barriers, and times that are barely past
@pytest.mark.parametrize("seed", (*range(60), 517, 1063, 1124))
def test_skipped_loops_have_the_clocks_of_each_step(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(size: int) -> None:
        program = Program(random.Random(seed), size)
        fast = program.replayed()
        assert_charged(fast)
        assert_same(fast, program.replayed())
        with monkeypatch.context() as patched:
            patched.setattr(Steady, "skip", lambda _self, _clock: 0)
            assert_same(fast, program.replayed())

    check_shrinking(check, 1 + seed % SIZE)


@pytest.mark.parametrize("seed", range(20))
def test_skipped_loops_of_matrix_instructions_have_the_clocks_of_each_step(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Waves of which vector instructions wait behind matrix instructions."""
    program = Program(random.Random(seed), 1 + seed % SIZE, of=BESIDE_MATRICES)
    fast = program.replayed()
    assert_charged(fast)
    monkeypatch.setattr(Steady, "skip", lambda _self, _clock: 0)
    assert_same(fast, program.replayed())


TURNS = [
    *["v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[8:11], v[0:7]"] * 2, "v_mov_b32 v20, 4.0", "v_rcp_f32 v22, v20",
    "s_mov_b32 s20, 0", "v_mov_b32 v21, 4.0", "v_rcp_f32 v23, v21", "s_mul_i32 s15, s13, 32",
]  # fmt: skip
"""A part of the traced kernel `custom_handwritten`, in which waves wait in turn for a full matrix queue."""


@pytest.mark.parametrize("seed", range(8))
def test_skipped_loops_in_which_waves_take_turns_have_the_clocks_of_each_step(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    generator = random.Random(seed)
    lines = [line for line in [*TURNS, *TURNS, *["s_nop 1"] * 8] if generator.random() < 0.9]
    waves = generator.choice((2, 3, 4))
    trace = trace_of("gfx1201", [*lines, "s_cbranch_scc1 65500", "s_endpgm"], [[*range(len(lines) + 1)] * 60 + [len(lines) + 1]] * waves)
    places = [Placement(0, generator.choice((0, 0, 7, 40))) for _ in range(waves)]
    fast = replay(trace, placement=places)
    monkeypatch.setattr(Steady, "skip", lambda _self, _clock: 0)
    assert_same(fast, replay(trace, placement=places))


@pytest.mark.parametrize("seed", range(60))
def test_more_work_takes_no_less_time(seed: int) -> None:
    """A wait state more, or a dependence more, in a wave that is alone."""

    def check(size: int) -> None:
        generator = random.Random(seed)
        program = Program(generator, size, hints=False)
        program.waves, program.places = 1, [Placement(0)]
        before = replay(program.trace()).clocks
        for _ in range(4):
            at = generator.randrange(len(program.lines))
            more = [*program.lines[:at], "s_nop 3", *program.lines[at:]]
            after = replay(program.trace(more, program.head + (at < program.head))).clocks
            assert after >= before, (at, more)

    check_shrinking(check, 1 + seed % SIZE)


@pytest.mark.parametrize("seed", range(30))
def test_a_dependent_step_more_takes_no_less_time(seed: int) -> None:
    """An instruction that waits for its own register's last value, and that its readers wait for."""

    def check(size: int) -> None:
        generator = random.Random(seed)
        program = Program(generator, size, hints=False)
        program.waves, program.places = 1, [Placement(0)]
        before = replay(program.trace()).clocks
        for _ in range(3):
            at, register = generator.randrange(len(program.lines)), generator.randrange(8)
            more = [*program.lines[:at], f"v_add_f32 v{register}, v{register}, v{register}", *program.lines[at:]]
            after = replay(program.trace(more, program.head + (at < program.head))).clocks
            assert after >= before, (at, more)

    check_shrinking(check, 1 + seed % SIZE)


@pytest.mark.parametrize("seed", range(30))
def test_lanes_that_share_a_bank_take_no_less_time(seed: int) -> None:
    """Every read of LDS has lanes in as many words of a bank as before, or twice as many."""

    def check(size: int) -> None:
        generator = random.Random(seed)
        program = Program(generator, size, hints=False)
        program.waves, program.places = 1, [Placement(0)]
        trace = program.trace()
        banked = [
            replay(with_stride(trace, 4 * words), CachedMemory()).clocks  # words between the addresses of lanes
            for words in (1, 2, 4, 8, 16, 32)
        ]
        assert banked == sorted(banked), (program.target, program.lines)

    check_shrinking(check, 1 + seed % SIZE)


def with_stride(trace: Trace, stride: int) -> Trace:
    """The trace with the addresses of each access of LDS so many bytes apart."""
    lanes = np.arange(trace.target.wave_size)
    reads = {number for number, instr in enumerate(trace.instructions) if instr.row.unit is Unit.LDS and Trait.LOAD in instr.row.traits}
    access = Access(lanes, stride * lanes[None], 4)
    waves = [wave._replace(accesses={at: access for at, step in enumerate(wave.steps) if int(step) in reads}) for wave in trace.waves]
    return trace._replace(waves=tuple(waves))


@pytest.mark.parametrize("seed", range(12))
def test_loops_over_shared_lines_have_the_clocks_of_each_step(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(seed)
    body = ["global_load_b128 v[0:3], v[8:9], off", "global_load_b128 v[4:7], v[8:9], off"]
    body += ["v_fma_f32 v10, v11, v11, v10"] * draw.randrange(40) + [f"s_wait_loadcnt {draw.choice((0, 0, 1))}"]
    lines = [*body, "s_cbranch_scc1 65500", "s_endpgm"]
    trips, waves, pitch = 150, draw.choice((2, 3, 6)), draw.choice((64, 128, 4096))
    apart = draw.choice((0, 1 << 20)) if waves > 3 else 0
    path = [*range(len(body) + 1)] * trips + [len(body) + 1]
    trace = trace_of("gfx1201", lines, [path] * waves, [wave // 2 for wave in range(waves)])
    lanes = np.arange(32)

    def access(wave: int, step: int, load: int) -> Access:
        """Half of the waves load the same lines."""
        start = (1 << 24) + wave % 2 * apart + step * pitch + load * 8192
        return Access(lanes, (start + lanes % 4 * 16)[None], 16)

    every = tuple(
        wave._replace(
            accesses={trip * (len(body) + 1) + load: access(n, trip, load) for trip in range(trips) for load in (0, 1)}
        )
        for n, wave in enumerate(trace.waves)
    )
    trace = trace._replace(waves=every)
    places = [Placement(n % 2, draw.choice((0, 0, 2, 900))) for n in range(waves)]
    memory = CachedMemory()
    assert any(cost.shared >= 0 for cost in memory.costs(trace, MACHINES["gfx1201"]).table)
    fast = replay(trace, memory, places)
    assert_charged(fast)
    monkeypatch.setattr(Steady, "skip", lambda _self, _clock: 0)
    assert_same(fast, replay(trace, memory, places))
