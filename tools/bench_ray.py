"""`python -m tools.bench_ray --ray ADDRESS`: the overhead of a Ray cluster over processes.

Pieces sleep.
With the default 5,000 pieces of 100 ms on two processes each way takes more than four minutes, and next to no
CPU time. Exit 1 if the cluster takes more than 10 % longer.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from contextlib import closing

from asmgen.batch.on_ray import OnRay
from asmgen.batch.work import Executor, Processes, Work
from asmgen.batch.worker import Limits, Run
from asmgen.cache.answer import OUT, Answer, Part
from isa.diagnostics import InputError

_MOST = 1.10  # of the time of processes


def sleeping(data: bytes) -> Run:
    """The function of pieces that sleep for the seconds that the data say."""
    seconds = float(data)

    def run(number: int) -> Answer:
        time.sleep(seconds)
        return Answer(0, (Part(OUT, str(number).encode(), is_text=True),))

    return run


def seconds_of(executor: Executor, count: int, seconds: float) -> float:
    """The time of all pieces."""
    data = str(seconds).encode()
    start = time.monotonic()
    work = Work(sleeping(data), "tools.bench_ray:sleeping", data)
    with closing(executor), closing(executor(iter(range(count)), work, Limits())) as ended:
        done = sum(item is not None for item in ended)
    assert done == count, "every piece ends once"
    return time.monotonic() - start


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status: 1 if the cluster takes more than 10 % longer."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench_ray", description=__doc__)
    parser.add_argument("--ray", required=True, metavar="ADDRESS")
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seconds", type=float, default=0.1, help="of a piece; default: 0.1")
    parser.add_argument("--nodes", type=int, default=1, help="of the cluster, each with --jobs processes")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    try:
        cluster = seconds_of(OnRay(options.ray, options.jobs, print), options.count, options.seconds)
    except InputError as error:
        print(error, file=sys.stderr)
        return 1
    here = seconds_of(Processes(options.jobs * options.nodes), options.count, options.seconds)
    times = f"{here:.1f} s in processes, {cluster:.1f} s on the cluster"
    print(f"{options.count} pieces: {times}, {cluster / here:.3f}")
    return int(cluster > _MOST * here)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
