"""The memory of a launch: data and addresses of the code object, the stack, LDS, the kernarg segment; and
addresses that wrap."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import asmgen
from isa.assembler.assembling import assemble_text
from isa.diagnostics import InputError, Place
from isa.emulator import load, run, run_image
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.program.code import Unread
from isa.objects.elf import LoadedRelocation, LoadedSection
from isa.objects.loading import loaded_sections
from isa.program import Argument
from isa.targets import parse_target
from tests.rows import MACHINES
from tests.unit.isa.kernel_builds import compiled
from tests.unit.isa.programs import BEGIN, BUFFERS, END, image_of, launch, out_of

Array = np.ndarray[Any, Any]
LLVM = pytest.mark.needs_llvm("clang-22", "ld.lld-22")
A = np.random.default_rng(1).integers(1, 99, 64).astype(np.uint32)
OUT = np.zeros(64, np.uint32)
LEVELS = [(machine, ("-O0", "-O2")[i % 2]) for i, machine in enumerate(MACHINES)]


def ran(name: str, machine: str, level: str, *more: int | Array) -> Array:
    return run(compiled("data", level, False, machine), name, (1, 1, 1), (64, 1, 1), [A, OUT, *more])[1]


@LLVM
@pytest.mark.parametrize(("machine", "level"), LEVELS)
def test_data_that_is_written_addresses_in_data_and_functions_by_address(machine: str, level: str) -> None:
    """The counter begins at 40 and each lane adds 1; sums begin at 0."""
    values = [(2 * x, x * x, x + 7)[x % 3] + 2 * (x % 5) + 1 for x in A.tolist()]
    np.testing.assert_array_equal(ran("data", machine, level), np.array(values, np.uint32)[::-1] + 104)


@LLVM
@pytest.mark.parametrize(("machine", "level"), LEVELS)
def test_functions_that_call_themselves_have_room_on_the_stack(machine: str, level: str) -> None:
    fibonacci = np.array([0, 1, 1, 2, 3, 5, 8, 13, 21], np.uint32)
    np.testing.assert_array_equal(ran("recursion", machine, level), fibonacci[A % 9])


@LLVM
@pytest.mark.parametrize(("machine", "level"), LEVELS)
def test_local_pointers_take_their_sizes_at_the_launch(machine: str, level: str) -> None:
    got = ran("local_pointers", machine, level, 64, 512)
    np.testing.assert_array_equal(got, A[::-1] + 5 * np.roll(A, -1))


@LLVM
def test_local_pointers_that_are_too_small_or_too_large() -> None:
    with pytest.raises(InputError, match="LDS has 575 bytes"):
        ran("local_pointers", "gfx942", "-O2", 64, 511)
    with pytest.raises(InputError, match="would have 65600 bytes of LDS, wanted at most 65536"):
        ran("local_pointers", "gfx942", "-O2", 64, 1 << 16)
    with pytest.raises(InputError, match="is a pointer to LDS, got -1, wanted how many bytes"):
        ran("local_pointers", "gfx942", "-O2", 64, -1)
    with pytest.raises(InputError, match="is a pointer to LDS, got an array of float32, wanted how many bytes"):
        ran("local_pointers", "gfx942", "-O2", 64, np.zeros(4, np.float32))


@LLVM
def test_a_function_that_cannot_be_read_is_an_error_only_where_it_is_called() -> None:
    image = load(compiled("data", "-O2", False, "gfx942"), "recursion")
    code = image.code
    start, end = code.kernel_end, len(code.operations)
    addresses = code.addresses[start], code.addresses[-1] + 8
    del code.operations[start:end], code.addresses[start:end]
    code.unread.append(Unread(*addresses, InputError(Place("f"), "TXT001", "what is this?")))
    with pytest.raises(InputError, match="what is this"):
        run_image(image, KernelCall((1, 1, 1), (64, 1, 1), (A, OUT)))


def test_lds_after_what_the_kernel_declares() -> None:
    body = "v_mov_b32_e32 v3, 0\nds_write_b32 v3, v1 offset:76\ns_waitcnt lgkmcnt(0)\nds_read_b32 v2, v3 offset:76\ns_waitcnt lgkmcnt(0)\n"
    image = image_of(BEGIN + body + END, lds_bytes=16)
    results = run_image(image, KernelCall((1, 1, 1), (64, 1, 1), (A, OUT), lds_bytes=64))
    assert (results[1] == A[63]).all()
    with pytest.raises(InputError, match="LDS has 79 bytes"):
        run_image(image, KernelCall((1, 1, 1), (64, 1, 1), (A, OUT), lds_bytes=63))


def options_of(program: str, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        asmgen.run(program, kernel="k", grid=(1, 1, 1), block=(64, 1, 1), args=[], **options)
    return caught.value.code


def test_limits_and_lds_of_a_run_from_python() -> None:
    directives = ".amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 16\n.amdhsa_accum_offset 8\n.amdhsa_group_segment_fixed_size 1024\n"
    metadata = "amdhsa.kernels:\n  - .name: k\n    .symbol: k.kd\n    .kernarg_segment_size: 0\n    .max_flat_workgroup_size: 64\n"
    body = "k:\ns_mov_b32 s0, 0\nloop:\ns_add_u32 s0, s0, 2\ns_cmp_lg_u32 s0, 1\ns_cbranch_scc1 loop\ns_endpgm\n"
    program = (
        f'.amdgcn_target "amdgcn-amd-amdhsa--gfx942"\n.text\n{body}.amdhsa_kernel k\n{directives}.end_amdhsa_kernel\n'
        f".amdgpu_metadata\n---\n{metadata}...\n.end_amdgpu_metadata\n"
    )
    assert options_of(program, max_seconds=0.05) == "EMU022"
    assert options_of(program, max_steps=5000) == "EMU011"
    assert options_of(program, max_seconds=0) == "RUN027"
    assert options_of(program, lds_bytes=65000) == "RUN005"
    assert options_of(program, lds_bytes=-1) == "RUN005"


def test_addresses_in_lds_and_scratch_wrap_at_32_bits() -> None:
    lds = "v_add_u32_e32 v3, -8, v10\nds_write_b32 v3, v1 offset:8\ns_waitcnt lgkmcnt(0)\nds_read_b32 v2, v10\ns_waitcnt lgkmcnt(0)"
    np.testing.assert_array_equal(out_of(lds, A, lds_bytes=256), A)
    pair = "v_add_u32_e32 v3, -8, v10\nds_write2_b32 v3, v1, v1 offset0:2 offset1:66\ns_waitcnt lgkmcnt(0)\n"
    pair += "ds_read_b32 v2, v10 offset:256\ns_waitcnt lgkmcnt(0)"
    np.testing.assert_array_equal(out_of(pair, A, lds_bytes=512), A)
    scratch = "s_mov_b32 s8, -8\nscratch_store_dword off, v1, s8 offset:12\nscratch_load_dword v2, off, off offset:4\ns_waitcnt vmcnt(0)"
    np.testing.assert_array_equal(out_of(scratch, A, scratch_bytes=8), A)


def test_the_kernarg_segment_is_read_to_the_end_of_its_16_bytes() -> None:
    text = "s_load_dwordx2 s[4:5], s[0:1], 0x0\ns_load_dwordx4 s[8:11], s[0:1], 0x10\ns_waitcnt lgkmcnt(0)\ns_endpgm\n"
    with pytest.raises(InputError, match="the kernarg segment has 16 bytes"):
        launch(text, [A, OUT])
    three = (*BUFFERS, Argument("count", 16, 4, "by_value", "", "", "u32"))
    assert run_image(image_of(text, three), KernelCall((1, 1, 1), (64, 1, 1), (A, OUT, np.uint32(3))))


class FewSections:
    """An object of one section of 16 bytes at 0x100, with these relocations."""

    def __init__(self, *relocations: LoadedRelocation) -> None:
        self._relocations = list(relocations)

    def sections(self) -> list[LoadedSection]:
        return [LoadedSection(".data", 0x100, bytes(16), True)]

    def relocations(self) -> list[LoadedRelocation]:
        return self._relocations


RELATIVE64, ABS64, REL32 = 13, 3, 4
BASE = 0x7_0000_1000


@pytest.mark.parametrize(
    ("relocation", "at", "size", "value"),
    [
        (LoadedRelocation(0x100, RELATIVE64, "", 0, 0x10C), 0, 8, BASE + 0x10C),
        (LoadedRelocation(0x108, ABS64, "f", 0x40, 4), 8, 8, BASE + 0x44),
        (LoadedRelocation(0x108, ABS64, "weak", 0, 0), 8, 8, 0),
        (LoadedRelocation(0x104, REL32, "f", 0x40, 4), 4, 4, 0x44 - 0x104 + (1 << 32)),
        (LoadedRelocation(0x104, 1, "f", 0x40, 0), 4, 4, (BASE + 0x40) & 0xFFFFFFFF),
        (LoadedRelocation(0x104, 2, "f", 0x40, 0), 4, 4, 7),
    ],
)
def test_relocations(relocation: LoadedRelocation, at: int, size: int, value: int) -> None:
    """AMDGPUUsage, "LoadedRelocation Records": S + A, B + A, S + A - P."""
    (section,) = loaded_sections(FewSections(relocation), BASE, Place("x"))
    assert section.address == BASE + 0x100
    assert int.from_bytes(section.content[at : at + size], "little") == value


@pytest.mark.parametrize(
    ("relocation", "code"),
    [
        (LoadedRelocation(0x100, 9, "f", 0x40, 0), "LOAD028"),
        (LoadedRelocation(0x10C, ABS64, "f", 0x40, 0), "LOAD028"),
        (LoadedRelocation(0x100, ABS64, "f", None, 0), "LOAD029"),
    ],
)
def test_relocations_that_cannot_be_applied(relocation: LoadedRelocation, code: str) -> None:
    with pytest.raises(InputError) as caught:
        loaded_sections(FewSections(relocation), BASE, Place("x"))
    assert caught.value.code == code


def test_preloaded_arguments_want_code_where_firmware_enters_that_preloads() -> None:
    text = asmgen.compile("o = @param:x -> f32, {64}\ny = relu(o)\n@return(y)\n").kernels[0].assembly
    before, boundary, after = text.rpartition("\t.p2align\t8\n")
    assert boundary
    _ = load(assemble_text(text, parse_target("gfx942"), "whole.s"))
    with pytest.raises(InputError, match=r"LOAD033.*no instruction 256 bytes after its entry"):
        _ = load(assemble_text(before + after, parse_target("gfx942"), "broken.s"))
