"""Every row's samples, as LLVM spells and reads them."""

from __future__ import annotations

from functools import cache

import pytest

from isa.diagnostics import InputError
from isa.instruction import Instr
from isa.text import format_instr
from tests.rows import all_rows, parse_instr
from tests.unit.isa.assembler import Assembled, assemble_lines
from tests.unit.isa.samples import samples

SHARDS = 4


@cache
def shard(number: int) -> list[tuple[Instr, str]]:
    """Every fourth row's samples with their text."""
    return [(instr, format_instr(instr)) for row in all_rows()[number::SHARDS] for instr in samples(row)]


@cache
def judged(number: int) -> dict[str, Assembled]:
    texts = list(dict.fromkeys(text for _, text in shard(number)))
    return dict(zip(texts, assemble_lines(texts), strict=True))


def test_every_row_has_samples() -> None:
    assert [row for row in all_rows() if not samples(row)] == []


@pytest.mark.needs_llvm("llvm-mc-22")
@pytest.mark.parametrize("number", range(SHARDS))
def test_llvm_assembles_every_sample_and_prints_our_text(number: int) -> None:
    wrong = [(text, seen.error or seen.text) for text, seen in judged(number).items() if seen.text != text]
    assert wrong == []


@pytest.mark.parametrize("number", range(SHARDS))
def test_what_is_printed_parses_to_the_same_instruction(number: int) -> None:
    wrong = [(text, parsed) for instr, text in shard(number) if (parsed := parse_instr(text, text)) != instr]
    assert wrong == []




@pytest.mark.needs_llvm("llvm-mc-22")
@pytest.mark.parametrize("number", range(SHARDS))
def test_without_its_suffix_a_mnemonic_gets_the_encoding_that_llvm_gives_it(number: int) -> None:
    bare = [text.replace(instr.row.mnemonic, instr.row.name, 1) for instr, text in shard(number) if instr.row.mnemonic != instr.row.name]
    texts = list(dict.fromkeys(bare))
    assert texts
    wrong = [(text, ours, seen) for text, seen in zip(texts, assemble_lines(texts), strict=True) if (ours := read_back(text)) != seen.text]
    assert wrong == []


def read_back(text: str) -> str:
    """Our spelling of a text; empty where we refuse it, as an `Assembled` that LLVM refuses has it."""
    try:
        return format_instr(parse_instr(text, text))
    except InputError:
        return ""


def test_no_two_samples_of_one_row_share_a_text() -> None:
    """Text loses nothing: apart from operands that are equal, each sample is spelt differently."""
    for number in range(SHARDS):
        seen: dict[str, Instr] = {}
        for instr, text in shard(number):
            assert seen.setdefault(text, instr) == instr, text
