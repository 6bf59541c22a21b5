"""`python -m tools.bench_spills TARGET`: spills in loops with few VGPRs, ours next to clang's.

Each program of the scoreboard and each clang kernel next to it (`tools/clang-kernels`) is compiled for half
the VGPRs that the smaller of the two takes, but at least 8: clang's with `amdgpu_num_vgpr`, ours with
`max_vgprs`. The tool counts the bytes of scratch that instructions in loops store and load for each lane. A
loop is the code between a label and a branch back to it; clang's moves to AGPRs do not count. Exits 1 if ours
are more; 2 if clang-22 is missing.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import asmgen
from isa.diagnostics import InputError
from tools.clang_peer import CLANG, compile_command
from tools.scoreboard.cases import CASES, Case, ClangKernel

LEAST = 8  # VGPRs
DEFAULT = ("gfx942", "gfx1100")
_LABEL = re.compile(r"^([.\w$]+):")
_BRANCH = re.compile(r"^\s+s_c?branch\w*\s+([.\w$]+)")
_SCRATCH = re.compile(r"^\s+(?:scratch_(?:load|store)|buffer_(?:load|store)\w*(?=.*s\[0:3\]))_(\w+)")
_BYTES = {"dword": 4, "dwordx2": 8, "dwordx3": 12, "dwordx4": 16, "b32": 4, "b64": 8, "b96": 12, "b128": 16}
_VGPRS = re.compile(r"\.vgpr_count:\s+(\d+)")


class Spilled(NamedTuple):
    """The VGPRs of an assembly file, and the bytes of scratch that a lane moves: in total, and in loops."""

    vgprs: int
    total: int
    in_loops: int


def spilled(assembly: str) -> Spilled:
    """Count the spills in the instructions of an assembly file."""
    lines = assembly.splitlines()
    labels = {label[1]: number for number, line in enumerate(lines) if (label := _LABEL.match(line))}
    looped: set[int] = set()
    for number, line in enumerate(lines):
        branch = _BRANCH.match(line)
        if branch is not None and labels.get(branch[1], number) < number:
            looped.update(range(labels[branch[1]], number))
    moved = {
        number: _BYTES.get(access[1], 4)
        for number, line in enumerate(lines)
        if (access := _SCRATCH.match(line))
    }
    return Spilled(
        max(map(int, _VGPRS.findall(assembly)), default=0),
        sum(moved.values()),
        sum(count for number, count in moved.items() if number in looped),
    )


def clang_spilled(kernel: ClangKernel, target: str, vgprs: int | None) -> Spilled:
    """A clang kernel in that many VGPRs. Raises CalledProcessError if clang refuses."""
    few = f"-D__kernel=__attribute__((amdgpu_num_vgpr({vgprs}))) kernel"
    with TemporaryDirectory() as directory:
        path = Path(directory) / "kernel.s"
        command = compile_command(kernel.source, str(path), target, offsets=kernel.offsets)
        command[1:1] = [few] if vgprs else []
        _ = subprocess.run(command, check=True, capture_output=True)
        return spilled(path.read_text())


def our_spilled(case: Case, target: str, vgprs: int | None) -> Spilled | None:
    """Our program in that many VGPRs; None if an instruction needs more."""
    try:
        program = asmgen.compile(case.text, target=target, fast_math=case.fast_math, max_vgprs=vgprs)
    except InputError as refused:
        if refused.code != "RA002":
            raise
        return None
    counts = [spilled(kernel.assembly) for kernel in program.kernels]
    return Spilled(
        max(each.vgprs for each in counts),
        sum(each.total for each in counts),
        sum(each.in_loops for each in counts),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench_spills", description="Spills in loops, ours next to clang's."
    )
    _ = parser.add_argument("target", nargs="*", metavar="TARGET")
    targets: list[str] = parser.parse_args(arguments).target or [*DEFAULT]
    if shutil.which(CLANG) is None:
        sys.stderr.write(f"{CLANG} is missing\n")
        return 2
    sys.stdout.write("bytes for each lane: in loops (in total)\n")
    sys.stdout.write(f"{'program':24} {'clang kernel':28} {'target':8} VGPRs  clang         ours\n")
    count, worse = 0, 0
    for case in CASES:
        for target in targets:
            roomy = our_spilled(case, target, None)
            for kernel in case.peers:
                if roomy is not None:
                    theirs = clang_spilled(kernel, target, None)
                    budget = max(LEAST, min(theirs.vgprs, roomy.vgprs) // 2)
                    theirs, ours = clang_spilled(kernel, target, budget), our_spilled(case, target, budget)
                    count += 1
                    is_worse = ours is None or ours.in_loops > theirs.in_loops
                    worse += is_worse
                    name = kernel.source + ("" if kernel.offsets else " (64-bit)")
                    shown = "refused" if ours is None else f"{ours.in_loops} ({ours.total})"
                    clangs = f"{theirs.in_loops} ({theirs.total})"
                    sys.stdout.write(
                        f"{case.name:24} {name:28} {target:8} {budget:5}  {clangs:12} "
                        f" {shown}{'  MORE' if is_worse else ''}\n"
                    )
                    sys.stdout.flush()
    sys.stdout.write(f"{count} kernels: ours spill more bytes in loops in {worse}\n")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
