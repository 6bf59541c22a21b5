"""The way of a product's factors through caches that all units share."""

from __future__ import annotations

from asmgen.blockwise.schedules.choosing.contract import tile_of
from asmgen.blockwise.schedules.choosing.product_caches import different, way_of
from asmgen.blockwise.schedules.choosing.product_tile import Shape
from asmgen.ir.types import ELEMENT_TYPES
from isa.targets import TARGETS


def test_loads_that_others_have_made_come_from_the_last_cache_of_the_die() -> None:
    alone, shared = [way_of(TARGETS["gfx1201"], 1 << 22, 256, users, 2) for users in (1, 16)]
    assert alone.latency == 734
    assert shared.latency == round((734 + 15 * 290) / 16)
    assert (alone.rate, shared.rate) == (44, 64)


def test_workgroups_of_a_unit_read_the_same_columns_if_units_are_whole_rows() -> None:
    assert different(16, 16, 4, 32) == (4, 1)
    assert different(16, 24, 6, 32) == (6, 3)
    assert different(2, 2, 3, 32) == (3, 3)  # of three matrices


def test_tiles_of_unaligned_rows_are_large_if_no_few_units_share_a_cache() -> None:
    f16 = ELEMENT_TYPES["f16"]
    tile = tile_of(Shape(1, 1023, 1025, 1027, f16, stored=f16.bytes), TARGETS["gfx1201"])
    assert (tile.m, tile.n) == (128, 128)
