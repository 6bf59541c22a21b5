kernel @_text_ dims(n: 1 to 1073741823) grid(block: (-min(-n, -2) + 1023) floordiv 1024) waves(8) lanes(32) {
  layout flat = reg(1 2) lane(4 8 16 32 64) wave(128 256 512)
  layout rest = lane(1 2 4 8 16) wave(32 64 128)
  arg0 = @param:arg0 -> f32, {n}
  arg1 = @param:arg1 -> f32, {1}
  arg2 = @param:arg2 -> f32, {n}
  v5 = @param:v5 -> f32, {-min(-n, -2)}
  v0 = tile_load[at={1024*block + c0 + n - 1}, where={1024*block + 4*(c0 floordiv 4) < 4*((-min(-n, -2)) floordiv 4), 1024*block + c0 < -min(-n, -2) - n}](arg0) -> f32, {1024} @ flat
  v0_1 = tile_load[at={1024*block + c0 + min(-n, -2) + n}, where={1024*block + 4*(c0 floordiv 4) < 4*((-min(-n, -2)) floordiv 4), -1 < 1024*block + c0 + min(-n, -2) + n}](arg0) -> f32, {1024} @ flat
  v5_1 = fill[value=1]() -> bool, {1024} @ flat
  v5_2 = mask[where={1024*block + c0 < -min(-n, -2) - n}](v5_1) -> bool, {1024} @ flat
  v5_3 = where(v5_2, v0, v0_1) -> f32, {1024} @ flat
  tile_store[at={1024*block + c0}, where={1024*block + 4*(c0 floordiv 4) < 4*((-min(-n, -2)) floordiv 4)}](v5_3, v5)
  v0_2 = tile_load[at={4*((-min(-n, -2)) floordiv 4) + c0 + n - 1}, where={256*block + c0 < (-min(-n, -2)) mod 4, 4*((-min(-n, -2)) floordiv 4) + c0 < -min(-n, -2) - n}](arg0) -> f32, {256} @ rest
  v0_3 = tile_load[at={4*((-min(-n, -2)) floordiv 4) + c0 + min(-n, -2) + n}, where={256*block + c0 < (-min(-n, -2)) mod 4, -1 < 4*((-min(-n, -2)) floordiv 4) + c0 + min(-n, -2) + n}](arg0) -> f32, {256} @ rest
  v5_4 = fill[value=1]() -> bool, {256} @ rest
  v5_5 = mask[where={4*((-min(-n, -2)) floordiv 4) + c0 < -min(-n, -2) - n}](v5_4) -> bool, {256} @ rest
  v5_6 = where(v5_5, v0_2, v0_3) -> f32, {256} @ rest
  tile_store[at={4*((-min(-n, -2)) floordiv 4) + c0}, where={256*block + c0 < (-min(-n, -2)) mod 4}](v5_6, v5)
}
