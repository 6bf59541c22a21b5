"""Edits of tile programs: layouts, indices, conditions, LDS, instructions. What becomes of each is thought through by
hand.
"""

from __future__ import annotations

from tests.property.edited.edits import Becomes, Edit, edits

HONOURED, ALIKE, BROKEN = Becomes.HONOURED, Becomes.ALIKE, Becomes.BROKEN

_ADDRESS = "c0 mod 4 + min(4*(c0 floordiv 4), 997)"
_OTHER = "reg(256 512) lane(4 8 16 32 64 128) wave(1 2)"
_TWO_GROUPS = f"""{_ADDRESS} => min(512*block + c0, 1000)
4*(c0 floordiv 4) < 1001 => 512*block + c0 < 1001
block: 1) => block: 2)
{{1024}} => {{512}}
reg(1 2) lane(4 8 16 32 64 128) wave(256 512) => reg(1) lane(2 4 8 16 32 64) wave(128 256)"""
POINTWISE = edits(
    "pointwise_tiles",
    ("reg(1 2) lane(4 8 => reg(4 8) lane(1 2", HONOURED),
    ("reg(1 2) => reg(1 3)", HONOURED),
    ("64 128) wave(256 512) => 64 512) wave(256 128)", HONOURED),
    ("waves(4) => waves(8)\nwave(256 512) => wave(256 512 0)", HONOURED),
    (_TWO_GROUPS, HONOURED),
    # Vectors after the last vector are the last vector again: both lanes store the same.
    (", where={4*(c0 floordiv 4) < 1001} => ", HONOURED),
    (
        f"b = relu(a) -> f32, {{1024}} @ flat => c = relayout(a) -> f32, {{1024}} @ {_OTHER}; b = relu(c) -> f32, {{1024}} @ {_OTHER}",
        HONOURED,
    ),
    ("4*(c0 floordiv 4) < 1001 => 4*(c0 floordiv 4) < 900", BROKEN),
    ("997 => 996", BROKEN),
    ("add(x_1, y_1) => mul(x_1, y_1)", BROKEN),
    ("997)}](y) => 997)}, where={4*(c0 floordiv 4) < 500}](y)", BROKEN),
    ("997)}](y) => 997)}, where={c0 < 999}](y)", "BLK003", "tile_store"),  # 998 to 1000 are stored twice
    ("997 => 998", "BLK003"),
    ("c0 mod 4 => c1 mod 4", "BLK003"),
    ("c0 mod 4 => row mod 4", "GEN004"),
    ("waves(4) => waves(2)", "BLK003", "x_1 ="),
    ("waves(4) => waves(3)", "BLK003"),
    ("lanes(64) => lanes(32)", "BLK003"),
    ("reg(1 2) => reg(1 1)", "BLK001"),
    ("wave(256 512) => wave(256 512) repeat(1000000000)\n{1024} => {1024000000000}", "BLK003", "x_1 ="),
    (f"997)}}](x) -> f32, {{1024}} @ flat => 997)}}](x) -> f32, {{1024}} @ {_OTHER}", "BLK003", "a = add"),
    ("997)}](x) -> f32 => 997)}](x) -> f16", "BLK003"),
    ("relu(a) => rely(a)", "GEN003"),
    ("add(x_1, y_1) => add(x_1, w)", "GEN004"),
)

_ROW_SUM = "lane(0:1 0:2 0:4 0:8 0:16 0:32) wave(0:64)"
_UNMASKED = f"""s = reduce[op=sum, axes={{1}}, within=lane](d_1) -> f32, {{1,128}} @ {_ROW_SUM} => s = relayout(d_1) -> f32, {{1,512}} @ piece
mask[where={{4*c1 < 500}}](s) -> f32, {{1,128}} @ {_ROW_SUM} => mask[where={{c1 < 500}}](s) -> f32, {{1,512}} @ piece"""
ROW = edits(
    "row_tiles",
    (f"0:64 0:128) wave(0:256) => 0:64 0:256) wave(0:128)\n{_ROW_SUM} => lane(0:1 0:2 0:4 0:8 0:16 0:64) wave(0:32)", HONOURED),
    ("waves(2) => waves(4)\nwave(0:256) => wave(0:256 0:0)\nwave(0:0) => wave(0:0 0:0)\nwave(0:64) => wave(0:64 0:0)", HONOURED),
    (_UNMASKED, HONOURED),
    (f"waves(2) => waves(1)\n wave(0:256) =>  repeat(1:2)\n wave(0:0) => \n{_UNMASKED}", HONOURED),
    ("4*c1 < 500 => 4*c1 < 512", BROKEN),
    ("4*c1 < 500 => 4*c1 < 496", BROKEN),
    ("mask[where={4*c1 < 500}] => mask[where={4*c1 < 500}, otherwise=1.0]", BROKEN),
    # A lane's part of the sum is then of elements apart, of which some are after the last: the mask has none of it or all.
    ("reg(0:1 0:2) lane(0:4 0:8 => reg(0:4 0:8) lane(0:1 0:2", BROKEN),
    ("op=max => op=min", BROKEN),
    ("broadcast(m) => broadcast(x_1)", BROKEN),
    ("grid(row: 5) => grid(row: 4)", BROKEN),
    ("grid(row: 5) => grid(row: 6)", "BLK003", "x_1 ="),
    ("waves(2) => waves(4)", "BLK003", "x_1 ="),
    ("reduce[op=max, axes={1}] => reduce[op=max, axes={0}]", "BLK003"),
    ("reduce[op=max, axes={1}] => reduce[op=max, axes={2}]", "BLK003"),
    (", within=lane => ", "BLK003"),
    ("at={row, c1 mod 4 + 4*min(c1 floordiv 4, 124)}](x) => at={c1 mod 4 + 4*min(c1 floordiv 4, 124), row}](x)", "BLK003"),
    ("124 => 125", "BLK003"),
    ("mask[where={4*c1 < 500}] => mask[where={4*c1 > 500}]", "GEN002"),
)

COLUMN = edits(
    "column_tiles",
    ("16:0 32:0) => 8:0 32:0)\nwave(8:0) => wave(16:0)", HONOURED),
    ("16:0 32:0) => 4:0 32:0)\n2:0 4:0) => 2:0 16:0)", HONOURED),
    ("at={c0, c1 mod => at={-c0 + 63, c1 mod", HONOURED),
    ("grid(row: 2) => grid(row: 3)", HONOURED),  # a workgroup that stores nothing
    (", where={4*(c1 floordiv 4) + 32*row < 36} => ", HONOURED),  # column 32 to 35 again, from the same sums
    ("grid(row: 2) => grid(row: 1)", BROKEN),
    ("op=sum => op=max", BROKEN),
    ("at={c0, c1 mod => at={c0 floordiv 2, c1 mod", BROKEN),
    ("at={c0, c1 mod => at={c0 + 1, c1 mod", "BLK003"),
    ("axes={0} => axes={1}", "BLK003"),
    ("axes={0} => axes={0}, within=wave", "BLK003"),
    ("axes={0} => axes={0}, within=team", "GEN008"),
    ("0:16 0:0 0:0 0:0) => 0:16 0:0 0:0)", "BLK003", "s = reduce"),
    ("wave(8:0) => wave(4:0)", "BLK001"),
)

SPLIT = edits(
    "split_tiles",
    ("lane(1:0 2:0 0:1 0:2 => lane(0:1 0:2 1:0 2:0\nlane(0:0 0:0 0:1 0:2 => lane(0:1 0:2 0:0 0:0", HONOURED),
    ("0:32:0 0:64:0) => 0:16:0 0:64:0)\nwave(0:16:0) => wave(0:32:0)", HONOURED),
    ("128*other => 64*other", BROKEN),
    ("other: 4 => other: 3", BROKEN),
    ("min(c1, 11)}](partial) => min(c1, 10)}](partial)", BROKEN),
    ("other: 4 => other: 5", "BLK003", "x_1 ="),
    ("at={other, 0 => at={0, other", "BLK003"),
)

_LDS = "x_2 = relayout(x_1) => lds = lds_allocate() -> f32, {32,32} @ offset"
_THROUGH = "; lds_store(x_1, lds); barrier(); x_2 = lds_load(lds)"
TRANSPOSE = edits(
    "transpose_tiles",
    ("reg(1:0 2:0 0:16) lane(4:0 8:0 16:0 0:1 0:2 0:4) => reg(0:1 0:2 0:16) lane(1:0 2:0 4:0 8:0 16:0 0:4)", HONOURED),
    ("{32,32} @ read => {32,32} @ written", HONOURED),
    ("grid(along: 2, across: 2) => grid(across: 2, along: 2)", HONOURED),
    (f"{_LDS}(0:1 0:2 0:4 0:8 0:16 1:0 2:0 4:0 8:0 16:0){_THROUGH}", HONOURED),
    (f"{_LDS}(0:1 0:2 0:4 0:8 0:16 1:4 2:8 4:16 8:0 16:0){_THROUGH}", HONOURED),
    (f"{_LDS}(0:1 0:2 0:4 0:8 0:16 1:0 2:0 4:0 8:0 16:0){_THROUGH.replace(' barrier();', '')}", "BLK003", "x_2 = lds_load"),
    (f"{_LDS}(0:1 0:2 0:4 0:8 0:16 1:0 2:0 4:0 8:0 8:0){_THROUGH}", "BLK001"),
    ("32*across + c0 < 36 => 32*across + c0 < 35", BROKEN),
    ("32*along + c1 < 50 => 32*along + c1 < 51", BROKEN),
    ("along: 2 => along: 1", BROKEN),
    ("at={32*across + c0, 32*along + c1} => at={32*along + c1, 32*across + c0}", BROKEN),
    ("relu(x_2) -> f32, {32,32} @ written => relu(x_2) -> f32, {32,32} @ read", "BLK003"),
    (", where={32*across + c0 < 36, 32*along + c1 < 50}](z_1 => ](z_1", "BLK003"),
    (", where={32*across + c0 < 36, 32*along + c1 < 50}](x => ](x", "BLK003"),
    ("relayout(x_1) -> f32, {32,32} => relayout(x_1) -> f32, {32,16}", "BLK003"),
    ("wave(8:0) => wave(4:0)", "BLK001"),
)

_TWO_EACH = """step 128 => step 256
{1,128} => {1,256}
lane(0:1 0:2 0:4 0:8 0:16 0:32) wave(0:64) => reg(0:1) lane(0:2 0:4 0:8 0:16 0:32 0:64) wave(0:128)"""
SCAN = edits(
    "scan_tiles",
    (_TWO_EACH, HONOURED),
    ("lane(0:1 0:2 => lane(0:2 0:1", HONOURED),
    ("mask[where={c1 + k < 200}] => mask[where={c1 + k < 201}]", HONOURED),  # elements that are not loaded are 0 anyway
    ("where={c1 + k < 200}](x) => where={c1 + k < 200}, otherwise=1.0](x)", HONOURED),  # and the mask makes it 0
    ("scan[op=sum => scan[op=max", BROKEN),
    ("scan[op=sum, axis=1] => scan[op=sum, axis=1, exclusive=true]", BROKEN),
    ("scan[op=sum, axis=1] => scan[op=sum, axis=0]", BROKEN),
    ("yield(add_1) => yield(fill_1)", BROKEN),
    ("to 200 => to 128", BROKEN),
    ("step 128 => step 64", "BLK003", "tile_store"),  # two waves store to an element
    ("step 128 => step 0", "GEN008"),
    ("to 200 => to c0", "GEN004"),
    ("yield(add_1) => yield(broadcast)", "BLK003", "for["),
    ("lane(0:1 0:2 => lane(0:1 0:3", "BLK011", "scan = scan"),
    ("axis=1 => axis=2", "BLK003"),
    ("for[k => for[row", "GEN005"),
)

_OTHER_LANES = """lane(0:4 0:8 1:0 2:0 4:0 8:0) => lane(1:0 2:0 4:0 8:0 0:4 0:8)
lane(0:0 0:0 1:0 2:0 4:0 8:0) => lane(1:0 2:0 4:0 8:0 0:0 0:0)
lane(0:4 0:8 0:0 0:0 0:0 0:0) => lane(0:0 0:0 0:0 0:0 0:4 0:8)"""
PRODUCT = edits(
    "product_tiles",
    ("offset(0:1 0:2 0:4 1:0 2:0 8:0 7:0) => offset(0:1 0:2 0:4 1:0 2:0 4:0 8:0)", HONOURED),
    ("slots(2) => slots(1)\n[slot=k floordiv 8] => \nyield(contract) => barrier(); yield(contract)", HONOURED),
    ("[slot=k floordiv 8] => [slot=-(k floordiv 8) + 1]", HONOURED),
    (" wave(0:0) => \nwaves(2) => waves(1)", HONOURED),
    (_OTHER_LANES, HONOURED),
    ("reg(0:1 0:2) lane(0:4 1:0 2:0 4:0 8:0 0:0) => reg(0:1) lane(0:2 0:4 1:0 2:0 4:0 8:0)", HONOURED),
    ("fill[value=0] => fill[value=1]", BROKEN),
    ("c0 + k < 12 => c0 + k < 13", BROKEN),
    ("at={c0 + k, c1} => at={c0, c1}", BROKEN),
    ("slots(2) => slots(1)", "BLK003", "lds_store[slot=k floordiv 8](a_1"),
    ("slots(2) => slots(1)\n[slot=k floordiv 8] => ", "BLK003", "lds_store(a_1"),
    ("step 8 => step 4", "BLK003", "lds_store[slot=k floordiv 8](a_1"),
    ("barrier() => ", "BLK003", "t = lds_load"),
    ("8:0 7:0) => 8:0 3:0)", "BLK001"),
    ("{16,8} @ offset(0:1 0:2 0:4 1:0 2:0 8:0 7:0) => {8,8} @ offset(0:1 0:2 0:4 1:0 2:0 4:0)", "BLK003", "](a_1, lds)"),
    ("contract(t, t_1 => contract[by=v_mfma_f32_16x16x4_f32](t, t_1", "BLK003"),
    ("contract(t, t_1 => contract(t_1, t", "BLK003"),
    ("lane(0:0 0:0 1:0 2:0 4:0 8:0) => lane(1:0 2:0 4:0 8:0 0:0 0:0)", "BLK003", "contract = contract"),
    (", where={c0 + k < 12} => ", "BLK003"),
    ("slots(2) => slots(512)", "BLK003", "kernel"),
)

_A = "a_tile = reg(0:1 0:2) lane(1:0 2:0 4:0 8:0 0:4 0:8) wave(16:0) => a_tile = reg(0:1 0:2 16:0) lane(1:0 2:0 4:0 8:0 0:4 0:8) wave(0:0)"
_B = "b_tile = reg(1:0 2:0 0:16) lane(0:1 0:2 0:4 0:8 4:0 8:0) wave(0:0) => b_tile = reg(1:0 2:0) lane(0:1 0:2 0:4 0:8 4:0 8:0) wave(0:16)"
_C = "c_tile = reg(1:0 2:0 0:16) lane(0:1 0:2 0:4 0:8 4:0 8:0) wave(16:0) => c_tile = reg(1:0 2:0 16:0) lane(0:1 0:2 0:4 0:8 4:0 8:0) wave(0:16)"
MATRIX = edits(
    "matrix_tiles",
    (f"{_A}\n{_B}\n{_C}", HONOURED),
    ("offset(0:1 0:2 1:0 2:0 4:0 8:0 0:4 16:0 8:8) => offset(0:1 0:2 0:4 0:8 1:0 2:0 4:0 8:0 16:0)", HONOURED),
    ("slots(2) => slots(3)", HONOURED),
    ("lds_store[slot=k floordiv 16](a_1 => stage(); lds_store[slot=k floordiv 16](a_1", HONOURED),
    ("barrier() => stage(); barrier()", HONOURED),
    ("lds_store[slot=k floordiv 16](a_1 => stage(); lds_store[slot=k floordiv 16](a_1\nbarrier() => stage(); barrier()", HONOURED),
    ("fill = fill => stage(); fill = fill", "BLK003", "stage()"),
    ("at={c0, c1}](convert => at={c1, c0}](convert", BROKEN),
    ("at={c0, c1 + k} => at={c0, -c1 - k + 31}", BROKEN),
    (_C, "BLK003", "contract = contract"),
    ("v_mfma_f32_16x16x16_f16 => v_mfma_f32_32x32x8_f16", "BLK003"),
    ("v_mfma_f32_16x16x16_f16 => v_mfma_f32_16x16x16_f61", "BLK003"),
    ("v_mfma_f32_16x16x16_f16 => v_wmma_f32_16x16x16_f16", "BLK003"),
    ("[by=v_mfma_f32_16x16x16_f16] => ", "BLK003"),
    ("fill[value=0]() -> f32 => fill[value=0]() -> f16", "BLK003", "contract = contract"),
    ("convert[to=f16](fill_2) -> f16 => convert[to=bf16](fill_2) -> bf16", "BLK003", "tile_store"),
    ("barrier() => ", "BLK003", "t = lds_load"),
)

EDITS: list[Edit] = [*POINTWISE, *ROW, *COLUMN, *SPLIT, *TRANSPOSE, *SCAN, *PRODUCT, *MATRIX]
