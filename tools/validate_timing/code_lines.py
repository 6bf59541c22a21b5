"""The lines of a disassembly as instructions.

A line of another GPU, or an encoding that LLVM refuses, has no row of ours. Its instruction is then a
stand-in: an instruction of the same unit that reads and writes the same registers.
"""

from __future__ import annotations

import re

from isa.diagnostics import InputError
from isa.instruction import Instr, Unit
from isa.named_tuple import NamedTuple
from isa.table import Table
from isa.text.parsing import parse_instr

UNKNOWN = ";?"
"""How a line ends that LLVM refuses; its operands are in parentheses: `ds_add_u32(v[32], v[0]) ;?`."""

_COMMENT = re.compile(r"/\*.*?\*/")
_WRONG_FILE = re.compile(r"\bv\d+/\*Invalid register, operand has '\w+' register class\*/")
_SINGLE = re.compile(r"\bv\[(\d+)\]")

# the first pattern that matches the whole line; the groups are its operands
_STAND_INS: tuple[tuple[str, str], ...] = (
    (r"ds_bvh_stack\w* (v\d+), (v\d+), .*", r"ds_load_b64 v[32:33], \2"),
    (r"ds_bvh_stack\w* (v\[[\d:]+\]), (v\d+), .*", r"ds_load_b64 \1, \2"),
    (r"global_load_addtid_b32 (v\d+), (.*)", r"global_load_b32 \1, v0, \2"),
    (r"global_store_addtid_b32 (v\d+), (.*)", r"global_store_b32 v0, \1, \2"),
    (r"global_load_block v\[(\d+):\d+\], (.*)", r"global_load_b128 v[32:35], \2"),
    (r"global_store_block (v\d+), v\[\d+:\d+\], (.*)", r"global_store_b128 \1, v[48:51], \2"),
    (r"v_interp_\w+ (\w+)\S*, (\w+)\S*, (\w+)\S*, (\w+).*", r"v_fma_f32 \1, \2, \3, \4"),
    (r"v_swaprel_b32 (.*)", r"v_swap_b32 \1"),
    (r"v_s_\w+ (\w+), (\w+)", r"v_s_exp_f32 \1, \2"),
    (r"v_mov_b16\w* (v\d+), (v\d+).*", r"v_mov_b32 \1, \2"),
    (r"v_swap_b16\w* (v\d+), (v\d+).*", r"v_swap_b32 \1, \2"),
    (r"s_waitcnt_(\w+) \w+, (.*)", r"s_waitcnt_\1 null, \2"),
    (r"s_waitcnt lgkmcnt\(0\)", "s_wait_kmcnt 0"),
    (r"s_version .*", "s_nop 0"),
    (r"s_barrier_signal .*", "s_barrier_signal -1"),
    (r"s_cmp_\w+ (\w+), (\w+)", r"s_cmp_eq_u32 \1, \2"),
    (r"s_\w+ (\w+), (\w+), (\w+)", r"s_and_b32 \1, \2, \3"),
    (r"s_\w+ (\w+), (\w+)", r"s_mov_b32 \1, \2"),
)


class CodeLine(NamedTuple):
    """An instruction of a listing; `stand_in` if it is another than the line says."""

    instr: Instr
    stand_in: bool


def read_line(text: str, table: Table, place: str) -> CodeLine:
    """The instruction of a line. Raises `InputError` if not even a stand-in is known."""
    wanted = text if not text.endswith(UNKNOWN) else _as_assembly(text, table)
    try:
        return CodeLine(parse_instr(wanted, table, place), wanted != text)
    except InputError as fault:
        refused = fault
    stand_in = _stand_in(_COMMENT.sub("", _WRONG_FILE.sub("vcc_lo", wanted)))
    try:
        return CodeLine(parse_instr(stand_in, table, place), True)
    except InputError:
        raise refused from None


def _as_assembly(text: str, table: Table) -> str:
    """`ds_add_u32 v0, v48` for `ds_add_u32(v[32], v[0], v[48], v[64]) ;?`, which names all fields of the
    encoding: a destination, and sources, of which the instruction may have fewer."""
    name, _, fields = text.removesuffix(UNKNOWN).strip().removesuffix(")").partition("(")
    registers = _SINGLE.sub(r"v\1", fields).lower().split(", ")
    for row in table.named(name) or table.named(name.removesuffix("_e64")):
        if row.unit is Unit.LDS and not row.defines:
            registers = registers[1:]
        spelt = [spec for spec in row.operands if not spec.hidden]
        return f"{row.name} {', '.join(registers[: len(spelt)])}"
    return f"{name} {', '.join(registers)}"


def _stand_in(text: str) -> str:
    for pattern, stand_in in _STAND_INS:
        match = re.fullmatch(pattern, text)
        if match:
            return match.expand(stand_in)
    return text
