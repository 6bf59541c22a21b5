"""A loop that carries a tile in which several registers have the same element carries one of them."""

from __future__ import annotations

import numpy as np

import asmgen
from tests.device import chosen_device

# a byte has two numbers, so that two registers have each byte that the loop reads ahead
LOOP = """stage blockwise gfx942
kernel @sums grid(row: 3) waves(1) lanes(64) {
  layout piece = reg(0:1 0:2 0:4) lane(0:8 0:16 0:32 0:64 0:128 0:256)
  x = @param:x -> u8, {3,512}
  z = @param:z -> i32, {3,512}
  none = fill[value=0]() -> i32, {1,512} @ piece
  first = tile_load[at={row, c1 floordiv 2}](x) -> u8, {1,512} @ piece
  total, last = for[k = 0 to 256 step 256](none, first) (sum, now) {
    n = unpack[at={c1 mod 2}, to=i8, bits=4](now) -> i8, {1,512} @ piece
    wide = convert[to=i32](n) -> i32, {1,512} @ piece
    more = add(sum, wide) -> i32, {1,512} @ piece
    next = tile_load[at={row, c1 floordiv 2 + k + 256}](x) -> u8, {1,512} @ piece
    yield(more, next)
  }
  m = unpack[at={c1 mod 2}, to=i8, bits=4](last) -> i8, {1,512} @ piece
  end = convert[to=i32](m) -> i32, {1,512} @ piece
  whole = add(total, end) -> i32, {1,512} @ piece
  tile_store[at={row, c1}](whole, z)
}
"""


def test_copies_are_carried_once_and_are_whole_afterwards() -> None:
    program = asmgen.compile(LOOP)
    x = np.random.default_rng(3).integers(0, 256, (3, 512), np.uint8)
    (found,) = program(x, device=chosen_device())
    nibbles = np.stack([x & 15, x >> 4], -1).reshape(3, 1024).astype(np.int32)
    signed = (nibbles + 8) % 16 - 8
    assert (found == signed[:, :512] + signed[:, 512:]).all()
    # four bytes in a register, taken apart once in the loop and once after it
    assert program.kernels[0].assembly.count("0xf0f0f0f") == 4
