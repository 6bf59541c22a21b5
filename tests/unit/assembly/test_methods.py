"""Every instruction of a target by its method: with the operands of the row's samples it makes the instruction of the sample, for which
`tests/unit/isa/test_binary_samples.py` has llvm-mc's bytes."""

from __future__ import annotations

import pytest

from asmgen.assembly.arguments import arguments_of
from asmgen.assembly.builder import Builder
from asmgen.assembly.entry import Entry
from asmgen.assembly.recorder import Recorder
from asmgen.assembly.values import Modified, Registers, registers
from isa.dpp import format_control, format_dpp8
from isa.instruction import Encoding, Instr, Label, ModifierValue, Row, Trait
from isa.program import Kernel
from isa.registers import EXEC, Register, physical_class
from isa.table import table_named
from isa.targets import parse_target
from isa.text.plan import plan_of
from isa.text.printing import format_instr
from isa.verify import reaches_every_register
from tests.rows import MACHINES, rows_in_turn
from tests.unit.isa.samples import IN_ONE_PROCESS, samples, some_samples

EVERY = 4  # rows of a machine in the ordinary suite
ELSEWHERE = frozenset({Trait.BRANCH, Trait.CONDITIONAL_BRANCH, Trait.END, Trait.CALL})


def fresh(machine: str) -> Builder:
    kernel = Kernel("k", parse_target(machine), arguments_of(()), (64, 1, 1))
    recorder = Recorder(kernel, fresh.__code__)
    return Builder(recorder, Entry(recorder, ()))


def has_method(row: Row) -> bool:
    """Rows of two operations are made by a pass, and rows of halves by their short spelling; control flow has methods of its own."""
    writes_exec = EXEC in row.writes
    return row.encoding is not Encoding.DUAL and reaches_every_register(row) and row.traits.isdisjoint(ELSEWHERE) and not writes_exec


def given(builder: Builder, sample: Instr, place: int) -> object:
    operand = sample.operands[place]
    if not isinstance(operand, Register):
        return operand
    value = registers(builder.recorder, operand, physical_class(operand))
    bit = plan_of(sample.row).source_bit[place]
    signs = dict(sample.modifiers)
    names = frozenset(name for name in ("neg", "abs", "sext") if bit and _mask(signs.get(name, 0)) & bit)
    return Modified(value, names) if names else value


def _mask(value: ModifierValue) -> int:
    return value if isinstance(value, int) else 0


def modifiers(sample: Instr) -> dict[str, object]:
    """The modifiers of an instruction as keywords."""
    specs = {spec.name: spec for spec in sample.row.modifiers}
    result: dict[str, object] = {}
    required = {spec.name: spec.default for spec in sample.row.modifiers if spec.required or (spec.syntax == "list" and any(spec.tail))}
    for name, value in {**required, **dict(sample.modifiers)}.items():
        spec = specs[name]
        if spec.syntax == "source":
            continue
        if spec.syntax in ("phrase", "dpp", "dpp8"):
            assert isinstance(value, int)
            word = spec.words[value] if spec.syntax == "phrase" else format_dpp8(value)
            if spec.syntax == "dpp":
                word = str(format_control(value, spec.words))
            word, _, number = word.partition(":")
            result[word] = number or True
        elif spec.syntax == "word":
            assert isinstance(value, int)
            result[name] = spec.words[value]
        elif spec.syntax == "flag":
            result[name] = True
        elif isinstance(value, tuple):
            result[name] = (*value, *spec.tail)
        else:
            result[name] = value
    return result


def hold(machine: str, row: Row, sample: Instr) -> None:
    if any(isinstance(operand, Label) for operand in sample.operands) or "half" in dict(sample.modifiers):
        return
    builder = fresh(machine)
    plan = plan_of(row)
    uses = [i for i in row.uses if not row.operands[i].hidden]
    hidden = [i for i in row.uses if row.operands[i].hidden]
    operands = [given(builder, sample, i) for i in (*uses, *hidden) if sample.operands[i] != () or not plan.visible]
    into = tuple(given(builder, sample, i) for i in row.defines)
    if any(isinstance(value, Registers) and value.register.overlaps(EXEC) for value in into):
        return
    getattr(builder, row.mnemonic)(*operands, into=into, **modifiers(sample))
    assert format_instr(builder.recorder.block.instructions[-1]) == format_instr(sample)


@IN_ONE_PROCESS
@pytest.mark.parametrize("machine", MACHINES)
def test_a_method_makes_the_instruction(machine: str) -> None:
    for row in rows_in_turn(machine)[::EVERY]:
        if has_method(row):
            for sample in some_samples(row, len(row.mnemonic)):
                hold(machine, row, sample)


@pytest.mark.slow
@IN_ONE_PROCESS
@pytest.mark.parametrize("machine", MACHINES)
def test_every_method_makes_its_instructions(machine: str) -> None:
    for row in table_named(machine).rows:
        if has_method(row):
            for sample in samples(row):
                hold(machine, row, sample)
