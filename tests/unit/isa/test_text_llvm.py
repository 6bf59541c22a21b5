"""Every row's samples on every machine that has it, as LLVM spells and reads them; what a machine lacks, LLVM refuses too."""

from __future__ import annotations

from functools import cache

import pytest

from isa.diagnostics import InputError
from isa.instruction import Instr, Row
from isa.table import table_named
from isa.text import format_instr, parse_instr
from tests.rows import MACHINES, every_row
from tests.unit.isa.assembler import Assembled, assemble_lines
from tests.unit.isa.samples import samples

each_machine = pytest.mark.parametrize("machine", MACHINES)


@cache
def spelt(row: Row) -> tuple[tuple[Instr, str], ...]:
    """A row's samples with their text."""
    return tuple((instr, format_instr(instr)) for instr in samples(row))


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
    """What a text means on a machine; None where it is refused."""
    mnemonic = text.split(" ", 1)[0]
    return read(text, first_machine(mnemonic, table_named(machine).named(mnemonic)))


def read_back(text: str, machine: str) -> str:
    """Our spelling of a text; empty where we refuse it, as an `Assembled` that LLVM refuses has it."""
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
    texts = [text for row in table_named(machine).rows for _, text in spelt(row)]
    wrong = [(text, seen.error or seen.text) for text, seen in judged(texts, machine).items() if seen.text != text]
    assert wrong == []


@each_machine
def test_what_is_printed_parses_to_the_same_instruction(machine: str) -> None:
    every = [sample for row in table_named(machine).rows for sample in spelt(row)]
    assert [(text, found) for instr, text in every if (found := read_on(text, machine)) != instr] == []


@pytest.mark.needs_llvm("llvm-mc-22")
@each_machine
def test_without_its_suffix_a_mnemonic_gets_the_encoding_that_llvm_gives_it(machine: str) -> None:
    suffixed = [row for row in table_named(machine).rows if row.mnemonic != row.name]
    texts = [text.replace(row.mnemonic, row.name, 1) for row in suffixed for _, text in spelt(row)]
    wrong = [(text, ours, seen) for text, seen in judged(texts, machine).items() if (ours := read_back(text, machine)) != seen.text]
    assert wrong == []


@each_machine
def test_no_two_samples_of_one_row_share_a_text(machine: str) -> None:
    """Text loses nothing: apart from operands that are equal, each sample is spelt differently."""
    for row in table_named(machine).rows:
        seen: dict[str, Instr] = {}
        for instr, text in spelt(row):
            assert seen.setdefault(text, instr) == instr, text


# What LLVM takes and we refuse, by the mnemonic as it stands in the text: on which machines, and why.
TAKEN_BY_LLVM: dict[str, str] = {
    "s_waitcnt": "gfx1201: LLVM keeps the encoding, RDNA4 has a wait for each counter in its place",
}


def is_another_spelling(text: str, seen: Assembled, machine: str) -> bool:
    """LLVM reads an older or a newer name of an instruction that it prints by another, and that other one is a row here."""
    printed = seen.text.split(" ", 1)[0]
    return printed != text.split(" ", 1)[0] and read_back(seen.text, machine) == seen.text


@pytest.mark.needs_llvm("llvm-mc-22")
@each_machine
def test_llvm_refuses_the_rows_that_a_machine_lacks(machine: str) -> None:
    """The plain sample and the one with every modifier, of each row of other machines that this one cannot read."""
    foreign = [sample for row in every_row() if row not in own_rows(machine) for sample in (spelt(row)[0][1], spelt(row)[-1][1])]
    lacking = [text for text in dict.fromkeys(foreign) if read_on(text, machine) is None]
    taken = [(text, seen.text) for text, seen in judged(lacking, machine).items() if not seen.error and not is_another_spelling(text, seen, machine)]
    assert [pair for pair in taken if pair[0].split(" ", 1)[0] not in TAKEN_BY_LLVM] == []


@cache
def own_rows(machine: str) -> frozenset[Row]:
    return frozenset(table_named(machine).rows)
