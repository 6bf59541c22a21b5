"""Breakpoints of real kernels agree with their traces, on waves of 32 and of 64 lanes."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from asmgen.runtime.emulation import Launch, Limits, emulate
from asmgen.runtime.watching.lines import Line, Stop
from asmgen.runtime.watching.selection import WaveRanges
from asmgen.runtime.watching.stops import Stopped
from asmgen.runtime.watching.watching import Shown, Watching
from isa.emulator.launching.arguments import KernelCall
from isa.targets import parse_target
from tests.unit.asmgen.watching.test_trace import unfolded
from tests.unit.isa.kernel_builds import compiled
from tests.unit.isa.test_emulator_kernels import KERNELS

FILES = {"first": "gfx942", "control": "gfx1100", "memory": "gfx1201"}
SOME = ("lds_reduction", "divergence", "cross_lane", "switches", "states", "lds_transpose", "register_arrays", "raw_buffers")
POINTS = 4
RUNNABLE = [name for name, kernel in KERNELS.items() if kernel.file in FILES and kernel.runs_on(parse_target(FILES[kernel.file]))]


def launch_of(name: str) -> Launch:
    kernel = KERNELS[name]
    machine = FILES[kernel.file]
    case = kernel.reference(parse_target(machine))
    program = compiled(kernel.file, "-O3", False, machine, kernel.options)
    return Launch(program, "kernels.co", kernel.entry or name, KernelCall(case.grid, case.block, tuple(case.args)))


def watched(launch: Launch, shown: Shown) -> list[str]:
    """The lines that a run shows; its trace is written."""
    told: list[str] = []
    watching = Watching(shown, told.append)
    with suppress(Stopped):
        _ = emulate(launch, Limits(sanitize=True), watching)
    if watching.trace is not None:
        watching.trace.close()
    return told


def check(name: str, seed: int, folder: Path) -> None:
    launch = launch_of(name)
    path = folder / "t.jsonl"
    _ = watched(launch, Shown(trace=str(path)))
    records = [json.loads(line) for line in path.read_text().splitlines()]
    chosen = random.Random(seed)
    for target in chosen.sample(records, min(POINTS, len(records))):
        own = [record for record in records if record["wave"] == target["wave"]]
        before = own[: own.index(target)]
        time = 1 + Counter(record["line"] for record in before)[target["line"]]
        offset = int(target["line"].partition("+")[2], 16)
        stop = Stop(Line("--break", "", 0, offset), time)
        told = watched(launch, Shown(breaks=(stop,), waves=WaveRanges("", ((target["wave"], target["wave"]),))))
        shown = dict(re.split("=", line.strip(), maxsplit=1) for line in told[2:])  # type: ignore[misc]
        values: dict[str, list[str | None]] = {}
        for record in before:
            for register, words in record["registers"].items():
                old = values.get(register, [None] * len(words))
                values[register] = [word or known for word, known in zip(words, old, strict=True)]
        assert told[1].endswith(f"exec={target['exec'][-len(told[1].partition('exec=')[2]) :]}")
        for register, words in values.items():
            here = unfolded(shown[register], len(words))
            wrong = [lane for lane, word in enumerate(words) if word is not None and word != here[lane]]
            assert not wrong, f"{name}, seed {seed}: {register} at {target['line']}, time {time}, lanes {wrong}"


@pytest.mark.broad
@pytest.mark.needs_llvm("clang-22", "ld.lld-22")
@pytest.mark.parametrize("name", SOME)
def test_a_breakpoint_has_the_registers_of_the_trace(name: str, tmp_path: Path) -> None:
    check(name, 1, tmp_path)


@pytest.mark.slow
@pytest.mark.needs_llvm("clang-22", "ld.lld-22")
@pytest.mark.parametrize("seed", range(2, 6))
@pytest.mark.parametrize("name", RUNNABLE)
def test_breakpoints_anywhere_have_the_registers_of_the_trace(name: str, seed: int, tmp_path: Path) -> None:
    check(name, seed, tmp_path)
