"""The search of tiles for the table of measured tiles."""

from __future__ import annotations

import pytest

from asmgen.blockwise.schedules.choices import choice_text
from asmgen.blockwise.schedules.choosing.product_table import MeasuredTile
from asmgen.blockwise.schedules.misfit import misfit
from tools.find_tiles.__main__ import SETS, launches, out_of_date, table_text, with_row
from tools.find_tiles.tiles import LEAST_GAIN, Launch, best_of, launches_of
from tools.scoreboard.products.shapes import Product

PRODUCT = Product("small", 100, 100, 100)
NAME = "100x100 f16 mk kn to 2"


def test_the_best_tile_is_measured_beside_the_estimate() -> None:
    (launch,) = launches_of(PRODUCT, "gfx1100")
    assert launch.name == NAME
    tiles = launch.candidates(2)
    assert tiles[0] == launch.estimated and len(tiles) == 2
    clocks = [launch.clocks(tile) or 0 for tile in tiles]
    best = best_of(launch, 2)
    if min(clocks) > LEAST_GAIN * clocks[0]:
        assert best is None
    else:
        assert best == MeasuredTile(choice_text(tiles[clocks.index(min(clocks))]), min(clocks), clocks[0])


def test_neighbours_fit_and_are_measured_if_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    (launch,) = launches_of(PRODUCT, "gfx1100")
    tiles = launch.neighbours(launch.estimated)
    assert tiles
    assert not any(misfit(launch.graph, tile, launch.target) for tile in tiles)
    order = [launch.estimated, *tiles]
    monkeypatch.setattr(Launch, "clocks", lambda _, tile: 1000 - order.index(tile) if tile in order else None)
    assert best_of(launch, 1) is None
    found = best_of(launch, 1, with_neighbours=True)
    assert found == MeasuredTile(choice_text(tiles[-1]), 1000 - len(tiles), 1000)


def test_rows_that_are_out_of_date_are_told() -> None:
    (launch,) = launches_of(PRODUCT, "gfx1100")
    tile = choice_text(launch.estimated)
    clocks = launch.clocks(launch.estimated)
    assert clocks is not None
    rows = {NAME: {100: MeasuredTile(tile, clocks, clocks)}, "2x2 f16 mk kn to 2": {3: MeasuredTile(tile, 1, 2)}}
    told = list(out_of_date({"gfx1100": rows}, ["gfx1100", "gfx942"], [PRODUCT], True))
    assert told == [
        f"gfx1100 {NAME}, k=100: {tile} takes {clocks} clocks, the tile by the estimate {clocks}",
        "gfx1100 2x2 f16 mk kn to 2, k=3: no product of the tool",
    ]
    assert list(out_of_date({"gfx1100": rows}, ["gfx942"], [PRODUCT], True)) == []


def test_a_row_replaces_the_row_of_its_name_and_k() -> None:
    row, other = MeasuredTile("contract[m=1]", 1, 2), MeasuredTile("contract[m=2]", 3, 4)
    short, long = [launch for k in (100, 200) for launch in launches_of(Product("a", 100, 100, k), "gfx1100")]
    tables = with_row(with_row({}, "gfx1100", short, row), "gfx1100", long, row)
    assert with_row(tables, "gfx1100", long, other)["gfx1100"] == {NAME: {100: row, 200: other}}
    assert with_row(tables, "gfx1100", short, None)["gfx1100"] == {NAME: {200: row}}
    assert with_row(with_row({}, "gfx1100", short, row), "gfx1100", short, None) == {"gfx1100": {}}
    line = '{"tile":"contract[m=1]","clocks":1,"estimated":2}'
    assert table_text(tables) == f'{{\n"gfx1100": {{\n"{NAME}": {{"100": {line},\n  "200": {line}}}\n}}\n}}\n'


def test_products_have_names_of_their_own() -> None:
    products = [product for products in SETS.values() for product in products]
    assert len(set(map(str, products))) == len(products)
    equal = (PRODUCT, Product("again", 100, 100, 100))
    assert [launch.name for launch in launches(equal, "gfx1100")] == [NAME]
