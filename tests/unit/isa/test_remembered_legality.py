"""What `isa.verify.takes` remembers of operands is what is true of others of the same shape."""

from __future__ import annotations

from isa.instruction import Immediate
from isa.operand_check import known_class
from isa.registers import FIRST_VGPR, FIRST_VIRTUAL, Register, RegisterClass
from isa.table import table_named
from isa.verify import takes
from tests.rows import row

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
