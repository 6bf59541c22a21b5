"""The `.mir` form: print and parse are inverse, and malformed text is refused at its place."""

from __future__ import annotations

import random
import re
import string

import pytest

from asmgen.index.text import is_index
from isa.build import build
from isa.diagnostics import InputError, Place
from isa.footprint import Bytes, Footprint, Space
from isa.instruction import Immediate, Label, Origin
from isa.mir.parser import parse_kernel, parse_kernels
from isa.mir.printer import print_kernel
from isa.program import Abi, Argument, Block, Edge, Kernel
from isa.registers import RegisterClass, sgpr, vgpr
from isa.targets import parse_target
from tests.rows import row

TEXT = """stage machine gfx942
kernel scale
workgroup 64 2 1
argument x offset=0 size=8 kind=global_buffer space=global access=read_only type=f32
argument n offset=8 size=4 kind=by_value
entry kernarg_segment_ptr s[0:1]
entry workitem_id v0
preload 2
lds 512
scratch 16
register %p sgpr 2 align 2 at ["scale.gen", 3, 1]
register %i sgpr
register %j sgpr
register %a vgpr 4 align 2
register %acc vgpr
register %x vgpr
register %y vgpr
block entry
  s_load_dwordx2 %p, s[0:1], 0x0 !origin ["load", "scale.gen", 3, 1]
  global_load_dwordx4 %a, v0, %p offset:16 !comment "x ; \\"first\\" !contract"
  linear loop(0x0)
  logical loop(0x3f800000)
block loop scalar(%i) vector(%acc)
  v_fmac_f32_e32 %x, %a[0], %a[3] !tied(%acc) !contract !origin ["mul"]
  v_pk_add_f32 %a[2:3], %a[0:1], %a[0:1]
  s_add_u32 %j, %i, 1
  terminator s_cbranch_scc1 loop
  linear loop(%j), exit
  logical loop(%x), exit
block exit
  s_waitcnt vmcnt(0)
  v_mov_b32_dpp %y, %x quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf !tied(%acc)
  terminator s_endpgm
"""


def test_print_is_the_inverse_of_parse() -> None:
    kernel = parse_kernel(TEXT, "scale.mir")
    assert print_kernel(kernel) == TEXT
    assert parse_kernel(print_kernel(kernel), "again.mir") == kernel


def test_what_is_read() -> None:
    kernel = parse_kernel(TEXT, "scale.mir")
    assert (kernel.name, str(kernel.target), kernel.workgroup) == ("scale", "gfx942", (64, 2, 1))
    assert (kernel.lds_bytes, kernel.scratch_bytes) == (512, 16)
    assert kernel.arguments[1] == Argument("n", 8, 4, "by_value", "", "", "")
    assert kernel.abi == Abi((("kernarg_segment_ptr", sgpr(0, 2)), ("workitem_id", vgpr(0))), 2)
    pointer = kernel.owners[0]
    assert (pointer.name, pointer.count, pointer.align, pointer.place) == ("p", 2, 2, Place("scale.gen", 3, 1))
    entry, loop, _ = kernel.blocks
    assert entry.instructions[0].origin == Origin("load", Place("scale.gen", 3, 1))
    assert entry.instructions[1].comment == 'x ; "first" !contract'
    assert entry.linear == (Edge("loop", (Immediate(0),)),)
    fmac = loop.instructions[0]
    assert fmac.contract
    assert fmac.operands[3] == loop.vector_parameters[0]
    assert loop.terminator is not None
    assert loop.terminator.operands == (Label("loop"),)


def test_a_kernel_may_state_its_workgroups() -> None:
    text = TEXT.replace("workgroup 64 2 1\n", "workgroup 64 2 1\ngroups 12\n", 1)
    kernel = parse_kernel(text, "test.mir")
    assert (kernel.groups, parse_kernel(TEXT, "test.mir").groups) == (12, 0)
    assert kernel.with_blocks(kernel.blocks).groups == 12
    assert print_kernel(kernel).splitlines()[3] == "groups 12"


def test_an_allocated_program() -> None:
    kernel = Kernel("k", parse_target("gfx942:xnack-"), blocks=[Block("entry", terminator=build(row("s_endpgm")))])
    kernel.blocks[0].instructions.append(build(row("v_fmac_f32_e32"), vgpr(1), vgpr(2), vgpr(3), vgpr(1)))
    text = print_kernel(kernel)
    assert text.startswith("stage allocated gfx942:xnack-\n")
    assert "  v_fmac_f32_e32 v1, v2, v3\n" in text
    assert parse_kernel(text, "k.mir") == kernel


def test_names_that_cannot_stand_are_spelt_otherwise() -> None:
    kernel = Kernel("k", parse_target("gfx942"))
    registers = [kernel.new_register(RegisterClass.VGPR, name=name) for name in ("a", "a", "b c", "a_1025", "")]
    kernel.blocks = [Block("entry", terminator=build(row("s_endpgm")))]
    for register in registers:
        kernel.blocks[0].instructions.append(build(row("v_mov_b32_e32"), register, 0))
    text = print_kernel(kernel)
    names = [line.split()[1] for line in text.splitlines() if line.startswith("register")]
    assert names == ["%a", "%a_1025", "%b_c", "%a_1025_1027", "%t1028"]
    assert print_kernel(parse_kernel(text, "k.mir")) == text


TOUCHES = """stage allocated gfx942
kernel k
workgroup 64 1 1
argument x offset=0 size=8 kind=global_buffer space=global access=read_only type=f32
preload 0
lds 512
scratch 0
block entry
  global_load_dword v1, v0, s[2:3] !touches {"global": "x"}
  ds_write_b64 v0, v[2:3] !touches {"lds": "t", "slot": "trip mod 2", "bytes": ["64*row", 0, 504, 8, 8], "loop": "trip"}
  ds_read2_b32 v[2:3], v0 offset1:4 !touches {"lds": "t", "bytes": ["0", 0, 0, 1, 4]} !touches {"lds": "u"}
  s_load_dwordx2 s[2:3], s[0:1], 0x0 !touches {"arguments": "kernarg"}
  terminator s_endpgm
"""


def test_footprints_are_read_and_printed() -> None:
    kernel = parse_kernel(TOUCHES, "k.mir")
    assert print_kernel(kernel) == TOUCHES
    load, write, read, _ = kernel.blocks[0].instructions
    assert load.touches == (Footprint(Space.GLOBAL, "x"),)
    assert write.touches == (Footprint(Space.LDS, "t", "trip mod 2", Bytes("64*row", 0, 504, 8, 8), "trip"),)
    assert [touched.object for touched in read.touches] == ["t", "u"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('{"global": "x"}', '{"global": "y"}', "names 'y', wanted one of x"),
        ('{"global": "x"}', '{"lds": "x"}', "names lds, wanted memory that global_load_dword accesses"),
        ('{"global": "x"}', '{"global": "x", "lds": "t"}', "!touches wants"),
        ('{"global": "x"}', '{"global": "x", "places": 3}', "!touches wants"),
        ('{"global": "x"}', "[]", "!touches wants"),
        ('"trip mod 2"', "7", "!touches wants"),
        ('"trip mod 2"', '"trip mod"', "!touches wants"),
        ('["64*row", 0, 504, 8, 8]', '["64*row", 0, 504, 8]', "!touches wants"),
        ('["64*row", 0, 504, 8, 8]', '["64*row", 0, 500, 8, 8]', "!touches wants"),
        ('["64*row", 0, 504, 8, 8]', '["64*row", 8, 0, 8, 8]', "!touches wants"),
        ('["64*row", 0, 504, 8, 8]', '["64*", 0, 504, 8, 8]', "!touches wants"),
    ],
)
def test_other_footprints_are_refused(old: str, new: str, message: str) -> None:
    assert old in TOUCHES
    with pytest.raises(InputError, match=re.escape(message)) as raised:
        _ = parse_kernels(TOUCHES.replace(old, new), "k.mir", is_index)
    assert raised.value.code == "MIR005"


def test_several_kernels_in_one_file() -> None:
    kernels = parse_kernels(TEXT + "\n# another\n" + TEXT.replace("kernel scale", "kernel other"), "two.mir")
    assert [kernel.name for kernel in kernels] == ["scale", "other"]
    with pytest.raises(InputError, match="got 2 kernels, wanted 1"):
        parse_kernel(TEXT + TEXT, "two.mir")


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "code", "message"),
    [
        ("stage machine gfx942\n", "", 1, 1, "MIR001", "got 'kernel'"),
        ("stage machine", "stage lanewise", 1, 7, "MIR001", "stage 'lanewise', wanted machine or allocated"),
        ("gfx942\n", "gfx12\n", 1, 15, "TGT001", "unknown target 'gfx12'"),
        ("workgroup 64 2 1", "workgroup 64 2", 3, 11, "MIR002", "2 sizes, wanted 3"),
        ("workgroup 64 2 1", "workgroup 64 2 x", 3, 11, "MIR002", "got 'x', wanted a number"),
        ("kernel scale", "kernel a b", 2, 8, "MIR002", "got 'a b', wanted a kernel name"),
        ("offset=0", "offset", 4, 12, "MIR002", "got 'offset', wanted offset="),
        ("offset=0", "offset=-1", 4, 12, "MIR002", "got '-1', wanted a number"),
        ("preload 2", "prefetch 2", 8, 1, "MIR002", "got 'prefetch', wanted kernel, workgroup"),
        ("entry workitem_id v0", "entry workitem_id v256", 7, 19, "MIR003", "got 'v256', wanted a register"),
        ("%i sgpr", "%i special", 12, 10, "MIR003", "got '%i special', wanted"),
        ("%j sgpr", "%i sgpr", 13, 10, "MIR003", "%i is declared a second time"),
        ("4 align 2", "900 align 2", 14, 10, "MIR003", "900 registers aligned to 2, wanted 1 to 256"),
        ('at ["scale.gen", 3, 1]', 'at ["scale.gen", "3"]', 11, 10, "MIR005", "a place wants [FILE, LINE, COLUMN]"),
        ("block exit", "block entry", 30, 7, "MIR004", "block entry is defined a second time"),
        ("scalar(%i)", "scaler(%i)", 23, 12, "MIR004", "got 'scaler(%i) vector(%acc)', wanted scalar(...) or vector(...)"),
        ("scalar(%i)", "scalar(%k)", 23, 12, "MIR003", "%k is not declared"),
        ("%x, %a[0], %a[3]", "%x, %a[0], %a[4]", 24, 29, "MIR003", "units 4 to 4 of %a, which has 4"),
        ("v_fmac_f32_e32 %x", "v_fmad_f32_e32 %x", 24, 3, "ASM001", "unknown instruction 'v_fmad_f32_e32'"),
        ("s_add_u32 %j, %i, 1", "s_add_u32 %j, %x, 1", 26, 3, "ISA001", "ssrc0"),
        ("!tied(%acc) !contract", "!tied() !contract", 24, 40, "MIR005", "0 tied operands, wanted 1"),
        ("!contract !origin", "!contact !origin", 24, 47, "MIR005", "got !contact, wanted !tied"),
        ("!contract !origin", "!awaits !origin", 24, 55, "MIR005", "!awaits wants a number"),
        ("!contract !origin", "!awaits(0) !origin", 24, 54, "MIR005", "!awaits marks v_fmac_f32_e32, wanted a load straight to LDS or a wait"),
        ('!origin ["mul"]', '!origin ["mul"', 24, 65, "MIR005", "wanted a JSON string or list"),
        ('!origin ["mul"]', "!origin [7]", 24, 3, "MIR005", "!origin wants"),
        ("linear loop(%j), exit", "linear loop(%j), , exit", 28, 19, "MIR005", "wanted LABEL or LABEL(arguments)"),
        ("linear loop(%j), exit", "linear loop(%j), gone", 0, 0, "MIR006", "block loop leads to gone, wanted one of entry, loop, exit"),
        ("  linear loop(%j), exit\n", "  linear loop(%j), exit\n  s_nop 0\n", 29, 3, "MIR004", "an instruction after the terminator"),
        ("  terminator s_endpgm\n", "  terminator s_endpgm\n  terminator s_endpgm\n", 34, 3, "MIR004", "a second terminator"),
    ],
)
def test_malformed_text(old: str, new: str, line: int, column: int, code: str, message: str) -> None:
    assert old in TEXT
    with pytest.raises(InputError) as raised:
        parse_kernel(TEXT.replace(old, new, 1), "scale.mir")
    assert raised.value.code == code
    assert message in raised.value.message
    assert raised.value.place == Place("scale.mir", line, column)


def test_an_empty_file() -> None:
    with pytest.raises(InputError, match="the file is empty"):
        parse_kernel("# nothing\n", "empty.mir")
    with pytest.raises(InputError, match="has no block"):
        parse_kernel("stage machine gfx942\nkernel k\n", "empty.mir")


def test_garbled_text_is_an_input_error_and_nothing_else() -> None:
    """A character changed, removed or put in: the text is read or refused, never a traceback."""
    choice = random.Random(11)
    for _ in range(400):
        at = choice.randrange(len(TEXT))
        text = TEXT[:at] + choice.choice(["", choice.choice(string.printable), choice.choice("%[](){},!:\"'\\")]) + TEXT[at + choice.randrange(2) :]
        try:
            kernel = parse_kernel(text, "garbled.mir")
        except InputError as error:
            assert error.code
        else:
            assert parse_kernel(print_kernel(kernel), "again.mir") == kernel
