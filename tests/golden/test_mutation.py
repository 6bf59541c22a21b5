"""Every wait and every NOP of every golden file is needed: without it the sanitizer stops the kernel.

Each is taken out in turn, a wait of several counters one counter at a time, and the kernel runs on the emulator, from
both of its entries. A removal that the sanitizer does not report means a wasted instruction or a blind sanitizer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest

from asmgen.artifact import CompiledKernel
from asmgen.calls import empty_outputs, literal_buffers, signatures
from asmgen.compiled import CompiledProgram
from asmgen.samples import sample_inputs
from isa.emulator import run
from isa.emulator.faults import SanitizerError
from tests.golden.programs import NAMES, golden_program

_WAIT = re.compile(r"^\ts_waitcnt ([^;]*)")
_NOP = re.compile(r"^\ts_nop (\d+)")
_COUNTER = re.compile(r"\w+\(\d+\)")
_ENTRIES = ("preload", "prologue")
_MOST_WORKGROUPS = 2


@dataclass(frozen=True)
class Mutant:
    """An assembly without one wait or NOP; `line` counts from 1."""

    line: int
    removed: str
    text: str


def mutants(assembly: str) -> Iterator[Mutant]:
    lines = assembly.splitlines(keepends=True)
    for number, line in enumerate(lines):
        for removed, left in _weaker(line):
            yield Mutant(number + 1, removed, "".join([*lines[:number], left, *lines[number + 1 :]]))


def _weaker(line: str) -> Iterator[tuple[str, str]]:
    """What may be taken out of a line, and what is left of it then."""
    wait, nop = _WAIT.match(line), _NOP.match(line)
    if wait is not None:
        counters = _COUNTER.findall(wait[1])
        for counter in counters:
            kept = " ".join(other for other in counters if other != counter)
            yield counter, f"\ts_waitcnt {kept}\n" if kept else "\n"
    elif nop is not None:
        states = int(nop[1])
        yield "one wait state", f"\ts_nop {states - 1}\n" if states else "\n"


def launch(program: CompiledProgram, text: str, entry: str) -> None:
    """Run the first workgroups of a kernel's text, sanitizer on."""
    (kernel,), (signature,) = program.kernels, signatures(program)
    inputs = [array.reshape(-1) for array in sample_inputs(signature.inputs, 7)]
    buffers = [*inputs, *empty_outputs(signature), *literal_buffers(signature)]
    assert kernel.grid is not None
    grid = (min(kernel.grid[0], _MOST_WORKGROUPS), 1, 1)
    outputs = range(len(inputs), len(inputs) + len(signature.outputs))
    arrays = [np.ascontiguousarray(buffer) for buffer in buffers]
    _ = run(text, kernel.name, grid, kernel.block, arrays, sanitize=True, entry=entry, undefined=outputs)


def is_caught(program: CompiledProgram, mutant: Mutant) -> bool:
    for entry in _ENTRIES:
        try:
            launch(program, mutant.text, entry)
        except SanitizerError:
            return True
    return False


@pytest.mark.parametrize("name", NAMES)
def test_every_wait_and_nop_is_needed(name: str) -> None:
    program = golden_program(name)
    kernel: CompiledKernel = program.kernels[0]
    for entry in _ENTRIES:
        launch(program, kernel.assembly, entry)
    found = list(mutants(kernel.assembly))
    assert found, "a kernel that loads must wait"
    missed = [f"line {mutant.line}: {mutant.removed}" for mutant in found if not is_caught(program, mutant)]
    assert not missed, f"{len(missed)} of {len(found)} removals were not reported:\n" + "\n".join(missed)
