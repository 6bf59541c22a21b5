"""Edits of launches: their choices, grids, buffers and bodies. What becomes of each is thought through by hand."""

from __future__ import annotations

from tests.property.edited.edits import Becomes, Edit, edits

HONOURED, ALIKE, BROKEN = Becomes.HONOURED, Becomes.ALIKE, Becomes.BROKEN

# 1,001 elements; a workgroup takes waves * 64 lanes * vector * repeat of them.
POINTWISE = edits(
    "pointwise",
    ("vector=4 => vector=2\ngrid(1) => grid(2)", HONOURED),
    ("vector=4 => vector=1\ngrid(1) => grid(4)", HONOURED),
    ("vector=4 => vector=8", HONOURED),
    ("waves=4 => waves=2\ngrid(1) => grid(2)", HONOURED),
    ("waves=4 => waves=1\ngrid(1) => grid(4)", HONOURED),
    ("waves=4 => waves=8", HONOURED),
    ("waves=4, repeat=1 => waves=2, repeat=2", HONOURED),
    ("waves=4, repeat=1 => waves=1, repeat=3", HONOURED),  # a workgroup takes 768, and the rest by single accesses
    (", repeat=1 => ", ALIKE),
    ("grid(1) => grid(1, 1)", ALIKE),
    ("relu(a) => neg(a)", BROKEN),
    ("add(x, y) => add(x, x)", BROKEN),
    ("waves=4 => waves=2", "GRW019"),
    ("grid(1) => grid(2)", "GRW019"),
    ("grid(1) => grid(1, 1, 1, 1)", "GRW015"),
    ("waves=4 => waves=3", "GRW021"),
    ("vector=4 => vector=3", "GRW021"),
    ("vector=4 => vector=32", "GRW024"),
    ("waves=4 => waves=32", "GRW024"),
    ("vector=4 => vector=0", "GEN008"),
    ("repeat=1 => repeat=2147483647", "GRW024"),
    ("waves=4 => wave=4", "GEN004"),
    ("vector=4,  => ", "BLK004"),
    ("pointwise[vector=4, waves=4, repeat=1] => row[rows=1, lanes=64, waves=4, teams=1, vector=4, repeat=1]", "GRW020"),
    ("z = result -> f32, {1001} => z = result -> f32, {1002}", "GRW006", "@return"),
    ("@pointwise(x, y) => @pointwise(x)", "GRW003", "y = @param"),
    ("(z) => (x)", "GRW008"),
)

# 5 rows of 500; a row is in registers if vector * lanes * waves * repeat is 500 or more.
ROW = edits(
    "row",
    ("waves=2, teams=1, vector=4, repeat=1 => waves=1, teams=1, vector=4, repeat=2", HONOURED),
    ("waves=2 => waves=4", HONOURED),
    ("waves=2 => waves=1", HONOURED),  # in a loop
    ("lanes=64 => lanes=32\ngrid(5) => grid(3)", HONOURED),  # two rows a wave, in a loop
    ("lanes=64 => lanes=16\nrepeat=1 => repeat=4\ngrid(5) => grid(2)", HONOURED),
    ("rows=1 => rows=2\ngrid(5) => grid(3)", HONOURED),
    ("teams=1 => teams=2\ngrid(5) => grid(3)", HONOURED),
    ("vector=4 => vector=2", HONOURED),
    ("vector=4, repeat=1 => vector=1, repeat=4", HONOURED),
    ("vector=4, repeat=1 => vector=2, repeat=3", HONOURED),
    ("waves=2, teams=1, vector=4, repeat=1 => waves=1, teams=1, vector=1, repeat=5", HONOURED),
    ("reduce_sum => reduce_min", BROKEN),
    ("lanes=64 => lanes=128", "GRW021"),
    ("lanes=64 => lanes=48", "GRW021"),
    ("rows=1 => rows=3", "GRW021"),
    ("teams=1 => teams=2", "GRW019"),
    ("repeat=1] => repeat=1, split=2]", "GEN004"),
    ("waves=2 => waves=32", "GRW024"),
    ("rows=1 => rows=65536", "GRW024"),
    ("row[rows=1 => column[rows=1, columns=1", "GRW024"),
)

# 64 rows of 36 columns; a workgroup has vector * lanes * columns * teams columns.
COLUMN = edits(
    "column",
    ("lanes=8 => lanes=16\ngrid(2) => grid(1)", HONOURED),
    ("lanes=8 => lanes=4\ngrid(2) => grid(3)", HONOURED),
    ("lanes=8 => lanes=64\nvector=4 => vector=1\ngrid(2) => grid(1)", HONOURED),
    ("vector=4 => vector=2\ngrid(2) => grid(3)", HONOURED),
    ("rows=1 => rows=2", HONOURED),
    ("columns=1 => columns=2\ngrid(2) => grid(1)", HONOURED),
    ("lanes=8 => lanes=4\ncolumns=1 => columns=3\ngrid(2) => grid(1)", HONOURED),
    ("waves=2 => waves=4", HONOURED),
    ("waves=2 => waves=1", HONOURED),
    ("teams=1 => teams=2\ngrid(2) => grid(1)", HONOURED),
    ("repeat=4 => repeat=2", ALIKE),  # two tiles of 32 rows are added in the order of a tile of 64
    ("repeat=4 => repeat=3", HONOURED),
    ("repeat=4 => repeat=5", ALIKE),  # a column has four accesses of 16 rows
    ("column[rows=1, columns=1, lanes=8, => row[rows=1, lanes=64,\ngrid(2) => grid(36)", HONOURED),
    ("reduce_sum => reduce_max", BROKEN),
    ("grid(2) => grid(3)", "GRW019"),
    ("lanes=8 => lanes=3", "GRW021"),
    ("column[rows=1, columns=1, lanes=8, waves=2, teams=1, => pointwise[waves=2,", "GRW020"),
)

# 512 rows of 12 columns in 4 parts, whose sums a second launch adds.
SPLIT = edits(
    "split",
    ("{4,1,12} => {8,1,12}\n{4,128,12} => {8,64,12}\n{4,12} => {8,12}\ngrid(1, 4) => grid(1, 8)", HONOURED),
    ("{4,1,12} => {2,1,12}\n{4,128,12} => {2,256,12}\n{4,12} => {2,12}\ngrid(1, 4) => grid(1, 2)", HONOURED),
    ("lanes=4, waves=1 => lanes=1, waves=1", HONOURED),
    ("lanes=4, waves=2 => lanes=4, waves=4", HONOURED),
    ("lanes=4, waves=2, teams=1, vector=4 => lanes=4, waves=2, teams=1, vector=1\ngrid(1, 4) => grid(3, 4)", HONOURED),
    ("grid(1, 4) => grid(1, 4, 1)", ALIKE),
    ("reduce_sum[axes={0}] => reduce_mean[axes={0}]", BROKEN),
    ("last=whole => last=parts", "GRW014"),
    ("first=parts, last=whole => first=whole, last=parts", "GRW013"),
    ("first=parts => first=part", "GRW013"),
    ("-> (partial) => -> (other)", "GRW002"),
    ("-> (partial) => -> (z)", "GRW006", "@return"),
    ("temporary[first=parts, last=whole] -> f32, {4,1,12} => temporary[first=parts, last=whole] -> f32, {8,1,12}", "GRW006", "@return"),
    ("grid(1, 4) => grid(4, 1)", "GRW019"),
    ("repeat=4] => repeat=4, split=4]", "GEN004"),
)

# {20,12} times {12,16}, a tile of 16 by 16 a workgroup.
PRODUCT = edits(
    "product",
    ("k=8 => k=4", HONOURED),
    ("waves=2 => waves=4", HONOURED),
    ("waves=2 => waves=1", HONOURED),
    ("buffers=2 => buffers=1", HONOURED),
    ("stages=2 => stages=1", HONOURED),
    ("stages=2 => stages=3", HONOURED),
    ("stages=2 => stages=4", "GRW024"),
    ("m=16 => m=8\ngrid(1, 2) => grid(1, 3)", HONOURED),
    ("n=16 => n=8\ngrid(1, 2) => grid(2, 2)", HONOURED),
    ("buffers=2 => buffers=2, by=v_mfma_f32_16x16x4_f32", HONOURED),
    ("dot(a, b) => dot(b, a)", "GEN302"),
    ("grid(1, 2) => grid(2, 1)", "GRW019"),
    ("m=16 => m=24", "GRW021"),
    ("n=16 => n=2", "GRW024"),
    ("buffers=2 => buffers=2, by=v_mfma_f32_16x16x16_f16", "GRW024"),
    ("contract[m=16, n=16, k=8, waves=2, buffers=2, stages=2] => pointwise[vector=1, waves=2]", "GRW020"),
)

# {32,32} times {32,32} of halves by a matrix instruction.
MATRIX = edits(
    "matrix",
    ("m=32, n=32 => m=16, n=16\ngrid(1, 1) => grid(2, 2)", HONOURED),
    ("k=16 => k=32", HONOURED),
    ("waves=2 => waves=4", HONOURED),
    ("waves=2 => waves=1", HONOURED),
    ("buffers=2 => buffers=1", HONOURED),
    ("v_mfma_f32_16x16x16_f16 => v_mfma_f32_32x32x8_f16", HONOURED),
    (", by=v_mfma_f32_16x16x16_f16 => ", HONOURED),
    ("k=16 => k=8", "GRW024"),
    ("v_mfma_f32_16x16x16_f16 => v_wmma_f32_16x16x16_f16", "GRW024"),
    ("v_mfma_f32_16x16x16_f16 => v_add_f32", "GRW024"),
)

EDITS: list[Edit] = [*POINTWISE, *ROW, *COLUMN, *SPLIT, *PRODUCT, *MATRIX]
