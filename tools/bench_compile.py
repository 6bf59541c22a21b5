"""`python -m tools.bench_compile`: CPU time from gen text to assembly text in a warm process, beside clang-22 in the same run.

clang is a process per compile, as its users have it; its CPU time is that of the child. The median of `--repeat` runs is
printed, and the ratio. Exits 1 where ours takes more than half of clang's.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from statistics import median

from asmgen.compiler import compile_read
from asmgen.kernels import CATALOGUE
from asmgen.options import Options
from asmgen.sources import read_text
from isa.targets import parse_target
from tools.clang_peer import CLANG, SOURCES, compile_to_assembly

TARGET = parse_target("gfx942")


def own_cpu(run: Callable[[], object]) -> float:
    """CPU milliseconds of this process."""
    begin = time.process_time()
    _ = run()
    return 1e3 * (time.process_time() - begin)


def child_cpu(run: Callable[[], object]) -> float:
    """CPU milliseconds, user and system, of the processes that `run` starts and awaits."""
    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
    _ = run()
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime)


def compile_text(text: str, name: str) -> str:
    """Gen text to assembly text."""
    return compile_read(read_text(text, f"{name}.gen"), TARGET, Options()).kernels[0].assembly


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.bench_compile", description="Compile times beside clang's.")
    parser.add_argument("--repeat", type=int, default=15)
    repeat: int = parser.parse_args(arguments).repeat
    with_clang = shutil.which(CLANG) is not None
    slow = False
    print(f"{'kernel':<9} {'asmgen ms':>10} {'clang ms':>9} {'ratio':>6}")
    for name in SOURCES:
        kernel = CATALOGUE[name]
        text = kernel.text(kernel.settings(()))
        _ = compile_text(text, name)  # imports and tables
        ours = median(own_cpu(lambda text=text, name=name: compile_text(text, name)) for _ in range(repeat))
        theirs = median(child_cpu(lambda name=name: compile_to_assembly(name, os.devnull)) for _ in range(repeat)) if with_clang else float("nan")
        slow = slow or ours > theirs / 2
        print(f"{name:<9} {ours:>10.1f} {theirs:>9.1f} {ours / theirs:>6.2f}")
    if not with_clang:
        print(f"{CLANG} is not installed, so nothing stands beside ours")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
