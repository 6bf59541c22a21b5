"""`python -m tools.judge_choices [TARGET...] [--write | --neighbours]`: the clocks of rows that a workgroup
reads by itself, and of rows that workgroups share, by the clock model.

`--write` writes the table of `asmgen.blockwise.schedules.choosing.alone`; a test asks for it if the model has
changed. The column "table" marks rows of which the table chooses the slower way (`alone.MOST`).
`--neighbours` judges the choosers' constants instead: the clocks with half and with double of a constant on
the scoreboard's programs and on smaller shapes, relative to the constant, and the scoreboard's own figures.
It takes about five CPU minutes a target; `--constant work.py:GROUPS_OF_UNIT` asks for a single constant.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.judge_choices.alone import PATH, Row, measured_rows, table_of, table_text
from tools.judge_choices.changed import TREE, Changed
from tools.judge_choices.neighbours import CONSTANTS, Verdict, verdicts
from tools.named_targets import named_targets


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.judge_choices", description="Judge the choosers' thresholds by the clock model."
    )
    _ = parser.add_argument("targets", nargs="*", metavar="TARGET", help="all targets by default")
    _ = parser.add_argument("--write", action="store_true", help="write the table; all targets")
    _ = parser.add_argument("--neighbours", action="store_true", help="half and double of each constant")
    _ = parser.add_argument(
        "--constant",
        action="append",
        default=[],
        metavar="FILE:NAME",
        help="only this neighbour; may be repeated",
    )
    options = parser.parse_args(arguments)
    if options.write and options.targets:
        parser.error("the table has all targets: leave TARGET out")
    targets = named_targets(parser, options.targets)
    constants = [name for name in CONSTANTS if not options.constant or name.endswith(tuple(options.constant))]
    if not constants:
        parser.error(f"no constant {options.constant[0]}, wanted any of {', '.join(CONSTANTS)}")
    with TemporaryDirectory(prefix="asmgen-") as folder:
        if options.neighbours:
            show_neighbours(verdicts(Changed(Path(folder)), constants, targets))
            return 0
        rows = list(measured_rows(Changed(Path(folder)), targets))
    table = table_of(rows)
    print("| target | kind | rows | element | bytes | alone | shared | table |\n" + "|---" * 8 + "|")
    for row in rows:
        print(_line(row, table[row.target][row.kind][row.element][row.column]))
    if options.write:
        _ = (TREE / PATH).write_text(table_text(table))
    return 0


def show_neighbours(found: Iterable[Verdict]) -> None:
    """Print a line for each verdict as soon as it is known."""
    print("| constant | value | target | changed | clocks | best | worst | figures |\n" + "|---" * 8 + "|")
    for verdict in found:
        name = verdict.constant.rsplit("/", 1)[-1]
        columns = (name, verdict.value, verdict.target, f"{verdict.changed} of {verdict.programs}")
        shown = (*columns, f"{verdict.mean:.3f}", verdict.best, verdict.worst, verdict.figures)
        print("| " + " | ".join(shown) + " |", flush=True)


def _line(row: Row, most: int) -> str:
    chosen, other = (row.alone, row.shared) if row.size <= most else (row.shared, row.alone)
    verdict = ("alone" if row.size <= most else "shared") + (", slower" if chosen > other else "")
    shape = f"{row.target} | {row.kind} | {row.rows} | {row.element} | {row.size}"
    return f"| {shape} | {row.alone:,.0f} | {row.shared:,.0f} | {verdict} |"


if __name__ == "__main__":
    sys.exit(main())
