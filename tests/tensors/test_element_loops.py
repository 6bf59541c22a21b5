"""Loops that data end, without a limit: each element runs trips of its own."""

from __future__ import annotations

from math import gcd
from pathlib import Path

import numpy as np
import pytest

import asmgen
from asmgen.frontends.tensors.lowering import graph_of
from asmgen.gentext.parser import parse
from asmgen.graph.ops import ITERATE, WHERE
from asmgen.graph.reference import evaluate
from asmgen.ir.program import Body
from asmgen.mlir.file import read_module
from isa.diagnostics import InputError
from tests.commands import run
from tests.rows import MACHINES
from tests.tensors.case import array
from tests.tensors.running import agree, results

SIZES = (1, 7, 130, 1021)


def _gcd(n: int) -> str:
    """The greatest common divisor as JAX prints it."""
    i, b = f"tensor<{n}xi32>", f"tensor<{n}xi1>"
    return f"""func.func @main(%x: {i}, %y: {i}) -> {i} {{
  %no = stablehlo.constant dense<false> : tensor<i1>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %p = stablehlo.abs %x : {i}
  %q = stablehlo.abs %y : {i}
  %w:2 = stablehlo.while(%a = %p, %b = %q) : {i}, {i}
  cond {{
    %z = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> {i}
    %t = stablehlo.compare NE, %b, %z : ({i}, {i}) -> {b}
    %g = stablehlo.reduce(%t init: %no) applies stablehlo.or across dimensions = [0] : ({b}, tensor<i1>) -> tensor<i1>
    stablehlo.return %g : tensor<i1>
  }} do {{
    %z = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> {i}
    %t = stablehlo.compare NE, %b, %z : ({i}, {i}) -> {b}
    %u = stablehlo.select %t, %b, %a : {b}, {i}
    %r = stablehlo.remainder %a, %b : {i}
    %v = stablehlo.select %t, %r, %z : {b}, {i}
    %l = stablehlo.compare LT, %u, %v : ({i}, {i}) -> {b}
    %s = stablehlo.select %l, %v, %u : {b}, {i}
    %m = stablehlo.select %l, %u, %v : {b}, {i}
    stablehlo.return %s, %m : {i}, {i}
  }}
  return %w#0 : {i}
}}"""


@pytest.mark.parametrize(("target", "n"), [(target, SIZES[number % 4]) for number, target in enumerate(MACHINES)])
def test_the_greatest_common_divisor(target: str, n: int) -> None:
    random = np.random.default_rng(n)
    x, y = [random.integers(-1000, 1000, n).astype(np.int32) for _ in range(2)]
    agree(results(_gcd(n), (x, y), target), [np.gcd(x, y)])


def test_an_unsigned_number_is_not_negative() -> None:
    """No `abs` says so, but the type."""
    text = _gcd(7).replace("%p = stablehlo.abs %x", "%p = stablehlo.add %x, %x").replace("%q = stablehlo.abs %y", "%q = stablehlo.add %y, %y")
    x, y = array([4, 0, 9, 2**31 - 1, 60, 7, 0], np.uint32), array([6, 5, 6, 2**30, 45, 7, 0], np.uint32)
    agree(results(text.replace("i32", "ui32"), (x, y), "gfx1100"), [2 * np.gcd(x, y)])


@pytest.mark.parametrize("trips", [0, 5])
def test_a_loop_of_numbers_ends_for_all_results(trips: int) -> None:
    """A loop of rank 0 has a single element, so the number of trips is known after it."""
    text = """func.func @main(%a: tensor<f32>) -> (tensor<f32>, tensor<i32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %no = stablehlo.constant dense<false> : tensor<i1>
  %w:2 = stablehlo.while(%x = %a, %k = %zero) : tensor<f32>, tensor<i32>
  cond {
    %l = stablehlo.compare GT, %x, %half : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %g = stablehlo.reduce(%l init: %no) applies stablehlo.or across dimensions = [] : (tensor<i1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %g : tensor<i1>
  } do {
    %y = stablehlo.multiply %x, %half : tensor<f32>
    %j = stablehlo.add %k, %one : tensor<i32>
    stablehlo.return %y, %j : tensor<f32>, tensor<i32>
  }
  return %w#0, %w#1 : tensor<f32>, tensor<i32>
}"""
    agree(results(text, (array(0.5 * 2.0**trips),), "gfx90a"), [array(0.5), array(trips, np.int32)])


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("%u = stablehlo.select %t, %b, %a", "%u = stablehlo.select %t, %b, %b"),  # a is lost in later trips
        ("%v = stablehlo.select %t, %r, %z", "%v = stablehlo.select %t, %r, %b2"),  # b is no longer 0
        ("%p = stablehlo.abs", "%p = stablehlo.negate"),  # a negative number and 0 change places
    ],
)
def test_a_loop_that_changes_elements_after_their_end_is_refused(right: str, wrong: str) -> None:
    text = _gcd(8)
    assert right in text
    if "%b2" in wrong:
        text = text.replace("    %r = stable", "    %b2 = stablehlo.add %b, %a : tensor<8xi32>\n    %r = stable")
    with pytest.raises(InputError, match=r"TNS004.*the number of its trips is not known"):
        _ = asmgen.compile(text.replace(right, wrong))


@pytest.mark.parametrize("step", [0, 1])
def test_a_test_of_a_count_may_be_true_again(step: int) -> None:
    """5 > 6 is false in the first trip, and 5 > 4 is true in the third. A count without steps is a number as any other."""
    text = f"""func.func @main(%a: tensor<4xi32>) -> tensor<4xi32> {{
  %no = stablehlo.constant dense<false> : tensor<i1>
  %six = stablehlo.constant dense<6> : tensor<i32>
  %step = stablehlo.constant dense<{step}> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<4xi32>
  %w:2 = stablehlo.while(%x = %a, %k = %six) : tensor<4xi32>, tensor<i32>
  cond {{
    %z = stablehlo.broadcast_in_dim %k, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %t = stablehlo.compare GT, %x, %z : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %g = stablehlo.reduce(%t init: %no) applies stablehlo.or across dimensions = [0] : (tensor<4xi1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %g : tensor<i1>
  }} do {{
    %z = stablehlo.broadcast_in_dim %k, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %t = stablehlo.compare GT, %x, %z : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %d = stablehlo.subtract %x, %three : tensor<4xi32>
    %v = stablehlo.select %t, %d, %x : tensor<4xi1>, tensor<4xi32>
    %m = stablehlo.subtract %k, %step : tensor<i32>
    stablehlo.return %v, {"%m" if step else "%k"} : tensor<4xi32>, tensor<i32>
  }}
  return %w#0 : tensor<4xi32>
}}"""
    if step:
        with pytest.raises(InputError, match=r"TNS004.*the number of its trips is not known"):
            _ = asmgen.compile(text)
    else:
        agree(results(text, (np.array([5, 30, 6, 7], np.int32),), "gfx1201"), [np.array([5, 6, 6, 4], np.int32)])


def test_a_called_function_that_reads_all_elements_is_refused() -> None:
    text = _gcd(8).replace("    %u = stable", "    %n = func.call @any(%t) : (tensor<8xi1>) -> tensor<8xi1>\n    %u = stable")
    text = text.replace("%u = stablehlo.select %t, %b, %a", "%u = stablehlo.select %n, %b, %a")
    called = """
func.func private @any(%t: tensor<8xi1>) -> tensor<8xi1> {
  %no = stablehlo.constant dense<false> : tensor<i1>
  %g = stablehlo.reduce(%t init: %no) applies stablehlo.or across dimensions = [0] : (tensor<8xi1>, tensor<i1>) -> tensor<i1>
  %b = stablehlo.broadcast_in_dim %g, dims = [] : (tensor<i1>) -> tensor<8xi1>
  return %b : tensor<8xi1>
}"""
    with pytest.raises(InputError, match=r"TNS004.*the number of its trips is not known"):
        _ = asmgen.compile(text + called)


_COUNT = """func.func @main(%a: tensor<5xf32>, %n: tensor<i32>) -> (tensor<5xf32>, tensor<i32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %w:2 = stablehlo.while(%k = %zero, %x = %a) : tensor<i32>, tensor<5xf32>
  cond {
    %l = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  } do {
    %j = stablehlo.add %k, %one : tensor<i32>
    %y = stablehlo.multiply %x, %x : tensor<5xf32>
    %z = stablehlo.add %y, %a : tensor<5xf32>
    stablehlo.return %j, %z : tensor<i32>, tensor<5xf32>
  }
  return %w#1, %w#0 : tensor<5xf32>, tensor<i32>
}"""


@pytest.mark.parametrize("trips", [-3, 0, 1, 3])
def test_a_number_of_the_arguments_counts_trips(trips: int) -> None:
    """The body reads an array of before the loop, and the counter after the loop is a number."""
    x = wanted = np.array([0.5, -1.0, 0.25, -1.5, 0.0], np.float32)
    for _ in range(trips):
        wanted = wanted * wanted + x
    agree(results(_COUNT, (x, array(trips, np.int32)), MACHINES[trips % 5]), [wanted, array(max(trips, 0), np.int32)])


_LOOP = """x = @param:x -> i32, {100}
y = @param:y -> i32, {100}
g = iterate(x, y) (a, b) {
  zero = @literal{0} -> i32, {}
  is_zero = equal(b, zero)
  more = not(is_zero)
  rest = fmod(a, b)
  @return(more, b, rest)
}
c = iterate[result=1](y, x) (a, b) {
  zero = @literal{0} -> i32, {}
  is_zero = equal(b, zero)
  more = not(is_zero)
  rest = fmod(a, b)
  @return(more, b, rest)
}
@return(g, c)
"""


@pytest.mark.parametrize("stage", ["graph", "gridwise", "blockwise", "lanewise", "final"])
def test_the_text_of_each_stage_compiles_to_the_same_assembly(stage: str, tmp_path: Path) -> None:
    source, text = tmp_path / "loop.gen", tmp_path / f"{stage}.gen"
    _ = source.write_text(_LOOP)
    status, printed = run(f"python -m asmgen kernel {source} --emit {stage}")
    assert status == 0, printed
    _ = text.write_text(printed)
    code = [run(f"python -m asmgen kernel {path} --emit asm")[1] for path in (source, text)]
    assert "s_endpgm" in code[0]
    assert _without_lines(code[0]) == _without_lines(code[1])


def _without_lines(assembly: str) -> list[str]:
    """The instructions."""
    lines = [line.split("//")[0].split(";")[0].strip() for line in assembly.splitlines()]
    return [line for line in lines if line and not line.startswith((".", "/", ";"))]


def test_the_reference_has_exact_integers() -> None:
    x, y = np.arange(1, 101, dtype=np.int32), np.arange(100, 0, -1, dtype=np.int32)
    found, zero = evaluate(parse(_LOOP, "loop.gen"), [x, y])
    assert found.low.tolist() == found.high.tolist() == [gcd(*pair) for pair in zip(x.tolist(), y.tolist(), strict=True)]
    assert not zero.high.any()


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("@return(more, b, rest)", "@return(more, b)", "GEN304.*returns 2 values, wanted a bool and 2"),
        ("@return(more, b, rest)", "@return(b, b, rest)", "GEN304.*value 1, wanted bool"),
        ("@return(more, b, rest)", "@return(more, more, rest)", "GEN304.*value 2, wanted i32"),
        ("zero = @literal{0} -> i32, {}", "zero = reduce_sum(b)", "GEN304.*has reduce_sum"),
        ("fmod(a, b)", "fmod(a, y)", "GEN004.*y is not defined here"),
        ("iterate(x, y)", "iterate[result=2](x, y)", "GEN303.*result is 2, wanted 0 to 1"),
    ],
)
def test_a_body_that_does_not_fit_is_refused(right: str, wrong: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        _ = parse(_LOOP.replace(right, wrong, 1), "loop.gen")


def test_an_endless_loop_is_refused_when_it_is_verified() -> None:
    text = _LOOP.replace("rest = fmod(a, b)", "rest = max(b, b)")
    with pytest.raises(InputError, match=r"GEN305.*more than 4096 trips"):
        _ = evaluate(parse(text, "loop.gen"), [np.ones(100, np.int32)] * 2)


def test_a_choice_by_the_condition_is_left_out() -> None:
    """In a trip the condition is true: of the choices between new and old values, only the order of the two numbers is left."""
    (module,) = graph_of(read_module(_gcd(8), "gcd.mlir")).modules
    (body,) = [each.attributes["body"] for each in module.statements if each.op is ITERATE]
    assert isinstance(body, Body)
    assert [each.op for each in body.module.statements].count(WHERE) == 2


def test_an_element_without_digits_left_may_have_any_result() -> None:
    """The bounds of a number that doubles its distance to another lose all digits after some trips."""
    text = """x = @param:x -> f32, {3}
y = iterate(x) (a) {
  four = @literal{3.9} -> f32, {}
  one = @literal{1.0} -> f32, {}
  most = @literal{0.97} -> f32, {}
  rest = sub(one, a)
  product = mul(a, rest)
  next = mul(four, product)
  more = less(a, most)
  @return(more, next)
}
@return(y)
"""
    (found,) = evaluate(parse(text, "chaos.gen"), [np.array([0.3, 0.975, 0.1234], np.float32)])
    assert found.low[1] == found.high[1] == np.float32(0.975)
    assert np.isinf(found.low[2]) or found.low[2] >= 0.96


def test_an_element_without_digits_left_ends_as_its_value_does() -> None:
    """The counter ends the loop, also if the other condition is true and false."""
    text = """x = @param:x -> f32, {2}
zero = @literal{0} -> i32, {}
k = iterate[result=1](x, zero) (a, n) {
  two = @literal{2.0} -> f32, {}
  step = @literal{1} -> i32, {}
  limit = @literal{200} -> i32, {}
  square = mul(a, a)
  next = sub(square, two)
  later = add(n, step)
  is_small = less(next, two)
  is_few = less(n, limit)
  more = logical_and(is_small, is_few)
  @return(more, next, later)
}
@return(k)
"""
    (found,) = evaluate(parse(text, "chaos.gen"), [np.array([0.3, 3.0], np.float32)])
    assert (found.low[1], found.high[1]) == (0, 0)
    assert found.low[0] < found.high[0]
