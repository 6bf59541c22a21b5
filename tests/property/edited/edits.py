"""An edit of a text, and its outcome: a kernel that is right, a kernel that `--against` finds wrong, or an
error."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from asmgen.cli.stages import assembly_text
from asmgen.compiled import CompiledProgram
from asmgen.compiler import compile_read
from asmgen.frontends.sources import read_text
from asmgen.ir.program import Stage
from asmgen.options import Options
from asmgen.runtime.calls import program_parameters
from asmgen.verification.inputs import seeded_inputs
from asmgen.verification.runs import Outcome, Subject, Way, outcomes
from asmgen.verification.settings import NEAREST, emulated
from asmgen.verification.verify import SEED, rules_of
from isa.diagnostics import InputError, Place
from isa.targets import parse_target
from tests.property.edited.reference import REFERENCES

TEXTS = Path(__file__).parent
Pairs = tuple[tuple[str, str], ...]


class Becomes(Enum):
    HONOURED = "another kernel, which is right"
    ALIKE = "the same code, which is right"
    BROKEN = "another kernel, which --against finds wrong"


class Edit(NamedTuple):
    """`pairs` are old and new texts, replaced everywhere. If `becomes` is the code of a rule, `at` is in the
    line of the error; by default that is the first line that is edited.
    """

    name: str
    pairs: Pairs
    becomes: Becomes | str
    at: str = ""

    @property
    def runs(self) -> bool:
        return isinstance(self.becomes, Becomes)

    def __str__(self) -> str:
        return f"{self.name}: {'; '.join(new or f'no {old}' for old, new in self.pairs)}"


def edits(name: str, *table: tuple[str, str | Becomes] | tuple[str, str | Becomes, str]) -> list[Edit]:
    """Edits of one text. An entry has lines `OLD => NEW`, the outcome, and the place of an error. A
    `;` begins a line of the text.
    """
    made: list[Edit] = []
    for entry in table:
        pairs = tuple([(old, _written(new)) for old, _, new in [line.partition(" =>") for line in entry[0].split("\n")]])
        made.append(Edit(name, pairs, entry[1], entry[2] if len(entry) == 3 else ""))
    return made


def _written(new: str) -> str:
    return new.removeprefix(" ").replace("; ", "\n  ")


@cache
def text_of(name: str) -> str:
    return (TEXTS / f"{name}.gen").read_text(encoding="utf-8")


@cache
def compiled(text: str) -> CompiledProgram:
    return compile_read(read_text(text, "edited.gen"), parse_target("gfx942"), Options())


def edited(edit: Edit) -> str:
    text = text_of(edit.name)
    for old, new in edit.pairs:
        assert old in text, f"{edit.name}.gen has no {old!r}"
        text = text.replace(old, new)
    return text


def broken_in(name: str, program: CompiledProgram, sets: int | None = None) -> str:
    """The first run that is not within the bounds of the graph's reference, or that the sanitizer stops;
    empty if there is none.
    """
    graph, back = REFERENCES[name.removesuffix("_tiles")]
    source = read_text(graph, "reference.gen").stages.programs[Stage.GRAPH]
    way = Way("emulator", lambda arrays: [back(array) for array in emulated(program, arrays, NEAREST)])
    inputs = seeded_inputs(program_parameters(program), SEED)[:sets]
    try:
        return first_broken(outcomes(Subject(source, rules_of(program), (way,)), inputs))
    except InputError as error:
        assert error.code.startswith("SAN"), str(error)
        return str(error)


def first_broken(runs: Iterable[Sequence[Outcome]]) -> str:
    return next((f"{each.run}: {each.comparison}" for run in runs for each in run if each.comparison.is_broken), "")


def code_of(program: CompiledProgram) -> list[object]:
    """The assembly and the grids: all that is run."""
    return [assembly_text(program), *[kernel.grid for kernel in program.kernels]]


def hold(edit: Edit, sets: int | None = None) -> None:
    """The outcome of an edit is the stated outcome."""
    text = edited(edit)
    if not isinstance(edit.becomes, Becomes):
        hold_refused(edit, text)
        return
    program = compiled(text)
    is_other = code_of(program) != code_of(compiled(text_of(edit.name)))
    assert is_other == (edit.becomes is not Becomes.ALIKE), "the kernel is not another" if not is_other else "it is another"
    assert bool(found := broken_in(edit.name, program, sets)) == (edit.becomes is Becomes.BROKEN), found


def hold_refused(edit: Edit, text: str) -> None:
    with pytest.raises(InputError) as caught:
        _ = compiled(text)
    error = caught.value
    assert error.code == edit.becomes, str(error)
    lines = text.splitlines()
    wanted = [number for number, line in enumerate(lines, 1) if edit.at and edit.at in line] or [first_difference(edit, lines)]
    assert isinstance(error.place, Place), str(error)
    assert error.place.line in wanted, f"{error}\nwanted line {wanted}"


def first_difference(edit: Edit, lines: Sequence[str]) -> int:
    before = text_of(edit.name).splitlines()
    return next(number for number, (old, new) in enumerate(zip(before, lines, strict=False), 1) if old != new)
