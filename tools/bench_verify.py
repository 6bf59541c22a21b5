"""`python -m tools.bench_verify`: the cost of `kernel NAME --verify` at the default sizes of the catalogue.

Each verification runs in its own process, as a user starts it. CPU time is user and system time of the
process and its children; memory is their largest resident set. A first run, which is not measured, writes the
bytecode of the packages. Exits 1 if a kernel needs more than `--seconds` or `--megabytes`, or fails
verification.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import NamedTuple

from asmgen.cache.store import OFF, VARIABLE
from asmgen.kernels import CATALOGUE
from tools.reasons import exit_status

TARGETS = ("gfx942", "gfx1100")
SECONDS, MEGABYTES = 1.5, 200


class Cost(NamedTuple):
    """CPU seconds, the peak of resident memory in MB, and the exit status."""

    seconds: float
    megabytes: float
    status: int


def cost_of(kernel: str, target: str, environment: dict[str, str]) -> Cost:
    """The cost of `kernel KERNEL --verify`."""
    command = [sys.executable, "-m", "asmgen", "kernel", kernel, "--target", target, "--verify"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, process.returncode)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.bench_verify", description=__doc__)
    _ = parser.add_argument("kernels", nargs="*", help="kernels of the catalogue; all by default")
    _ = parser.add_argument("--target", action="append", help="a target; gfx942 and gfx1100 by default")
    _ = parser.add_argument("--repeat", type=int, default=1, help="number of runs; the cheapest counts")
    _ = parser.add_argument("--seconds", type=float, default=SECONDS, help="limit of CPU seconds")
    _ = parser.add_argument("--megabytes", type=float, default=MEGABYTES, help="limit of resident memory")
    given = parser.parse_args(arguments)
    over: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        environment[VARIABLE] = OFF
        environment["PYTHONPYCACHEPREFIX"] = environment.get("PYTHONPYCACHEPREFIX", folder)
        _ = cost_of("full_sum", TARGETS[0], environment)
        print(f"{'kernel':14} {'target':10} {'CPU s':>6} {'MB':>6}")
        for kernel in given.kernels or CATALOGUE:
            for target in given.target or TARGETS:
                runs = [cost_of(kernel, target, environment) for _ in range(given.repeat)]
                seconds, megabytes = (min(run[place] for run in runs) for place in (0, 1))
                is_over = seconds > given.seconds or megabytes > given.megabytes
                failed = any(run.status for run in runs)
                if failed:
                    over.append(f"{kernel} {target}: --verify fails")
                elif is_over:
                    limits = f"{given.seconds:g} s and {given.megabytes:g} MB"
                    over.append(f"{kernel} {target}: {seconds:.2f} s and {megabytes:.0f} MB, wanted {limits}")
                is_over |= failed
                mark = "  OVER" if is_over else ""
                print(f"{kernel:14} {target:10} {seconds:6.2f} {megabytes:6.0f}{mark}", flush=True)
    return exit_status("bench_verify", over)


if __name__ == "__main__":
    sys.exit(main())
