"""`python -m tools.corpus run` examines kernels from a seed; `python -m tools.corpus compare A B` says what
changed between two runs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from asmgen.cli.grammar.parser import HelpfulParser
from asmgen.cli.outputs import check_place, replace_file
from asmgen.cli.terminal import system_error
from isa.diagnostics import InputError


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status: 1 if a kernel is wrong, if a run is worse than another, or for bad input."""
    options = _parser().parse_args(arguments)
    try:
        return options.command(options)
    except (InputError, OSError) as error:
        print(system_error(error) if isinstance(error, OSError) else error, file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = HelpfulParser(prog="python -m tools.corpus", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=HelpfulParser)
    run = commands.add_parser("run", help="examine kernels from a seed, and write a Parquet file")
    run.add_argument("-o", dest="output", metavar="FILE", required=True, help="the Parquet file")
    run.add_argument("--force", action="store_true", help="replace the file if it is there")
    run.add_argument("--count", type=int, default=300, help="kernels; default: 300")
    run.add_argument("--first", type=int, default=0, help="the number of the first kernel; default: 0")
    run.add_argument("--seed", type=int, default=1, help="default: 1")
    run.add_argument(
        "--small", action="store_true", help="kernels at small sizes, each run once: a quick look"
    )
    run.add_argument("--jobs", type=int, help="work in N processes; default: the cores")
    run.add_argument(
        "--max-seconds", type=float, default=600.0, help="stop a kernel after S seconds; default: 600"
    )
    run.add_argument("--max-memory", metavar="BYTES", help="memory of a process, such as 2G")
    run.add_argument("--ray", metavar="ADDRESS", help="work on the nodes of a Ray cluster")
    run.add_argument("--results", metavar="FILE", help="write each record as its kernel ends")
    run.add_argument("--resume", action="store_true", help="with --results: go on with the file")
    run.set_defaults(command=_run)
    compare = commands.add_parser("compare", help="the changes from a run to another")
    compare.add_argument("before", metavar="A")
    compare.add_argument("after", metavar="B")
    compare.add_argument("-o", dest="output", metavar="FILE.html", help="also write a page")
    compare.add_argument("--most", type=int, default=50, help="kernels of each kind in the text; default: 50")
    compare.set_defaults(command=_compare)
    return parser


def _run(options: argparse.Namespace) -> int:
    from tools.corpus.running import run

    return run(options)


def _compare(options: argparse.Namespace) -> int:
    from tools.corpus.compare import compare, text_of
    from tools.corpus.files import read
    from tools.corpus.page import page_of

    check_place(options.output)
    comparison = compare(read(options.before), read(options.after))
    print(text_of(comparison, options.most))
    if options.output is not None:
        replace_file(options.output, page_of(comparison).encode())
    return int(comparison.is_worse)


if __name__ == "__main__":
    sys.exit(main())
