"""The set `products` of the scoreboard: ours and the best peer in clocks, a line for each product."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from msgspec import to_builtins

from tools.scoreboard.products.file import read_rows
from tools.scoreboard.products.measured import ProductRow, row_of
from tools.scoreboard.products.shapes import PRODUCTS
from tools.scoreboard.table import SAME, geometric_mean

NAME = "products"
MOST = 0.8  # of the geometric mean
_LAYOUT = "{:<8} {:<50} {:>12} {:>6} {:>6} {:>6}  {:<28} {:>12} {:>6}  {}"
_TITLES = ("target", "product", "clocks", "VGPRs", "LDS KB", "groups", "best peer", "clocks", "ratio", "ours")


def compare(targets: Sequence[str], names: Sequence[str], as_json: bool) -> list[str]:
    """Print the rows of products (all without `names`), and give the reasons why the scoreboard fails."""
    rows: list[ProductRow] = []
    if not as_json:
        print(_LAYOUT.format(*_TITLES))
    known = {row.target for row in read_rows()}
    for target in targets:
        for product in PRODUCTS if target in known else ():
            if not names or product.name in names:
                rows.append(row_of(product, target))
                if not as_json:
                    print(line_of(rows[-1]), flush=True)
    if as_json:
        print(json.dumps([to_builtins(row) | {"ratio": row.ratio} for row in rows], indent=1))
    else:
        print("", *summaries(rows), sep="\n")
    absent = [target for target in targets if target not in known]
    return [
        *failures(rows),
        *(f"{target}: no figures of peers, see tools.product_peers" for target in absent),
    ]


def line_of(row: ProductRow) -> str:
    """A row as text; `ours` says what limits ours, or why it is refused."""
    ours, best = row.ours, row.best
    mine = (
        ("-", "-", "-", "-")
        if ours is None
        else (f"{ours.clocks:,}", ours.vgprs, f"{ours.lds_bytes / 1024:.3g}", ours.groups)
    )
    ratio = "-" if row.ratio is None else f"{row.ratio:.2f}"
    why = row.refused if ours is None else ours.bound
    return _LAYOUT.format(
        row.target, str(row.product), *mine, best.name, f"{best.clocks:,}", ratio, why
    ).rstrip()


def summaries(rows: Sequence[ProductRow]) -> Iterator[str]:
    """A line for each target: the geometric mean of the ratios, and how many rows are no worse."""
    for target in dict.fromkeys(row.target for row in rows):
        own = [row for row in rows if row.target == target]
        ratios = [row.ratio for row in own if row.ratio is not None]
        if ratios:
            good = sum(ratio <= 1 + SAME for ratio in ratios)
            mean = geometric_mean(ratios)
            yield f"{target:8} {NAME} {mean:.3f} of the best peer's clocks; {good} of {len(own)} no worse"


def failures(rows: Sequence[ProductRow]) -> Iterator[str]:
    """The rows that are worse than the best peer, the worst first, and means above the limit."""
    for row in rows:
        if row.ours is None:
            yield f"{row.target} {row.product}: {row.refused}"
    slower = [(row.ratio, row) for row in rows if row.ratio is not None and row.ratio > 1 + SAME]
    for ratio, row in sorted(slower, key=lambda each: -each[0]):
        yield f"{row.target} {row.product}: {ratio:.2f} of the clocks of {row.best.name}, wanted at most 1"
    for target in dict.fromkeys(row.target for row in rows):
        ratios = [row.ratio for row in rows if row.target == target and row.ratio is not None]
        if ratios and geometric_mean(ratios) > MOST:
            yield f"{target} {NAME}: a geometric mean of {geometric_mean(ratios):.3f}, wanted {MOST:g}"
