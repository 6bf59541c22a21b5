"""Small allocated kernels, written as assembly, that the tests of emission share."""

from __future__ import annotations

from isa.diagnostics import Place
from isa.instruction import Instr, Origin
from isa.program import Abi, Argument, Block, Edge, Kernel
from isa.registers import Register, sgpr, vgpr
from isa.targets import parse_target
from tests.rows import parse_instr


def code(text: str) -> list[Instr]:
    """Instructions, one a line; each comes from the op `op` at its line of `source.gen`."""
    lines = [line.strip() for line in text.strip().splitlines()]
    parsed = [parse_instr(line, "test") for line in lines]
    return [
        Instr(instr.row, instr.operands, instr.modifiers, Origin("op", Place("source.gen", number, 3)))
        for number, instr in enumerate(parsed, start=1)
    ]  # fmt: skip


def preloading_kernel() -> Kernel:
    """a + b of f32, one element a work-item, with its three pointers preloaded."""
    instructions = code("""
        v_lshl_add_u32 v0, s8, 8, v0
        v_lshlrev_b32_e32 v0, 2, v0
        global_load_dword v1, v0, s[2:3]
        global_load_dword v2, v0, s[4:5]
        s_waitcnt vmcnt(0)
        v_add_f32_e32 v1, v1, v2
        global_store_dword v0, v1, s[6:7]
        s_endpgm
    """)
    entry = (
        ("kernarg_segment_ptr", Register(0, 2)),
        ("preload", Register(2, 6)),
        ("workgroup_id_x", sgpr(8)),
        ("workitem_id", vgpr(0)),
    )
    arguments = (
        Argument("a", 0, 8, access="read_only", type="f32"),
        Argument("b", 8, 8, access="read_only", type="f32"),
        Argument("out", 16, 8, access="write_only", type="f32"),
    )
    block = Block("entry", instructions=instructions[:-1], terminator=instructions[-1])
    return Kernel("vecadd", parse_target("gfx942"), arguments, (256, 1, 1), Abi(entry, 6), [block])


def looping_kernel() -> Kernel:
    """Every id, LDS, scratch, AGPRs, VCC; a conditional branch back, and blocks out of their natural order."""
    entry = (
        ("dispatch_ptr", Register(0, 2)),
        ("kernarg_segment_ptr", Register(2, 2)),
        ("workgroup_id_x", sgpr(4)),
        ("workgroup_id_z", sgpr(5)),
        ("workitem_id", vgpr(0)),
    )
    start = code("""
        s_mov_b32 s20, 0
        v_accvgpr_write_b32 a5, v0
        v_cmp_eq_u32_e32 vcc, 0, v9
        scratch_store_dword off, v9, off
    """)
    body = code("s_add_u32 s20, s20, 1\ns_cmp_lt_u32 s20, 10\ns_cbranch_scc1 body")
    blocks = [
        Block("start", instructions=start, linear=(Edge("body"),), logical=(Edge("body"),)),
        Block("end", terminator=code("s_endpgm")[0]),
        Block("body", instructions=body[:-1], terminator=body[-1], linear=(Edge("body"), Edge("end")), logical=(Edge("body"), Edge("end"))),
    ]
    arguments = (Argument("n", 0, 4, "by_value", "", "", "i32"),)
    return Kernel("looping", parse_target("gfx942"), arguments, (8, 4, 2), Abi(entry), blocks, lds_bytes=1024, scratch_bytes=16)
