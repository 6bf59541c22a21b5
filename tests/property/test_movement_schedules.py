"""Schedules of ops that move elements, of scans and of matrix products, against numpy: on whole tiles, holder
by holder, and lowered on the emulator.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.blockwise.actions import Parameter
from asmgen.blockwise.interpret import Tiles, interpret
from asmgen.blockwise.program import Kernel, TileProgram
from asmgen.blockwise.rules.verify import check
from asmgen.blockwise.schedules.choices import Contract, Transpose
from asmgen.blockwise.schedules.choosing.choose import choose
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.pages import scan
from asmgen.blockwise.schedules.schedule import schedule
from asmgen.blockwise.text.printer import print_program
from asmgen.gentext.parser import parse
from asmgen.runtime.run import launch
from isa.targets import TARGETS, parse_target

Array = NDArray[Any]
NAMES = ("gfx942", "gfx1100")


def graph_of(text: str) -> Graph:
    """The graph of a text with ops that need no support below the schedules."""
    (module,) = parse(text, "moved.gen").modules
    return Graph(module)


def numbers(shape: tuple[int, ...], dtype: str = "float32") -> Array:
    """Whole numbers, so that sums in any order are the same."""
    return np.random.default_rng(0).integers(-8, 9, shape).astype(dtype)


def hold(kernel: Kernel, target: str, memory: dict[str, Array], output: str, wanted: Array, compiled: bool = True) -> None:
    check(kernel, TARGETS[target])
    for mode in Tiles:
        buffers = {name: array.reshape(-1).copy() for name, array in memory.items()}
        interpret(kernel, buffers, mode)
        np.testing.assert_allclose(buffers[output].astype("f8"), wanted.reshape(-1), rtol=1e-6, err_msg=mode.name)
    if compiled:
        (made,) = asmgen.compile(print_program(TileProgram(parse_target(target), (kernel,))), target=target).kernels
        names = [statement.op.name for statement in kernel.statements if isinstance(statement.op, Parameter)]
        after = launch(made, [memory[name].reshape(-1) for name in names], "emulator")
        np.testing.assert_allclose(np.asarray(after[names.index(output)]).astype("f8"), wanted.reshape(-1), rtol=1e-6)


def through(text: str) -> str:
    return f"x = @param:x -> f32, {{6,5,8}}\n{text}\n@return(y)\n"


MOVED: dict[str, tuple[str, Callable[[Array], Array]]] = {
    "transpose": ("y = transpose[permutation={2,0,1}](x)", lambda x: x.transpose(2, 0, 1)),
    "reshape": ("y = reshape[dims={16,15}](x)", lambda x: x.reshape(16, 15)),
    "slice": ("y = slice[axes={0,2}, starts={1,-5}, ends={6,8}](x)", lambda x: x[1:6, :, -5:8]),
    "step": ("y = step[axes={1}, steps={2}](x)", lambda x: x[:, ::2]),
    "reverse": ("y = reverse[axes={0,2}](x)", lambda x: x[::-1, :, ::-1]),
    "pad": (
        "y = pad[pads={1,0,2,0,3,1}, value=7.0](x)",
        lambda x: np.pad(x, ((1, 0), (0, 3), (2, 1)), constant_values=7),
    ),
    "unsqueeze": ("y = unsqueeze[axes={1}](x)", lambda x: x[:, None]),
    "all": (
        """a = pad[pads={0,1,0,0,0,0}, value=2.0](x)
           b = reverse[axes={1}](a)
           c = transpose[permutation={1,2,0}](b)
           d = neg(c)
           y = reshape[dims={12,24}](d)""",
        lambda x: -np.pad(x, ((0, 0), (1, 0), (0, 0)), constant_values=2)[:, ::-1].transpose(1, 2, 0).reshape(12, 24),
    ),
}


@pytest.mark.parametrize("name", MOVED)
def test_moved_elements(name: str) -> None:
    text, function = MOVED[name]
    graph, x = graph_of(through(text)), numbers((6, 5, 8))
    target = NAMES[len(name) % 2]
    kernel = schedule(graph.module, choose(graph.work, TARGETS[target]), TARGETS[target])
    wanted = function(x)
    hold(kernel, target, {"x": x, "z_output": np.zeros(wanted.shape, "f4")}, "z_output", wanted)


@pytest.mark.parametrize("target", NAMES)
@pytest.mark.parametrize(
    ("element", "choice"),
    [
        ("f32", Transpose(4, 4, 1, 8)),
        ("f32", Transpose(1, 8, 2, 32)),
        ("f32", Transpose(2, 4, 4)),
        ("f16", Transpose(8, 8, 1, 4)),
        ("f16", Transpose(4, 2, 2)),
        ("i8", Transpose(16, 4, 1, 8)),
    ],
)
def test_transposes_by_squares(element: str, choice: Transpose, target: str) -> None:
    text = f"x = @param:x -> {element}, {{3,90,70}}\nb = @param:b -> {element}, {{3,70,90}}\n"
    graph = graph_of(text + "t = transpose[permutation={0,2,1}](x)\ny = add(t, b)\n@return(y)\n")
    kernel = schedule(graph.module, choice, TARGETS[target])
    dtype = {"f32": "float32", "f16": "float16", "i8": "int8"}[element]
    x, b = numbers((3, 90, 70), dtype), numbers((3, 70, 90), dtype)
    hold(kernel, target, {"x": x, "b": b, "z_output": np.zeros_like(b)}, "z_output", x.transpose(0, 2, 1) + b)


@pytest.mark.parametrize("target", NAMES)
@pytest.mark.parametrize("choice", [Transpose(4, 4, 1), Transpose(5, 2, 2), Transpose(1, 8, 4)])
def test_permutations_that_keep_the_last_axis(choice: Transpose, target: str) -> None:
    graph = graph_of("x = @param:x -> f32, {3,5,7,44}\ny = transpose[permutation={0,2,1,3}](x)\n@return(y)\n")
    kernel, x = schedule(graph.module, choice, TARGETS[target]), numbers((3, 5, 7, 44))
    wanted = x.transpose(0, 2, 1, 3)
    hold(kernel, target, {"x": x, "z_output": np.zeros(wanted.shape, "f4")}, "z_output", wanted)


def scanned(x: Array, op: str, axis: int, exclusive: bool, reverse: bool) -> Array:
    """By numpy's accumulate."""
    turned = np.flip(x, axis) if reverse else x
    function = {"cumsum": np.add, "cummax": np.fmax}[op]
    done = function.accumulate(turned, axis)
    if exclusive:
        done = np.roll(done, 1, axis)
        np.moveaxis(done, axis, 0)[0] = 0 if op == "cumsum" else -np.inf
    return np.flip(done, axis) if reverse else done


WAYS = ((False, False), (True, False), (False, True), (True, True))  # exclusive, reverse


# Rows of some lanes, of a wave with elements left over, of a workgroup in a loop; rows across memory.
@pytest.mark.parametrize(("dims", "axis"), [((2, 3, 5), 2), ((6, 100), 1), ((2, 1103), 1), ((2, 4300), 1), ((3, 70, 20), 1), ((600, 3), 0)])
def test_scans(dims: tuple[int, ...], axis: int) -> None:
    for number, (exclusive, reverse) in enumerate(WAYS):
        target, op = NAMES[number % 2], ("cumsum", "cummax")[number // 2 if axis else number % 2]
        text = f"x = @param:x -> f32, {{{','.join(map(str, dims))}}}\n"
        attributes = f"axis={axis}, exclusive={str(exclusive).lower()}, reverse={str(reverse).lower()}"
        graph = graph_of(f"{text}y = {op}[{attributes}](x)\n@return(y)\n")
        kernel = schedule(graph.module, scan.choose(graph, TARGETS[target]), TARGETS[target])
        x = numbers(dims)
        wanted = scanned(x, op, axis, exclusive, reverse)
        hold(kernel, target, {"x": x, "z_output": np.zeros_like(x)}, "z_output", wanted)


def test_a_running_maximum_of_nan_alone_is_nan() -> None:
    x = np.full((1, 300), np.nan, "f4")
    x[0, 200] = 7
    text = "x = @param:x -> f32, {1,300}\ny = cummax[axis=1](x)\n@return(y)\n"
    for target in NAMES:
        (y,) = asmgen.compile(text, target=target)(x, device="emulator")
        assert np.array_equal(y, np.fmax.accumulate(x, 1), equal_nan=True)
        (y,) = asmgen.compile(text, target=target, nan="propagate")(x, device="emulator")
        assert np.isnan(np.asarray(y)).all()


def test_an_exclusive_maximum_of_small_integers_begins_with_the_least() -> None:
    x = numbers((2, 9), "int8")
    text = "x = @param:x -> i8, {2,9}\ny = cummax[axis=1, exclusive=true](x)\n@return(y)\n"
    (y,) = asmgen.compile(text, target="gfx942")(x, device="emulator")
    assert np.asarray(y)[:, 0].tolist() == [-128, -128]


def test_scans_share_a_kernel_with_what_is_pointwise_around_them() -> None:
    text = """x = @param:x -> f32, {3,300}
e = neg(x)
c = cumsum[axis=1](e)
d = cumsum[axis=1](c)
m = cummax[axis=1](e)
o = mul(d, m)
@return(o, c)
"""
    program = asmgen.compile(text, target="gfx942")
    assert len(program.kernels) == 1
    x = numbers((3, 300))
    o, c = program(x, device="emulator")
    wanted = np.cumsum(-x, 1)
    assert np.array_equal(c, wanted)
    assert np.allclose(o, np.cumsum(wanted, 1) * np.maximum.accumulate(-x, 1), rtol=1e-6)


PRODUCT = "a = @param:a -> f32, {%d,%d}\nb = @param:b -> f32, {%d,%d}\nd = dot(a, b)\ny = relu(d)\n@return(y)\n"
SMALL = Contract(16, 32, 8, 2)


# Of instructions, and bank conflicts of both: tests/unit/blockwise/schedules/test_contract.py.
@pytest.mark.parametrize(
    ("sizes", "choice", "target"),
    [
        ((70, 21, 68), Contract(64, 64, 16, 4), "gfx90a"),
        ((20, 19, 33), SMALL, "gfx942"),
        ((20, 19, 33), Contract(16, 32, 8, 2, 1), "gfx1201"),
        ((20, 19, 33), SMALL, "gfx1100"),
    ],
)
def test_matrix_products(sizes: tuple[int, int, int], choice: Contract, target: str) -> None:
    m, k, n = sizes
    graph = graph_of(PRODUCT % (m, k, k, n))
    kernel = schedule(graph.module, choice, TARGETS[target])
    a, b = numbers((m, k)), numbers((k, n))
    hold(
        kernel,
        target,
        {"a": a, "b": b, "z_output": np.zeros((m, n), "f4")},
        "z_output",
        np.maximum(a.astype("f8") @ b, 0),
    )
