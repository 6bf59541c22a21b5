"""Random loops of one block, as machine programs on virtual registers: loads, stores, LDS, tuples, masks, carried values.

A loop reads row `i` of `x` in trip `i`, and `x` has a row for each trip, so that an access ahead of the last trip is out of bounds.
The program of every other loop states its trips.
It reads and writes rows of `y` at distances of their own, which are orders between trips.
"""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isa.mir.parser import parse_kernel
from isa.program import Kernel

MOST_TRIPS = 7
VECTOR_OPS = ("v_add_u32_e32", "v_xor_b32_e32", "v_max_u32_e32", "v_and_b32_e32", "v_mul_lo_u32")
CARRIED = 3
IDS = {"gfx1100": "s15", "gfx1201": "ttmp9"}  # the register of the workgroup's number


class RandomLoop(NamedTuple):
    kernel: Kernel
    trips: int
    buffers: list[NDArray[np.uint32]]


class _Writer:
    def __init__(self, seed: int, target: str) -> None:
        self.draw = random.Random(f"{seed} {target}")
        self.target = target
        self.names = ("v_add_nc_u32_e32", *VECTOR_OPS[1:]) if target.startswith("gfx1") else VECTOR_OPS
        self.trips = self.draw.randrange(MOST_TRIPS + 1)
        self.is_headed = self.draw.random() < 0.5
        self.is_certain = seed // 4 % 2 == 0  # the program states the trips
        if not self.is_headed:
            self.trips = max(1, self.trips)
        self.registers: list[str] = []
        self.lines: list[str] = []
        self.vectors = ["%lane", *[f"%old{n}" for n in range(CARRIED)]]
        self.scalars = ["%i", "%seven"]
        self.number = 0

    def new(self, kind: str) -> str:
        self.number += 1
        self.registers.append(f"register %r{self.number} {kind}")
        return f"%r{self.number}"

    def vector(self) -> str:
        return self.draw.choice(self.vectors[-8:])

    def address(self, ahead: int) -> str:
        """The offset of a row of the lanes."""
        row, shift, at = self.new("sgpr"), self.new("sgpr"), self.new("vgpr")
        self.lines += [f"s_add_u32 {row}, %i, {ahead}", f"s_lshl_b32 {shift}, {row}, 8", f"v_lshl_add_u32 {at}, %lane, 2, {shift}"]
        return at

    def load(self) -> None:
        x = self.new("vgpr")
        self.lines.append(f'global_load_dword {x}, {self.address(0)}, %x !touches {{"global": "x"}}')
        self.vectors.append(x)

    def pair(self) -> None:
        """Two loads into the parts of a tuple."""
        x, at = self.new("vgpr 2 align 2"), self.address(0)
        for part in range(2):
            self.lines.append(f'global_load_dword {x}[{part}], {at}, %x !touches {{"global": "x"}}')
        y = self.new("vgpr 2 align 2")
        self.lines.append(f"v_lshlrev_b64 {y}, {self.draw.randrange(1, 20)}, {x}")
        self.vectors += [f"{x}[1]", f"{y}[0]", f"{y}[1]"]

    def of_y(self) -> None:
        ahead, x = self.draw.randrange(4), self.new("vgpr")
        at = self.address(ahead)
        touches = f'{{"global": "y", "bytes": ["256*trip_k", {256 * ahead}, {256 * ahead + 252}, 4, 4], "loop": "trip_k"}}'
        touches = f" !touches {touches}" if self.draw.random() < 0.7 else ""
        if self.draw.random() < 0.6:
            self.lines.append(f"global_load_dword {x}, {at}, %y{touches}")
            self.vectors.append(x)
        else:
            self.lines.append(f"global_store_dword {at}, {self.vector()}, %y{touches}")

    def lds(self) -> None:
        at = self.new("vgpr")
        self.lines.append(f"v_lshlrev_b32_e32 {at}, 2, %lane")
        if self.draw.random() < 0.5:
            self.lines.append(f"ds_write_b32 {at}, {self.vector()} offset:{256 * self.draw.randrange(2)}")
        else:
            x = self.new("vgpr")
            self.lines.append(f"ds_read_b32 {x}, {at} offset:{256 * self.draw.randrange(2)}")
            self.vectors.append(x)

    def compute(self) -> None:
        x = self.new("vgpr")
        first = self.draw.choice(self.scalars) if self.draw.random() < 0.2 else self.vector()
        self.lines.append(f"{self.draw.choice(self.names)} {x}, {first}, {self.vector()}")
        self.vectors.append(x)

    def select(self) -> None:
        mask, x = self.new(self.mask), self.new("vgpr")
        self.lines += [
            f"v_cmp_lt_u32_e64 {mask}, {self.vector()}, {self.vector()}",
            f"v_cndmask_b32_e64 {x}, {self.vector()}, {self.vector()}, {mask}",
        ]
        self.vectors.append(x)

    @property
    def mask(self) -> str:
        return "sgpr" if self.target.startswith("gfx1") else "sgpr 2 align 2"

    def scalar(self) -> None:
        x = self.new("sgpr")
        self.lines.append(f"{self.draw.choice(('s_mul_i32', 's_add_u32'))} {x}, {self.draw.choice(self.scalars)}, 3")
        self.scalars.append(x)

    def barrier(self) -> None:
        if not self.target.startswith("gfx12"):
            self.lines.append("s_barrier")

    def text(self) -> str:
        draw = self.draw
        self.load()
        kinds = [self.load, self.compute, self.compute, self.compute, self.of_y, self.lds, self.select, self.scalar, self.pair, self.barrier]
        for _ in range(draw.randrange(3, 14)):
            draw.choice(kinds)()
        carried: list[str] = []
        for _ in range(CARRIED):
            carried.append(self.new("vgpr"))
            self.lines.append(f"{draw.choice(self.names)} {carried[-1]}, {self.vector()}, {self.vector()}")
        out = self.address(0)
        self.lines.append(f'global_store_dword {out}, {self.vector()}, %out !touches {{"global": "out"}}')
        self.lines.append("s_add_u32 %next, %i, 1")
        limit = str(self.trips) if self.is_certain else "%count"
        test = f"s_cmp_lt_u32 {{}}, {limit}"
        body = "\n  ".join(self.lines)
        back = f"linear loop(%next)\n  logical loop({', '.join(carried)})"
        old = ", ".join(f"%old{n}" for n in range(CARRIED))
        after = [f"%old{n}" if self.is_headed else carried[n] for n in range(CARRIED)]
        if self.is_headed:
            loop = (
                f"block loop scalar(%i) vector({old})\n  {test.format('%i')}\n  terminator s_cbranch_scc0 done\n  linear done, body\n"
                f"  logical done, body\nblock body\n  {body}\n  {back}"
            )
        else:
            loop = (
                f"block loop scalar(%i) vector({old})\n  {body}\n  {test.format('%next')}\n  terminator s_cbranch_scc0 done\n"
                f"  linear done, again\n  logical done, again\nblock again\n  {back}"
            )
        stores = "\n  ".join(f"global_store_dword %last, {x}, %out offset:{256 * n}" for n, x in enumerate(after))
        declared = "\n".join(self.registers + [f"register %old{n} vgpr" for n in range(CARRIED)])
        return f"""stage machine {self.target}
kernel test
workgroup 64 1 1
argument x offset=0 size=8 kind=global_buffer space=global access=read_only type=u32
argument y offset=8 size=8 kind=global_buffer space=global access=read_write type=u32
argument out offset=16 size=8 kind=global_buffer space=global access=write_only type=u32
entry kernarg_segment_ptr s[0:1]
entry workgroup_id_x {IDS.get(self.target, "s2")}
entry workitem_id v0
preload 0
lds 512
scratch 0
register %lane vgpr
register %x sgpr 2 align 2
register %y sgpr 2 align 2
register %out sgpr 2 align 2
register %i sgpr
register %next sgpr
register %count sgpr
register %seven sgpr
register %zero vgpr
register %four vgpr
register %last vgpr
{declared}
block entry
  s_load_dwordx2 %x, s[0:1], 0x0
  s_load_dwordx2 %y, s[0:1], 0x8
  s_load_dwordx2 %out, s[0:1], 0x10
  v_and_b32_e32 %lane, 63, v0
  s_mov_b32 %count, {self.trips}
  s_mov_b32 %seven, 7
  v_lshlrev_b32_e32 %four, 2, %lane
  v_mov_b32_e32 %zero, 0
  ds_write_b32 %four, %lane
  ds_write_b32 %four, %lane offset:256
  linear loop(0x0)
  logical loop(%lane, 0x5, %zero)
{loop}
block done
  v_add_u32_e32 %last, {256 * MOST_TRIPS}, %four
  {stores}
  terminator s_endpgm
"""


def random_loop(seed: int, target: str) -> RandomLoop:
    """The loop of a seed, its trips and its buffers."""
    writer = _Writer(seed, target)
    text = writer.text()
    if target.startswith("gfx1"):
        for old, new in (
            ("v_add_u32_e32", "v_add_nc_u32_e32"),
            ("s_load_dwordx2", "s_load_b64"),
            ("_load_dword ", "_load_b32 "),
            ("_store_dword", "_store_b32"),
            ("ds_write_b32", "ds_store_b32"),
            ("ds_read_b32", "ds_load_b32"),
        ):
            text = text.replace(old, new)
    if target.startswith("gfx12"):
        text = text.replace("s_add_u32", "s_add_co_u32")
    values = np.random.default_rng(seed)
    rows = (max(1, writer.trips), writer.trips + 4, MOST_TRIPS + CARRIED)
    buffers = [values.integers(0, 1 << 32, 64 * count, dtype=np.uint32) for count in rows]
    buffers[2][:] = 0
    return RandomLoop(parse_kernel(text, f"seed {seed}"), writer.trips, buffers)
