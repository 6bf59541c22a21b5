"""What to try: each attempt is applied to the program, which then has the promised pressure and the same results."""

from __future__ import annotations

import random

import numpy as np
import pytest
from msgspec import Struct

from asmgen.compilation import Source
from asmgen.compiled import CompiledProgram
from asmgen.compiler import compile_read, smaller_tiles
from asmgen.ir.arrays import Array
from asmgen.kernels import CATALOGUE, build_kernel
from asmgen.options import make_options
from asmgen.report.attempts import tried
from asmgen.report.build import report_image, report_program, with_smaller_tiles
from asmgen.report.drafts import Draft, applied, moved
from asmgen.report.live import live_sets
from asmgen.report.model import Attempt, Change
from asmgen.report.recount import Recount, Recounted
from asmgen.report.values import LiveKernel, Slot, counted_slots
from asmgen.runtime.calls import program_parameters, run_kernels
from asmgen.verification.inputs import sample_inputs
from isa.emulator import load, run_kernel
from isa.instruction import Instr
from isa.program import Kernel
from isa.registers import RegisterClass
from isa.targets import parse_target
from regalloc.liveness import compute_liveness
from regalloc.slots import slot_instruction
from tests.unit.regalloc.programs import machine
from tests.unit.report.test_live import LOOP, STRAIGHT

# the address %b waits from the start to the end, as the load %x does; %s sums two values behind the peak
WAITING = """
register %p sgpr 2 align 2
register %a vgpr
register %b vgpr
register %x vgpr 4 align 2
register %y vgpr 4 align 2
register %s vgpr
register %t vgpr
block entry
  s_load_dwordx2 %p, s[0:1], 0x0
  v_lshlrev_b32_e32 %a, 4, v0
  v_add_u32_e32 %b, 0x1000, %a
  global_load_dwordx4 %x, %a, %p
  global_load_dwordx4 %y, %a, %p offset:16
  v_add_f32_e32 %s, %y[0], %y[1]
  v_add_f32_e32 %t, %y[2], %y[3]
  global_store_dwordx4 %a, %x, %p offset:64
  global_store_dword %b, %s, %p
  global_store_dword %b, %t, %p offset:4
  terminator s_endpgm
"""


def attempts_of(kernel: Kernel) -> list[tuple[Attempt, Draft]]:
    return tried(LiveKernel(kernel, live_sets(kernel)), {})


def told(attempt: Attempt) -> tuple[str, str, int, int, int, int]:
    return attempt.change.value, attempt.value, attempt.frees, attempt.bound, attempt.agprs, attempt.instructions


def test_every_kind_of_change_by_hand() -> None:
    """The peak is the load of %y: %a, %b, %x and %y are live behind it, ten registers; the store of %x needs as many without %b."""
    found = [told(attempt) for attempt, _ in attempts_of(machine(WAITING))]
    assert found == [
        ("load later", "%x", 4, 8, 0, 0),  # then %a, %b, %s, %t and %x
        ("define later", "%b", 1, 9, 0, 0),
        ("AGPRs", "%x", 4, 8, 4, 8),
        ("AGPRs", "%b", 1, 9, 1, 2),
        ("together", "", 5, 7, 0, 0),
    ]


def test_a_load_stays_before_a_store_and_under_its_mask_and_a_value_of_another_mode_where_it_is() -> None:
    stored = WAITING.replace("  v_add_f32_e32 %s", "  global_store_dword %a, %y[0], %p offset:128\n  v_add_f32_e32 %s")
    assert "load later" not in {attempt.change.value for attempt, _ in attempts_of(machine(stored))}
    other_lanes = WAITING.replace("  v_add_f32_e32 %s", "  s_mov_b64 exec, -1\n  v_add_f32_e32 %s")
    assert "load later" not in {attempt.change.value for attempt, _ in attempts_of(machine(other_lanes))}
    other_mode = WAITING.replace("  v_add_f32_e32 %s", "  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 3\n  v_add_f32_e32 %s")
    assert "define later" not in {attempt.change.value for attempt, _ in attempts_of(machine(other_mode))}


_SMALL = {"n": "4096", "rows": "8", "cols": "512"}
_TARGETS = ("gfx942", "gfx1201", "gfx90a", "gfx1100", "gfx950", "gfx1100:wave64")


class Case(Struct, frozen=True):
    """A kernel of the catalogue, its settings, a target, and the most VGPRs."""

    name: str
    settings: tuple[tuple[str, str], ...]
    target: str
    max_vgprs: int | None = None

    def __str__(self) -> str:
        return f"{self.name} {self.target} {self.max_vgprs or 'free'}"

    def compile(self) -> CompiledProgram:
        source = Source.of_program(self.name, build_kernel(self.name, self.settings))
        return compile_read(source, parse_target(self.target), make_options({"max_vgprs": self.max_vgprs}))


CASES = [
    Case("softmax", (("rows", "4"), ("cols", "4096")), "gfx942"),
    Case("layernorm", (("rows", "2"), ("cols", "1024")), "gfx1201"),
    Case("transpose", (("rows", "64"), ("cols", "64")), "gfx950"),
    Case("col_sum", (("rows", "64"), ("cols", "64")), "gfx1100"),
    Case("argmax", (("rows", "2"), ("cols", "512")), "gfx90a"),
    Case("cumsum", (("rows", "2"), ("cols", "1024")), "gfx942"),
    Case("dot_product", (("n", "4096"),), "gfx1201", 20),  # loads of which a part is used before the peak
]
EVERY_CASE = [
    Case(name, tuple((key, _SMALL[key]) for key in kernel.parameters if key in _SMALL), target, limit)
    for number, (name, kernel) in enumerate(CATALOGUE.items())
    for target in (_TARGETS[number % 6], _TARGETS[(number + 3) % 6])
    for limit in (None, 20)
]


def run(program: CompiledProgram, kernels: dict[str, Kernel]) -> list[Array]:
    """The results of the machine programs of a program's kernels."""
    return run_kernels(
        program,
        sample_inputs(program_parameters(program), 3),
        lambda kernel, _, buffers: run_kernel(kernels[kernel.name], kernel.workgroups, buffers),
    )


def measured(kernel: Kernel, slot: Slot) -> tuple[int, int]:
    """The VGPRs at most, and at a slot, by a walk over the live sets."""
    steps = [(step.slot, step.pressure[0]) for step in counted_slots(kernel, live_sets(kernel))]
    return max(pressure for _, pressure in steps), dict(steps)[slot]


def check_applied_changes(program: CompiledProgram) -> int:
    """Each change has the promised pressure and gives the same results; the number of changes."""
    kernels = {kernel.name: of.kernel for kernel, of in zip(program.kernels, program.compilation.stages.allocations, strict=True)}
    expected = run(program, kernels)
    found = 0
    for name, kernel in kernels.items():
        if "VGPR" not in (peaks := LiveKernel(kernel, live_sets(kernel)).peaks):
            continue
        peak = peaks["VGPR"].slot
        before, at_peak = measured(kernel, peak)
        assert before == at_peak
        for attempt, draft in attempts_of(kernel):
            changed = applied(kernel, draft)
            after, at_peak = measured(changed, moved(draft, peak))
            assert slot_instruction(changed.blocks[peak[0]], moved(draft, peak)[1]) is slot_instruction(kernel.blocks[peak[0]], peak[1])
            assert after == attempt.bound <= before, attempt
            assert before - at_peak == attempt.frees > 0, attempt
            assert sum(len(block.code) for block in changed.blocks) == sum(len(block.code) for block in kernel.blocks) + attempt.instructions
            results = run(program, {**kernels, name: changed})
            for one, other in zip(expected, results, strict=True):
                assert np.array_equal(one.view(np.uint8), other.view(np.uint8)), attempt
            found += 1
    return found


@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_applied_change_has_the_promised_pressure_and_gives_the_same_results(case: Case) -> None:
    assert check_applied_changes(case.compile()) > 0


@pytest.mark.slow
@pytest.mark.parametrize("case", EVERY_CASE, ids=str)
def test_applied_changes_of_the_catalogue(case: Case) -> None:
    _ = check_applied_changes(case.compile())


def random_draft(kernel: Kernel, generator: random.Random) -> Draft:
    """Instructions taken away and put in anywhere; the program then means something else."""
    slots = [(number, index) for number, block in enumerate(kernel.blocks) for index in range(len(block.instructions))]
    ends = [(number, len(block.instructions) + generator.randrange(2)) for number, block in enumerate(kernel.blocks)]

    def some() -> tuple[Instr, ...]:
        chosen = generator.sample(slots, generator.randrange(1, 3))
        return tuple(kernel.blocks[number].instructions[index] for number, index in chosen)

    removed = frozenset(generator.sample(slots, generator.randrange(3)))
    before = {slot: some() for slot in generator.sample(slots + ends, generator.randrange(3))}
    after = {slot: some() for slot in generator.sample(slots, generator.randrange(2))}
    return Draft(removed, before, after)


@pytest.mark.parametrize("name", ["straight", "loop", "softmax", "cumsum"])
def test_a_recount_is_a_count(name: str) -> None:
    """Of random changes, also of those that change the meaning of a program."""
    seed = 7
    generator = random.Random(seed)
    settings = {"softmax": [("rows", "4"), ("cols", "40000")], "cumsum": [("rows", "2"), ("cols", "30000")]}
    if name in settings:
        source = Source.of_program(name, build_kernel(name, settings[name]))
        kernel = compile_read(source, parse_target("gfx942"), make_options({})).compilation.stages.allocations[0].kernel
    else:
        kernel = machine(STRAIGHT if name == "straight" else LOOP)
    program = LiveKernel(kernel, live_sets(kernel))
    recount, peak, counted = Recount(program), program.peaks["VGPR"].slot, 0
    for _ in range(40):
        draft = random_draft(kernel, generator)
        if not recount.counts(draft) or peak in draft.removed:
            continue
        changed = applied(kernel, draft)
        steps = {step.slot: step.pressure for step in counted_slots(changed, live_sets(changed))}
        expected = Recounted(steps[moved(draft, peak)][0], max(step[0] for step in steps.values()), max(step[1] for step in steps.values()))
        assert recount.of(draft, peak) == expected, (seed, draft)
        counted += 1
    assert counted > 20


def test_a_smaller_tile_is_compiled() -> None:
    source = Source.of_program("softmax", build_kernel("softmax", [("cols", "16384")]))
    program = compile_read(source, parse_target("gfx942"), make_options({}))
    smaller = smaller_tiles(program)
    assert smaller is not None
    other, tiles = smaller
    assert tiles == {"softmax": "row with waves=8 (was 4), repeat=8 (was 16)"}
    (kernel,) = with_smaller_tiles(report_program(program), other, tiles).kernels
    attempt = kernel.file("VGPR").attempts[-1]
    assert attempt.change is Change.SMALLER_TILE
    assert attempt.bound == compute_liveness(other.compilation.stages.allocations[0].kernel).pressure[RegisterClass.VGPR].units
    assert attempt.frees == kernel.file("VGPR").lower_bound - attempt.bound > 20


TEXT = """
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.text
	.type	k,@function
k:
	v_lshlrev_b32_e32 v1, 2, v0
	v_add_u32_e32 v2, 0x100, v1
	global_load_dwordx4 v[4:7], v1, s[0:1]
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v4, v4, v5
	v_add_f32_e32 v6, v6, v7
	global_store_dword v1, v4, s[0:1]
	{again}global_store_dword v2, v6, s[0:1]
	s_endpgm
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 16
		.amdhsa_accum_offset 8
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
	.end_amdhsa_kernel
"""


def test_an_edit_of_the_text_has_the_promised_pressure() -> None:
    before = report_image(load(TEXT.format(again=""), None, "k.s", to_run=False)).file("VGPR")
    (attempt,) = [attempt for attempt in before.attempts if attempt.change is Change.DEFINE_LATER]
    assert (attempt.value, before.lower_bound, attempt.bound, attempt.frees) == ("v2", 6, 5, 1)
    assert attempt.there is not None
    assert attempt.there.text.startswith("global_store_dword v2")
    text = TEXT.replace("\tv_add_u32_e32 v2, 0x100, v1\n", "").format(again="v_add_u32_e32 v2, 0x100, v1\n\t")
    assert report_image(load(text, None, "k.s", to_run=False)).file("VGPR").lower_bound == attempt.bound


def changes_of(text: str, value: str) -> set[Change]:
    file = report_image(load(text, None, "k.s", to_run=False)).file("VGPR")
    return {attempt.change for attempt in file.attempts if attempt.value == value}


def test_no_change_of_registers_that_are_written_meanwhile_or_read_across_lanes() -> None:
    plain = TEXT.format(again="")
    assert changes_of(plain, "v2") == {Change.DEFINE_LATER, Change.AGPRS}
    overwritten = plain.replace("\tglobal_store_dword v2", "\tv_mov_b32_e32 v1, 0\n\tglobal_store_dword v2")
    assert changes_of(overwritten, "v2") == {Change.AGPRS}
    other_lanes = plain.replace("\tglobal_store_dword v2, v6, s[0:1]", "\tv_readfirstlane_b32 s4, v2\n\tglobal_store_dword v1, v6, s[0:1]")
    assert changes_of(other_lanes, "v2") == set()
    other_mask = plain.replace("\tglobal_store_dword v2", "\ts_mov_b64 exec, -1\n\tglobal_store_dword v2")
    assert changes_of(other_mask, "v2") == set()


def test_a_use_moves_only_before_what_it_does_not_read() -> None:
    """v2 and v3 wait for their sum; v7 comes from the load at the peak."""
    text = (
        TEXT.format(again="")
        .replace("\tglobal_load", "\tv_add_u32_e32 v3, 0x200, v0\n\tglobal_load")
        .replace("\tglobal_store_dword v1, v4", "\tv_add_u32_e32 v3, v2, v3\n\tglobal_store_dword v3, v4")
        .replace("v2, v6", "v3, v6")
    )
    assert Change.USE_EARLIER in changes_of(text, "v2")
    assert Change.USE_EARLIER not in changes_of(text.replace("v_add_u32_e32 v3, v2, v3", "v_add3_u32 v3, v2, v3, v7"), "v2")
