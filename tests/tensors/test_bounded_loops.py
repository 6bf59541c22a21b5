"""Loops that data end, but a counter at the latest."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from isa.diagnostics import InputError
from tests.rows import MACHINES
from tests.tensors.case import Array, array
from tests.tensors.running import agree, results

X = array([1, 0.5, 3, 64, 7, -2, 2, 9])
F, N, B = "tensor<8xf32>", "tensor<8xi32>", "tensor<8xi1>"
_ELEMENTS = f"""func.func @main(%a: {F}) -> ({F}, {N}) {{
  %one = stablehlo.constant dense<1.0> : {F}
  %half = stablehlo.constant dense<0.5> : {F}
  %zero = stablehlo.constant dense<0> : {N}
  %step = stablehlo.constant dense<1> : {N}
  %w:2 = stablehlo.while(%x = %a, %k = %zero) : {F}, {N}
  cond {{
    %s = stablehlo.constant dense<3> : tensor<i32>
    %limit = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<i32>) -> {N}
    %no = stablehlo.constant dense<false> : tensor<i1>
    %g = stablehlo.compare GT, %x, %one : ({F}, {F}) -> {B}
    %l = stablehlo.compare LT, %k, %limit : ({N}, {N}) -> {B}
    %nos = stablehlo.broadcast_in_dim %no, dims = [] : (tensor<i1>) -> {B}
    %m = stablehlo.compare NE, %l, %nos : ({B}, {B}) -> {B}
    %e = stablehlo.and %g, %m : {B}
    %c = stablehlo.reduce(%e init: %no) applies stablehlo.or across dimensions = [0] : ({B}, tensor<i1>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %s = stablehlo.constant dense<3> : tensor<i32>
    %limit = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<i32>) -> {N}
    %no = stablehlo.constant dense<false> : {B}
    %g = stablehlo.compare GT, %x, %one : ({F}, {F}) -> {B}
    %l = stablehlo.compare LT, %k, %limit : ({N}, {N}) -> {B}
    %nos = stablehlo.broadcast_in_dim %no0, dims = [] : (tensor<i1>) -> {B}
    %m = stablehlo.compare NE, %l, %nos : ({B}, {B}) -> {B}
    %e = stablehlo.and %g, %m : {B}
    %p = stablehlo.broadcast_in_dim %e, dims = [0] : ({B}) -> {B}
    %h = stablehlo.multiply %x, %half : {F}
    %y = stablehlo.select %p, %h, %x : {B}, {F}
    %j = stablehlo.add %k, %step : {N}
    %n = stablehlo.select %e, %j, %k : {B}, {N}
    stablehlo.return %y, %n : {F}, {N}
  }}
  return %w#0, %w#1 : {F}, {N}
}}""".replace(f"%no = stablehlo.constant dense<false> : {B}", "%no0 = stablehlo.constant dense<false> : tensor<i1>")
_WHOLE = """func.func @main(%a: tensor<8xf32>, %t: tensor<f32>) -> (tensor<8xf32>, tensor<f32>, tensor<i32>) {
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %halves = stablehlo.constant dense<0.5> : tensor<8xf32>
  %first = stablehlo.constant dense<9> : tensor<i32>
  %step = stablehlo.constant dense<2> : tensor<i32>
  %limit = stablehlo.constant dense<3> : tensor<i32>
  %w:3 = stablehlo.while(%x = %a, %u = %t, %k = %first) : tensor<8xf32>, tensor<f32>, tensor<i32>
  cond {
    %f = stablehlo.convert %k : (tensor<i32>) -> tensor<f32>
    %g = stablehlo.compare NE, %u, %f : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %l = stablehlo.compare LE, %limit, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c = stablehlo.and %g, %l : tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %y = stablehlo.multiply %x, %halves : tensor<8xf32>
    %v = stablehlo.multiply %u, %half : tensor<f32>
    %j = stablehlo.subtract %k, %step : tensor<i32>
    stablehlo.return %y, %v, %j : tensor<8xf32>, tensor<f32>, tensor<i32>
  }
  return %w#0, %w#1, %w#2 : tensor<8xf32>, tensor<f32>, tensor<i32>
}"""


def _halved(x: Array) -> list[Array]:
    counts = np.zeros(len(x), np.int32)
    while (goes_on := (x > 1) & (counts < 3)).any():
        x, counts = np.where(goes_on, x / 2, x), counts + goes_on
    return [x, counts.astype(np.int32)]


@pytest.mark.parametrize("target", MACHINES)
def test_each_element_has_trips_of_its_own(target: str) -> None:
    agree(results(_ELEMENTS, (X,), target), _halved(X))


@pytest.mark.parametrize(("first", "trips"), [(9, 0), (14, 1), (20, 2), (1, 4), (28, 4), (3, 4)])
def test_no_trip_follows_the_end(first: int, trips: int) -> None:
    """The counter is 9, 7, 5, 3 in the trips. The loop ends if it is the halved number; it is another number after the end."""
    target, u, k = MACHINES[(first + trips) % len(MACHINES)], float(first), 9
    made = 0
    while u != k and k >= 3:
        u, k, made = u / 2, k - 2, made + 1
    assert made == trips
    wanted = [X / 2**made, array(u), array(k, np.int32)]
    agree(results(_WHOLE, (X, array(first)), target), wanted)


def test_a_counter_that_wraps_ends_no_loop() -> None:
    """Of ui32, 9 - 2 - 2 - 2 - 2 - 2 is not less than 0: the loop goes on until 2**-3 is its counter, 2**32 - 7."""
    text = _WHOLE.replace("i32", "ui32").replace("dense<3>", "dense<0>")
    first = (2.0**32 - 7) * 2**8  # as f32 it is 2**40
    wanted = [X / 2**8, array(2.0**32), array(2**32 - 7, np.uint32)]
    agree(results(text, (X, array(first)), "gfx942"), wanted)


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        (_ELEMENTS, "%p = stablehlo.broadcast_in_dim %e", "%p = stablehlo.broadcast_in_dim %g"),
        (_ELEMENTS, "%n = stablehlo.select %e, %j, %k", "%n = stablehlo.select %e, %k, %j"),
        (_ELEMENTS, "%h, %x :", "%h, %one :"),
    ],
)
def test_without_a_bound_the_loop_is_refused(text: str, right: str, wrong: str) -> None:
    assert right in text
    with pytest.raises(InputError, match=r"TNS004.*the number of its trips is not known"):
        _ = asmgen.compile(text.replace(right, wrong))


_CHANGED = """func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %big = stablehlo.constant dense<1.0e+09> : tensor<f32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %w:4 = stablehlo.while(%k = %one, %limit = %three, %m = %zero, %x = %a)
      : tensor<i32>, tensor<i32>, tensor<f32>, tensor<8xf32>
  cond {
    %l = stablehlo.compare LT, %k, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %s = stablehlo.compare LT, %m, %big : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %c = stablehlo.and %l, %s : tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %k, %one : tensor<i32>
    %y = stablehlo.add %x, %x : tensor<8xf32>
    %n = stablehlo.reduce(%y init: %zero) applies stablehlo.maximum across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %j, LIMIT, %n, %y : tensor<i32>, tensor<i32>, tensor<f32>, tensor<8xf32>
  }
  return %w#3 : tensor<8xf32>
}"""


def test_a_carried_limit_that_stays_ends_a_loop() -> None:
    agree(results(_CHANGED.replace("LIMIT", "%limit"), (X,), "gfx942"), [4 * X])


@pytest.mark.parametrize(("limit", "step"), [("%five", "%k, %one"), ("%limit", "%k, %k")], ids=["limit", "step"])
def test_a_number_that_trips_change_bounds_no_loop(limit: str, step: str) -> None:
    """Values of the first trip, in which the condition is known, say nothing about later trips."""
    text = _CHANGED.replace("LIMIT", limit).replace("stablehlo.add %k, %one", f"stablehlo.add {step}")
    with pytest.raises(InputError, match=r"TNS004.*the number of its trips is not known"):
        _ = asmgen.compile(text)


def test_elements_that_go_on_after_others_have_no_bound() -> None:
    """The second of two elements begins when the first ends: six trips, not three."""
    reverse = "%h = stablehlo.reverse %k, dims = [0]"
    text = (
        _ELEMENTS.replace(
            f"%m = stablehlo.compare NE, %l, %nos : ({B}, {B}) -> {B}",
            f"{reverse} : {N}\n %o = stablehlo.compare LE, %k, %h : ({N}, {N}) -> {B}\n %m = stablehlo.and %l, %o : {B}",
        )
        .replace("%h = stablehlo.multiply %x, %half", "%q = stablehlo.multiply %x, %half")
        .replace("%h, %x", "%q, %x")
    )
    with pytest.raises(InputError, match=r"TNS004.*the number of its trips is not known"):
        _ = asmgen.compile(text)


def test_values_that_share_operands_are_compared_once() -> None:
    """60 squares in the condition and in the body, 2**60 ways to the first."""
    squares = [f"%g{n + 1} = stablehlo.multiply %g{n}, %g{n} : {F}" for n in range(60)]
    chain = "\n".join([f"%g0 = stablehlo.multiply %x, %x : {F}", *squares])
    text = _ELEMENTS.replace("%g = stablehlo.compare GT, %x", f"{chain}\n%g = stablehlo.compare GT, %g60")
    x = array([0.5] * 8)
    agree(results(text, (x,), "gfx1201"), [x, np.zeros(8, np.int32)])
