"""Linear recurrences of many forms and types, with the float64 reference as judge."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import asmgen
from asmgen.compiled import CompiledProgram
from asmgen.verification import hold
from tests.device import chosen_device
from tests.rows import MACHINES

# dims, attributes, dims of what precedes
FORMS = {
    "a row a workgroup": ("3,1100", "axis=1", ""),
    "rows in lanes": ("33,20", "axis=1, reverse=true", ""),
    "pieces of a row": ("2,3000", "axis=1, exclusive=true", ""),
    "columns": ("2,150,70", "axis=1", ""),
    "few columns": ("700,3", "axis=0, exclusive=true, reverse=true", ""),
    "two columns at the edge": ("3,130", "axis=0", ""),
    "after a row": ("6,200", "axis=1, reverse=true", "6,1"),
    "after rows of columns": ("50,40", "axis=0", "1,40"),
    "in parts": ("200,6", "axis=0, part=64, reverse=true", "4,6"),
    "a single element": ("6,1", "axis=1", "6,1"),
    "none": ("5,0", "axis=1", ""),
}
TYPES = ("f32", "f64", "f16", "bf16", "i32", "u32", "i64", "i16", "u8", "fp8e4m3fn")
IN_TURN = [(form, TYPES[3 * number % len(TYPES)], MACHINES[number % len(MACHINES)]) for number, form in enumerate(FORMS)]


def of(form: str, type_: str, body: str = "h = linear_recurrence[{}]({})") -> str:
    dims, attributes, before = FORMS[form]
    operands = {"a": dims, "b": dims} | ({"c": before} if before else {})
    parameters = [f"{name} = @param:{name} -> {type_}, {{{sizes}}}" for name, sizes in operands.items()]
    return "\n".join([*parameters, body.format(attributes, ", ".join(operands)), "@return(h)", ""])


def check(text: str, machine: str) -> None:
    check_compiled(asmgen.compile(text, target=machine, verify_passes=True))


def check_compiled(program: CompiledProgram) -> None:
    report = hold(program, chosen_device())
    assert not report.is_broken, "\n".join(str(check) for check in report.checks)


@pytest.mark.parametrize(("form", "type_", "machine"), IN_TURN)
def test_a_form_of_a_type(form: str, type_: str, machine: str) -> None:
    check(of(form, type_), machine)


@pytest.mark.slow
@pytest.mark.parametrize(("form", "type_", "machine"), list(product(FORMS, TYPES, MACHINES)))
def test_every_form_of_every_type(form: str, type_: str, machine: str) -> None:
    check(of(form, type_), machine)


@pytest.mark.parametrize(("form", "machine"), [("columns", "gfx942"), ("a row a workgroup", "gfx1201")])
def test_pointwise_ops_before_and_after_are_in_the_same_launch(form: str, machine: str) -> None:
    body = "f = sigmoid(a)\ns = mul(a, b)\nr = linear_recurrence[{0}](f, s)\nh = add(r, s)"
    compiled = asmgen.compile(of(form, "f32", body), target=machine, verify_passes=True)
    assert len(compiled.kernels) == 1
    check_compiled(compiled)


@pytest.mark.parametrize("dims, axis", [("n,40", 0), ("8,n", 1)])
def test_sizes_that_the_launch_knows(dims: str, axis: int) -> None:
    text = f"a = @param:a -> f32, {{{dims}}}\nb = @param:b -> f32, {{{dims}}}\nh = linear_recurrence[axis={axis}](a, b)\n@return(h)\n"
    check(text, "gfx942")


def test_elements_before_an_overflow_are_not_lost() -> None:
    a, b = np.ones((2, 70), np.float32), np.ones((2, 70), np.float32)
    a[:, 40] = np.inf
    text = "a = @param:a -> f32, {2,70}\nb = @param:b -> f32, {2,70}\nh = linear_recurrence[axis=1](a, b)\n@return(h)\n"
    (h,) = asmgen.compile(text, target="gfx942")(a, b, device="emulator")
    np.testing.assert_array_equal(h[:, :40], np.arange(1, 41, dtype=np.float32)[None].repeat(2, 0))
