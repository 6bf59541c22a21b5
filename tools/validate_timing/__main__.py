"""`python -m tools.validate_timing --data DIR [--predictions OUT.json]`: the clock model's figures beside
those of real machines.

DIR has thread traces in `traces/`. OUT gets the modelled clock of each event. Exits with 1 if the model
misses a figure that it has to reach.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.validate_timing.loops.compare import compare_loops, loop_goals, loop_table
from tools.validate_timing.traces import compare_traces, trace_goals, trace_tables


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.validate_timing", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with the measurements")
    parser.add_argument(
        "--predictions", type=Path, help="a file for the modelled clocks of the traces' events"
    )
    parser.add_argument("--misses", type=int, default=20, help="instructions to list that the model misses")
    options = parser.parse_args(arguments)
    traces = compare_traces(options.data / "traces")
    if options.predictions:
        options.predictions.write_text(json.dumps({"traces": traces.predictions(), "kernels": {}}))
    loops = compare_loops()
    print("# Thread traces\n")
    print(trace_tables(traces, options.misses))
    print("\n# Loops\n")
    print(loop_table(loops, options.data / "loops.json"))
    goals = [*trace_goals(traces), *loop_goals(loops)]
    print("\n# Figures\n")
    print("\n".join(map(str, goals)))
    missed = [goal for goal in goals if not goal.is_reached]
    if missed:
        print(
            f"\n{len(missed)} of {len(goals)} figures are missed: {'; '.join(goal.what for goal in missed)}"
        )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
