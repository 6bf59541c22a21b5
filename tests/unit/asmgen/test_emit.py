"""The assembler and LLVM's readers on emitted text."""

from __future__ import annotations

import re
import struct
import subprocess
from io import BytesIO
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from msgspec.structs import replace

import asmgen
from asmgen.emission.assemble import assemble
from asmgen.emission.emit import emit, emit_file, resources
from asmgen.emission.usage import check_launch, register_usage
from isa.diagnostics import InputError, InternalError
from isa.emulator import load
from isa.objects.kernels import object_kernel_names
from isa.program import Argument, Block, Kernel
from isa.registers import Register, vgpr
from isa.targets import parse_target
from tests.unit.asmgen.machine_kernels import code, looping_kernel, preloading_kernel

TARGET = parse_target("gfx942")


def written(kernel: Kernel, directory: Path, target: str = "gfx942") -> Path:
    target_id = parse_target(target)
    path = directory / "kernel.hsaco"
    path.write_bytes(assemble(emit(kernel, target_id), target_id))
    return path


def output_of(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def descriptor_of(path: Path, name: str) -> dict[str, int]:
    """The kernel descriptor as LLVM's disassembler reads it from the object."""
    text = output_of("llvm-objdump-22", "-D", "--mcpu=gfx942", f"--disassemble-symbols={name}.kd", str(path))
    return {name: int(value) for name, value in re.findall(r"\.amdhsa_(\w+) (\d+)", text)}


def notes_of(path: Path) -> str:
    return output_of("llvm-readelf-22", "--notes", str(path))


@pytest.mark.needs_llvm("llvm-objdump-22")
def test_the_descriptor_of_a_preloading_kernel(tmp_path: Path) -> None:
    found = descriptor_of(written(preloading_kernel(), tmp_path), "vecadd")
    wanted = {
        "user_sgpr_kernarg_segment_ptr": 1,
        "user_sgpr_dispatch_ptr": 0,
        "user_sgpr_kernarg_preload_length": 6,
        "system_sgpr_workgroup_id_x": 1,
        "system_sgpr_workgroup_id_y": 0,
        "system_sgpr_workgroup_id_z": 0,
        "system_vgpr_workitem_id": 0,
        "kernarg_size": 24,
        "accum_offset": 4,
        "float_round_mode_32": 0,
        "float_round_mode_16_64": 0,
        "float_denorm_mode_32": 3,
        "float_denorm_mode_16_64": 3,
        "dx10_clamp": 1,
        "ieee_mode": 0,
        "tg_split": 0,
        "uses_dynamic_stack": 0,
        "enable_private_segment": 0,
    }
    assert {name: found.get(name) for name in wanted} == wanted
    assert found["next_free_vgpr"] >= 3


@pytest.mark.needs_llvm("llvm-objdump-22")
def test_the_descriptor_of_a_kernel_with_ids_lds_scratch_and_agprs(tmp_path: Path) -> None:
    found = descriptor_of(written(looping_kernel(), tmp_path), "looping")
    wanted = {
        "user_sgpr_dispatch_ptr": 1,
        "user_sgpr_kernarg_segment_ptr": 1,
        "system_sgpr_workgroup_id_x": 1,
        "system_sgpr_workgroup_id_y": 0,
        "system_sgpr_workgroup_id_z": 1,
        "system_vgpr_workitem_id": 2,
        "group_segment_fixed_size": 1024,
        "private_segment_fixed_size": 16,
        "enable_private_segment": 1,
        "kernarg_size": 4,
        "accum_offset": 12,
    }
    assert {name: found.get(name) for name in wanted} == wanted
    # v9 is the highest VGPR, so AGPRs start at 12; a5 is the highest of them
    assert found["next_free_vgpr"] >= 12 + 6


@pytest.mark.parametrize(("kernel", "count"), [(preloading_kernel(), 8), (looping_kernel(), 4)], ids=["preloading", "looping"])
def test_the_hardware_is_told_how_many_user_sgprs_it_fills(kernel: Kernel, count: int, tmp_path: Path) -> None:
    """COMPUTE_PGM_RSRC2 is 52 bytes into the descriptor, USER_SGPR in its bits 1 to 5 (AMDGPUUsage)."""
    elf = ELFFile(BytesIO(written(kernel, tmp_path).read_bytes()))
    symbols = elf.get_section_by_name(".dynsym")
    assert isinstance(symbols, SymbolTableSection)
    (descriptor,) = symbols.get_symbol_by_name(f"{kernel.name}.kd") or []
    section = elf.get_section_by_name(".rodata")
    assert section is not None
    offset = descriptor["st_value"] - section["sh_addr"]
    (rsrc2,) = struct.unpack_from("<I", section.data(), offset + 52)
    assert rsrc2 >> 1 & 31 == count


@pytest.mark.needs_llvm("llvm-objdump-22")
def test_the_last_register_of_each_file_is_declared(tmp_path: Path) -> None:
    """LLVM rounds the descriptor's registers up to the granule; they may not be fewer than the use."""
    kernel = looping_kernel()
    kernel.workgroup = (64, 1, 1)
    kernel.blocks[0].instructions += code("v_mov_b32_e32 v255, 0\nv_accvgpr_write_b32 a255, v0\ns_mov_b32 s101, 0\ns_mov_b64 vcc, 0")
    found = descriptor_of(written(kernel, tmp_path), "looping")
    assert (found["accum_offset"], found["next_free_vgpr"]) == (256, 512)
    assert found["next_free_sgpr"] + 6 >= 102 + 6


@pytest.mark.needs_llvm("llvm-readelf-22")
def test_the_metadata_note_states_arguments_and_resources(tmp_path: Path) -> None:
    notes = notes_of(written(looping_kernel(), tmp_path))
    for pair in (
        ".agpr_count: 6", ".vgpr_count: 18", ".sgpr_count: 27", ".group_segment_fixed_size: 1024", ".private_segment_fixed_size: 16",
        ".kernarg_segment_size: 4", ".kernarg_segment_align: 8", ".max_flat_workgroup_size: 64", ".wavefront_size: 64", ".symbol: looping.kd",
        ".value_kind: by_value", ".size: 4", ".name: n", "amdhsa.target: amdgcn-amd-amdhsa--gfx942",
    ):  # fmt: skip
        key, _, value = pair.partition(": ")
        assert re.search(rf"{re.escape(key)}:\s+{re.escape(value)}\s", notes), pair
    assert re.search(r"\.reqd_workgroup_size:\s+- 8\s+- 4\s+- 2", notes)
    assert re.search(r"amdhsa.version:\s+- 1\s+- 2", notes)


@pytest.mark.needs_llvm("llvm-readelf-22")
def test_buffers_carry_their_address_space_and_access(tmp_path: Path) -> None:
    notes = notes_of(written(preloading_kernel(), tmp_path))
    assert re.findall(r"\.actual_access:\s+(\w+)", notes) == ["read_only", "read_only", "write_only"]
    assert re.findall(r"\.address_space:\s+(\w+)", notes) == ["global"] * 3
    assert re.findall(r"\.offset:\s+(\d+)", notes) == ["0", "8", "16"]


@pytest.mark.needs_llvm("llvm-objdump-22")
def test_the_body_stands_256_bytes_behind_the_prologue(tmp_path: Path) -> None:
    text = output_of("llvm-objdump-22", "-d", "--mcpu=gfx942", "--disassemble-symbols=vecadd", str(written(preloading_kernel(), tmp_path)))
    lines = [re.sub(r"\s*//.*", "", line).strip() for line in text.splitlines() if "//" in line]
    addresses = [int(found[1], 16) for found in re.finditer(r"// ([0-9A-F]{12}):", text)]
    assert lines[:4] == ["s_load_dwordx2 s[2:3], s[0:1], 0x0", "s_load_dwordx4 s[4:7], s[0:1], 0x8", "s_waitcnt lgkmcnt(0)", "s_branch 58"]
    body = lines.index("v_lshl_add_u32 v0, s8, 8, v0")
    assert addresses[body] - addresses[0] == 256


def test_a_whole_target_id_reaches_the_object(tmp_path: Path) -> None:
    flags = [written(replace_target(target), tmp_path, target).read_bytes()[48:52] for target in ("gfx942", "gfx942:sramecc+:xnack-")]
    assert flags[0] != flags[1]
    assert all(int.from_bytes(flag, "little") & 0xFF == TARGET.target.elf_machine_flag for flag in flags)


def replace_target(target: str) -> Kernel:
    kernel = preloading_kernel()
    kernel.target = parse_target(target)
    return kernel


def test_branches_stand_only_where_the_layout_needs_them() -> None:
    text = [re.sub(r"\s*;.*", "", line).strip() for line in emit(looping_kernel(), TARGET).splitlines() if not line.startswith("\t.loc")]
    begin, end = text.index("looping:"), text.index(".Llooping.end.of.code:")
    assert text[begin + 5 : end] == [
        "s_branch .Llooping.body",  # the next block is `end`
        ".Llooping.end:",
        "s_endpgm",
        ".Llooping.body:",
        "s_add_u32 s20, s20, 1",
        "s_cmp_lt_u32 s20, 10",
        "s_cbranch_scc1 .Llooping.body",
        "s_branch .Llooping.end",
    ]


def test_every_instruction_carries_its_op_and_line() -> None:
    lines = emit(preloading_kernel(), TARGET).splitlines()
    add = lines.index(next(line for line in lines if "v_add_f32" in line))
    assert lines[add].endswith("; op :6")
    assert lines[add - 1] == "\t.loc\t1 6 3"
    assert '\t.file\t1 "source.gen"' in lines


def test_a_comment_cannot_end_its_line() -> None:
    kernel = preloading_kernel()
    kernel.blocks[0].instructions[0] = replace(kernel.blocks[0].instructions[0], comment="one\ntwo")
    assert "; op :1, one two" in emit(kernel, TARGET)


def test_resources_state_what_the_kernel_takes() -> None:
    taken = resources(looping_kernel(), TARGET.target)
    assert (taken.vgprs, taken.agprs, taken.sgprs, taken.lds_bytes, taken.scratch_bytes, taken.spills) == (10, 6, 27, 1024, 16, 0)
    # 65536 / 1024 = 64 workgroups of one wave on four SIMDs are more than the 8 waves a SIMD has
    assert taken.occupancy == 8


def test_two_kernels_make_one_object() -> None:
    text = emit_file([preloading_kernel(), looping_kernel()], TARGET)
    data = assemble(text, TARGET)
    assert b"vecadd.kd" in data
    assert b"looping.kd" in data


def test_the_same_text_gives_the_same_bytes() -> None:
    text = emit(preloading_kernel(), TARGET)
    assert assemble(text, TARGET) == assemble(text, TARGET)


@pytest.mark.parametrize(
    ("change", "code_"),
    [
        ({"workgroup": (1025, 1, 1)}, "LIM001"),
        ({"lds_bytes": 65537}, "LIM003"),
        ({"name": "a b"}, "EMIT001"),
        ({"name": 'x"\n.globl y'}, "EMIT001"),
    ],
)
def test_what_a_target_cannot_give_is_an_error(change: dict[str, object], code_: str) -> None:
    with pytest.raises(InputError) as caught:
        emit(replace(preloading_kernel(), **change), TARGET)
    assert caught.value.code == code_


@pytest.mark.parametrize(
    ("grid", "block", "code_"),
    [
        ((1, 1, 1), (1025, 1, 1), "LIM001"),
        ((1, 1, 1), (32, 32, 2), "LIM001"),
        ((1, 1, 1), (0, 1, 1), "LIM001"),
        ((2**24, 1, 1), (256, 1, 1), ""),
        ((2**24 + 1, 1, 1), (256, 1, 1), "LIM002"),
        ((2**12, 2**12, 2), (16, 16, 1), "LIM002"),
        ((0, 1, 1), (256, 1, 1), ""),
    ],
)
def test_a_launch_is_held_to_what_a_dispatch_can_count(grid: tuple[int, int, int], block: tuple[int, int, int], code_: str) -> None:
    if not code_:
        check_launch("k", grid, block, TARGET.target, "k")
        return
    with pytest.raises(InputError) as caught:
        check_launch("k", grid, block, TARGET.target, "k")
    assert caught.value.code == code_


def test_a_launch_of_a_gen_file_is_held_to_the_limits() -> None:
    text = "stage final gfx942\nmodule @k {\n  launch[grid={16777217,1,1}, block={256,1,1}]\n  x = @param:x -> f32, {4}\n  @return(x)\n}\n"
    with pytest.raises(InputError, match="launches 4294967552 work-items, wanted at most 4294967296"):
        asmgen.compile(text)


def test_a_large_workgroup_leaves_fewer_vgprs() -> None:
    kernel = preloading_kernel()
    kernel.workgroup = (1024, 1, 1)
    kernel.blocks[0].instructions += code("v_mov_b32_e32 v127, 0")
    emit(kernel, TARGET)  # 1024 work-items are 4 waves a SIMD, which leaves each 128
    kernel.blocks[0].instructions += code("v_mov_b32_e32 v128, 0")
    with pytest.raises(InputError, match="129 VGPRs are used, a workgroup of 1024 work-items leaves 128"):
        emit(kernel, TARGET)


def test_a_virtual_register_is_our_own_mistake() -> None:
    kernel = preloading_kernel()
    kernel.abi = kernel.abi._replace(entry=(*kernel.abi.entry[:-1], ("workitem_id", Register(2000))))
    with pytest.raises(InternalError):
        emit(kernel, TARGET)


def test_an_abi_that_the_hardware_does_not_fill_is_our_own_mistake() -> None:
    kernel = preloading_kernel()
    kernel.abi = kernel.abi._replace(entry=(*kernel.abi.entry[:2], ("workgroup_id_x", Register(9)), ("workitem_id", vgpr(0))))
    with pytest.raises(InternalError, match="workgroup_id_x is expected at s9, the hardware puts it at s8"):
        emit(kernel, TARGET)


def test_argument_names_are_quoted(tmp_path: Path) -> None:
    kernel = preloading_kernel()
    kernel.arguments = (Argument('a"b: c', 0, 8), Argument("y", 8, 8), *kernel.arguments[2:])
    data = written(kernel, tmp_path).read_bytes()
    assert b'a"b: c' in data
    assert b"\xa1y" in data  # `y` alone would be a YAML boolean


def test_a_block_that_ends_nowhere_is_our_own_mistake() -> None:
    kernel = preloading_kernel()
    kernel.blocks = [Block("entry")]
    with pytest.raises(InternalError, match="neither ends the program nor has a successor"):
        emit(kernel, TARGET)


@pytest.mark.parametrize(
    ("target", "amount", "declared"),
    [("gfx90a", 7, 9), ("gfx90a", 6, 8), ("gfx942", 7, 8)],
)
def test_gfx90a_never_shifts_64_bits_by_its_last_vgpr(target: str, amount: int, declared: int) -> None:
    """clang, too, keeps the amount of a 64-bit shift out of the last VGPR of an allocation on gfx90a, and
    only there."""
    body = code(f"v_lshlrev_b64 v[0:1], v{amount}, v[0:1]\nv_mov_b32_e32 v7, v0\ns_endpgm")
    kernel = Kernel("shift", parse_target(target), blocks=[Block("entry", instructions=body[:-1], terminator=body[-1])])
    assert register_usage(kernel).vgprs == declared


@pytest.mark.parametrize("word", ["true", "false", "Inf", "NaN"])
def test_words_of_truth_may_be_names(word: str) -> None:
    """LLVM's reader of metadata reads them literally, quoted or not."""
    text = f"module @{word} {{\nx = @param:{word} -> f32, {{64}}\ny = relu(x)\n@return(y)\n}}\n"
    (kernel,) = asmgen.compile(text).kernels
    image = load(kernel.assembly, word)
    assert (image.name, image.arguments[0].name) == (word, word)
    assert object_kernel_names(kernel.code_object, "k.hsaco") == [word]
