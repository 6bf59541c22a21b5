"""Changes of a right allocation, and the check's message: a row for each kind of fault."""

from __future__ import annotations

from typing import NamedTuple

from isa.registers import VCC, sgpr, vgpr
from tests.unit.regalloc import right_allocations as right
from tests.unit.regalloc.right_allocations import Moves, Right, RightSpills, marked


class Wrong(NamedTuple):
    """`before` of a right allocation's text becomes `after`; `message` is part of the check's message.

    Several changes are successive pairs. `moved` has other registers, if text would not take them.
    """

    name: str
    of: Right | RightSpills
    changes: tuple[tuple[str, str], ...]
    message: str
    moved: Moves = ()

    def made(self) -> str:
        """The wrong allocation."""
        text = self.of.made
        for before, after in self.changes:
            assert marked(before) in text, f"{self.name}: the right allocation has no {before}"
            text = text.replace(marked(before), marked(after), 1)
        return text


VALUES = (
    Wrong(
        "a copy is stale: it is made before the value is",
        right.LOOP,
        (("  v_mov_b32_e32 v1, v2 +\n", ""), ("  v_add_u32_e32 v2, s5, v1\n", "  v_mov_b32_e32 v1, v2 +\n  v_add_u32_e32 v2, s5, v1\n")),
        "v1 is read for %sum and may contain",
    ),
    Wrong("a copy is lost", right.LOOP, (("  v_mov_b32_e32 v1, v2 +\n", ""),), "v1 is read for %sum and may contain constant 0x5"),
    Wrong("a copy has another constant", right.LOOP, (("v1, 5 +\n", "v1, 6 +\n"),), "v1 is read for %sum and may contain constant 0x6"),
    Wrong(
        "a value of the turn before is taken for this turn's",
        right.LOOP,
        (
            ("  v_add_u32_e32 v2, s5, v1\n", "  v_mov_b32_e32 v3, v2 +\n  v_add_u32_e32 v2, s5, v1\n"),
            ("v_mov_b32_e32 v1, v2 +\n", "v_mov_b32_e32 v1, v3 +\n"),
        ),
        "v1 is read for %sum and may contain",
    ),
    Wrong(
        "parallel copies are made one after the other, in the wrong order",
        right.EXCHANGE,
        (("  v_mov_b32_e32 v3, v1 +\n", ""), ("  v_mov_b32_e32 v2, v3 +\n", "  v_mov_b32_e32 v2, v1 +\n")),
        "v1 is read for %x and may contain",
    ),
    Wrong(
        "parallel copies are swapped: the targets have each other's sources",
        right.EXCHANGE,
        (("  v_mov_b32_e32 v3, v1 +\n", ""), ("  v_mov_b32_e32 v1, v2 +\n", ""), ("  v_mov_b32_e32 v2, v3 +\n", "")),
        "is read for %[xy] and may contain",
    ),
    Wrong(
        "a tied source is clobbered that is read again",
        right.TIED,
        (("  v_mov_b32_e32 v3, v1 +\n  v_fmac_f32_e32 v3, v2, v2\n  ds_write_b32 v1, v3\n", "  v_fmac_f32_e32 v1, v2, v2\n  ds_write_b32 v1, v1\n"),),
        "v1 is read for %old and may contain %r",
    ),
    Wrong(
        "a tied operand has not the value that is added to",
        right.TIED,
        (("  v_mov_b32_e32 v3, v1 +\n", "  v_mov_b32_e32 v3, v2 +\n"),),
        "v3 is read for %old and may contain %x",
    ),
    Wrong(
        "tuples overlap",
        right.TUPLES,
        (("ds_read_b128 v[4:7]", "ds_read_b128 v[2:5]"), ("ds_write_b128 v0, v[4:7]", "ds_write_b128 v0, v[2:5]")),
        r"v2 is read for %a.0 and may contain %c.0",
    ),
    Wrong(
        "a tuple is read one register away from its place",
        right.TUPLES,
        (("ds_write_b128 v0, v[4:7]", "ds_write_b128 v0, v[6:9]"),),
        r"v6 is read for %c.0 and may contain %c.2",
    ),
    Wrong(
        "a matrix result lies over a part of its accumulator",
        right.MATRIX,
        (("f16 v[8:11]", "f16 v[6:9]"), ("ds_write_b128 v0, v[8:11]", "ds_write_b128 v0, v[6:9]")),
        r"shares v\[4:7\]|overlaps",
    ),
    Wrong(
        "a value crosses a divergent join in a wrong register",
        right.DIVERGENT,
        (("  v_mov_b32_e32 v1, v3 +\n", "  v_mov_b32_e32 v4, v3 +\n"),),
        "v1 is read for %r and may contain",
    ),
    Wrong(
        "a lane that waits loses its value to a write that ignores EXEC",
        right.DIVERGENT,
        (
            (
                "v_mov_b32_e32 v2, 0\n  v_writelane_b32 v2, 55, 40\n  v_readlane_b32 s8, v2, 40",
                "v_mov_b32_e32 v1, 0\n  v_writelane_b32 v1, 55, 40\n  v_readlane_b32 s8, v1, 40",
            ),
        ),
        "v1 is read for %r and may contain",
    ),
    Wrong(
        "the saved EXEC is overwritten in the other branch",
        right.DIVERGENT,
        (("v_readlane_b32 s8, v2, 40\n  v_add_u32_e32 v3, s8, v0", "v_readlane_b32 s7, v2, 40\n  v_add_u32_e32 v3, s7, v0"),),
        "s7 is read for %saved.1 and may contain %k",
    ),
    Wrong(
        "a value is in VCC while an instruction writes that",
        right.FLAGS,
        (("v_cmp_lt_u32_e64 s[4:5]", "v_cmp_lt_u32_e64 vcc"), ("v0, s[4:5]", "v0, vcc")),
        "vcc_lo is read for %m.0 and may contain the program's vcc_lo",
    ),
    Wrong(
        "a copy is made by an instruction that writes SCC",
        right.CARRY,
        (("  s_mov_b32 s6, s3 +\n", "  s_add_u32 s6, s3, 0 +\n"),),
        "s_add_u32 was put in, and is not a plain move",
    ),
    Wrong(
        "a copy takes other lanes' values",
        right.EXCHANGE,
        (("  v_mov_b32_e32 v3, v1 +\n", "  v_mov_b32_dpp v3, v1 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf +\n"),),
        "v_mov_b32_dpp was put in, and is not a plain move",
    ),
    Wrong(
        "a reserved register is written",
        right.LOOP,
        (("s_add_u32 s6, s5, 1", "s_add_u32 s7, s5, 1"), ("s_mov_b32 s5, s6 +\n", "s_mov_b32 s5, s7 +\n")),
        "s7 is reserved and is written",
    ),
    Wrong(
        "a register beyond the budget is written",
        right.LOOP,
        (("v_add_u32_e32 v2, s5, v1", "v_add_u32_e32 v32, s5, v1"), ("v_mov_b32_e32 v1, v2 +\n", "v_mov_b32_e32 v1, v32 +\n")),
        "v32 is written for %next, which may not be there",
    ),
    Wrong(
        "a copy goes through a register beyond the budget",
        right.EXCHANGE,
        (("v_mov_b32_e32 v3, v1 +\n", "v_mov_b32_e32 v32, v1 +\n"), ("v_mov_b32_e32 v2, v3 +\n", "v_mov_b32_e32 v2, v32 +\n")),
        "v32 is written by a copy, which may not use it",
    ),
    Wrong(
        "a value is where the hardware gives another one",
        right.LOOP,
        (("v_add_u32_e32 v2, s5, v1", "v_add_u32_e32 v0, s5, v1"), ("v_mov_b32_e32 v1, v2 +\n", "v_mov_b32_e32 v1, v0 +\n")),
        "v0 is read for the program's v0 and may contain anything",
    ),
    Wrong("a tuple is not aligned", right.TUPLES, (), "v\\[5:8\\], wanted a first register that is a multiple of 2", ((vgpr(4, 4), vgpr(5, 4)),)),
    Wrong("a short form names a register that it does not reach", right.HALVES, (), "v130, wanted a VGPR below v128", ((vgpr(1), vgpr(130)),)),
    Wrong("a register that the encoding implies is another one", right.IMPLIED, (), "s\\[6:7\\], wanted vcc", ((VCC, sgpr(6, 2)),)),
    Wrong("operands are exchanged", right.TIED, (("ds_write_b32 v1, v3", "ds_write_b32 v3, v1"),), "v3 is read for %old and may contain %r"),
    Wrong(
        "a modifier is lost",
        right.DIVERGENT,
        (("v_writelane_b32 v2, 55, 40", "v_writelane_b32 v2, 55, 41"),),
        "v_writelane_b32 is not in the rewritten program",
    ),
    Wrong("a branch goes the other way", right.LOOP, (("s_cbranch_scc0", "s_cbranch_scc1"),), "the terminator is not that of the original"),
)

SPILLS = (
    Wrong("a store is lost", right.SCRATCH, (("  scratch_store_dword off, %a, off offset:4 >\n", ""),), "%a2 is read for %a, which it may lack"),
    Wrong(
        "two values share a slot",
        right.SCRATCH,
        (("%b, off offset:8 >\n", "%b, off offset:4 >\n"), ("%b2, off, off offset:8 <\n", "%b2, off, off offset:4 <\n")),
        "%a2 is read for %a, which it may lack",
    ),
    Wrong(
        "a reload comes before its store",
        right.SCRATCH,
        (
            ("  scratch_load_dword %b2, off, off offset:8 <\n", ""),
            (
                "  scratch_store_dword off, %b, off offset:8 >\n",
                "  scratch_load_dword %b2, off, off offset:8 <\n  scratch_store_dword off, %b, off offset:8 >\n",
            ),
        ),
        "%b2 is read for %b, which it may lack",
    ),
    Wrong(
        "a reload has a wrong offset",
        right.SCRATCH,
        (("%a2, off, off offset:4 <\n", "%a2, off, off offset:12 <\n"),),
        "%a2 is read for %a, which it may lack",
    ),
    Wrong(
        "a store is beyond the scratch that is declared",
        right.SCRATCH,
        (("%a, off offset:4 >\n", "%a, off offset:16 >\n"),),
        "byte 16 is outside of the scratch for spills",
    ),
    Wrong(
        "a wide store reaches beyond the scratch that is declared",
        right.WIDE,
        (("s_mov_b32 %at, 16 >\n", "s_mov_b32 %at, 20 >\n"),),
        "byte 20 is outside of the scratch for spills",
    ),
    Wrong("an offset is in a register that nobody set", right.WIDE, (("  s_mov_b32 %at, 16 >\n", ""),), "%at contains no known offset"),
    Wrong(
        "the address of a slot differs between lanes",
        right.WIDE,
        (("  scratch_store_dwordx4 off, %w, %at >\n", "  v_mov_b32_e32 %where, 16 >\n  scratch_store_dwordx4 %where, %w, off >\n"),),
        "the address of spilled values is the same in every lane",
    ),
    Wrong(
        "a rematerialised value has changed",
        right.SCRATCH,
        (("v_mov_b32_e32 %k2, 0x1234 <\n", "v_mov_b32_e32 %k2, 0x1235 <\n"),),
        "%k2 is read for %k, which it may lack",
    ),
    Wrong(
        "two reloads are exchanged",
        right.SCRATCH,
        (("ds_write_b32 %a2, %b2", "ds_write_b32 %b2, %a2"),),
        "%b2 is read for %a, which it may lack",
    ),
    Wrong(
        "spill code writes a register of the program",
        right.SCRATCH,
        (("  scratch_load_dword %a2, off, off offset:4 <\n", "  scratch_load_dword %k, off, off offset:4 <\n"),),
        "%k is the program's, and spill code writes it",
    ),
    Wrong(
        "a store is made when lanes are off",
        right.PARTED,
        (
            ("  scratch_store_dword off, %a, off offset:4 >\n", ""),
            ("  terminator s_cbranch_execz join\n", "  scratch_store_dword off, %a, off offset:4 >\n  terminator s_cbranch_execz join\n"),
        ),
        "a store after a change of EXEC misses the lanes that it switched off",
    ),
    Wrong(
        "a store is made by the lanes of one branch",
        right.PARTED,
        (
            ("  scratch_store_dword off, %a, off offset:4 >\n", ""),
            ("  v_add_u32_e32 %t, 3, v0\n", "  scratch_store_dword off, %a, off offset:4 >\n  v_add_u32_e32 %t, 3, v0\n"),
        ),
        "%a2 is read for %a, which it may lack",
    ),
    Wrong(
        "a reload is made by the lanes of one branch",
        right.PARTED,
        (
            ("  scratch_load_dword %a2, off, off offset:4 <\n", ""),
            ("  v_add_u32_e32 %t, 3, v0\n", "  scratch_load_dword %a2, off, off offset:4 <\n  v_add_u32_e32 %t, 3, v0\n"),
        ),
        "%a2 is read for %a, which it may lack",
    ),
    Wrong(
        "a reload is made before EXEC lets its lanes run",
        right.PARTED,
        (
            ("  scratch_load_dword %a2, off, off offset:4 <\n", ""),
            ("  s_mov_b64 exec, %saved\n", "  scratch_load_dword %a2, off, off offset:4 <\n  s_mov_b64 exec, %saved\n"),
        ),
        "%a2 is read for %a, which it may lack",
    ),
    Wrong(
        "a lane of a register is written twice",
        right.LANES,
        (("v_writelane_b32 v31, %i, 1 >\n", "v_writelane_b32 v31, %i, 0 >\n"), ("%i2, v31, 1 <\n", "%i2, v31, 0 <\n")),
        "%s2 is read for %s, which it may lack",
    ),
    Wrong(
        "a lane is taken that a wave does not have",
        right.LANES,
        (("v_writelane_b32 v31, %i, 1 >\n", "v_writelane_b32 v31, %i, 64 >\n"), ("%i2, v31, 1 <\n", "%i2, v31, 64 <\n")),
        "lane 64 is in no wave",
    ),
    Wrong(
        "a lane is read that was not written",
        right.LANES,
        (("  v_writelane_b32 v31, %s, 0 >\n", ""),),
        "%s2 is read for %s, which it may lack",
    ),
    Wrong(
        "a lane of a register is written that is not set apart",
        right.LANES,
        (("v_writelane_b32 v31, %s, 0 >\n", "v_writelane_b32 v30, %s, 0 >\n"),),
        "v30 is not set apart for spilled SGPRs",
    ),
    Wrong(
        "a lane has the value of the turn before",
        right.LANES,
        (("  v_writelane_b32 v31, %i, 1 >\n  v_readlane_b32 %i2, v31, 1 <\n", "  v_readlane_b32 %i2, v31, 1 <\n  v_writelane_b32 v31, %i, 1 >\n"),),
        "%i2 is read for %i, which it may lack",
    ),
    Wrong(
        "SGPRs are spilled to a register of the program",
        right.LANES._replace(lanes=(31, 0)),
        (("v_readlane_b32 %s2, v31, 0 <\n", "v_readlane_b32 %s2, v31, 0 <\n"),),
        "v0 belongs to the program, but contains spilled SGPRs",
    ),
    Wrong(
        "the edges of a branch are exchanged",
        right.LANES,
        (("  linear more, exit\n  logical more, exit\n", "  linear exit, more\n  logical exit, more\n"),),
        "the edges are not those of the program",
    ),
    Wrong("an argument is another value", right.LANES, (("  linear head(%j)\n", "  linear head(%s)\n"),), "%s is read for %j, which it may lack"),
)
