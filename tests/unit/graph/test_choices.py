"""Elements that data choose: take_along_axis, and elements of rows that are chosen before they are computed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.ops import SUB, TAKE_ALONG_AXIS
from asmgen.graph.rewritings.early_choices import with_early_choices
from asmgen.ir.shapes import format_list

RANDOM = np.random.default_rng(1)
TYPES = {"f32": np.float32, "f16": np.float16, "i8": np.int8, "i64": np.int64, "bool": np.bool_}


def taken(x: NDArray[Any], indices: NDArray[Any], axis: int) -> NDArray[Any]:
    """numpy's take_along_axis by the rule of indices that a gather has."""
    size = x.shape[axis]
    whole = np.where(indices < 0, indices.astype(np.int64) + size, indices).clip(0, size - 1)
    return np.take_along_axis(x, whole, axis)


CASES = [
    ((5, 7, 64), (5, 3, 64), 1, "f16", "i32"), ((5, 7, 65), (5, 1, 65), -2, "f32", "i64"), ((3, 130), (3, 41), 1, "i8", "i32"),
    ((1, 130), (6, 130), 0, "i64", "i32"), ((6, 9, 4), (1, 2, 4), 1, "f32", "i32"), ((1, 9, 4), (6, 2, 1), 1, "bool", "i64"),
    ((9,), (30,), 0, "f16", "i32"), ((4, 0, 3), (4, 0, 3), 1, "f32", "i32"), ((0, 7), (0, 3), 1, "f32", "i32"),
]  # fmt: skip


@pytest.mark.parametrize(("dims", "of_indices", "axis", "element", "index"), CASES)
def test_take_along_axis(dims: tuple[int, ...], of_indices: tuple[int, ...], axis: int, element: str, index: str) -> None:
    text = (
        f"x = @param:x -> {element}, {format_list(dims)}\nn = @param:n -> {index}, {format_list(of_indices)}\n"
        f"o = take_along_axis[axis={axis}](x, n)\n@return(o)\n"
    )
    x = RANDOM.integers(-50, 50, dims).astype(TYPES[element])
    indices = RANDOM.integers(-12, 12, of_indices).astype(np.int32 if index == "i32" else np.int64)
    (o,) = asmgen.compile(text, target="gfx942")(x, indices, device="emulator")
    np.testing.assert_array_equal(o, taken(x, indices, axis))


def test_sizes_that_the_launch_knows() -> None:
    text = "x = @param:x -> f32, {3,n,m}\ni = @param:i -> i32, {3,2,m}\no = take_along_axis[axis=1](x, i)\n@return(o)\n"
    program = asmgen.compile(text, target="gfx1100")
    for n, m in ((5, 33), (1, 1), (700, 4)):
        x, i = RANDOM.normal(size=(3, n, m)).astype(np.float32), RANDOM.integers(-n, n, (3, 2, m)).astype(np.int32)
        (o,) = program(x, i, device="emulator")
        np.testing.assert_array_equal(o, taken(x, i, 1))


def test_a_function_of_numpy() -> None:
    x, n = RANDOM.normal(size=(4, 9)).astype(np.float32), RANDOM.integers(-9, 9, (4, 3))
    program = asmgen.compile(lambda x, n: np.take_along_axis(x, n, axis=1), inputs=[x, n], target="gfx942")
    (o,) = program(x, n, device="emulator")
    np.testing.assert_array_equal(o, np.take_along_axis(x, n, axis=1))


LOSS = """x = @param:x -> {element}, {{70,{columns}}}
label = @param:label -> i32, {{70,1}}
p = logsoftmax[axis=1](x)
k = take_along_axis[axis=1](p, label)
@return(k)
"""


def test_the_loss_of_a_classifier_is_one_launch_and_reads_an_element() -> None:
    program = asmgen.compile(LOSS.format(element="f32", columns=1000), target="gfx942", fast_math=True)
    assert len(program.kernels) == 1
    x, label = RANDOM.normal(size=(70, 1000)).astype(np.float32), RANDOM.integers(-1000, 1000, (70, 1))
    (k,) = program(x, label.astype(np.int32), device="emulator")
    wide = x.astype(np.float64)
    wanted = np.take_along_axis(wide - np.log(np.exp(wide).sum(1, keepdims=True)), label, 1)
    np.testing.assert_allclose(k, wanted, rtol=1e-5)


@pytest.mark.parametrize(
    ("columns", "is_early"),
    [("{70,1}", True), ("{70,1000}", True), ("{70,1001}", False), ("{1,1}", True)],
)  # fmt: skip
def test_no_more_elements_are_computed_than_there_are(columns: str, is_early: bool) -> None:
    text = f"""x = @param:x -> f32, {{70,1000}}
i = @param:i -> i32, {columns}
m = reduce_max[axes={{1}}](x)
d = sub(x, m)
k = take_along_axis[axis=1](d, i)
@return(k)
"""
    made = with_early_choices(parse(text, "t.gen").modules[0])
    order = [statement.op for statement in made.statements if statement.op in (SUB, TAKE_ALONG_AXIS)]
    assert (order[-1] is SUB) == is_early


def test_what_rows_along_another_axis_have_in_common_is_chosen_too() -> None:
    """The scale {8,1} differs along the axis of the choice."""
    text = """x = @param:x -> f32, {8,4}
scale = @param:scale -> f32, {8,1}
i = @param:i -> i32, {1,4}
m = reduce_max[axes={0}](x)
d = sub(x, m)
e = mul(d, scale)
k = take_along_axis[axis=0](e, i)
@return(k)
"""
    random = np.random.default_rng(2)
    x, scale = random.normal(size=(8, 4)).astype(np.float32), random.normal(size=(8, 1)).astype(np.float32)
    i = np.array([[5, 0, 7, 2]], np.int32)
    (k,) = asmgen.compile(text, target="gfx942")(x, scale, i, device="emulator")
    np.testing.assert_allclose(k, np.take_along_axis((x - x.max(0)) * scale, i, 0), rtol=1e-5)


@pytest.mark.parametrize(("axis", "depth", "element"), [(-1, 130, "f16"), (0, 5, "bool"), (1, 7, "i8"), (1, 0, "f32")])
@pytest.mark.parametrize("index", ["i32", "i64"])
def test_one_hot(axis: int, depth: int, element: str, index: str) -> None:
    text = f"n = @param:n -> {index}, {{9,4}}\no = one_hot[axis={axis}, depth={depth}, target_type={element}](n)\n@return(o)\n"
    n = RANDOM.integers(-3, depth + 3, (9, 4)).astype(np.int32 if index == "i32" else np.int64)
    if index == "i64":
        n[0, 0] = 1 + (1 << 32)  # no place, though its lower bits are
    (o,) = asmgen.compile(text, target="gfx942")(n, device="emulator")
    wanted = np.zeros((9, 4, depth))
    for at in np.ndindex(9, 4):
        if 0 <= n[at] < depth:
            wanted[(*at, n[at])] = 1
    np.testing.assert_array_equal(o.astype(np.float64), np.moveaxis(wanted, -1, axis))


def loss_of(x: NDArray[Any], target: NDArray[Any], weight: NDArray[Any], ignored: int) -> tuple[NDArray[Any], float]:
    """The single losses, and the weights of the targets that are not ignored."""
    losses, whole = np.zeros(target.shape), 0.0
    for at in np.ndindex(target.shape):
        if target[at] != ignored:
            losses[at] = -float(weight[target[at]]) * float(x[(at[0], target[at], *at[1:])])
            whole += float(weight[target[at]])
    return losses, whole


@pytest.mark.parametrize("reduction", ["none", "sum", "mean"])
@pytest.mark.parametrize(("dims", "ignored", "is_weighted"), [((300, 9), -100, False), ((6, 9, 5), 3, True), ((2, 9), 0, True)])
@pytest.mark.parametrize("element", ["f32", "f16"])
def test_nll_loss(dims: tuple[int, ...], ignored: int, is_weighted: bool, reduction: str, element: str) -> None:
    of_target = (dims[0], *dims[2:])
    text = f"x = @param:x -> {element}, {format_list(dims)}\nt = @param:t -> i64, {format_list(of_target)}\n"
    text += f"w = @param:w -> {element}, {{9}}\n" if is_weighted else ""
    text += f"o = nll_loss[reduction={reduction}, ignore_index={ignored}](x, t{', w' * is_weighted})\n@return(o)\n"
    x = RANDOM.integers(-40, 1, dims).astype(TYPES[element])
    target = RANDOM.integers(0, 9, of_target)
    target[0], target[-1] = ignored, (ignored + 1) % 9
    weight = RANDOM.integers(1, 5, 9).astype(TYPES[element]) if is_weighted else np.ones(9, TYPES[element])
    program = asmgen.compile(text, target="gfx1201")
    (o,) = program(x, target, *[weight] * is_weighted, device="emulator")
    losses, whole = loss_of(x, target, weight, ignored)
    wanted = {"none": losses, "sum": losses.sum(), "mean": losses.sum() / whole}[reduction]
    np.testing.assert_allclose(o, wanted, rtol=1e-3 if element == "f16" else 1e-6)


def test_the_mean_of_ignored_targets_is_nan() -> None:
    text = "x = @param:x -> f32, {3,4}\nt = @param:t -> i32, {3}\no = nll_loss(x, t)\ns = nll_loss[reduction=sum](x, t)\n@return(o, s)\n"
    x, target = RANDOM.normal(size=(3, 4)).astype(np.float32), np.full(3, -100, np.int32)
    mean, total = asmgen.compile(text, target="gfx942")(x, target, device="emulator")
    assert np.isnan(mean)
    assert total == 0


def test_the_losses_of_a_softmax_are_one_launch() -> None:
    text = """x = @param:x -> f32, {70,1000}
t = @param:t -> i32, {70}
p = logsoftmax[axis=1](x)
o = nll_loss[reduction=none](p, t)
@return(o)
"""
    program = asmgen.compile(text, target="gfx942", fast_math=True)
    assert len(program.kernels) == 1


def test_a_chosen_element_computes_each_operand_once() -> None:
    """Twenty squares of squares would be a million products."""
    squares = "".join(f"y{number + 1} = mul(y{number}, y{number})\n" for number in range(20))
    text = "x = @param:x -> f32, {4,9}\ni = @param:i -> i32, {4,1}\nm = reduce_max[axes={1}](x)\nf = multibroadcast[out_lens={4,9}](m)\n"
    (module,) = parse(f"{text}y0 = sub(x, f)\n{squares}o = take_along_axis[axis=1](y20, i)\n@return(o)\n", "chosen.gen").modules
    assert len(with_early_choices(module).statements) - len(module.statements) == 21
