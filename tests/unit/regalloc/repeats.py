"""Spill code that computes values again and is right, and each way of being wrong."""

from __future__ import annotations

from tests.unit.regalloc.right_allocations import RightSpills, marked
from tests.unit.regalloc.wrong_allocations import Wrong

# Two addresses, from an id and from another value, and a sum of floats.
ADDRESSES = RightSpills(
    """register %x vgpr
register %at vgpr
register %far vgpr
register %f vgpr
block entry
  ds_read_b32 %x, v0
  v_lshlrev_b32_e32 %at, 2, v0
  v_lshl_add_u32 %far, %x, 3, s2
  v_add_f32_e64 %f, %x, %x clamp
  v_mov_b32_e32 v1, 5
  ds_write_b32 %at, %x
  ds_write_b32 %far, %x
  ds_write_b32 v0, %f
  ds_write_b32 v1, %x
  terminator s_endpgm
""",
    marked("""register %at2 vgpr
register %far2 vgpr
register %f2 vgpr
register %x2 vgpr
block entry
  ds_read_b32 %x, v0
  v_lshlrev_b32_e32 %at, 2, v0
  v_lshl_add_u32 %far, %x, 3, s2
  v_add_f32_e64 %f, %x, %x clamp
  v_mov_b32_e32 v1, 5
  v_lshlrev_b32_e32 %at2, 2, v0 <
  ds_write_b32 %at2, %x
  v_lshl_add_u32 %far2, %x, 3, s2 <
  ds_write_b32 %far2, %x
  v_add_f32_e64 %f2, %x, %x clamp <
  ds_write_b32 v0, %f2
  ds_write_b32 v1, %x
  terminator s_endpgm
"""),
)

# A turn's value follows from the number that the loop carries; a lane's from a register that is written again.
TURNS = RightSpills(
    """register %i sgpr
register %j sgpr
register %a vgpr
register %b vgpr
block entry
  v_mov_b32_e32 v1, v0
  v_add_u32_e32 %b, 1, v1
  linear head(0x0)
  logical head
block head scalar(%i)
  v_add_u32_e32 %a, %i, v0
  ds_write_b32 v0, %a
  ds_write_b32 v0, %b
  s_add_u32 %j, %i, 1
  ds_write_b32 v0, %a
  s_cmp_lt_u32 %j, 8
  terminator s_cbranch_scc0 exit
  linear exit, back
  logical exit, back
block back
  v_mov_b32_e32 v2, v1
  linear head(%j)
  logical head
block exit
  terminator s_endpgm
""",
    marked("""register %a2 vgpr
register %b2 vgpr
block entry
  v_mov_b32_e32 v1, v0
  v_add_u32_e32 %b, 1, v1
  linear head(0x0)
  logical head
block head scalar(%i)
  v_add_u32_e32 %a, %i, v0
  ds_write_b32 v0, %a
  v_add_u32_e32 %b2, 1, v1 <
  ds_write_b32 v0, %b2
  s_add_u32 %j, %i, 1
  v_add_u32_e32 %a2, %i, v0 <
  ds_write_b32 v0, %a2
  s_cmp_lt_u32 %j, 8
  terminator s_cbranch_scc0 exit
  linear exit, back
  logical exit, back
block back
  v_mov_b32_e32 v2, v1
  linear head(%j)
  logical head
block exit
  terminator s_endpgm
"""),
)

# Arguments come from the kernarg segment again, a part of them with its own offset.
ARGUMENTS = RightSpills(
    """register %p sgpr 4 align 4
register %a vgpr
register %b vgpr
block entry
  s_load_dwordx4 %p, s[0:1], 0x10
  v_mov_b32_e32 %a, %p[0]
  ds_write_b32 v0, %a
  v_mov_b32_e32 %b, %p[3]
  ds_write_b32 v0, %b
  terminator s_endpgm
""",
    marked("""register %p2 sgpr
register %other sgpr 2 align 2
block entry
  s_load_dwordx4 %p, s[0:1], 0x10
  v_mov_b32_e32 %a, %p[0]
  ds_write_b32 v0, %a
  s_load_dword %p2, s[0:1], 0x1c <
  v_mov_b32_e32 %b, %p2
  ds_write_b32 v0, %b
  terminator s_endpgm
"""),
)

# A lane mask is of the lanes that are on; a copy is taken from the place of the copied value.
MASKS = RightSpills(
    """register %m sgpr 2 align 2
register %saved sgpr 2 align 2
register %x vgpr
register %y vgpr
register %a vgpr
register %b vgpr
block entry
  v_add_u32_e32 %x, 1, v0
  v_mov_b32_e32 %y, %x
  v_cmp_lt_u32_e64 %m, 7, v0
  s_and_saveexec_b64 %saved, %m
  v_cndmask_b32_e64 %a, 0, %y, %m
  ds_write_b32 v0, %a
  s_mov_b64 exec, %saved
  v_cndmask_b32_e64 %b, 0, %x, %m
  ds_write_b32 v0, %b
  terminator s_endpgm
""",
    marked("""register %m2 sgpr 2 align 2
register %x2 vgpr
register %y2 vgpr
block entry
  v_add_u32_e32 %x, 1, v0
  v_mov_b32_e32 %y, %x
  v_cmp_lt_u32_e64 %m, 7, v0
  s_and_saveexec_b64 %saved, %m
  v_add_u32_e32 %x2, 1, v0 <
  v_mov_b32_e32 %y2, %x2 <
  v_cndmask_b32_e64 %a, 0, %y2, %m
  ds_write_b32 v0, %a
  s_mov_b64 exec, %saved
  v_cndmask_b32_e64 %b, 0, %x, %m
  ds_write_b32 v0, %b
  terminator s_endpgm
"""),
)

AT = "%at2 is read for %at, which it may lack"
NONE = "this is no spill code"
WRONG = (
    Wrong(
        "a lane mask is computed again for other lanes",
        MASKS,
        (("%b, 0, %x, %m\n", "%b, 0, %x, %m2\n"), ("  s_mov_b64 exec, %saved\n", "  s_mov_b64 exec, %saved\n  v_cmp_lt_u32_e64 %m2, 7, v0 <\n")),
        NONE,
    ),
    Wrong(
        "a copy is made again of another value", MASKS, (("v_mov_b32_e32 %y2, %x2 <\n", "v_mov_b32_e32 %y2, v0 <\n"),), "%y2 is read for %y, which"
    ),
    Wrong("what is computed again has another constant", ADDRESSES, (("%at2, 2, v0 <\n", "%at2, 3, v0 <\n"),), NONE),
    Wrong("what is computed again has another source", ADDRESSES, (("%at2, 2, v0 <\n", "%at2, 2, %x <\n"),), NONE),
    Wrong("what is computed again has another scalar", ADDRESSES, (("%far2, %x, 3, s2 <\n", "%far2, %x, 3, s3 <\n"),), NONE),
    Wrong("what is computed again has not its modifier", ADDRESSES, (("%f2, %x, %x clamp <\n", "%f2, %x, %x <\n"),), NONE),
    Wrong("another instruction computes it", ADDRESSES, (("  v_lshlrev_b32_e32 %at2", "  v_lshrrev_b32_e32 %at2"),), NONE),
    Wrong(
        "what is computed again is taken for another value",
        ADDRESSES,
        (("ds_write_b32 %far2, %x", "ds_write_b32 %at2, %x"),),
        "%at2 is read for %far",
    ),
    Wrong(
        "a value is computed again into one of the program's",
        ADDRESSES,
        (("  v_lshl_add_u32 %far2, %x", "  v_lshl_add_u32 %far, %x"),),
        "%far is the",
    ),
    Wrong(
        "a value is computed again before there is one",
        TURNS,
        (("  v_add_u32_e32 %b2, 1, v1 <\n", ""), ("  v_add_u32_e32 %b, 1, v1\n", "  v_add_u32_e32 %b2, 1, v1 <\n  v_add_u32_e32 %b, 1, v1\n")),
        "%b2 is read for %b, which it may lack",
    ),
    Wrong(
        "the value of the turn before is computed again",
        TURNS,
        (("  v_add_u32_e32 %a2, %i, v0 <\n", ""), ("  v_add_u32_e32 %a, %i, v0\n", "  v_add_u32_e32 %a2, %i, v0 <\n  v_add_u32_e32 %a, %i, v0\n")),
        "%a2 is read for %a, which it may lack",
    ),
    Wrong(
        "a source has been written anew",
        TURNS._replace(program=TURNS.program.replace("v_mov_b32_e32 v2, v1", "v_mov_b32_e32 v1, v0")),
        (("v_mov_b32_e32 v2, v1\n", "v_mov_b32_e32 v1, v0\n"),),
        "%b2 is read for %b, which it may lack",
    ),
    Wrong("a source is the next turn's", TURNS, (("%a2, %i, v0 <\n", "%a2, %j, v0 <\n"),), NONE),
    Wrong(
        "floats are rounded in another way meanwhile",
        ADDRESSES._replace(
            program=ADDRESSES.program.replace("  v_mov_b32_e32 v1, 5\n", "  s_setreg_imm32_b32 hwreg(HW_REG_MODE), 0\n  v_mov_b32_e32 v1, 5\n")
        ),
        (("  v_mov_b32_e32 v1, 5\n", "  s_setreg_imm32_b32 hwreg(HW_REG_MODE), 0\n  v_mov_b32_e32 v1, 5\n"),),
        NONE,
    ),
    Wrong(
        "another argument is loaded",
        ARGUMENTS,
        (("%p2, s[0:1], 0x1c <\n", "%p2, s[0:1], 0x18 <\n"),),
        "%p2 is read for %p.*, which it may lack",
    ),
    Wrong("an argument is loaded from other memory", ARGUMENTS, (("%p2, s[0:1], 0x1c <\n", "%p2, s[2:3], 0x1c <\n"),), NONE),
    Wrong(
        "the address of the arguments is overwritten",
        ARGUMENTS._replace(program=ARGUMENTS.program.replace("  ds_write_b32 v0, %a\n", "  s_mov_b32 s0, 0\n  ds_write_b32 v0, %a\n")),
        (("  ds_write_b32 v0, %a\n", "  s_mov_b32 s0, 0\n  ds_write_b32 v0, %a\n"),),
        NONE,
    ),
)
