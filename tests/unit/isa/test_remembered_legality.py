"""The remembered answer of `isa.verify.takes` is true of all operands of the same shape."""

from __future__ import annotations

from random import Random

import pytest

from isa.instruction import Immediate
from isa.operand_check import known_class, operand_checks, operand_fault
from isa.registers import FIRST_AGPR, FIRST_VGPR, FIRST_VIRTUAL, Register, RegisterClass
from isa.table import table_named
from isa.verify import relation_fault, takes
from tests.rows import row, rows_in_turn
from tests.unit.isa.samples import base

ADD = row("v_add_f32_e64")
RESULT, FIRST, SECOND = Register(FIRST_VIRTUAL), Register(FIRST_VIRTUAL + 1), Register(FIRST_VIRTUAL + 2)


def scalar_sources(register: Register) -> RegisterClass:
    return RegisterClass.VGPR if register == RESULT else RegisterClass.SGPR


def test_the_constant_bus_tells_one_scalar_from_two_whichever_was_asked_first() -> None:
    for _ in range(2):
        assert not takes(ADD, (RESULT, FIRST, SECOND), scalar_sources)
        assert takes(ADD, (RESULT, FIRST, FIRST), scalar_sources)
        assert takes(ADD, (RESULT, SECOND, SECOND), scalar_sources)
        assert not takes(ADD, (RESULT, SECOND, FIRST), scalar_sources)


def test_the_class_and_the_width_of_a_register_count() -> None:
    short = row("v_add_f32_e32")
    assert takes(short, (RESULT, FIRST, SECOND), lambda _: RegisterClass.VGPR)
    assert not takes(short, (RESULT, FIRST, SECOND), scalar_sources)
    assert not takes(short, (RESULT, FIRST, Register(SECOND.first, 2)), lambda _: RegisterClass.VGPR)


def test_a_constant_and_a_register_of_the_same_number_are_apart() -> None:
    short = row("v_add_f32_e32")
    assert takes(short, (Register(FIRST_VGPR), Immediate(FIRST_VGPR), Register(FIRST_VGPR + 1)), known_class)
    assert not takes(short, (Register(FIRST_VGPR), Register(FIRST_VGPR + 1), Immediate(FIRST_VGPR)), known_class)


def test_parts_of_a_tuple_that_overlap_are_looked_at_where_a_row_clobbers_early() -> None:
    matrix = next(one for one in table_named("gfx942").rows if one.name == "v_mfma_f32_32x32x8_f16" and one.operands[0].early_clobber)
    wide, (a, b) = Register(FIRST_VIRTUAL, 32), (Register(FIRST_VIRTUAL + 32, 2), Register(FIRST_VIRTUAL + 34, 2))
    apart = Register(FIRST_VIRTUAL + 36, 16)
    assert takes(matrix, (apart, a, b, Register(wide.first, 16)), lambda _: RegisterClass.VGPR)
    assert not takes(matrix, (Register(wide.first + 8, 16), a, b, Register(wide.first, 16)), lambda _: RegisterClass.VGPR)


@pytest.mark.parametrize("machine", ["gfx90a", "gfx942", "gfx1100", "gfx1201"])
def test_what_is_remembered_of_vector_registers_is_true_of_each(machine: str) -> None:
    """Of registers of either file, of odd and even numbers, below and above v127, the same or apart."""
    random, found = Random(3), set[bool]()
    firsts = [first + number for first in (FIRST_VGPR, FIRST_AGPR) for number in (0, 1, 2, 4, 5, 127, 128, 129)]
    for each in rows_in_turn(machine):
        plain = base(each).operands
        for _ in range(12):
            operands = tuple(
                Register(random.choice(firsts), operand.count)
                if isinstance(operand, Register) and operand.first >= FIRST_VGPR and random.random() < 0.7
                else operand
                for operand in plain
            )
            faults = [operand_fault(check, operand, known_class) for check, operand in zip(operand_checks(each), operands, strict=True)]
            is_legal = not any(faults) and relation_fault(each, operands, known_class) is None
            assert takes(each, operands, known_class) == is_legal, (each, operands)
            found.add(is_legal)
    assert found == {False, True}
