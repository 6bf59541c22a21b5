"""`python -m tools.validate_timing --data DIR [--predictions OUT.json]`: the clock model's figures beside
those of real machines.

DIR has thread traces in `traces/`, and loops.json, micro.json and kernels.json. OUT gets the modelled clock
of each event of the traces and the modelled time of each kernel. Exits with 1 if the model misses a figure
that it has to reach.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tools.validate_timing.goals import Goal
from tools.validate_timing.kernels import compare_kernels, kernel_goals, kernel_tables
from tools.validate_timing.lds_table import compare_lds, lds_goals, lds_tables
from tools.validate_timing.loops.compare import compare_loops, loop_goals, loop_table
from tools.validate_timing.traced_loops import traced_loop_goals, traced_loop_table, traced_loops
from tools.validate_timing.traces import compare_traces, trace_goals, trace_tables


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.validate_timing", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with the measurements")
    parser.add_argument("--predictions", type=Path, help="a file for the modelled clocks and times")
    parser.add_argument(
        "--misses", type=int, default=20, help="pairs of instructions to list that are missed"
    )
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part; all by default")
    options = parser.parse_args(arguments)
    goals: list[Goal] = []
    for name in options.part or PARTS:
        print(f"# {name.capitalize()}\n")
        goals += PARTS[name](options)
        print()
    print("# Figures\n")
    print("\n".join(map(str, goals)))
    missed = [goal for goal in goals if not goal.is_reached]
    if missed:
        print(f"\n{len(missed)} of {len(goals)} figures are missed")
    return 1 if missed else 0


def _traces(options: argparse.Namespace) -> list[Goal]:
    results = compare_traces(options.data / "traces")
    _predict(options, "traces", results.predictions())
    loops = traced_loops(results, options.data / "loops.json")
    print(trace_tables(results, options.misses))
    print("\n" + traced_loop_table(loops))
    return [*trace_goals(results), *traced_loop_goals(loops)]


def _loops(options: argparse.Namespace) -> list[Goal]:
    results = compare_loops()
    print(loop_table(results, options.data / "loops.json"))
    return [*loop_goals(results)]


def _lds(options: argparse.Namespace) -> list[Goal]:
    results = compare_lds(options.data / "micro.json")
    print(lds_tables(results))
    return [*lds_goals(results)]


def _kernels(options: argparse.Namespace) -> list[Goal]:
    results = compare_kernels(options.data / "kernels.json")
    _predict(options, "kernels", {one.id: one.modelled for one in results.scaled()})
    print(kernel_tables(results))
    return [*kernel_goals(results)]


def _predict(options: argparse.Namespace, part: str, values: object) -> None:
    """Put the predictions of a part into the file for them."""
    path: Path | None = options.predictions
    if path is not None:
        told: dict[str, object] = {"traces": {}, "kernels": {}}
        if path.exists():
            told = json.loads(path.read_text())
        path.write_text(json.dumps(told | {part: values}))


PARTS: Mapping[str, Callable[[argparse.Namespace], list[Goal]]] = {
    "traces": _traces, "loops": _loops, "lds": _lds, "kernels": _kernels,
}  # fmt: skip


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
