"""Every row's samples on every machine that has it, as LLVM spells and reads them; LLVM also refuses the rows
that a machine lacks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import pytest

from isa.constants import BITS
from isa.diagnostics import InputError
from isa.instruction import Instr, Row, Unit
from isa.table import table_named
from isa.text.parsing import parse_instr
from isa.text.printing import format_instr
from tests.rows import MACHINES, every_row, rows_in_turn
from tests.unit.isa.assembler import Assembled, assemble_lines
from tests.unit.isa.samples import IN_ONE_PROCESS, samples, some_samples

pytestmark = [pytest.mark.broad, IN_ONE_PROCESS]

each_machine = pytest.mark.parametrize("machine", MACHINES)


Spelt = Callable[[Row], tuple[tuple[Instr, str], ...]]


@cache
def spelt(row: Row) -> tuple[tuple[Instr, str], ...]:
    """A row's samples with their text."""
    return tuple((instr, format_instr(instr)) for instr in samples(row))


@cache
def some_spelt(row: Row) -> tuple[tuple[Instr, str], ...]:
    """A third of them, which differs from row to row."""
    chosen = set(map(id, some_samples(row, len(row.mnemonic))))
    return tuple(sample for sample in spelt(row) if id(sample[0]) in chosen)


@cache
def first_machine(mnemonic: str, rows: tuple[Row, ...]) -> str:
    """The first machine that has these rows under a mnemonic: a text means the same on all of them, and is parsed once."""
    return next(machine for machine in MACHINES if table_named(machine).named(mnemonic) == rows)


@cache
def read(text: str, machine: str) -> Instr | None:
    try:
        return parse_instr(text, table_named(machine), text)
    except InputError:
        return None


def read_on(text: str, machine: str) -> Instr | None:
    """The meaning of a text on a machine; None if it is refused."""
    mnemonic = text.split(" ", 1)[0]
    return read(text, first_machine(mnemonic, table_named(machine).named(mnemonic)))


def read_back(text: str, machine: str) -> str:
    """Our spelling of a text; empty if we refuse it, as in an `Assembled` that LLVM refuses."""
    instr = read_on(text, machine)
    return format_instr(instr) if instr is not None else ""


def judged(texts: list[str], machine: str) -> dict[str, Assembled]:
    unique = list(dict.fromkeys(texts))
    return dict(zip(unique, assemble_lines(unique, machine), strict=True))


def test_every_row_has_samples() -> None:
    assert [row for row in every_row() if not samples(row)] == []


@pytest.mark.needs_llvm("llvm-mc-22")
@each_machine
def test_llvm_assembles_every_sample_and_prints_our_text(machine: str) -> None:
    """Of each row on one of the machines that have it, which take turns; on the others in the slow set."""
    is_assembled(machine, rows_in_turn(machine))


@pytest.mark.slow
@pytest.mark.needs_llvm("llvm-mc-22")
@each_machine
def test_llvm_assembles_every_sample_on_each_machine(machine: str) -> None:
    is_assembled(machine, table_named(machine).rows)


def is_assembled(machine: str, rows: Sequence[Row]) -> None:
    texts = [text for row in rows for _, text in spelt(row)]
    wrong = [(text, seen.error or seen.text) for text, seen in judged(texts, machine).items() if seen.text != text]
    assert wrong == []


@each_machine
def test_what_is_printed_parses_to_the_same_instruction(machine: str) -> None:
    parses_back(machine, some_spelt, rows_in_turn(machine))


@pytest.mark.slow
@each_machine
def test_whatever_is_printed_parses_to_the_same_instruction(machine: str) -> None:
    parses_back(machine, spelt, table_named(machine).rows)


def parses_back(machine: str, spelt: Spelt, rows: Sequence[Row]) -> None:
    every = [sample for row in rows for sample in spelt(row)]
    read = [(text, read_on(text, machine), instr) for instr, text in every]
    assert [(text, found) for text, found, instr in read if found != instr and not is_whole_move(found, instr)] == []


def is_whole_move(found: Instr | None, instr: Instr) -> bool:
    """Whether both are a DPP move of every lane with bound_ctrl, which is read as the row without the old value."""
    return found is not None and found.row.form == "bound" and format_instr(found) == format_instr(instr)


@pytest.mark.needs_llvm("llvm-mc-22")
@each_machine
def test_without_its_suffix_a_mnemonic_gets_the_encoding_that_llvm_gives_it(machine: str) -> None:
    reads_without_suffix(machine, some_spelt, rows_in_turn(machine))


@pytest.mark.slow
@pytest.mark.needs_llvm("llvm-mc-22")
@each_machine
def test_without_its_suffix_every_sample_gets_the_encoding_that_llvm_gives_it(machine: str) -> None:
    reads_without_suffix(machine, spelt, table_named(machine).rows)


def reads_without_suffix(machine: str, spelt: Spelt, rows: Sequence[Row]) -> None:
    suffixed = [row for row in rows if row.mnemonic != row.name]
    texts = [text.replace(row.mnemonic, row.name, 1) for row in suffixed for _, text in spelt(row)]
    wrong = [(text, ours, seen) for text, seen in judged(texts, machine).items() if (ours := read_back(text, machine)) != seen.text]
    assert wrong == []


@each_machine
def test_no_two_samples_of_one_row_share_a_text(machine: str) -> None:
    """Text loses nothing: apart from operands that are equal, each sample is spelt differently."""
    for row in rows_in_turn(machine):
        seen: dict[str, Instr] = {}
        for instr, text in spelt(row):
            assert seen.setdefault(text, instr) == instr, text


class Taken(NamedTuple):
    """A text of another machine's row that LLVM takes here and we refuse, and what LLVM prints for it."""

    row: Row
    text: str
    printed: str
    machine: str


def is_another_spelling(taken: Taken) -> bool:
    """LLVM prints it otherwise, and its text is read here: an older or a newer name, or a destination left
    out."""
    return taken.printed != taken.text and read_back(taken.printed, taken.machine) != ""


REASONS: dict[str, Callable[[Taken], bool]] = {
    "another spelling of an instruction that has its row": is_another_spelling,
    "AMD's matrix calculator has no lane groups for these since gfx942; LLVM takes the field": (
        lambda t: t.row.unit is Unit.MATRIX and "blgp:" in t.text
    ),
    "an element of op_sel that stands for a whole register means nothing, and is 0 here": (
        lambda t: "op_sel:" in t.text and any(BITS[spec.type] > 16 for spec in t.row.operands)
    ),
    "gfx1201 waits for each counter by an instruction of its own; llvm-mc still encodes the older one": (
        lambda t: any(spec.syntax == "counter" for spec in t.row.modifiers)
    ),
    "op_sel of v_alignbit and v_alignbyte chooses half of a shift that has five bits": (
        lambda t: [spec.type for spec in t.row.operands if not spec.hidden][:3] == ["b32", "b32", "b32"] and "op_sel:" in t.text
    ),
}


@cache
def taken_by_llvm(machine: str) -> list[Taken]:
    """The plain sample and the sample with every modifier, of each row of other machines that this machine
    cannot read."""
    own = frozenset(table_named(machine).rows)
    foreign = {text: row for row in every_row() if row not in own for _, text in (spelt(row)[0], spelt(row)[-1])}
    lacking = [text for text in foreign if read_on(text, machine) is None]
    return [Taken(foreign[text], text, seen.text, machine) for text, seen in judged(lacking, machine).items() if not seen.error]


@pytest.mark.needs_llvm("llvm-mc-22")
@each_machine
def test_llvm_refuses_the_rows_that_a_machine_lacks(machine: str) -> None:
    unexplained = [t for t in taken_by_llvm(machine) if not any(explains(t) for explains in REASONS.values())]
    assert [(t.text, t.printed) for t in unexplained] == []


@pytest.mark.needs_llvm("llvm-mc-22")
@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_still_explains_something(reason: str) -> None:
    assert any(REASONS[reason](t) for machine in MACHINES for t in taken_by_llvm(machine))
