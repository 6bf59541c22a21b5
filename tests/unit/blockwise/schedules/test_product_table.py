"""The table of measured tiles of products."""

from __future__ import annotations

import re

import pytest

from asmgen.blockwise.schedules.choices import choice_text
from asmgen.blockwise.schedules.choosing import product_table
from asmgen.blockwise.schedules.choosing.contract import candidates_of, choose_contract, estimated_tile
from asmgen.blockwise.schedules.choosing.product_shapes import shape_of
from asmgen.blockwise.schedules.choosing.product_table import Known, MeasuredTile, known_tile, name_of, read_tables
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.compiler import finish, start
from asmgen.frontends.sources import read_text
from asmgen.gentext.parser import parse
from asmgen.options import Options
from asmgen.trace import make_trace
from isa.targets import TARGETS, parse_target
from tools.find_tiles.__main__ import table_text
from tools.find_tiles.tiles import LEAST_GAIN, launches_of
from tools.scoreboard.products.shapes import Product

ROWS = [
    (target, name, k, row) for target, tiles in read_tables().items() for name, rows in tiles.items() for k, row in rows.items()
]
NAME = re.compile(r"(\d+)x(\d+)(?: of (\d+))? (\w+) mk (nk|kn) to \d( copied)?")
SMALL, K = "512x512 f16 mk kn to 2", 512
FACTORS = "a = @param:a -> f16, {512,512}\nb = @param:b -> f16, {512,512}\nz = dot(a, b)\n"


def graph_of(text: str, room: int | None = None) -> Graph:
    return Graph(parse(text, "product.gen").modules[0], room=room)


def product_of(name: str, k: int) -> Product:
    match = NAME.fullmatch(name)
    assert match is not None
    m, n, batch, element, second, _ = match.groups()
    return Product("named", int(m), int(n), k, element, second == "nk", int(batch or 1))


def test_the_table_has_a_line_for_each_row_and_is_in_order() -> None:
    assert product_table.TABLE.read_text() == table_text(read_tables())
    assert set(read_tables()) <= set(TARGETS)


def test_each_row_gains() -> None:
    assert [row for row in ROWS if row[-1].share > LEAST_GAIN] == []


@pytest.mark.parametrize("target", read_tables())
def test_products_have_the_tiles_of_their_rows(target: str) -> None:
    """Each eighth row: all would take a second."""
    for _, name, k, row in [each for each in ROWS if each[0] == target][::8]:
        graph = graph_of(product_of(name, k).text)
        shape, machine = shape_of(graph, parse_target(target).target), parse_target(target).target
        assert name_of(shape) == name
        assert known_tile(shape, graph, machine) == Known(row.choice, k, row)
        assert choice_text(choose_contract(graph, machine)) == row.tile != choice_text(estimated_tile(shape, machine))


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201"])
def test_a_row_has_the_clocks_of_its_tile_today(target: str) -> None:
    """If the compiler or the clock model has changed, `python -m tools.find_tiles --check` names the rows that are
    out of date, and `python -m tools.find_tiles` measures them again."""
    row = read_tables()[target][SMALL][K]
    (launch,) = launches_of(product_of(SMALL, K), target)
    assert launch.clocks(row.choice) == pytest.approx(row.clocks, rel=0.03)


def test_what_is_computed_beside_a_product_does_not_change_its_tile() -> None:
    table, machine = read_tables()["gfx1100"], parse_target("gfx1100").target
    with_bias = graph_of(FACTORS + "c = @param:c -> f16, {512}\ny = add(z, c)\n@return(y)\n")
    assert choice_text(choose_contract(with_bias, machine)) == table[SMALL][K].tile


@pytest.mark.parametrize(
    "text",
    [
        FACTORS.replace("{512,512}", "{m,512}", 1) + "@return(z)\n",
        FACTORS + "s = reduce_max[axes={1}](z)\n@return(s)\n",
        FACTORS.replace("dot(a, b)", "dot(e, b)").replace("z =", "e = exp(a)\nz =") + "@return(z)\n",
    ],
)
def test_other_products_have_no_tile(text: str) -> None:
    """An open dim, a reduction of the results, and a computed factor."""
    graph, machine = graph_of(text), parse_target("gfx1100").target
    assert known_tile(shape_of(graph, machine), graph, machine) is None


def test_other_waves_and_limits_of_registers_have_no_tile() -> None:
    text = FACTORS + "@return(z)\n"
    graph, machine = graph_of(text), parse_target("gfx1100").target
    shape = shape_of(graph, machine)
    assert known_tile(shape, graph, machine) is not None
    assert known_tile(shape, graph, parse_target("gfx1100:wave64").target) is None
    assert known_tile(shape, graph_of(text, room=64), machine) is None
    assert known_tile(shape._replace(n=511), graph, machine) is None


@pytest.mark.parametrize(("k", "serves"), [(320, False), (384, True), (416, False), (768, True), (1024, True), (1088, False)])
def test_a_row_serves_about_as_many_whole_trips_along_k(k: int, serves: bool) -> None:
    """The tile of the row has k=64."""
    machine = parse_target("gfx1100").target
    graph = graph_of(FACTORS.replace("{512,512}", f"{{512,{k}}}", 1).replace("{512,512}", f"{{{k},512}}") + "@return(z)\n")
    known, row = known_tile(shape_of(graph, machine), graph, machine), read_tables()["gfx1100"][SMALL][K]
    assert known == (Known(row.choice, K, row) if serves else None)
    chosen = candidates_of(graph, machine)[0]
    assert ("for k=512" in chosen.why) is serves and (chosen.choice == row.choice) is serves


def test_a_tile_that_does_not_fit_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = MeasuredTile("contract[m=512, n=512, k=512, waves=4, buffers=2, by=v_wmma_f32_16x16x16_f16]", 1, 2)
    monkeypatch.setattr(product_table, "_tiles_of", lambda _: {SMALL: {K: wide}})
    graph, machine = graph_of(FACTORS + "@return(z)\n"), parse_target("gfx1100").target
    assert choose_contract(graph, machine) == estimated_tile(shape_of(graph, machine), machine)


def test_the_row_of_the_nearest_k_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    tiles = [MeasuredTile(f"contract[m=32, n={n}, k=64, waves=4, buffers=1, by=v_wmma_f32_16x16x16_f16]", 1, 2) for n in (16, 32, 64)]
    monkeypatch.setattr(product_table, "_tiles_of", lambda _: {SMALL: dict(zip((384, K, 640), tiles, strict=True))})
    graph, machine = graph_of(FACTORS + "@return(z)\n"), parse_target("gfx1100").target
    assert choose_contract(graph, machine) == tiles[1].choice


def test_the_trace_says_that_a_tile_was_measured() -> None:
    row, lines = read_tables()["gfx1100"][SMALL][K], list[str]()
    trace, options = make_trace("schedules", "trace", lines.append), Options()
    _ = finish(start(read_text(FACTORS + "@return(z)\n", "product.gen"), parse_target("gfx1100"), options, trace))
    _, first, second, *_ = [line.strip().partition("product: ")[2] for line in lines]
    share = f"{row.share:.3f} times the clocks of the estimate's tile"
    assert first == f"{row.tile}: {row.clocks} clocks: chosen from the table of measured tiles: {share}"
    assert re.fullmatch("contract.*: the estimate, limited by .*", second)


def test_candidates_have_each_tile_once() -> None:
    graph, machine = graph_of(FACTORS + "@return(z)\n"), parse_target("gfx1100").target
    choices = [candidate.choice for candidate in candidates_of(graph, machine)]
    assert len(choices) == len(set(choices)) and choices[0] == choose_contract(graph, machine)
