"""Requests that no allocation can satisfy: the instruction, its line in the file, and the request."""

from __future__ import annotations

from pathlib import Path

import pytest

import asmgen
from isa.diagnostics import InputError
from regalloc import allocate
from regalloc.spill.allocate import allocate_with_spills
from tests.unit.regalloc.programs import machine

HEADER = """stage machine gfx942
kernel test
workgroup 64 1 1
entry kernarg_segment_ptr s[0:1]
entry workitem_id v0
register %x vgpr 4 align 2
register %y vgpr
register %n sgpr 2 align 2
register %t sgpr 4 align 2
block entry
"""
WIDE = "ds_read_b128 %x, v0\nds_write_b128 v0, %x"
TWICE = """v_cmp_lt_u32_e32 vcc, 9, v0
v_cmp_lt_u32_e32 %n, 19, v0
v_cndmask_b32_e32 %x[0], 0, v0, vcc
v_cndmask_b32_e32 %y, 0, v0, %n
ds_write_b32 %x[0], %y"""
PART = "s_mov_b64 %t[2:3], 0\nv_cmp_lt_u32_e32 %t[0:1], 9, v0\nv_cndmask_b32_e64 %y, 0, v0, %t[0:1]\nds_write_b32 v0, %y"


def refused(body: str, directory: Path, max_vgprs: int | None = None) -> list[str]:
    """The error of a program in a file, without the file's name."""
    path = directory / "bad.mir"
    path.write_text(f"{HEADER}{body}\nterminator s_endpgm\n")
    with pytest.raises(InputError) as raised:
        asmgen.compile(path, target="gfx942", max_vgprs=max_vgprs)
    return str(raised.value).replace(f"{directory}/", "").splitlines()


def test_a_budget_below_what_one_instruction_needs(tmp_path: Path) -> None:
    summed = "ds_read_b128 %x, v0\nv_add_u32_e32 %y, %x[0], %x[3]\nds_write_b32 v0, %y"
    assert refused(summed, tmp_path, max_vgprs=4)[:2] == [
        "bad.mir:11:1: error[RA002]: ds_read_b128 needs 5 VGPRs at once, the budget is 4",
        "  note: in block entry; --max-vgprs 4; everything else that may be spilled is spilled there",
    ]


def test_the_budget_of_vgprs_does_not_count_agprs(tmp_path: Path) -> None:
    path = tmp_path / "wide.mir"
    path.write_text(f"{HEADER}{WIDE}\nterminator s_endpgm\n")
    program = asmgen.compile(path, target="gfx942", max_vgprs=4)
    assert (program.kernels[0].resources.vgprs, program.kernels[0].resources.agprs) == (1, 4)


def test_two_values_in_the_register_that_an_encoding_implies(tmp_path: Path) -> None:
    assert refused(TWICE, tmp_path) == [
        "bad.mir:12:1: error[RA003]: v_cmp_lt_u32_e32 has %n in vcc, which contains a value of the program's own there",
        "  note: in block entry; an instruction that has %n implies vcc",
        "  help: the long form of either instruction, which names its register",
    ]


def test_a_part_of_a_tuple_in_the_register_that_an_encoding_implies(tmp_path: Path) -> None:
    assert refused(PART, tmp_path) == [
        "bad.mir:12:1: error[MIR007]: sdst is a part of %t, wanted a register of its own: v_cmp_lt_u32_e32 implies vcc",
        "  note: in block entry: v_cmp_lt_u32_e32 %t[0:1], 9, v0",
    ]


def test_a_physical_tuple_that_is_not_aligned(tmp_path: Path) -> None:
    assert refused("v_mov_b32_e32 v1, 0\nv_mov_b32_e32 v2, 0\nds_write_b64 v0, v[1:2]", tmp_path) == [
        "bad.mir:13:1: error[ISA003]: ds_write_b64: data0 is v[1:2], wanted a first register that is a multiple of 2",
    ]


def test_a_virtual_tuple_that_is_not_aligned(tmp_path: Path) -> None:
    assert refused("ds_read_b128 %x, v0\nds_write_b64 v0, %x[1:2]", tmp_path) == [
        "bad.mir:12:1: error[MIR007]: data0 is %x at unit 1, aligned to 2, wanted a multiple of 2",
        "  note: in block entry: ds_write_b64 v0, %x[1:2]",
    ]


def test_a_reserved_register_is_named() -> None:
    kernel = machine('register %y vgpr\nblock entry\n  v_mov_b32_e32 %y, v1 !origin ["add", "a.py", 7, 3]\n  terminator s_endpgm\n')
    for ask in (allocate, allocate_with_spills):
        with pytest.raises(InputError) as raised:
            _ = ask(kernel, frozenset({257, 259}))
        assert str(raised.value).splitlines()[:2] == [
            "a.py:7:3: error[RA004]: v_mov_b32_e32 names v1, wanted a register that is not reserved",
            "  note: in block entry; reserved: v1, v3",
        ]


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (f"{WIDE}\n# a comment\n\nv_mov_b32_e32 %y, v3", 15),
        (f"{WIDE}\nterminator s_cbranch_scc1 more\nlinear more, end\nlogical more, end\nblock more\nlinear end(0x0)\nlogical end\nblock end", 17),
        (f"{WIDE}\nlinear end\nblock end", 10),
    ],
)
def test_a_broken_rule_has_the_line_of_its_statement(body: str, line: int, tmp_path: Path) -> None:
    assert refused(body, tmp_path)[0].startswith(f"bad.mir:{line}:1: error[MIR007]: ")
