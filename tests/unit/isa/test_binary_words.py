"""Random words: each is the instruction that llvm-objdump reads, or refused as by llvm-objdump, but for the
corners listed."""

from __future__ import annotations

from collections import Counter

import pytest

from isa.binary import decode
from isa.diagnostics import InputError
from isa.instruction import Instr
from isa.table import Table, table_named
from isa.text.printing import format_instr
from tests.rows import MACHINES
from tests.unit.isa.byte_corners import Case, corner_of, spells_it_otherwise
from tests.unit.isa.machine_code import LONGEST, Listed, assembled_or_refused, disassembled
from tests.unit.isa.random_words import random_records
from tests.unit.isa.samples import IN_ONE_PROCESS

pytestmark = [pytest.mark.broad, IN_ONE_PROCESS, pytest.mark.needs_llvm("llvm-mc-22", "llvm-objdump-22")]

TRUE16 = ("+real-true16",)
SOME, MANY, TOGETHER = 700, 100_000, 20_000


@pytest.mark.parametrize("machine", MACHINES)
def test_words_are_read_as_llvm_reads_them(machine: str) -> None:
    _ = hold(machine, SOME, 0)


def test_f64_atomics_that_return_agprs_may_have_sc1() -> None:
    """LLVM's assembler gives them the bytes without it."""
    record, table = bytes.fromhex("008045df2c80ff00").ljust(LONGEST, b"\0"), table_named("gfx942")
    text = "global_atomic_max_f64 a[0:1], v[44:45], a[128:129], off sc0"
    ours, size = read(record, table)
    assert ours is not None and (format_instr(ours), size) == (f"{text} sc1", 8)
    assert disassembled([record], "gfx942") == [None]
    assert assembled_or_refused([f"{text} sc1"], "gfx942", ()) == assembled_or_refused([text], "gfx942", ()) == [bytes.fromhex("008045dd2c80ff00")]
    assert corner_of(Case(record, None, None, ours, table))


@pytest.mark.slow
@pytest.mark.parametrize("machine", MACHINES)
def test_a_hundred_thousand_words_are_read_as_llvm_reads_them(machine: str) -> None:
    found = sum((hold(machine, TOGETHER, seed) for seed in range(1, 1 + MANY // TOGETHER)), Counter[str]())
    assert found["read alike"] > MANY // 3
    assert found["refused alike"] > MANY // 100


def hold(machine: str, count: int, seed: int) -> Counter[str]:
    """Compare words; how many were read alike, refused alike, and in each corner."""
    table = table_named(machine)
    records = random_records(machine, count, seed)
    found: Counter[str] = Counter()
    unsettled: list[tuple[bytes, Listed | None, Instr | None]] = []
    features = TRUE16 if table.halves is not None else ()
    listings = disassembled(records, machine)
    if table.halves is not None:  # halves are chosen by bits that LLVM's default spelling does not look at
        others, own = disassembled(records, machine, features), set(table.rows)
        listings = [
            listed if ours is not None and ours.row in own else other or listed
            for listed, other, (ours, _) in zip(listings, others, (read(record, table) for record in records), strict=True)
        ]
    for record, listed in zip(records, listings, strict=True):
        ours, size = read(record, table)
        if listed is None and ours is None:
            found["refused alike"] += 1
        elif listed is not None and ours is not None and size == listed.size and is_alike(ours, listed, table):
            found["read alike"] += 1
        else:
            unsettled.append((record, listed, ours))
    texts = [listed.text if listed else "" for _, listed, _ in unsettled]
    wrong: list[tuple[str, str, str]] = []
    for (record, listed, ours), code in zip(unsettled, assembled_or_refused(texts, machine, features), strict=True):
        case = Case(record, listed, code, ours, table)
        reason = corner_of(case)
        if reason is None:
            wrong.append((record.hex(" ", 4), case.text, format_instr(ours) if ours else "refused"))
        else:
            found[reason] += 1
    assert wrong == []
    return found


def read(record: bytes, table: Table) -> tuple[Instr | None, int]:
    """The instruction of the bytes; nothing if they are refused."""
    try:
        return decode(record + bytes(LONGEST), 0, table)
    except InputError:
        return None, 0


def is_alike(ours: Instr, listed: Listed, table: Table) -> bool:
    return format_instr(ours) == listed.text or spells_it_otherwise(listed.text, ours, table)
