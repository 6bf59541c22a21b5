"""Every op with special constants in every operand place compiles, and is right by the reference on the emulator."""

from __future__ import annotations

import pytest

import asmgen
from asmgen.verification import hold
from tests.device import chosen_device
from tests.property.special_programs import TARGETS, special_program

PER_TEST = 10
IN_EVERY_RUN = 10
ON_DEMAND = 3000


def check_programs(first: int) -> None:
    for number in range(first, first + PER_TEST):
        program = special_program(number)
        target = TARGETS[number % len(TARGETS)]
        report = hold(asmgen.compile(program.text, target=target), chosen_device(), inputs=program.inputs)
        assert not report.is_broken, f"{target}, {program}\n" + "\n".join(str(check) for check in report.checks)


@pytest.mark.parametrize("first", range(0, IN_EVERY_RUN, PER_TEST))
def test_special_constants_in_every_place_agree_with_the_reference(first: int) -> None:
    check_programs(first)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(IN_EVERY_RUN, ON_DEMAND, PER_TEST))
def test_more_special_constants_agree_with_the_reference(first: int) -> None:
    check_programs(first)
