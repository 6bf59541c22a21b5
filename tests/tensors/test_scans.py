"""Windows that reach to an end of their axis, with bodies that the graph has no scan for."""

from __future__ import annotations

import numpy as np
import pytest

from tests.rows import MACHINES
from tests.tensors.case import Array, array, constant, main, numbers, reducer, t
from tests.tensors.running import agree, results

A, B = numbers(501, (3, 11), least=-1, most=1), numbers(502, (3, 11))
BITS = numbers(503, (3, 11), np.int32)
PADS = {False: "[[0, 0], [10, 0]]", True: "[[0, 0], [0, 10]]"}


def _window(operands: str, body: str, reverse: bool, types: str) -> str:
    attributes = f"window_dimensions = array<i64: 1, 11>, padding = dense<{PADS[reverse]}> : tensor<2x2xi64>"
    return f'"stablehlo.reduce_window"({operands}) <{{{attributes}}}> ({body}) : {types}'


@pytest.mark.parametrize(("op", "start"), [("or", 0), ("or", 4), ("and", -1)])
def test_bits(op: str, start: int) -> None:
    """A start that changes numbers is combined with each of them."""
    reverse = start == -1
    init, type_ = array(start, np.int32), t(BITS)
    text = f"{constant('v', init)}\n%r = {_window('%a, %v', reducer(op, np.int32), reverse, f'({type_}, {t(init)}) -> {type_}')}"
    ufunc = np.bitwise_or if op == "or" else np.bitwise_and
    x = BITS[:, ::-1] if reverse else BITS
    wanted = ufunc(ufunc.accumulate(x, 1), init)
    wanted = wanted[:, ::-1] if reverse else wanted
    agree(results(main(text, {"a": BITS}, wanted), (BITS,), MACHINES[0]), [wanted])


def _recurrence(a: Array, b: Array) -> list[Array]:
    made = [a[:, 0]], [b[:, 0]]
    for column in range(1, a.shape[1]):
        made[1].append(made[1][-1] * a[:, column] + b[:, column])
        made[0].append(made[0][-1] * a[:, column])
    return [np.stack(columns, 1) for columns in made]


@pytest.mark.parametrize("reverse", [False, True])
def test_a_recurrence_reads_its_elements_in_order(reverse: bool) -> None:
    scalar, type_ = "tensor<f32>", t(A)
    arguments = ", ".join(f"%{name}: {scalar}" for name in ("p", "q", "s", "u"))
    first, last = (("p", "q"), ("s", "u")) if not reverse else (("s", "u"), ("p", "q"))
    body = f"{{\n^bb0({arguments}):\n  %1 = stablehlo.multiply %{first[0]}, %{last[0]} : {scalar}\n  %2 = stablehlo.multiply %{first[1]}, %{last[0]} : {scalar}\n"
    body += f"  %3 = stablehlo.add %2, %{last[1]} : {scalar}\n  stablehlo.return %1, %3 : {scalar}, {scalar}\n}}"
    types = f"({type_}, {type_}, {scalar}, {scalar}) -> ({type_}, {type_})"
    lines = f"{constant('v', array(1.0))}\n{constant('w', array(0.0))}\n%r:2 = {_window('%a, %b, %v, %w', body, reverse, types)}\n"
    lines += f"%r0 = stablehlo.negate %r#0 : {type_}\n%r1 = stablehlo.negate %r#1 : {type_}"
    wanted = _recurrence(A[:, ::-1], B[:, ::-1]) if reverse else _recurrence(A, B)
    wanted = [-(each[:, ::-1] if reverse else each) for each in wanted]
    agree(results(main(lines, {"a": A, "b": B}, *wanted), (A, B), MACHINES[-1]), wanted)
