"""Instructions that decide nothing about addresses, lanes and branches: which they are, and that traces are the same without them."""

from __future__ import annotations

import numpy as np
import pytest

from asmgen.profile.launches import LaunchOptions
from asmgen.profile.sources import launch_of_code, launches_of_source
from isa.diagnostics import InputError
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.launching.launch import Settings
from isa.emulator.program.image import Image
from isa.emulator.recording.deciding import undecided
from isa.emulator.recording.record import record
from isa.instruction import Instr
from isa.targets import parse_target
from isa.timing.trace import Trace
from tests.rows import spread
from tests.unit.isa.kernel_builds import compiled
from tests.unit.isa.programs import image_of
from tests.unit.isa.test_emulator_kernels import KERNELS, PAIRS, file_of
from tests.unit.profile.profiles import compile_catalogue


def left_out(image: Image) -> list[str]:
    """The names of the instructions after the beginning that decide nothing."""
    places = sorted(undecided(image.code, image.descriptor.wave_size))
    operations = [image.code.operations[place] for place in places if place >= BEGIN.count("\n") - 1]
    return [operation.row.name for operation in operations if isinstance(operation, Instr)]


BEGIN = """
s_load_dwordx4 s[4:7], s[0:1], 0x0
v_lshlrev_b32_e32 v10, 2, v0
s_waitcnt lgkmcnt(0)
"""


LOAD, STORE = "global_load_dword v4, v3, s[4:5]", "global_store_dword v10, v3, s[6:7]"
OFF, ON = "s_and_saveexec_b64 s[8:9], vcc", "s_or_b64 exec, exec, s[8:9]"
HALVES = "dst_sel:WORD_0 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0 src1_sel:WORD_0"
SPILLS = "scratch_store_dword off, v3, off offset:4; scratch_store_dword off, v5, off offset:8; scratch_load_dword v3, off, off offset:4"


@pytest.mark.parametrize(
    ("body", "expected"),
    (
        # values that are only stored
        (f"global_load_dword v1, v10, s[4:5]; v_exp_f32_e32 v3, v1; {STORE}", ["v_exp_f32"]),
        (f"v_mfma_f32_4x4x1_16b_f32 a[0:3], v1, v1, a[0:3]; v_accvgpr_read_b32 v3, a0; {STORE}",
         ["v_mfma_f32_4x4x1_16b_f32", "v_accvgpr_read_b32"]),
        # an index that is loaded: what may be stored there counts
        (f"v_add_u32_e32 v3, 4, v0; {STORE}; global_load_dword v3, v10, s[4:5]; {LOAD}", []),
        # an index in LDS: only stores there count
        (f"v_add_u32_e32 v2, 4, v0; v_exp_f32_e32 v3, v0; ds_write_b32 v10, v2; {STORE}; ds_read_b32 v3, v10; {LOAD}",
         ["v_exp_f32"]),
        # a register that is data before it is an address
        (f"v_exp_f32_e32 v3, v0; {STORE}; v_add_u32_e32 v3, 8, v10; {LOAD}", ["v_exp_f32"]),
        # for half the lanes the older address counts
        (f"v_add_u32_e32 v3, 4, v10; {OFF}; v_add_u32_e32 v3, 8, v10; {ON}; {LOAD}", []),
        # the lanes that are off are not read again
        (f"v_exp_f32_e32 v3, v0; {STORE}; {OFF}; v_add_u32_e32 v3, 8, v10; {LOAD}; {ON}", ["v_exp_f32"]),
        # all lanes are on again
        (f"{OFF}; v_mov_b32_e32 v5, 1; {ON}; v_exp_f32_e32 v3, v0; {STORE}; v_add_u32_e32 v3, 8, v10; {OFF}; {LOAD}; {ON}; {LOAD}",
         ["v_mov_b32", "v_exp_f32"]),
        # a lane that is off is read
        (f"v_add_u32_e32 v3, 4, v10; {OFF}; v_mov_b32_e32 v3, 8; v_readlane_b32 s2, v3, 5; s_add_u32 s4, s4, s2; {LOAD}", []),
        # half of a register
        (f"v_mov_b32_e32 v3, 4; v_add_u16_sdwa v3, v0, v0 {HALVES}; {LOAD}", []),
        # a mask, and a branch
        ("v_cmp_lt_u32_e32 vcc, 3, v0; s_cbranch_vccz over; v_mov_b32_e32 v4, 1; over:; s_cmp_lt_u32 s2, 3",
         ["v_mov_b32", "s_cmp_lt_u32"]),
        # around a loop
        (f"v_mov_b32_e32 v3, 4; loop:; {LOAD}; v_add_u32_e32 v3, 4, v3; v_add_f32_e32 v5, v5, v4; s_sub_u32 s2, s2, 1; s_cbranch_scc0 loop",
         ["v_add_f32"]),
        # data and an address in scratch
        (f"v_exp_f32_e32 v3, v0; v_add_u32_e32 v5, 8, v10; {SPILLS}; {STORE}; scratch_load_dword v3, off, off offset:8; {LOAD}",
         ["v_exp_f32"]),
        (f"v_exp_f32_e32 v3, v0; v_add_u32_e32 v5, 8, v10; {SPILLS}; {STORE}; scratch_load_dword v3, off, s8; {LOAD}", []),
        # registers that a number in a register names
        ("v_exp_f32_e32 v3, v0; s_set_gpr_idx_on s2, 1; v_mov_b32_e32 v5, v3; s_set_gpr_idx_off", []),
    ),
)  # fmt: skip
def test_instructions_that_decide_nothing(body: str, expected: list[str]) -> None:
    image = image_of(BEGIN + body.replace("; ", "\n") + "\ns_endpgm\n", lds_bytes=1024)
    assert left_out(image) == expected


def test_the_other_half_of_a_dual_instruction_decides_nothing() -> None:
    """A recording computes the address, and not the product beside it. gemm 4096 of f32 on gfx1100 was
    recorded in 11 s, now in 2."""
    lines = (
        "v_exp_f32_e32 v5, v0", "v_mov_b32_e32 v4, 8", "v_dual_fmac_f32 v2, v5, v5 :: v_dual_add_nc_u32 v3, v4, v10",
        "global_load_b32 v7, v3, s[4:5]", "s_endpgm",
    )  # fmt: skip
    image = image_of("\n".join(lines) + "\n", machine="gfx1100")
    assert undecided(image.code, 32) == {0}


def assert_same(one: Trace, other: Trace) -> None:
    assert len(one.waves) == len(other.waves)
    for first, second in zip(one.waves, other.waves, strict=True):
        assert np.array_equal(first.steps, second.steps) and np.array_equal(first.idle, second.idle)
        assert list(first.accesses) == list(second.accesses)
        for step, access in first.accesses.items():
            assert np.array_equal(access.lanes, second.accesses[step].lanes)
            assert np.array_equal(access.addresses, second.accesses[step].addresses)


def check(image: Image, call: KernelCall, groups: tuple[int, ...]) -> int:
    """Compares the traces with and without the instructions. Returns how many of them there are."""
    try:
        every = record(image, call, groups)
    except InputError:
        return 0  # its workgroups wait for each other
    places = undecided(image.code, image.descriptor.wave_size)
    assert_same(every.trace, record(image, call, groups, settings=Settings(left_out=places)).trace)
    return len(places)


@pytest.mark.parametrize(
    ("name", "target", "sizes"),
    (
        ("softmax", "gfx942", {"rows": "8", "cols": "1000"}), ("gemm", "gfx1100", {"m": "128", "n": "128", "k": "64"}),
        ("argmax", "gfx1201", {"rows": "4", "cols": "700"}), ("cumsum", "gfx90a", {"rows": "4", "cols": "700"}),
        ("gather_add", "gfx950", {"n": "5000"}), ("quantised_linear", "gfx942", {"m": "64", "n": "64", "k": "128"}),
    ),
)  # fmt: skip
def test_traces_of_catalogue_kernels_are_the_same(name: str, target: str, sizes: dict[str, str]) -> None:
    for launch in launches_of_source(compile_catalogue(name, target, **sizes), name, LaunchOptions()):
        _ = check(launch.image, launch.call, (0, launch.groups - 1))


def of_clang(machine: str, name: str, level: str) -> int:
    kernel = KERNELS[name]
    case = kernel.reference(parse_target(machine))
    code = compiled(kernel.file, level, False, machine, kernel.options)
    launch = launch_of_code(code, name, None, LaunchOptions(kernel.entry or name, case.grid, case.block, tuple(case.args)))
    return check(launch.image, launch.call, (0,))


@pytest.mark.broad
@pytest.mark.needs_llvm("clang-22", "ld.lld-22")
@pytest.mark.parametrize(("machine", "name"), spread(PAIRS, 1, file_of, turn=2)[::16])
def test_traces_of_clang_kernels_are_the_same(machine: str, name: str) -> None:
    _ = of_clang(machine, name, "-O3")


@pytest.mark.slow
@pytest.mark.needs_llvm("clang-22", "ld.lld-22")
@pytest.mark.parametrize(("machine", "name"), PAIRS)
def test_traces_of_every_clang_kernel_are_the_same(machine: str, name: str) -> None:
    _ = of_clang(machine, name, "-O2")
