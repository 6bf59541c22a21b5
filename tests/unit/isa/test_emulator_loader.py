"""Reading assembly and code objects: both say the same, and what cannot be read is an error with its place."""

from __future__ import annotations

import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from asmgen.emission.assemble import assemble
from isa.diagnostics import InputError, Place
from isa.emulator import load, run
from isa.emulator.launching.arguments import KernelCall, value_bytes
from isa.emulator.launching.kernarg import hidden_argument
from isa.emulator.launching.launch import Settings
from isa.emulator.program.assembly import load_assembly
from isa.emulator.program.image import Image
from isa.emulator.runner import run_image
from isa.emulator.state.global_memory import MemoryRange
from isa.objects.descriptor import from_bytes, from_directives, wave_size_in_bytes
from isa.objects.template import kernel_template
from isa.objects.yaml import parse_yaml
from isa.program import Argument
from isa.targets import TARGETS, parse_target
from isa.text.lines import split_comment
from tests.unit.isa.kernel_builds import OPTIONS, compiled
from tests.unit.isa.kernel_cases import agrees
from tests.unit.isa.kernel_cases_first import KERNELS

LLVM = pytest.mark.needs_llvm("clang-22", "ld.lld-22")
HERE = Path(__file__).parent / "kernels"

CDNA3 = TARGETS["gfx942"]
TEXT = """
\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
\t.text
\t.globl k
\t.type k,@function
k:
\tv_mov_b32_e32 v1, 1 ; one
\ts_endpgm
.Lend:
\t.size k, .Lend-k
other:
\tnot_an_instruction v1
\t.section .rodata,"a",@progbits
\t.amdhsa_kernel k
\t\t.amdhsa_next_free_vgpr 2
\t\t.amdhsa_next_free_sgpr 2
\t\t.amdhsa_accum_offset 4
\t.end_amdhsa_kernel
\t.amdgpu_metadata
---
amdhsa.kernels:
  - .args: []
    .name: k
    .symbol: k.kd
    .kernarg_segment_size: 0
    .max_flat_workgroup_size: 64
amdhsa.version:
  - 1
  - 2
...
\t.end_amdgpu_metadata
"""


def code_of(function: Any, *arguments: Any) -> tuple[str, str]:
    """Code and text of the error. An error of a file says what to do, or what may be in its place."""
    with pytest.raises(InputError) as caught:
        function(*arguments)
    error = caught.value
    assert error.help or "wanted one of" in error.message or not error.code.startswith("LOAD"), error
    return error.code, str(error)


@pytest.mark.broad
@LLVM
@pytest.mark.parametrize("name", KERNELS)
def test_text_and_object_say_the_same(name: str) -> None:
    text, binary = (load(compiled("first", "-O2", form, "gfx942"), name) for form in (True, False))
    assert text.descriptor == binary.descriptor
    assert text.arguments == binary.arguments
    assert (text.kernarg_size, text.largest_workgroup, text.required) == (binary.kernarg_size, binary.largest_workgroup, binary.required)
    assert len(text.code.operations) == len(binary.code.operations)
    for one, other in zip(text.code.instructions, binary.code.instructions, strict=True):
        assert (one.row.name, one.modifiers) == (other.row.name, other.modifiers)


@LLVM
@pytest.mark.parametrize("assembly", [True, False])
@pytest.mark.parametrize("entry", ["preload", "prologue"])
def test_preloaded_arguments_by_either_entry(entry: str, assembly: bool) -> None:
    case = KERNELS["loop"].reference(parse_target("gfx942"))
    source = preloading("loop", assembly)
    image = load(source, "loop")
    assert image.descriptor.preload_dwords and image.code.preload_entry
    got = run_image(image, KernelCall(case.grid, case.block, tuple(case.args)), sanitize=True, settings=Settings(entry=entry))
    agrees(case, got)


@cache
def preloading(name: str, assembly: bool) -> str | bytes:
    command = ["clang-22", *OPTIONS, "-mcpu=gfx942", "-O2", "-mllvm", "-amdgpu-kernarg-preload-count=8", str(HERE / f"{name}.cl"), "-o"]
    if assembly:
        return subprocess.run([*command, "-", "-S"], capture_output=True, text=True, check=True).stdout
    return built(command)


def built(command: list[str]) -> bytes:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "kernel.co"
        subprocess.run([*command, str(path)], check=True)
        return path.read_bytes()


def test_a_small_file_loads_and_runs() -> None:
    assert run(TEXT, "k", (1, 1, 1), (64, 1, 1), []) == []
    image = load_assembly(TEXT, "small.s", None)
    assert [str(instr.origin.place) for instr in image.code.instructions if instr.origin] == ["small.s:7:1", "small.s:8:1"]
    assert image.code.instructions[0].origin is not None and image.code.instructions[0].origin.op == "one"
    assert image.descriptor.mode == 0x3C0 and image.descriptor.vgprs == 8


def test_a_launch_tells_how_many_workgroups_are_done() -> None:
    told: list[tuple[int, int]] = []
    _ = run(TEXT, "k", (1000, 1, 1), (64, 1, 1), [], progress=lambda done, of: told.append((done, of)))
    assert told == [(512, 1000), (1000, 1000)]


@pytest.mark.parametrize(
    ("text", "kernel", "code", "words"),
    [
        ("", "k", "LOAD001", "no .amdhsa_kernel"),
        (TEXT, "j", "LOAD003", "wanted one of k"),
        (TEXT.replace("\t.amdgcn_target", "\t.other"), "k", "LOAD008", "no .amdgcn_target"),
        (TEXT.replace("gfx942", "gfx906"), "k", "TGT001", "gfx906"),
        (TEXT.replace("k:", "l:"), "k", "LOAD007", "no label k"),
        (TEXT.replace(".name: k", ".name: j"), "k", "LOAD009", "no metadata of kernel k"),
        (TEXT.replace("_accum_offset 4", "_accum_offset x"), "k", "LOAD004", "file.s:17:1"),
        (TEXT.replace("\t\t.amdhsa_accum_offset 4\n", ""), "k", "LOAD005", "file.s:14:1"),
        (TEXT.replace("\t.end_amdgpu_metadata", ""), "k", "LOAD012", "ends inside"),
        (TEXT.replace("    .name: k", "   .name k"), "k", "LOAD010", "file.s:23:1"),
        (TEXT.replace("amdhsa.kernels", "kernels"), "k", "LOAD011", "amdhsa.kernels"),
        (TEXT.replace("v_mov_b32_e32 v1, 1", "v_frobnicate v1"), "k", "ASM001", "file.s:7:1"),
    ],
)
def test_text_that_cannot_be_loaded(text: str, kernel: str, code: str, words: str) -> None:
    got, message = code_of(load_assembly, text, "file.s", kernel)
    assert got == code and words in message, message


def test_a_kernel_has_to_be_named_where_there_are_several() -> None:
    two = TEXT.replace("\t.end_amdhsa_kernel", "\t.end_amdhsa_kernel\n\t.amdhsa_kernel other\n\t.end_amdhsa_kernel")
    assert code_of(load_assembly, two, "file.s", None)[0] == "LOAD002"


@LLVM
def test_damaged_code_objects() -> None:
    whole = compiled("loop", "-O2", False, "gfx942")
    assert isinstance(whole, bytes)
    for length in (*range(0, len(whole), 97), len(whole) - 1):
        code, message = code_of(load, whole[:length], "loop", "file.co")
        assert code in ("LOAD020", "LOAD021") and message.startswith("file.co: error"), (length, message)
    rng = np.random.default_rng(1)
    for _ in range(150):
        data = bytearray(whole)
        for at in rng.integers(0, len(whole), 4):
            data[at] = int(rng.integers(256))
        try:
            load(bytes(data), "loop", "file.co")
        except InputError as error:
            assert str(error)


@LLVM
def test_code_objects_of_something_else() -> None:
    assert code_of(load, b"not an ELF file", None)[0] == "LOAD020"
    assert code_of(load, Path("/proc/self/exe").read_bytes(), None)[0] == "LOAD022"
    command = ["clang-22", *OPTIONS, "-O2", str(HERE / "loop.cl"), "-o"]
    code, message = code_of(load, built([*command[:1], "-mcpu=gfx906", *command[1:]]), None)
    assert code == "LOAD023" and "gfx942" in message
    code, message = code_of(load, built([*command[:1], "-mcpu=gfx942", "-c", *command[1:]]), None)
    assert code == "LOAD027" and "linked" in message


def test_comments_end_at_strings() -> None:
    assert split_comment('\t.file 1 "a;b" ; c') == ('\t.file 1 "a;b"', "c")
    assert split_comment("s_endpgm // done") == ("s_endpgm", "done")


def test_yaml_as_the_backend_prints_it() -> None:
    text = "a: 1\nb:\n  - .x: 'it''s: y'\n    .l:\n      - 1\n      - true\n    .e: []\n  - .x: \"q\"\nc:\n- 0x10\n- word\n"
    value = parse_yaml(list(enumerate(text.splitlines(), 1)), "file")
    assert value == {"a": 1, "b": [{".x": "it's: y", ".l": [1, True], ".e": []}, {".x": "q"}], "c": [16, "word"]}


def test_yaml_with_mappings_in_braces_as_people_write_it() -> None:
    text = "a:\n  - {.size: 8, .kind: 'a, b', .of: [1, 2], .offset: 0x10}\n  - { .x: 1 }\nb: {c: d, }\ne: {f: {g: 1}}\n"
    value = parse_yaml(list(enumerate(text.splitlines(), 1)), "file")
    first = {".size": 8, ".kind": "a, b", ".of": [1, 2], ".offset": 16}
    assert value == {"a": [first, {".x": 1}], "b": {"c": "d"}, "e": "{f: {g: 1}}"}


@pytest.mark.parametrize(("machine", "bit", "wanted"), [("gfx942", 0, 64), ("gfx942", 1, 64), ("gfx1100", 0, 64), ("gfx1100", 1, 32)])
def test_the_wave_size_of_a_descriptor(machine: str, bit: int, wanted: int) -> None:
    """AMDGPUUsage, kernel descriptor: ENABLE_WAVEFRONT_SIZE32 is bit 458, and reserved before GFX10."""
    data = bytearray(64)
    data[458 // 8] |= bit << 458 % 8
    assert wave_size_in_bytes(bytes(data), parse_target(machine).target) == wanted


def test_a_descriptor_by_its_bytes() -> None:
    descriptor, entry = from_bytes(bytes(16) + (-64).to_bytes(8, "little", signed=True) + bytes(40), CDNA3, Place("x"))
    assert entry == -64 and descriptor.vgprs == 8
    assert code_of(from_bytes, b"short", CDNA3, Place("x"))[0] == "LOAD006"
    values = {"next_free_vgpr": 17, "accum_offset": 12, "user_sgpr_dispatch_ptr": 1, "user_sgpr_kernarg_segment_ptr": 1,
              "user_sgpr_kernarg_preload_length": 3, "system_sgpr_workgroup_id_z": 1}  # fmt: skip
    made = from_directives(values, CDNA3, Place("x"))
    assert (made.vgprs, made.agpr_offset) == (24, 12)
    expected = [("dispatch_ptr", 0, 2), ("kernarg_segment_ptr", 2, 2), ("preload", 4, 3), ("workgroup_id_x", 7, 1), ("workgroup_id_z", 8, 1)]
    assert made.entry_sgprs() == expected


HIDDEN = {
    "hidden_block_count_x": 7, "hidden_block_count_z": 5, "hidden_group_size_x": 64, "hidden_group_size_y": 2, "hidden_remainder_x": 0,
    "hidden_global_offset_y": 0, "hidden_grid_dims": 3, "hidden_hostcall_buffer": 0, "hidden_dynamic_lds_size": 96,
    "hidden_queue_ptr": 0x7000,
}  # fmt: skip


@pytest.mark.parametrize("kind", HIDDEN)
def test_hidden_arguments(kind: str) -> None:
    launch, queue = KernelCall((7, 1, 5), (64, 2, 1), ()), MemoryRange("queue", 0x7000, 256, 0)
    assert hidden_argument(Argument(kind, 0, 8, kind), launch, 96, queue) == HIDDEN[kind]


SCALAR = Argument("s", 0, 4, "by_value", "", "", "f32")
BUFFER = Argument("b", 8, 8, "global_buffer", "global", "", "i32")


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ([], "RUN010"),
        ([1.0, 2], "RUN011"),
        ([1.0, np.zeros(3, np.float32)], "RUN012"),
        ([np.float64(1), np.zeros(3, np.int32)], "RUN014"),
        ([np.int32(1), np.zeros(3, np.int32)], "RUN014"),
        ([1.0, np.zeros(3, np.int32)], ""),
        ([np.float32(1), np.zeros(0, np.int32)], ""),
    ],
)
def test_arguments_are_held_against_the_metadata(values: list[Any], code: str) -> None:
    image = load_assembly(TEXT, "file.s", "k")
    image = Image("k", image.target, image.code, image.descriptor, (SCALAR, BUFFER), 16, 64, None, image.place)
    call = KernelCall((1, 1, 1), (64, 1, 1), tuple(values))
    if code:
        assert code_of(run_image, image, call)[0] == code
    else:
        assert len(run_image(image, call)) == 1


@pytest.mark.parametrize(
    ("grid", "block", "code"),
    [((0, 1, 1), (64, 1, 1), "RUN001"), ((1, 1, 1), (65, 1, 1), "RUN002"), ((1 << 30, 1, 1), (64, 1, 1), "RUN004")],
)
def test_launches_that_cannot_be(grid: tuple[int, int, int], block: tuple[int, int, int], code: str) -> None:
    assert code_of(run_image, load_assembly(TEXT, "file.s", "k"), KernelCall(grid, block, ()))[0] == code


def test_quotes_may_stand_in_strings_and_characters() -> None:
    assert split_comment('\t.ascii "a\\";b" ; c') == ('\t.ascii "a\\";b"', "c")
    assert split_comment("\t.byte '\"' ; c") == ("\t.byte '\"'", "c")
    assert split_comment('# it is "open') == ("", 'it is "open')


def test_a_kernel_without_an_instruction_is_refused() -> None:
    code, message = code_of(load, TEXT.replace("\tv_mov_b32_e32 v1, 1 ; one\n\ts_endpgm\n", ""), "k")
    assert code == "LOAD016" and ":6:1" in message


def test_a_string_ends_on_its_line() -> None:
    code, message = code_of(load, '\t.text\n\t.ident "abc ; d\n', None)
    assert code == "LOAD015" and ":2:9" in message


@pytest.mark.parametrize(("declared", "register"), [(2, "s15"), (10, "s15"), (90, "s95")])
def test_an_sgpr_beyond_the_granules_of_those_declared_is_refused(declared: int, register: str) -> None:
    """A CDNA wave gets SGPRs in granules of 16, of which up to 6 are VCC, XNACK_MASK and FLAT_SCRATCH."""
    text = TEXT.replace("next_free_sgpr 2", f"next_free_sgpr {declared}")
    granted = text.replace("v_mov_b32_e32 v1, 1", f"s_mov_b32 {register}, 1")
    beyond = text.replace("v_mov_b32_e32 v1, 1", f"s_mov_b32 s{(declared + 21) // 16 * 16}, 1")
    assert run(granted, "k", (1, 1, 1), (64, 1, 1), []) == []
    code, message = code_of(run, beyond, "k", (1, 1, 1), (64, 1, 1), [])
    assert code == "EMU003" and "beyond the SGPRs that the descriptor declares" in message


@LLVM
@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx1100", "gfx1201"])
@pytest.mark.parametrize("declared", [1, 17, 58, 96])
def test_text_and_code_object_grant_the_same_sgprs(target: str, declared: int) -> None:
    text = TEXT.replace("next_free_sgpr 2", f"next_free_sgpr {declared}").replace("gfx942", target).replace("\tnot_an_instruction v1\n", "")
    sizes = ("group_segment_fixed_size", "private_segment_fixed_size", "sgpr_count", "vgpr_count")
    stated = "".join(f"    .{name}: 0\n" for name in sizes) + f"    .kernarg_segment_align: 8\n    .wavefront_size: {TARGETS[target].wave_size}\n"
    text = text.replace("amdhsa.version:", stated + "amdhsa.version:")
    if not TARGETS[target].has_agprs:
        text = text.replace("\t\t.amdhsa_accum_offset 4\n", "")
    assert load(text).descriptor.sgprs == load(assemble(text, parse_target(target))).descriptor.sgprs


BARE = '.amdgcn_target "amdgcn-amd-amdhsa--{target}"\nk:\n  s_endpgm\n'


@pytest.mark.parametrize("target", [*TARGETS, "gfx1100:wave64"])
def test_the_template_of_a_missing_descriptor_makes_a_kernel(target: str) -> None:
    """The lines that the error says to append are read, launched, and assembled as they are."""
    text = BARE.format(target=target.partition(":")[0])
    with pytest.raises(InputError) as error:
        load_assembly(text, "bare.s", "k")
    assert error.value.code == "LOAD001"
    whole = text + kernel_template("k", parse_target(target))
    assert error.value.help.endswith(kernel_template("k", parse_target(target.partition(":")[0])))
    image = load_assembly(whole, "bare.s", "k")
    assert image.target == target
    assert [(argument.kind, argument.offset, argument.size) for argument in image.arguments] == [("global_buffer", 0, 8), ("by_value", 8, 4)]
    assert assemble(whole, parse_target(target), "bare.s", assembler="builtin").startswith(b"\x7fELF")


@pytest.mark.parametrize(
    ("line", "value"),
    [("a: 12    # bytes", 12), ("a: 'x # y'", "x # y"), ('a: "x # y" # z', "x # y"), ("a: x#y", "x#y"), ("# only a comment\na: 3", 3)],
)
def test_comments_of_metadata_are_passed_over(line: str, value: object) -> None:
    assert parse_yaml(list(enumerate(line.splitlines(), 1)), "m.s") == {"a": value}


@pytest.mark.parametrize(
    ("value", "size", "wanted"),
    [(3, 4, "03000000"), (-1, 4, "ffffffff"), (-2, 2, "feff"), (0x1_0000_0001, 4, "01000000"), (255, 1, "ff")],
)
def test_a_number_without_a_type_takes_the_size_of_its_argument(value: int, size: int, wanted: str) -> None:
    assert value_bytes(value, Argument("n", 0, size, "by_value")).hex() == wanted
