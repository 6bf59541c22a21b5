"""Every rule of machine programs, broken once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import force_setattr

from isa.diagnostics import InputError, InternalError
from isa.program import Edge, Kernel
from isa.registers import Register
from regalloc.verify import verify, verify_input
from tests.unit.regalloc.programs import machine, statements

REGISTERS = """
register %a sgpr
register %b sgpr
register %m sgpr 2 align 2
register %odd sgpr 2 align 1
register %v vgpr
register %w vgpr
register %t vgpr 4 align 2
register %p sgpr
register %x vgpr
"""
DIAMOND = """
block entry
  s_cmp_lt_u32 s2, 3
  terminator s_cbranch_scc1 left
  linear left, right
  logical left, right
block left
  v_mov_b32_e32 %v, 1
  s_mov_b32 %a, 1
  linear join{left}
  logical join{left_vector}
block right
  s_mov_b32 %b, 2
  linear join{right}
  logical join{right_vector}
block join{parameters}
  {use}
  terminator s_endpgm
"""


def diamond(**parts: str) -> str:
    names = ("left", "left_vector", "right", "right_vector", "parameters", "use")
    return DIAMOND.format(**(dict.fromkeys(names, "") | {"use": "s_nop 0"} | parts))


def straight(*instructions: str) -> str:
    return "block entry\n" + "".join(f"  {line}\n" for line in instructions) + "  terminator s_endpgm\n"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (straight("s_mov_b32 %a, 1", "s_mov_b32 %a, 2"), r"%a is defined a second time"),
        (straight("v_mov_b32_e32 %t[1], 1", "ds_read_b128 %t, v0"), r"%t.1 is defined a second time"),
        (straight("s_add_u32 %a, %b, 1"), r"%b is read, and is not set on every linear path"),
        (straight("v_mov_b32_e32 %t[0], 1", "ds_write_b128 v0, %t"), r"%t.1 is read, and is not set on every logical path"),
        (diamond(use="s_add_u32 %b, %a, 1").replace("s_mov_b32 %b, 2", "s_nop 0"), r"%a is read, and is not set on every linear path"),
        (diamond(use="ds_write_b32 v0, %v"), r"%v is read, and is not set on every logical path"),
        (straight("v_mov_b32_e32 %v, v3"), r"v3 is read, and is not set"),
        (straight("v_cndmask_b32_e32 %v, v0, v0, vcc"), r"vcc_lo is read, and is not set"),
        (straight("v_cmp_lt_u32_e64 %odd, v0, v0"), r"sdst is %odd, aligned to 1, wanted a multiple of 2"),
        (straight("ds_read_b128 %t, v0", "ds_write_b64 v0, %t[1:2]"), r"data0 is %t at unit 1, aligned to 2, wanted a multiple of 2"),
        (straight("s_addc_u32 %a, s2, s2"), r"SCC is read, and no instruction has set it on some path"),
        (
            diamond(use="s_addc_u32 %p, s2, s2").replace("s_mov_b32 %a, 1", "s_add_u32 %a, s2, 1").replace("s_mov_b32 %b, 2", "s_add_u32 %b, s2, 2"),
            r"SCC is read, and 2 instructions may have set it",
        ),
        (diamond(left="(%a)", right="(%b)"), r"1 arguments, wanted 0"),
        (diamond(parameters=" scalar(%p)", left="(%a)", right="(%m)"), r"%p takes 1 registers, got 2"),
        (diamond(parameters=" scalar(%x)", left="(%a)", right="(%b)"), r"the parameter %x is a VGPR, wanted SGPR"),
        (diamond(parameters=" vector(%p)", left_vector="(%v)", right_vector="(0x1)"), r"the parameter %p is a SGPR, wanted VGPR or AGPR"),
        (diamond(parameters=" scalar(%p)", left="(%v)", right="(%b)"), r"%p is a SGPR, got a VGPR"),
        (diamond(parameters=" vector(%t[0:1])", left_vector="(%v)", right_vector="(%v)"), r"is not a whole virtual register"),
        (diamond(parameters=" scalar(%p)", left="(0x100000000)", right="(%b)"), r"the constant 0x100000000 does not fit %p"),
        (diamond().replace("  linear join\n  logical join\nblock right", "  linear join\nblock right"), r"no logical edge leaves it"),
        (diamond().replace("s_cbranch_scc1 left", "s_cbranch_scc1 right"), r"s_cbranch_scc1 goes to right, and the first linear edge to left"),
        (diamond().replace("  linear left, right\n", "  linear left\n"), r"s_cbranch_scc1 and 1 linear edges, wanted 2"),
        (diamond().replace("  terminator s_endpgm\n", "  linear left\n  terminator s_endpgm\n"), r"s_endpgm and 1 linear edges, wanted 0"),
        (diamond().replace("  terminator s_endpgm\n", ""), r"no terminator and 0 linear edges, wanted 1"),
        (straight("s_endpgm"), r"s_endpgm ends a block, but stands inside a block"),
        (straight("s_nop 0") + "block lost\n  terminator s_endpgm\n", r"no linear path leads here"),
        ("block entry scalar(%a)\n  terminator s_endpgm\n", r"the entry block has parameters"),
        ("block entry\n  terminator s_nop 0\n", r"neither a conditional branch nor the end"),
    ],
)  # fmt: skip
def test_a_broken_rule_is_named(body: str, message: str) -> None:
    with pytest.raises(InternalError, match=message):
        verify(machine(REGISTERS + body))
    with pytest.raises(InputError, match=message):
        verify_input(machine(REGISTERS + body), statements(REGISTERS + body))


def test_legal_programs_pass() -> None:
    verify(machine(REGISTERS + diamond(parameters=" scalar(%p)", left="(%a)", right="(0x5)", use="s_add_u32 %odd[0], %p, 1")))
    verify(machine(REGISTERS + straight("v_mov_b32_e32 %v, v0", "s_add_u32 %a, s2, s2", "s_addc_u32 %b, s2, s2")))


CRITICAL = """
block entry
  s_cmp_lt_u32 s2, 3
  terminator s_cbranch_scc1 join
  linear join{one}, side
  logical {logical}
block side
  s_mov_b32 %a, 1
  v_mov_b32_e32 %v, 1
  linear join{two}
  logical join{three}
block join{parameters}
  terminator s_endpgm
"""


def test_a_critical_edge_takes_no_arguments() -> None:
    body = CRITICAL.format(one="(0x1)", logical="join, side", two="(%a)", three="", parameters=" scalar(%p)")
    with pytest.raises(InternalError, match="a critical linear edge has arguments"):
        verify(machine(REGISTERS + body))


def test_vector_arguments_leave_blocks_with_one_logical_successor() -> None:
    body = CRITICAL.format(one="", logical="join(0x1), side", two="", three="(%v)", parameters=" vector(%x)")
    with pytest.raises(InternalError, match="no EXEC of a single block covers their lanes"):
        verify(machine(REGISTERS + body))


def test_a_vector_read_where_no_lane_comes() -> None:
    body = """
block entry
  v_mov_b32_e32 %v, 1
  linear flip
  logical join
block flip
  v_mov_b32_e32 %w, %v
  linear join
block join
  terminator s_endpgm
"""
    with pytest.raises(InternalError, match="%v is read in a block that no logical path reaches"):
        verify(machine(REGISTERS + body))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda kernel: kernel.blocks[0].instructions.append(kernel.blocks[0].instructions[0]), "defined a second time"),
        (lambda kernel: setattr(kernel.blocks[0], "linear", (Edge("gone"),)), "leads to gone"),
        (lambda kernel: kernel.owners.clear(), "is not a register of the kernel"),
    ],
)  # fmt: skip
def test_what_text_cannot_say(change: Callable[[Kernel], None], message: str) -> None:
    kernel = machine(REGISTERS + straight("s_mov_b32 %a, 1"))
    change(kernel)
    with pytest.raises(InternalError, match=message):
        verify(kernel)


def test_an_operand_beyond_its_register() -> None:
    kernel = machine(REGISTERS + straight("v_mov_b32_e32 %v, 1", "ds_read_b64 %t[2:3], v0"))
    instr = kernel.blocks[0].instructions[1]
    owner = kernel.owner(instr.operands[0] if isinstance(instr.operands[0], Register) else Register(0))
    force_setattr(instr, "operands", (Register(owner.first + 3, 2), *instr.operands[1:]))
    with pytest.raises(InternalError, match="vdst reaches beyond %t of 4"):
        verify(kernel)
