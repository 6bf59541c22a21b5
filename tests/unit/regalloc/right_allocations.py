"""Allocations written by hand that are right: the table of wrong allocations (`wrong_allocations`) starts
from them.

Each has the program on virtual registers and its allocation, as text; the checks accept it as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from msgspec.structs import replace

from isa.mir.parser import parse_kernel
from isa.program import Kernel
from isa.registers import VCC, Register, vgpr
from regalloc import allocate, check
from regalloc.checker.spills import check_spills
from regalloc.spill.least import FIRST

HEADER = """stage {stage} {target}
kernel test
workgroup 64 1 1
entry kernarg_segment_ptr s[0:1]
entry workgroup_id_x s2
entry workitem_id v0
scratch {scratch}
"""
COPY = '!origin ["register copy"]'
SPILL = '!origin ["spill"]'
RELOAD = '!origin ["reload"]'
WITHIN = 32  # VGPRs that an allocation may use
Moves = tuple[tuple[Register, Register], ...]


class Right(NamedTuple):
    """A program and its allocation; `places` has the number of the register of each virtual register."""

    program: str
    made: str
    places: Mapping[str, int]
    target: str = "gfx942"
    reserved: frozenset[int] = frozenset()
    within: int = WITHIN

    def judge(self, made: str, moved: Moves = ()) -> None:
        """Check `made` as an allocation of the program, with the registers of `moved` in the places of others
        if text would not have them."""
        kernel = _kernel(self.program, "machine", self.target)
        firsts = {owner.name: owner for owner in kernel.owners}
        units = {
            firsts[name].first + k: FIRST[firsts[name].register_class] + place + k
            for name, place in self.places.items()
            for k in range(firsts[name].count)
        }
        allocation = allocate(kernel, self.reserved, self.within)._replace(units=units)
        check(kernel, allocation, _moved(_kernel(made, "allocated", self.target), moved))


class RightSpills(NamedTuple):
    """A program and its spill code, on virtual registers; `lanes` are VGPRs with SGPRs in their lanes,
    `agprs` names the program's registers that are AGPRs then."""

    program: str
    made: str
    scratch: int = 16
    lanes: tuple[int, ...] = ()
    target: str = "gfx942"
    agprs: tuple[str, ...] = ()

    def judge(self, made: str, moved: Moves = ()) -> None:
        """Ask the check of spills about `made` as what became of the program."""
        before = _kernel(self.program, "machine", self.target)
        declared = [line for line in made.splitlines() if line.startswith("register ")]
        body = made.replace("".join(f"{line}\n" for line in declared), "")
        known = self.program[: self.program.index("block ")]
        known = re.sub(r"(?<=%)(\w+) [vs]gpr", lambda found: f"{found[1]} agpr" if found[1] in self.agprs else found[0], known)
        after = _kernel(known + "".join(f"{line}\n" for line in declared) + body, "machine", self.target, self.scratch)
        check_spills(before, _moved(replace(after, spill_lanes=tuple(map(vgpr, self.lanes))), moved))


def _moved(kernel: Kernel, moved: Moves) -> Kernel:
    """A kernel with other registers in its instructions."""
    table = dict(moved)
    return kernel.with_blocks([
        block.with_instructions([
            replace(instr, operands=tuple([table.get(one, one) if isinstance(one, Register) else one for one in instr.operands]))
            for instr in block.instructions
        ])
        for block in kernel.blocks
    ])  # fmt: skip


def _kernel(body: str, stage: str, target: str, scratch: int = 0) -> Kernel:
    return parse_kernel(HEADER.format(stage=stage, target=target, scratch=scratch) + body, "hand.mir")


def marked(text: str) -> str:
    """`+` after an instruction says that it is a copy, `>` that it stores a spilled value, `<` that it
    reloads."""
    marks = {"+": COPY, ">": SPILL, "<": RELOAD}
    return re.sub(r"(?<= )[+<>](?=\n)", lambda found: marks[found[0]], text)


# A sum is carried around a loop, and each turn's sum is in a register of its own.
LOOP = Right(
    """register %i sgpr
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
""",
    marked("""block entry
  v_mov_b32_e32 v1, 5 +
  s_mov_b32 s5, 0 +
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
  v_mov_b32_e32 v1, v2 +
  s_mov_b32 s5, s6 +
  linear head
  logical head
block exit
  ds_write_b32 v0, v1
  terminator s_endpgm
"""),
    {"i": 5, "j": 6, "sum": 1, "next": 2},
    reserved=frozenset({7}),
)

# Two values change places in each turn, through a third register.
EXCHANGE = Right(
    """register %i sgpr
register %j sgpr
register %x vgpr
register %y vgpr
block entry
  linear head(0x0)
  logical head(0x1, 0x2)
block head scalar(%i) vector(%x, %y)
  s_add_u32 %j, %i, 1
  s_cmp_lt_u32 %j, 8
  terminator s_cbranch_scc0 exit
  linear exit, body
  logical exit, body
block body
  linear head(%j)
  logical head(%y, %x)
block exit
  ds_write_b32 %x, %y
  terminator s_endpgm
""",
    marked("""block entry
  v_mov_b32_e32 v1, 1 +
  v_mov_b32_e32 v2, 2 +
  s_mov_b32 s5, 0 +
  linear head
  logical head
block head
  s_add_u32 s5, s5, 1
  s_cmp_lt_u32 s5, 8
  terminator s_cbranch_scc0 exit
  linear exit, body
  logical exit, body
block body
  v_mov_b32_e32 v3, v1 +
  v_mov_b32_e32 v1, v2 +
  v_mov_b32_e32 v2, v3 +
  linear head
  logical head
block exit
  ds_write_b32 v1, v2
  terminator s_endpgm
"""),
    {"i": 5, "j": 5, "x": 1, "y": 2},
)

# The source of an accumulation is read again after it, so that the instruction works on a copy.
TIED = Right(
    """register %old vgpr
register %x vgpr
register %r vgpr
block entry
  v_add_u32_e32 %old, 1, v0
  v_add_u32_e32 %x, 2, v0
  v_fmac_f32_e32 %r, %x, %x !tied(%old)
  ds_write_b32 %old, %r
  terminator s_endpgm
""",
    marked("""block entry
  v_add_u32_e32 v1, 1, v0
  v_add_u32_e32 v2, 2, v0
  v_mov_b32_e32 v3, v1 +
  v_fmac_f32_e32 v3, v2, v2
  ds_write_b32 v1, v3
  terminator s_endpgm
"""),
    {"old": 1, "x": 2, "r": 3},
)

# Tuples: both are live until they are stored.
TUPLES = Right(
    """register %a vgpr 2 align 2
register %c vgpr 4 align 2
block entry
  ds_read_b64 %a, v0
  ds_read_b128 %c, v0
  ds_write_b64 v0, %a
  ds_write_b128 v0, %c
  terminator s_endpgm
""",
    """block entry
  ds_read_b64 v[2:3], v0
  ds_read_b128 v[4:7], v0
  ds_write_b64 v0, v[2:3]
  ds_write_b128 v0, v[4:7]
  terminator s_endpgm
""",
    {"a": 2, "c": 4},
)

# Lanes of `then` wait with %t while the wave runs `else`, which writes a lane of %w whatever EXEC says.
DIVERGENT = Right(
    """register %m sgpr 2 align 2
register %saved sgpr 2 align 2
register %t vgpr
register %e vgpr
register %r vgpr
register %z vgpr
register %w vgpr
register %k sgpr
block entry
  v_cmp_lt_u32_e64 %m, 7, v0
  s_and_saveexec_b64 %saved, %m
  terminator s_cbranch_execz flip
  linear flip, then
  logical then, else
block then
  v_add_u32_e32 %t, 1, v0
  linear flip
  logical join(%t)
block flip
  s_andn2_b64 exec, %saved, exec
  linear else
block else
  v_mov_b32_e32 %z, 0
  v_writelane_b32 %w, 55, 40 !tied(%z)
  v_readlane_b32 %k, %w, 40
  v_add_u32_e32 %e, %k, v0
  linear join
  logical join(%e)
block join vector(%r)
  s_mov_b64 exec, %saved
  ds_write_b32 v0, %r
  terminator s_endpgm
""",
    marked("""block entry
  v_cmp_lt_u32_e64 s[4:5], 7, v0
  s_and_saveexec_b64 s[6:7], s[4:5]
  terminator s_cbranch_execz flip
  linear flip, then
  logical then, else
block then
  v_add_u32_e32 v1, 1, v0
  linear flip
  logical join
block flip
  s_andn2_b64 exec, s[6:7], exec
  linear else
block else
  v_mov_b32_e32 v2, 0
  v_writelane_b32 v2, 55, 40
  v_readlane_b32 s8, v2, 40
  v_add_u32_e32 v3, s8, v0
  v_mov_b32_e32 v1, v3 +
  linear join
  logical join
block join
  s_mov_b64 exec, s[6:7]
  ds_write_b32 v0, v1
  terminator s_endpgm
"""),
    {"m": 4, "saved": 6, "t": 1, "e": 3, "r": 1, "z": 2, "w": 2, "k": 8},
)

# The second comparison writes VCC, and the first comparison's result is read after it: it waits in s[4:5].
FLAGS = Right(
    """register %a vgpr
register %b vgpr
register %m sgpr 2 align 2
block entry
  v_cmp_lt_u32_e64 %m, 5, v0
  v_cmp_lt_u32_e32 vcc, 9, v0
  v_cndmask_b32_e32 %b, 0, v0, vcc
  v_cndmask_b32_e64 %a, 0, v0, %m
  ds_write_b32 %a, %b
  terminator s_endpgm
""",
    """block entry
  v_cmp_lt_u32_e64 s[4:5], 5, v0
  v_cmp_lt_u32_e32 vcc, 9, v0
  v_cndmask_b32_e32 v2, 0, v0, vcc
  v_cndmask_b32_e64 v1, 0, v0, s[4:5]
  ds_write_b32 v1, v2
  terminator s_endpgm
""",
    {"a": 1, "b": 2, "m": 4},
)

# A sum of 64 bits: SCC goes from one instruction to the next.
CARRY = Right(
    """register %a sgpr
register %b sgpr
register %s sgpr
register %v vgpr
block entry
  s_mov_b32 %s, s2
  s_add_u32 %a, s2, s2
  s_addc_u32 %b, %s, %a
  v_mov_b32_e32 %v, %b
  ds_write_b32 v0, %v
  terminator s_endpgm
""",
    marked("""block entry
  s_mov_b32 s3, s2
  s_add_u32 s4, s2, s2
  s_mov_b32 s6, s3 +
  s_addc_u32 s5, s6, s4
  v_mov_b32_e32 v1, s5
  ds_write_b32 v0, v1
  terminator s_endpgm
"""),
    {"a": 4, "b": 5, "s": 3, "v": 1},
)

# The short form of an operation on halves reaches v0 to v127.
HALVES = Right(
    """register %h vgpr
block entry
  v_add_f16_e32 %h, v0, v0
  ds_store_b32 v0, %h
  terminator s_endpgm
""",
    """block entry
  v_add_f16_e32 v1, v0, v0
  ds_store_b32 v0, v1
  terminator s_endpgm
""",
    {"h": 1},
    "gfx1100",
    within=256,
)

# A short comparison writes VCC, which its encoding implies.
IMPLIED = Right(
    """register %a vgpr
register %m sgpr 2 align 2
block entry
  v_cmp_lt_u32_e32 %m, 9, v0
  v_cndmask_b32_e32 %a, 0, v0, %m
  ds_write_b32 v0, %a
  terminator s_endpgm
""",
    """block entry
  v_cmp_lt_u32_e32 vcc, 9, v0
  v_cndmask_b32_e32 v1, 0, v0, vcc
  ds_write_b32 v0, v1
  terminator s_endpgm
""",
    {"a": 1, "m": VCC.first},
)

# A matrix result lies on its accumulator or apart from everything that is read.
MATRIX = Right(
    """register %a vgpr 2 align 2
register %c vgpr 4 align 2
register %d vgpr 4 align 2
block entry
  ds_read_b64 %a, v0
  ds_read_b128 %c, v0
  v_mfma_f32_16x16x16_f16 %d, %a, %a, %c
  ds_write_b128 v0, %d
  terminator s_endpgm
""",
    """block entry
  ds_read_b64 v[2:3], v0
  ds_read_b128 v[4:7], v0
  v_mfma_f32_16x16x16_f16 v[8:11], v[2:3], v[2:3], v[4:7]
  ds_write_b128 v0, v[8:11]
  terminator s_endpgm
""",
    {"a": 2, "c": 4, "d": 8},
)

# Two values of lanes and a constant are in scratch, and come back before they are stored.
SCRATCH = RightSpills(
    """register %a vgpr
register %b vgpr
register %k vgpr
register %w vgpr 4 align 2
block entry
  v_add_u32_e32 %a, 1, v0
  v_add_u32_e32 %b, 2, v0
  v_mov_b32_e32 %k, 0x1234
  ds_read_b128 %w, v0
  ds_write_b128 v0, %w
  ds_write_b32 %a, %b
  ds_write_b32 v0, %k
  terminator s_endpgm
""",
    marked("""register %a2 vgpr
register %b2 vgpr
register %k2 vgpr
register %p vgpr
block entry
  v_add_u32_e32 %a, 1, v0
  scratch_store_dword off, %a, off offset:4 >
  v_add_u32_e32 %b, 2, v0
  scratch_store_dword off, %b, off offset:8 >
  v_mov_b32_e32 %k, 0x1234
  ds_read_b128 %w, v0
  ds_write_b128 v0, %w
  scratch_load_dword %a2, off, off offset:4 <
  scratch_load_dword %b2, off, off offset:8 <
  ds_write_b32 %a2, %b2
  v_mov_b32_e32 %k2, 0x1234 <
  ds_write_b32 v0, %k2
  terminator s_endpgm
"""),
)

# A tuple goes in one access; its SGPR has the offset.
WIDE = RightSpills(
    """register %w vgpr 4 align 2
block entry
  ds_read_b128 %w, v0
  ds_write_b128 v0, %w
  terminator s_endpgm
""",
    marked("""register %w2 vgpr 4 align 2
register %at sgpr
register %where vgpr
block entry
  ds_read_b128 %w, v0
  s_mov_b32 %at, 16 >
  scratch_store_dwordx4 off, %w, %at >
  scratch_load_dwordx4 %w2, off, %at <
  ds_write_b128 v0, %w2
  terminator s_endpgm
"""),
    scratch=32,
)

# A value of all lanes is read in `then`, by some of them, and after the join by all.
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
  ds_write_b32 v0, %a
  terminator s_endpgm
""",
    marked("""register %a2 vgpr
block entry
  v_add_u32_e32 %a, 1, v0
  scratch_store_dword off, %a, off offset:4 >
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
  scratch_load_dword %a2, off, off offset:4 <
  ds_write_b32 v0, %a2
  terminator s_endpgm
"""),
)

# Scalars are in lanes of v31; one of them is computed anew in each turn of the loop.
LANES = RightSpills(
    """register %s sgpr
register %i sgpr
register %j sgpr
register %sum vgpr
block entry
  s_add_u32 %s, s2, 1
  linear head(0x0)
  logical head
block head scalar(%i)
  s_add_u32 %j, %i, 1
  s_cmp_lt_u32 %j, 8
  terminator s_cbranch_scc1 more
  linear more, exit
  logical more, exit
block more
  linear head(%j)
  logical head
block exit
  v_add_u32_e32 %sum, %s, v0
  ds_write_b32 v0, %sum
  terminator s_endpgm
""",
    marked("""register %s2 sgpr
register %i2 sgpr
block entry
  s_add_u32 %s, s2, 1
  v_writelane_b32 v31, %s, 0 >
  linear head(0x0)
  logical head
block head scalar(%i)
  v_writelane_b32 v31, %i, 1 >
  v_readlane_b32 %i2, v31, 1 <
  s_add_u32 %j, %i2, 1
  s_cmp_lt_u32 %j, 8
  terminator s_cbranch_scc1 more
  linear more, exit
  logical more, exit
block more
  linear head(%j)
  logical head
block exit
  v_readlane_b32 %s2, v31, 0 <
  v_add_u32_e32 %sum, %s2, v0
  ds_write_b32 v0, %sum
  terminator s_endpgm
"""),
    scratch=0,
    lanes=(31,),
)
