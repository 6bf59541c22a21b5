"""Spill code with AGPRs that is right, allocations with AGPRs that are, and each way of being wrong."""

from __future__ import annotations

from tests.unit.regalloc.right_allocations import Right, RightSpills, marked
from tests.unit.regalloc.wrong_allocations import Wrong

# Two values are in AGPRs for a while; a tuple is there from its load to its store.
CROSSED = RightSpills(
    """register %a vgpr
register %b vgpr
register %w vgpr 4 align 2
block entry
  v_add_u32_e32 %a, 1, v0
  v_add_u32_e32 %b, 2, v0
  ds_read_b128 %w, v0
  ds_write_b128 v0, %w
  ds_write_b32 %a, %b
  terminator s_endpgm
""",
    marked("""register %a2 vgpr
register %aa agpr
register %ba agpr
register %spare agpr 4 align 2
block entry
  v_add_u32_e32 %a, 1, v0
  v_accvgpr_write_b32 %aa, %a >
  v_add_u32_e32 %b, 2, v0
  v_accvgpr_write_b32 %ba, %b >
  ds_read_b128 %w, v0
  ds_write_b128 v0, %w
  v_accvgpr_read_b32 %a2, %aa <
  ds_write_b32 %a2, %ba
  terminator s_endpgm
"""),
    agprs=("w",),
)

# A loop carries a sum in an AGPR.
CARRIED = RightSpills(
    """register %i sgpr
register %j sgpr
register %x vgpr
register %sum vgpr
register %next vgpr
block entry
  v_add_u32_e32 %x, 1, v0
  linear head(0x0)
  logical head(%x)
block head scalar(%i) vector(%sum)
  s_cmp_lt_u32 %i, 8
  terminator s_cbranch_scc0 exit
  linear exit, body
  logical exit, body
block body
  v_add_u32_e32 %next, v0, %sum
  s_add_u32 %j, %i, 1
  linear head(%j)
  logical head(%next)
block exit
  ds_write_b32 v0, %sum
  terminator s_endpgm
""",
    marked("""register %sum2 vgpr
register %xa agpr
register %nexta agpr
block entry
  v_add_u32_e32 %x, 1, v0
  v_accvgpr_write_b32 %xa, %x >
  linear head(0x0)
  logical head(%xa)
block head scalar(%i) vector(%sum)
  s_cmp_lt_u32 %i, 8
  terminator s_cbranch_scc0 exit
  linear exit, body
  logical exit, body
block body
  v_accvgpr_read_b32 %sum2, %sum <
  v_add_u32_e32 %next, v0, %sum2
  v_accvgpr_write_b32 %nexta, %next >
  s_add_u32 %j, %i, 1
  linear head(%j)
  logical head(%nexta)
block exit
  ds_write_b32 v0, %sum
  terminator s_endpgm
"""),
    agprs=("sum",),
)

# A loop of a single block carries a sum in an AGPR, which no other block names.
TURNED = RightSpills(
    """register %i sgpr
register %j sgpr
register %x vgpr
register %sum vgpr
register %next vgpr
block entry
  v_add_u32_e32 %x, 1, v0
  linear loop(0x0)
  logical loop(%x)
block loop scalar(%i) vector(%sum)
  v_add_u32_e32 %next, v0, %sum
  s_add_u32 %j, %i, 1
  s_cmp_lt_u32 %j, 8
  terminator s_cbranch_scc0 exit
  linear exit, back
  logical exit, back
block back
  linear loop(%j)
  logical loop(%next)
block exit
  ds_write_b32 v0, %next
  terminator s_endpgm
""",
    marked("""register %sum2 vgpr
register %xa agpr
register %nexta agpr
block entry
  v_add_u32_e32 %x, 1, v0
  v_accvgpr_write_b32 %xa, %x >
  linear loop(0x0)
  logical loop(%xa)
block loop scalar(%i) vector(%sum)
  v_accvgpr_read_b32 %sum2, %sum <
  v_add_u32_e32 %next, v0, %sum2
  v_accvgpr_write_b32 %nexta, %next >
  s_add_u32 %j, %i, 1
  s_cmp_lt_u32 %j, 8
  terminator s_cbranch_scc0 exit
  linear exit, back
  logical exit, back
block back
  linear loop(%j)
  logical loop(%nexta)
block exit
  ds_write_b32 v0, %nexta
  terminator s_endpgm
"""),
    agprs=("sum",),
)

# A value of all lanes is read after a branch that some of them take.
PARTED = RightSpills(
    """register %m sgpr 2 align 2
register %saved sgpr 2 align 2
register %a vgpr
register %t vgpr
block entry
  v_add_u32_e32 %a, 1, v0
  v_cmp_lt_u32_e64 %m, 7, v0
  s_and_saveexec_b64 %saved, %m
  terminator s_cbranch_execz join
  linear join, then
  logical join, then
block then
  v_add_u32_e32 %t, 3, v0
  ds_write_b32 v0, %t
  linear join
  logical join
block join
  s_mov_b64 exec, %saved
  v_add_u32_e32 v1, %a, v0
  terminator s_endpgm
""",
    marked("""register %a2 vgpr
register %aa agpr
block entry
  v_add_u32_e32 %a, 1, v0
  v_accvgpr_write_b32 %aa, %a >
  v_cmp_lt_u32_e64 %m, 7, v0
  s_and_saveexec_b64 %saved, %m
  terminator s_cbranch_execz join
  linear join, then
  logical join, then
block then
  v_add_u32_e32 %t, 3, v0
  ds_write_b32 v0, %t
  linear join
  logical join
block join
  s_mov_b64 exec, %saved
  v_accvgpr_read_b32 %a2, %aa <
  v_add_u32_e32 v1, %a2, v0
  terminator s_endpgm
"""),
)

# A value comes from scratch into an AGPR.
MIXED = RightSpills(
    """register %a vgpr
block entry
  v_add_u32_e32 %a, 1, v0
  ds_write_b32 v0, %a
  terminator s_endpgm
""",
    marked("""register %aa agpr
block entry
  v_add_u32_e32 %a, 1, v0
  scratch_store_dword off, %a, off offset:4 >
  scratch_load_dword %aa, off, off offset:4 <
  ds_write_b32 v0, %aa
  terminator s_endpgm
"""),
)

# The AGPRs of two values, and a copy of a value to a third.
PLACED = Right(
    """register %i sgpr
register %j sgpr
register %a agpr
register %b agpr
register %c agpr
block entry
  v_accvgpr_write_b32 %a, v0
  v_accvgpr_write_b32 %b, 3
  linear head(0x0)
  logical head(%a)
block head scalar(%i) vector(%c)
  ds_write_b32 v0, %c
  s_add_u32 %j, %i, 1
  s_cmp_lt_u32 %j, 8
  terminator s_cbranch_scc0 exit
  linear exit, back
  logical exit, back
block back
  linear head(%j)
  logical head(%b)
block exit
  ds_write_b32 v0, %b
  terminator s_endpgm
""",
    marked("""block entry
  v_accvgpr_write_b32 a0, v0
  v_accvgpr_write_b32 a1, 3
  s_mov_b32 s3, 0 +
  linear head
  logical head
block head
  ds_write_b32 v0, a0
  s_add_u32 s3, s3, 1
  s_cmp_lt_u32 s3, 8
  terminator s_cbranch_scc0 exit
  linear exit, back
  logical exit, back
block back
  v_accvgpr_mov_b32 a0, a1 +
  linear head
  logical head
block exit
  ds_write_b32 v0, a1
  terminator s_endpgm
"""),
    {"i": 3, "j": 3, "a": 0, "b": 1, "c": 0},
)

WRONG = (
    Wrong("an AGPR is not written", CROSSED, (("  v_accvgpr_write_b32 %aa, %a >\n", ""),), "%a2 is read for %a, which it may lack"),
    Wrong(
        "two values share an AGPR",
        CROSSED,
        (("v_accvgpr_write_b32 %ba, %b >\n", "v_accvgpr_write_b32 %aa, %b >\n"), ("%a2, %ba", "%a2, %aa")),
        "%a2 is read for %a, which it may lack",
    ),
    Wrong(
        "the AGPRs of two values are exchanged",
        CROSSED,
        (("%a2, %aa <\n", "%a2, %ba <\n"), ("%a2, %ba\n", "%a2, %aa\n")),
        "%a2 is read for %a, which",
    ),
    Wrong("an AGPR is stored that has another value", CROSSED, (("%a2, %ba\n", "%a2, %aa\n"),), "%aa is read for %b, which it may lack"),
    Wrong(
        "an AGPR is read before it is written",
        CROSSED,
        (
            ("  v_accvgpr_read_b32 %a2, %aa <\n", ""),
            ("  v_accvgpr_write_b32 %aa, %a >\n", "  v_accvgpr_read_b32 %a2, %aa <\n  v_accvgpr_write_b32 %aa, %a >\n"),
        ),
        "%a2 is read for %a, which it may lack",
    ),
    Wrong("a load fills other AGPRs", CROSSED, (("ds_read_b128 %w, v0", "ds_read_b128 %spare, v0"),), "operand 0 is .*, wanted"),
    Wrong("a parameter is new", CARRIED, (("vector(%sum)", "vector(%xa)"),), "a parameter that the program does not have"),
    Wrong(
        "an AGPR gets its value without being spill code",
        CROSSED,
        (("  v_accvgpr_write_b32 %aa, %a >\n", "  v_accvgpr_write_b32 %aa, %a\n"),),
        "wanted v_add_u32_e32 as the program has it",
    ),
    Wrong(
        "an AGPR takes a constant",
        CROSSED,
        (("v_accvgpr_write_b32 %aa, %a >\n", "v_accvgpr_write_b32 %aa, 1 >\n"),),
        "AGPRs are filled from registers",
    ),
    Wrong(
        "a loop hands on the sum before",
        CARRIED,
        (("  logical head(%nexta)\n", "  logical head(%sum)\n"),),
        "%sum is read for %next, which it may lack",
    ),
    Wrong("a loop begins with a constant", CARRIED, (("  logical head(%xa)\n", "  logical head(0x0)\n"),), "is handed on for"),
    Wrong(
        "an AGPR is written when lanes are off",
        PARTED,
        (
            ("  v_accvgpr_write_b32 %aa, %a >\n", ""),
            ("  terminator s_cbranch_execz join\n", "  v_accvgpr_write_b32 %aa, %a >\n  terminator s_cbranch_execz join\n"),
        ),
        "a store after a change of EXEC misses the lanes that it switched off",
    ),
    Wrong(
        "an AGPR is written by the lanes of one branch",
        PARTED,
        (
            ("  v_accvgpr_write_b32 %aa, %a >\n", ""),
            ("  v_add_u32_e32 %t, 3, v0\n", "  v_accvgpr_write_b32 %aa, %a >\n  v_add_u32_e32 %t, 3, v0\n"),
        ),
        "%a2 is read for %a, which it may lack",
    ),
    Wrong(
        "an AGPR is read before EXEC lets its lanes run",
        PARTED,
        (
            ("  v_accvgpr_read_b32 %a2, %aa <\n", ""),
            ("  s_mov_b64 exec, %saved\n", "  v_accvgpr_read_b32 %a2, %aa <\n  s_mov_b64 exec, %saved\n"),
        ),
        "%a2 is read for %a, which it may lack",
    ),
    Wrong("an AGPR is filled from another slot", MIXED, (("%aa, off, off offset:4 <\n", "%aa, off, off offset:8 <\n"),), "%aa is read for %a, which"),
    Wrong("a copy between AGPRs is lost", PLACED, (("  v_accvgpr_mov_b32 a0, a1 +\n", ""),), "a0 is read for %c and may contain"),
    Wrong("a copy goes to the AGPR of a value that is still read", PLACED, (("a0, a1 +\n", "a1, a0 +\n"),), "is read for"),
    Wrong(
        "two values are in one AGPR",
        PLACED._replace(places={"i": 3, "j": 3, "a": 0, "b": 0, "c": 0}),
        (
            ("v_accvgpr_write_b32 a1, 3", "v_accvgpr_write_b32 a0, 3"),
            ("  v_accvgpr_mov_b32 a0, a1 +\n", ""),
            ("ds_write_b32 v0, a1", "ds_write_b32 v0, a0"),
        ),
        "a0 is read for %c and may contain",
    ),
    Wrong(
        "an AGPR is taken for the VGPR of its number",
        PLACED,
        (("  ds_write_b32 v0, a1\n", "  ds_write_b32 v0, v1\n"),),
        "v1 is read for %b and may contain",
    ),
)
