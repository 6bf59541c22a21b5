"""Declared instructions: a row is made at the first use of the name, once, and under that name."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from msgspec.structs import replace

from isa.diagnostics import InternalError
from isa.instruction import Encoding, Row, Unit
from isa.table import Table
from isa.table.declared import Declaration, changed, instruction
from isa.targets import TARGETS
from tests.rows import row as row_named

TARGET = TARGETS["gfx942"]
MOVE = row_named("v_mov_b32_e32")


def renamed(name: str, operation: str = "") -> Row:
    return replace(MOVE, name=name, mnemonic=f"{name}_e32", operation=operation or name)


def test_the_rows_of_other_instructions_are_not_made() -> None:
    made: list[str] = []

    @instruction
    def declared(name: str) -> Iterator[Row]:
        made.append(name)
        yield renamed(name)

    table = Table(TARGET, (*declared("v_one"), *declared("v_two"), *declared("v_three")))
    assert table.named("v_absent") == ()
    assert made == []
    assert [found.mnemonic for found in (*table.named("v_two"), *table.named("v_two_e32"), *table.doing("v_two"))] == ["v_two_e32"] * 3
    assert made == ["v_two"]
    assert [found.name for found in table.rows] == ["v_one", "v_two", "v_three"]
    assert made == ["v_two", "v_one", "v_three"]


def test_an_instruction_is_found_by_its_operation() -> None:
    declaration = Declaration("v_new", lambda: (renamed("v_new", "v_old"),), operation="v_old")
    table = Table(TARGET, (declaration,))
    assert table.row("v_old").name == "v_new"
    assert table.named("v_old") == ()


def test_rows_of_another_name_than_declared_are_an_internal_error() -> None:
    with pytest.raises(InternalError, match="declared with the operation v_one"):
        _ = Declaration("v_one", lambda: (renamed("v_one", "v_two"),)).rows()


def test_another_target_does_not_make_what_it_cannot_have() -> None:
    def fail() -> Iterator[Row]:
        raise AssertionError("not asked for")

    assert Table(TARGET, (Declaration("v_one", fail, frozenset({"gfx90a"})),)).named("v_one") == ()


def test_a_change_acts_on_every_row_and_leaves_the_first_declaration() -> None:
    declaration = Declaration("v_one", lambda: (renamed("v_one"),))
    (other,) = changed((declaration,), lambda row: replace(row, unit=Unit.TRANS))
    assert isinstance(other, Declaration)
    assert [found.unit for found in (*other.rows(), *declaration.rows())] == [Unit.TRANS, Unit.VALU]
    assert declaration.chosen(lambda row: row.encoding is Encoding.E64).rows() == ()


def test_two_threads_get_the_same_rows() -> None:
    """Rows are compared by identity, so they are made once although two threads ask at the same time."""
    together = Barrier(2)

    def make() -> Iterator[Row]:
        yield renamed("v_one")

    declaration = Declaration("v_one", make)

    def ask(_number: int) -> Row:
        _ = together.wait()
        return declaration.rows()[0]

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(ask, range(2))
    assert first is second
