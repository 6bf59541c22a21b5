"""Scans: windows that reach to an end of their axis, with any body; and recursions, as JAX prints them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import asmgen
from tests.device import chosen_device
from tests.rows import MACHINES
from tests.tensors.case import Array, array, constant, main, numbers, reducer, t
from tests.tensors.recursion import Body, Combine, scan_in_numpy, scan_text
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
    with np.errstate(over="ignore"):
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


ADD: Body = ([("add", "p0", "q0")], ["v0"])
RECURRENCE: Body = ([("multiply", "p0", "q0"), ("multiply", "q0", "p1"), ("add", "v1", "q1")], ["v0", "v2"])


@pytest.mark.parametrize(
    ("op", "ufunc", "dtype"), [("add", np.add, "f4"), ("maximum", np.maximum, "i1"), ("or", np.logical_or, "?"), ("xor", np.bitwise_xor, "i4")]
)
@pytest.mark.parametrize(("dims", "axis", "reverse"), [((2,), 0, False), ((3, 13), 1, True), ((12, 3), 0, False), ((37,), 0, True)])
def test_a_recursion_over_even_and_odd_elements(op: str, ufunc: np.ufunc, dtype: str, dims: tuple[int, ...], axis: int, reverse: bool) -> None:
    """JAX's `associative_scan` is a scan of the graph, in a single launch."""
    x = numbers(504, dims, np.dtype(dtype))
    program = asmgen.compile(scan_text(lambda _: ([(op, "p0", "q0")], ["v0"]), [x], axis, reverse), target=MACHINES[len(dims) + axis])
    turned = np.flip(x, axis) if reverse else x
    wanted = ufunc.accumulate(turned, axis).astype(x.dtype)
    agree(program(x, device=chosen_device()), [np.flip(wanted, axis) if reverse else wanted])
    assert len(program.kernels) == 1 or op == "xor"


@pytest.mark.parametrize("reverse", [False, True])
def test_a_recurrence_as_a_recursion(reverse: bool) -> None:
    text = scan_text(lambda _: RECURRENCE, [A, B], 1, reverse)
    wanted = _recurrence(A[:, ::-1], B[:, ::-1]) if reverse else _recurrence(A, B)
    agree(results(text, (A, B), MACHINES[1]), [each[:, ::-1] if reverse else each for each in wanted])


@pytest.mark.parametrize("length", [3, 6, 11])
def test_a_recursion_that_is_no_scan(length: int) -> None:
    """The grouping counts if a body is not associative, or if it is another at some length."""
    x = numbers(505, (length,), np.int32)
    bodies: list[tuple[Callable[[int], str], Combine]] = [
        (lambda _: "subtract", lambda p, q: [p[0] - q[0]]),
        (lambda pairs: "maximum" if pairs == 2 else "add", lambda p, q: [np.maximum(p[0], q[0]) if len(q[0]) == 2 else p[0] + q[0]]),
    ]
    for op, combine in bodies:
        text = scan_text(lambda pairs, op=op: ([(op(pairs), "p0", "q0")], ["v0"]), [x], 0)
        agree(results(text, (x,), MACHINES[0]), scan_in_numpy(combine, [x]))


def test_an_array_that_is_two_parts() -> None:
    text = scan_text(lambda _: RECURRENCE, [A, A], 1).replace("%x1", "%x0").replace("%x0: tensor<3x11xf32>, ", "", 1)
    agree(results(text, (A,), MACHINES[0]), _recurrence(A, A))


def test_a_recursion_makes_zeros_positive() -> None:
    """It adds a zero to each element."""
    x = np.full(5, -0.0, np.float32)
    assert not np.signbit(results(scan_text(lambda _: ADD, [x], 0), (x,), MACHINES[0])[0]).any()


def test_a_recurrence_with_factors_that_overflow() -> None:
    """The results before the product of factors overflows are right."""
    a, b = array([[1e30, 1, 1, 1e30, 1]]), np.full((1, 5), 1e-30, np.float32)
    text = scan_text(lambda _: RECURRENCE, [a, b], 1)
    factors, h = results(text, (a, b), MACHINES[0])
    wanted = _recurrence(a, b)
    agree([factors], wanted[:1], ulps=8)
    agree([h[:, :3]], [wanted[1][:, :3]], ulps=8)


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "i8"])
def test_a_recurrence_is_a_scan_of_pairs(dtype: str) -> None:
    a, b = (numbers(seed, (4, 70, 6), np.dtype(dtype), least=-1, most=1) for seed in (506, 507))
    program = asmgen.compile(scan_text(lambda _: RECURRENCE, [a, b], 1), target=MACHINES[2])
    assert len(program.kernels) == 1
    wanted = _recurrence(a.transpose(0, 2, 1).reshape(24, 70), b.transpose(0, 2, 1).reshape(24, 70))
    agree(program(a, b, device=chosen_device()), [each.reshape(4, 6, 70).transpose(0, 2, 1) for each in wanted])


def test_a_recurrence_of_f16_rounds_at_each_step() -> None:
    a, b = (numbers(seed, (8,), np.float16, least=-1, most=1) for seed in (508, 509))
    assert len(asmgen.compile(scan_text(lambda _: RECURRENCE, [a, b], 0), target=MACHINES[2]).kernels) > 1
