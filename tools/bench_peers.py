"""`python -m tools.bench_peers [TARGET...]`: our programs next to the best code of clang -O3 and Triton.

The tool compiles each program of `tools.scoreboard.cases` and `tools.scoreboard.everyday`, and clang's
kernels of tools/clang-kernels, for the target, runs some workgroups on the emulator, and counts the executed
instructions (`tools.scoreboard.figures` describes the columns). A line compares ours with the peer that has
the fewest instructions, and with the peer that has the fewest cycles; `--peers` prints every peer. Triton's
figures are in tools/peers.json. docs/scoreboard.md says how to read the table.

`--set products` compares matrix products in clocks alone, with the best kernel of each compiler in
tools/product-peers.json (`tools.product_peers`).

`--clocks` adds the clocks of the whole launches by the clock model (`isa.timing`), for ours and for clang's
kernels, their geometric mean, and the rows in which clocks and instructions disagree. The clocks then decide
about a row.

Exits 1, and says why, if ours has more instructions or cycles than the best peer, or with `--clocks` more
clocks, in a row that `tools.scoreboard.left` does not name, or if a geometric mean is above its limit; 2 if
clang-22 or llvm-mca-22 is missing.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence

from tools.clang_peer import CLANG
from tools.mca import MCA
from tools.named_targets import named_targets
from tools.reasons import exit_status
from tools.scoreboard.cases import CASES as CATALOGUE
from tools.scoreboard.cases import Case
from tools.scoreboard.everyday import EVERYDAY
from tools.scoreboard.products import table as products
from tools.scoreboard.programs import measure_ours, peers_of, with_clocks
from tools.scoreboard.table import Limit, Row, as_json, disagreements, failures, show, slower, summaries

CASES = (*CATALOGUE, *EVERYDAY)
SETS = {"catalogue": CATALOGUE, "everyday": EVERYDAY}
LIMITS = (
    Limit("catalogue", frozenset(case.title for case in CATALOGUE if case.reduces), 0.85),
    Limit("everyday", frozenset(case.title for case in EVERYDAY), 0.75),
)


def row_of(case: Case, target: str, clocks: bool = False) -> Row:
    """The figures of ours, and of each peer."""
    ours = measure_ours(case, target)
    row = Row(target, case.title, ours.figures, tuple(peers_of(case, target, ours)))
    return with_clocks(row, case, ours) if clocks and row.peers else row


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench_peers", description="Our programs next to other compilers' code."
    )
    _ = parser.add_argument("targets", nargs="*", metavar="TARGET", help="all targets by default")
    _ = parser.add_argument(
        "--program", action="append", default=[], help="only this program; may be repeated"
    )
    _ = parser.add_argument(
        "--set", choices=sorted((*SETS, products.NAME)), help="only the programs of this set"
    )
    _ = parser.add_argument("--peers", action="store_true", help="a line for each peer, with every column")
    _ = parser.add_argument("--clocks", action="store_true", help="also clocks by the clock model")
    _ = parser.add_argument("--large", action="store_true", help="also programs with 1 GB of arguments")
    _ = parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    targets = named_targets(parser, options.targets)
    if options.set == products.NAME:
        return exit_status("bench_peers", products.compare(targets, options.program, options.json))
    names = {case.name for case in CASES}
    if unknown := [name for name in options.program if name not in names]:
        parser.error(
            f"{unknown[0]!r} is not a program of the scoreboard, wanted any of {', '.join(sorted(names))}"
        )
    for tool in (CLANG, MCA):
        if shutil.which(tool) is None:
            parser.error(f"{tool} is not installed")
    cases = [
        case for case in SETS.get(options.set, CASES) if not options.program or case.name in options.program
    ]
    cases = [case for case in cases if options.large or not case.large or case.name in options.program]
    rows = [
        row for target in targets for case in cases if (row := row_of(case, target, options.clocks)).peers
    ]
    summed = tuple(summaries(rows, LIMITS))
    if options.json:
        print(as_json(rows, summed))
    else:
        show(rows, options.peers)
        print("", *summed, sep="\n")
        for title, lines in (
            ("slower than the best peer in clocks:", slower(rows)),
            ("clocks and instructions disagree:", disagreements(rows)),
        ):
            if found := tuple(lines):
                print("", title, *found, sep="\n")
    return exit_status("bench_peers", failures(rows, LIMITS))


if __name__ == "__main__":
    sys.exit(main())
