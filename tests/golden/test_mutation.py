"""Every wait and every NOP of every golden file, for memory or inside the ALUs, is needed: without it the
sanitizer stops the kernel.

Each is taken out in turn, a wait of several counters one counter at a time, and the kernel runs on the
emulator, from both of its entries. A removal that the sanitizer does not report means a wasted instruction or
a blind sanitizer.

The ordinary suite takes out every fifth wait of a kernel, from a wait that its name draws; the slow set takes
out all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from msgspec import Struct
from msgspec.structs import replace

from asmgen.compiled import CompiledProgram
from asmgen.runtime.calls import empty_output, literal_buffers, signatures
from asmgen.verification.inputs import sample_inputs
from isa.diagnostics import Place
from isa.emulator import run
from isa.emulator.sanitizer.faults import SanitizerError
from isa.instruction import Immediate, Instr, Trait
from isa.table import table_named
from isa.text.lines import split_comment
from isa.text.parsing import parse_instr
from isa.text.printing import format_instr
from tests.golden.programs import NAMES, golden_program
from tests.golden.test_golden import OTHERS

pytestmark = pytest.mark.broad

_ENTRIES = ("preload", "prologue")
_MOST_WORKGROUPS = 2
WITHOUT_GOLDEN = (("row_sum", "gfx950"), ("softmax", "gfx1201"), ("row_sum", "gfx1201:wave64"))  # the machines that are left
# softmax, gfx942, wave64 have the parts of the first, pad_add those of the last
ALIKE = (
    ("layernorm", "gfx942"), ("rmsnorm", "gfx942"), ("row_sum", "gfx950"), ("row_sum", "gfx1201"), ("log_softmax", "gfx942"),
    ("concat_add", "gfx942"), ("gather_add", "gfx942"),
)  # fmt: skip
EVERY = (*((name, "gfx942") for name in NAMES), *OTHERS, *WITHOUT_GOLDEN)
FIFTH = 5


class Mutant(Struct, frozen=True):
    """An assembly without one wait or NOP; `line` counts from 1."""

    line: int
    removed: str
    text: str


def mutants(assembly: str, target: str) -> Iterator[Mutant]:
    lines = assembly.splitlines(keepends=True)
    table = table_named(target)
    for number, line in enumerate(lines):
        code = split_comment(line)[0].strip()
        if not code or code.startswith(".") or code.endswith(":") or not table.named(code.split()[0]):
            continue
        for removed, left in _weaker(parse_instr(code, table, Place("golden", number + 1))):
            yield Mutant(number + 1, removed, "".join([*lines[:number], left, *lines[number + 1 :]]))


def _weaker(instr: Instr) -> Iterator[tuple[str, str]]:
    """A part that may be taken out of an instruction, and the rest: each counter of a wait, or a wait
    state."""
    traits, operands = instr.row.traits, instr.operands
    if Trait.WAIT in traits and instr.modifiers:
        for name, _ in instr.modifiers:
            kept = tuple(other for other in instr.modifiers if other[0] != name)
            yield name, f"\t{format_instr(replace(instr, modifiers=kept))}\n" if kept else "\n"
    elif Trait.NOP in traits and operands and isinstance(operands[0], Immediate) and operands[0].bits:
        yield "one wait state", f"\t{format_instr(replace(instr, operands=(Immediate(operands[0].bits - 1),)))}\n"
    elif not traits.isdisjoint((Trait.WAIT, Trait.WAIT_ALU, Trait.NOP)):
        yield format_instr(instr), "\n"


class Launch:
    """Runs texts of a program's kernel on the same arrays."""

    def __init__(self, program: CompiledProgram) -> None:
        (self.kernel,), (signature,) = program.kernels, signatures(program)
        inputs = [array.reshape(-1) for array in sample_inputs(signature.inputs, 7)]
        buffers = [*inputs, *map(empty_output, signature.outputs), *literal_buffers(signature)]
        self.arrays = [np.ascontiguousarray(buffer) for buffer in buffers]
        self.outputs = range(len(inputs), len(inputs) + len(signature.outputs))

    def run(self, text: str, entry: str) -> None:
        """Run the first workgroups of a text, sanitizer on."""
        kernel = self.kernel
        assert kernel.grid is not None
        grid, arrays = (min(kernel.workgroups[0], _MOST_WORKGROUPS), 1, 1), [array.copy() for array in self.arrays]
        _ = run(text, kernel.name, grid, kernel.block, arrays, sanitize=True, entry=entry, undefined=self.outputs)

    def is_caught(self, mutant: Mutant) -> bool:
        for entry in _ENTRIES:
            try:
                self.run(mutant.text, entry)
            except SanitizerError:
                return True
        return False


@pytest.mark.slow
@pytest.mark.parametrize(("name", "target"), EVERY)
def test_every_wait_and_nop_is_needed(name: str, target: str) -> None:
    hold(name, target, 0, 1)


@pytest.mark.parametrize(("name", "target"), [case for case in EVERY if case not in ALIKE])
def test_waits_and_nops_are_needed(name: str, target: str) -> None:
    hold(name, target, Random(f"{name} {target}").randrange(FIFTH), FIFTH)


def hold(name: str, target: str, first: int, step: int) -> None:
    """One in `step` of the waits and NOPs of a golden program is reported if it is missing."""
    launch = Launch(golden_program(name, target))
    assembly = launch.kernel.assembly
    for entry in _ENTRIES:
        launch.run(assembly, entry)
    found = list(mutants(assembly, target))
    assert found, "a kernel that loads must wait"
    tried = found[min(first, len(found) - 1) :: step]
    missed = [f"line {mutant.line}: {mutant.removed}" for mutant in tried if not launch.is_caught(mutant)]
    assert not missed, f"{len(missed)} of {len(tried)} removals were not reported:\n" + "\n".join(missed)
