"""Steps that are decoded once serve every program: what an instruction does follows from it and the registers of a wave."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from isa.diagnostics import InputError, Place
from isa.emulator.layout import RegisterLayout
from isa.emulator.plan import step_of
from isa.emulator.watch import NoWatch
from isa.instruction import Instr, Origin
from isa.program import VirtualRegister
from isa.registers import FIRST_VIRTUAL, RegisterClass
from isa.table import table_of
from isa.target import Target
from isa.targets import TARGETS
from isa.text import parse_instr

GFX942, GFX1100 = TARGETS["gfx942"], TARGETS["gfx1100"]


def instruction(text: str, target: Target = GFX942) -> Instr:
    return parse_instr(text, table_of(target), "test")


def test_an_instruction_has_one_step_wherever_it_comes_from() -> None:
    add = instruction("v_add_f32_e32 v0, v1, v2")
    elsewhere = replace(add, origin=Origin("add", Place("other.gen", 7)))
    assert step_of(add, RegisterLayout(8, 0), NoWatch()) is step_of(elsewhere, RegisterLayout(8, 0), NoWatch())


def test_other_registers_and_other_machines_have_steps_of_their_own() -> None:
    add, layout = instruction("v_add_f32_e32 v0, v1, v2"), RegisterLayout(8, 0)
    others = [
        step_of(instruction("v_add_f32_e32 v0, v2, v1"), layout, NoWatch()),
        step_of(add, RegisterLayout(16, 4), NoWatch()),
        step_of(instruction("v_add_f32_e32 v0, v1, v2", GFX1100), RegisterLayout(8, 0, target=GFX1100), NoWatch()),
        step_of(add, RegisterLayout(8, 0, [VirtualRegister("t", RegisterClass.VGPR, FIRST_VIRTUAL, 1, 1, None)]), NoWatch()),
    ]
    assert step_of(add, layout, NoWatch()) not in others
    assert len(set(map(id, others))) == len(others)


def test_what_is_refused_is_refused_at_its_own_place_each_time() -> None:
    """The upper word of a constant is not defined."""
    packed = instruction("v_pk_fma_f32 v[0:1], v[2:3], 1.0, v[4:5]")
    for line in (3, 4):
        here = replace(packed, origin=Origin("fma", Place("some.gen", line)))
        with pytest.raises(InputError) as caught:
            _ = step_of(here, RegisterLayout(8, 0), NoWatch())
        assert str(caught.value).startswith(f"some.gen:{line}")
