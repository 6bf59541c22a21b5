"""`python -m tools.find_tiles [TARGET...]`: find the tiles of matrix products by the clock model.

The tool measures the tiles of each product that the estimate finds best. If a tile takes at most 0.998 of the
clocks of the tile that the estimate chooses, it becomes a row of
asmgen/blockwise/schedules/choosing/product_table.json. A product takes about ten seconds.
`--neighbours` also measures the tiles that differ from the best in a single way, such as twice the rows. They
are some 40 more, also of those that the estimate leaves out.

`--check` measures the tiles of the table instead, and those of the estimate for the same products. It exits 1
if a tile takes other clocks than the table says, if it is no better than the estimate's by now, or if no
product of the tool has a row.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from asmgen.blockwise.schedules.choosing.product_table import TABLE, MeasuredTile, Tiles, read_tables
from isa.diagnostics import InputError
from isa.targets import TARGETS
from tools.find_tiles.models import MODELS
from tools.find_tiles.tiles import LEAST_GAIN, Launch, best_of, launches_of
from tools.named_targets import named_targets
from tools.reasons import exit_status
from tools.scoreboard.products.shapes import PRODUCTS, Product

SETS = {"products": PRODUCTS, "models": MODELS}
_CLOSE = 0.005  # of the clocks of a row: more is another kernel, or another clock model


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.find_tiles", description=__doc__)
    _ = parser.add_argument("targets", nargs="*", metavar="TARGET", help="all targets by default")
    _ = parser.add_argument("--set", choices=sorted(SETS), help="only the products of this set")
    _ = parser.add_argument("--product", default="", help="only products with this text in their names")
    _ = parser.add_argument("--candidates", type=int, default=16, help="tiles of a product, 16 by default")
    _ = parser.add_argument(
        "--neighbours", action="store_true", help="also tiles that differ from the best in a single way"
    )
    _ = parser.add_argument("--check", action="store_true", help="only say which rows are out of date")
    options = parser.parse_args(arguments)
    targets = named_targets(parser, options.targets)
    products = SETS[options.set] if options.set else (*PRODUCTS, *MODELS)
    products = tuple(product for product in products if options.product in str(product))
    if not products:
        parser.error(f"got --product {options.product!r}, wanted a text in the name of a product")
    if options.check:
        is_whole = len(products) == len(PRODUCTS) + len(MODELS)
        return exit_status("find_tiles", list(out_of_date(read_tables(), targets, products, is_whole)))
    for target in targets:
        for launch in launches(products, target):
            best = best_of(launch, options.candidates, options.neighbours)
            tables = with_row(read_tables(), target, launch, best)
            _ = TABLE.write_text(table_text(tables), encoding="utf-8")
            share = "as estimated" if best is None else f"{best.share:.3f} {best.tile}"
            print(f"{target} {titled(launch.name, launch.shape.k)}: {share}", flush=True)
    return 0


def launches(products: Sequence[Product], target: str) -> Iterator[Launch]:
    """The launches of products, each name once, without those of products that a target refuses."""
    seen = set[tuple[str, int]]()
    for product in products:
        try:
            found = list(launches_of(product, target))
        except InputError:
            continue
        for launch in found:
            if (launch.name, launch.shape.k) not in seen:
                seen.add((launch.name, launch.shape.k))
                yield launch


def out_of_date(
    tables: Mapping[str, Tiles], targets: Sequence[str], products: Sequence[Product], is_whole: bool
) -> Iterator[str]:
    """Why rows of the tables are out of date. `is_whole` says that `products` are all of the tool."""
    for target in targets:
        tiles = tables.get(target, {})
        rows = {(name, k): row for name, rows in tiles.items() for k, row in rows.items()}
        for launch in launches(products, target) if rows else ():
            row = rows.pop((launch.name, launch.shape.k), None)
            if row is not None and (why := old(row, launch)):
                yield f"{target} {titled(launch.name, launch.shape.k)}: {why}"
        yield from (f"{target} {titled(*key)}: no product of the tool" for key in rows if is_whole)


def titled(name: str, k: int) -> str:
    """A row in words."""
    return f"{name}, k={k}"


def old(row: MeasuredTile, launch: Launch) -> str:
    """Why a row is out of date; empty if it is not."""
    clocks, estimated = launch.clocks(row.choice), launch.clocks(launch.estimated)
    if clocks is None or estimated is None:
        return f"{row.tile} does not compile"
    if clocks > LEAST_GAIN * estimated:
        return f"{row.tile} takes {clocks} clocks, the tile by the estimate {estimated}"
    for measured, known in ((clocks, row.clocks), (estimated, row.estimated)):
        if abs(measured - known) > _CLOSE * known:
            return f"{measured} clocks, and the table says {known}"
    return ""


def with_row(
    tables: Mapping[str, Tiles], target: str, launch: Launch, row: MeasuredTile | None
) -> Mapping[str, Tiles]:
    """The tables with a row of a launch, or without it."""
    own = dict(tables.get(target, {}))
    others = {k: tile for k, tile in own.pop(launch.name, {}).items() if k != launch.shape.k}
    tiles = others if row is None else {**others, launch.shape.k: row}
    return {**tables, target: {**own, launch.name: tiles} if tiles else own}


def table_text(tables: Mapping[str, Tiles]) -> str:
    """The table as JSON, with a line for each row."""
    parts: list[str] = []
    for target in (name for name in TARGETS if name in tables):
        named = [f'"{name}": {{{_rows_text(tiles)}}}' for name, tiles in sorted(tables[target].items())]
        parts.append(f'"{target}": {{\n' + ",\n".join(named) + "\n}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _rows_text(tiles: Mapping[int, MeasuredTile]) -> str:
    rows = [f'"{k}": {msgspec.json.encode(row).decode()}' for k, row in sorted(tiles.items())]
    return ",\n  ".join(rows)


if __name__ == "__main__":
    sys.exit(main())
