"""The checker, on rewritten programs written by hand: right allocations, and each kind of fault."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from isa.diagnostics import InternalError
from isa.mir.parser import parse_kernel
from isa.program import Kernel
from isa.registers import Register
from regalloc import allocate, check, rewrite
from regalloc.allocation import COPY_ORIGIN, Allocation
from tests.unit.regalloc.programs import HEADER, machine

COPY = ' !origin ["register copy"]'

LOOP = """
register %i sgpr
register %j sgpr
register %sum vgpr
register %next vgpr
block entry
  linear head(0x0)
  logical head(0x5)
block head scalar(%i) vector(%sum)
  s_cmp_lt_u32 %i, 8
  terminator s_cbranch_scc0 exit
  linear exit, body
  logical exit, body
block body
  v_add_u32_e32 %next, %i, %sum
  s_add_u32 %j, %i, 1
  linear head(%j)
  logical head(%next)
block exit
  ds_write_b32 v0, %sum
  terminator s_endpgm
"""

GOOD = """
block entry
  v_mov_b32_e32 v1, 5{copy}
  s_mov_b32 s5, 0{copy}
  linear head
  logical head
block head
  s_cmp_lt_u32 s5, 8
  terminator s_cbranch_scc0 exit
  linear exit, body
  logical exit, body
block body
  v_add_u32_e32 v2, s5, v1
  s_add_u32 s6, s5, 1
  v_mov_b32_e32 v1, v2{copy}
  s_mov_b32 s5, s6{copy}
  linear head
  logical head
block exit
  ds_write_b32 v0, v1
  terminator s_endpgm
""".replace("{copy}", COPY)
PLACES = {"i": 5, "j": 6, "sum": 257, "next": 258}


def by_hand(original: Kernel, text: str, places: dict[str, int]) -> tuple[Allocation, Kernel]:
    """An allocation with the given places, and a rewritten program from text."""
    units = {owner.first + k: places[owner.name] + k for owner in original.owners for k in range(owner.count) if owner.name in places}
    rewritten = parse_kernel(HEADER.format(workgroup=64).replace("stage machine", "stage allocated") + text, "hand.mir")
    return allocate(original)._replace(units=units), rewritten


def judge(text: str, places: dict[str, int] = PLACES, original: str = LOOP) -> None:
    kernel = machine(original)
    check(kernel, *by_hand(kernel, text, places))


def test_an_allocation_by_hand_is_accepted() -> None:
    judge(GOOD)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("  v_mov_b32_e32 v1, v2" + COPY + "\n", "", "v1 is read for %sum and may contain constant 0x5"),
        ("  s_mov_b32 s5, s6" + COPY + "\n", "", "s5 is read for %i and may contain constant 0x0"),
        ("  v_mov_b32_e32 v1, 5" + COPY, "  v_mov_b32_e32 v1, 6" + COPY, "v1 is read for %sum and may contain constant 0x6"),
        ("ds_write_b32 v0, v1", "ds_write_b32 v0, v2", "v2 is read for %sum and may contain anything"),
        ("ds_write_b32 v0, v1", "ds_write_b32 v1, v1", "ds_write_b32 is not in the rewritten program"),
        ("v_add_u32_e32 v2, s5, v1", "v_add_u32_e32 v1, s5, v1", "v1 is read for %sum"),
        ("s_add_u32 s6, s5, 1", "s_add_u32 s6, s5, 2", "s_add_u32 is not in the rewritten program"),
        ("  s_add_u32 s6, s5, 1\n", "", "s_add_u32 is not in the rewritten program"),
        ("  ds_write_b32 v0, v1\n", "  s_nop 0\n  ds_write_b32 v0, v1\n", "ds_write_b32 is not in the rewritten program"),
        ("  ds_write_b32 v0, v1\n", "  ds_write_b32 v0, v1\n  s_nop 0\n", "s_nop is not in the original program"),
        ("  s_cmp_lt_u32 s5, 8\n", "  s_cmp_lt_u32 s5, 8\n  s_add_u32 s7, s5, 1" + COPY + "\n", "was put in, and is not a plain move"),
        ("s_cbranch_scc0", "s_cbranch_scc1", "the terminator is not that of the original"),
        ("  linear exit, body", "  linear body, exit", "the edges are not those of the original"),
        ("block exit", "block leave", "the blocks are not those of the original"),
        ("  s_cmp_lt_u32 s5, 8", "  v_mov_b32_e32 v0, v1" + COPY + "\n  s_cmp_lt_u32 s5, 8", "v0 is read for the program's v0"),
    ],
)  # fmt: skip
def test_wrong_programs_are_named(old: str, new: str, message: str) -> None:
    assert old in GOOD
    text = GOOD.replace(old, new)
    if "block leave" in text:
        text = text.replace("linear exit", "linear leave").replace("logical exit", "logical leave").replace("scc0 exit", "scc0 leave")
    with pytest.raises(InternalError, match=message):
        judge(text)


def test_a_value_of_the_turn_before_is_not_the_value() -> None:
    """%next is kept in v3 by a copy; in the next turn v3 has the former %next, which is no value any more."""
    text = GOOD.replace("  v_mov_b32_e32 v1, v2" + COPY, "  v_mov_b32_e32 v1, v3" + COPY).replace(
        "  v_add_u32_e32 v2, s5, v1", "  v_mov_b32_e32 v3, v2" + COPY + "\n  v_add_u32_e32 v2, s5, v1"
    )
    with pytest.raises(InternalError, match="v1 is read for %sum"):
        judge(text)


FLAGS = """
register %a vgpr
register %b vgpr
block entry
  v_cmp_lt_u32_e32 vcc, 5, v0
  v_cndmask_b32_e32 %a, 0, v0, vcc
  v_cmp_lt_u32_e32 vcc, 9, v0
  v_cndmask_b32_e32 %b, 0, v0, vcc
  ds_write_b32 %a, %b
  terminator s_endpgm
"""
FLAGS_SAVED = """
block entry
  v_cmp_lt_u32_e32 vcc, 5, v0
  s_mov_b64 s[4:5], vcc{copy}
  v_cndmask_b32_e32 v1, 0, v0, vcc
{before}  v_cmp_lt_u32_e32 vcc, 9, v0
{after}  v_cndmask_b32_e32 v2, 0, v0, vcc
  ds_write_b32 v1, v2
  terminator s_endpgm
""".replace("{copy}", COPY)


def test_two_moves_left_out_before_a_copy_into_the_register_of_one() -> None:
    """Both may come before it, whatever order the text leaves open: random program 114, packed."""
    last = "  s_add_u32 %j, %i, 1\n"
    original = LOOP.replace(last, last + "  s_mov_b32 %k, %j\n  s_mov_b32 %l, %i\n")
    original = original.replace("register %j sgpr", "register %j sgpr\nregister %k sgpr\nregister %l sgpr")
    judge(GOOD, {**PLACES, "k": 6, "l": 5}, original)


def test_what_the_program_itself_overwrites_is_gone_from_its_copies_too() -> None:
    """s[4:5] has VCC until the program writes VCC again: brought back before that it is VCC, brought back
    after it is no value."""
    back = f"  s_mov_b64 vcc, s[4:5]{COPY}\n"
    places = {"a": 257, "b": 258}
    judge(FLAGS_SAVED.format(before=back, after=""), places, FLAGS)
    with pytest.raises(InternalError, match="vcc_lo is read for the program's vcc_lo and may contain anything"):
        judge(FLAGS_SAVED.format(before="", after=back), places, FLAGS)


EARLY = """
register %old vgpr
register %x vgpr
register %r vgpr
block entry
  v_add_u32_e32 %old, 1, v0
  v_add_u32_e32 %x, 2, v0
  v_fmac_f32_e32 %r, %x, %x !tied(%old)
  ds_write_b32 v0, %r
  terminator s_endpgm
"""
EARLY_GOOD = """
block entry
  v_add_u32_e32 v1, 1, v0
  v_add_u32_e32 v2, 2, v0
  v_fmac_f32_e32 v1, v2, v2
  ds_write_b32 v0, v1
  terminator s_endpgm
"""


def test_a_tied_operand_has_to_be_in_the_result() -> None:
    places = {"old": 257, "x": 258, "r": 257}
    judge(EARLY_GOOD, places, EARLY)
    wrong = EARLY_GOOD.replace("v_fmac_f32_e32 v1,", "v_fmac_f32_e32 v3,").replace("ds_write_b32 v0, v1", "ds_write_b32 v0, v3")
    with pytest.raises(InternalError, match="v3 is read for %old and may contain"):
        judge(wrong, places | {"r": 259}, EARLY)


def test_a_copy_before_a_tied_instruction_must_not_spoil_its_other_operands() -> None:
    text = EARLY_GOOD.replace("  v_fmac_f32_e32 v1, v2, v2", "  v_mov_b32_e32 v2, v1" + COPY + "\n  v_fmac_f32_e32 v2, v2, v2")
    with pytest.raises(InternalError, match="v2 is read for %x and may contain %old"):
        judge(text.replace("ds_write_b32 v0, v1", "ds_write_b32 v0, v2"), {"old": 257, "x": 258, "r": 258}, EARLY)


MATRIX = """
register %a vgpr 2 align 2
register %c vgpr 4 align 2
register %d vgpr 4 align 2
block entry
  ds_read_b64 %a, v0
  ds_read_b128 %c, v0
  v_mfma_f32_16x16x16_f16 %d, %a, %a, %c
  ds_write_b128 v0, %d
  terminator s_endpgm
"""
MATRIX_GOOD = """
block entry
  ds_read_b64 v[2:3], v0
  ds_read_b128 v[4:7], v0
  v_mfma_f32_16x16x16_f16 {d}, v[2:3], v[2:3], v[4:7]
  ds_write_b128 v0, {d}
  terminator s_endpgm
"""


@pytest.mark.parametrize(("d", "first"), [("v[4:7]", 260), ("v[8:11]", 264)])
def test_a_matrix_result_on_its_accumulator_or_apart(d: str, first: int) -> None:
    judge(MATRIX_GOOD.replace("{d}", d), {"a": 258, "c": 260, "d": first}, MATRIX)


def rewritten_matrix(d: int) -> tuple[Kernel, Allocation, Kernel]:
    """The matrix program with its result moved to v[d:d+3], which text would not accept."""
    kernel = machine(MATRIX)
    allocation, rewritten = by_hand(kernel, MATRIX_GOOD.replace("{d}", "v[8:11]"), {"a": 258, "c": 260, "d": 256 + d})
    moved = [
        replace(instr, operands=tuple(Register(256 + d, 4) if o == Register(264, 4) else o for o in instr.operands))
        for instr in rewritten.blocks[0].instructions
    ]
    return kernel, allocation, replace(rewritten, blocks=[replace(rewritten.blocks[0], instructions=moved)])


@pytest.mark.parametrize("d", [0, 2, 6])
def test_a_matrix_result_partly_over_an_operand(d: int) -> None:
    with pytest.raises(InternalError, match="vdst is written early and shares"):
        check(*rewritten_matrix(d))


def test_reserved_registers_must_not_be_written() -> None:
    kernel = machine(LOOP)
    allocation, rewritten = by_hand(kernel, GOOD, PLACES)
    with pytest.raises(InternalError, match="s6 is reserved and is written"):
        check(kernel, allocation._replace(reserved=frozenset({6})), rewritten)


def test_scc_between_its_write_and_its_read() -> None:
    original = """
register %a sgpr
register %b sgpr
block entry
  s_add_u32 %a, s2, s2
  s_addc_u32 %b, %a, 0
  terminator s_endpgm
"""
    kernel = machine(original)
    allocation = allocate(kernel)
    rewritten = rewrite(kernel, allocation)
    check(kernel, allocation, rewritten)
    instructions = rewritten.blocks[0].instructions
    spoiling = replace(instructions[0], origin=COPY_ORIGIN)
    broken = replace(rewritten, blocks=[replace(rewritten.blocks[0], instructions=[instructions[0], spoiling, instructions[1]])])
    with pytest.raises(InternalError, match="s_add_u32 was put in, and is not a plain move"):
        check(kernel, allocation, broken)
