"""The search of tiles for the table of measured tiles."""

from __future__ import annotations

from asmgen.blockwise.schedules.choices import choice_text
from asmgen.blockwise.schedules.choosing.product_table import MeasuredTile
from tools.find_tiles.__main__ import SETS, launches, out_of_date, table_text, with_row
from tools.find_tiles.tiles import best_of, launches_of
from tools.scoreboard.products.shapes import Product

PRODUCT = Product("small", 100, 100, 100)
NAME = "100x100x100 f16 mk kn to 2"


def test_the_best_tile_is_measured_beside_the_estimate() -> None:
    (launch,) = launches_of(PRODUCT, "gfx1100")
    assert launch.name == NAME
    tiles = launch.candidates(2)
    assert tiles[0] == launch.estimated and len(tiles) == 2
    clocks = [launch.clocks(tile) or 0 for tile in tiles]
    best = best_of(launch, 2)
    if min(clocks) > 0.995 * clocks[0]:
        assert best is None
    else:
        assert best == MeasuredTile(choice_text(tiles[clocks.index(min(clocks))]), min(clocks), clocks[0])


def test_rows_that_are_out_of_date_are_told() -> None:
    (launch,) = launches_of(PRODUCT, "gfx1100")
    tile = choice_text(launch.estimated)
    clocks = launch.clocks(launch.estimated)
    assert clocks is not None
    rows = {NAME: MeasuredTile(tile, clocks, clocks), "2x2x2 f16 mk kn to 2": MeasuredTile(tile, 1, 2)}
    told = list(out_of_date({"gfx1100": rows}, ["gfx1100", "gfx942"], [PRODUCT], True))
    assert told == [
        f"gfx1100 {NAME}: {tile} takes {clocks} clocks, the tile by the estimate {clocks}",
        "gfx1100 2x2x2 f16 mk kn to 2: no product of the tool",
    ]
    assert list(out_of_date({"gfx1100": rows}, ["gfx942"], [PRODUCT], True)) == []


def test_a_row_replaces_the_row_of_its_name() -> None:
    row, other = MeasuredTile("contract[m=1]", 1, 2), MeasuredTile("contract[m=2]", 3, 4)
    tables = with_row(with_row({}, "gfx942", "b", row), "gfx942", "a", row)
    assert with_row(tables, "gfx942", "b", other)["gfx942"] == {"a": row, "b": other}
    assert with_row(tables, "gfx942", "b", None)["gfx942"] == {"a": row}
    line = '{"tile":"contract[m=1]","clocks":1,"estimated":2}'
    assert table_text(tables) == f'{{\n"gfx942": {{\n"a": {line},\n"b": {line}\n}}\n}}\n'


def test_products_have_names_of_their_own() -> None:
    products = [product for products in SETS.values() for product in products]
    assert len(set(map(str, products))) == len(products)
    equal = (PRODUCT, Product("again", 100, 100, 100))
    assert [launch.name for launch in launches(equal, "gfx1100")] == [NAME]
