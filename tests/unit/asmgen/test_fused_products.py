"""Factors of matrix products that are computed in the loads of tiles, or beside an earlier product: results beside
numpy in float64, and the launches by bytes and clocks.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.cli.stages import stage_text
from asmgen.gentext.parser import parse
from asmgen.gridwise.fuse_lines import fuse_lines
from isa.targets import parse_target
from tests.device import chosen_device
from tests.rows import in_turn

Array = NDArray[Any]
TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201", "gfx1201:wave64")
DTYPES: dict[str, Any] = {"f16": np.float16, "f32": np.float32, "bf16": ml_dtypes.bfloat16, "i8": np.int8, "i32": np.int32}


class Fused(NamedTuple):
    """Parameters as {name: (type, dims)}, statements that make the factors `p` and `q`, and both in float64. TYPE is the
    type of the factors."""

    given: dict[str, tuple[str, tuple[int, ...]]]
    statements: str
    factors: Callable[..., tuple[Array, Array]]


def relu(x: Array) -> Array:
    return np.maximum(x, 0)


CASES = {
    "relu of the first": Fused(
        {"x": ("TYPE", (37, 71)), "w": ("TYPE", (71, 45))}, "p = relu(x)\nq = identity(w)", lambda x, w: (relu(x), w),
    ),
    "scales of rows and of columns": Fused(
        {"x": ("TYPE", (37, 72)), "r": ("TYPE", (37, 1)), "c": ("TYPE", (72,)), "w": ("TYPE", (72, 45))},
        "t = mul(x, r)\np = mul(t, c)\nq = identity(w)", lambda x, r, c, w: (x * r * c, w),
    ),
    "a weight of 8 bits with zero points and scales of groups": Fused(
        {"x": ("TYPE", (19, 64)), "w": ("i8", (45, 2, 32)), "zero": ("i8", (45, 2, 1)), "s": ("TYPE", (45, 2, 1))},
        "v = convert[target_type=TYPE](w)\nz = convert[target_type=TYPE](zero)\nd = sub(v, z)\ne = mul(d, s)\n"
        "f = reshape[dims={45,64}](e)\np = identity(x)\nq = transpose[permutation={1,0}](f)",
        lambda x, w, zero, s: (x, ((w - zero) * s).reshape(45, 64).T),
    ),
    "both transposed sums": Fused(
        {"x": ("TYPE", (71, 37)), "y": ("TYPE", (71, 37)), "w": ("TYPE", (45, 71)), "v": ("TYPE", (45, 1))},
        "s = add(x, y)\np = transpose[permutation={1,0}](s)\nt = add(w, v)\nq = transpose[permutation={1,0}](t)",
        lambda x, y, w, v: ((x + y).T, (w + v).T),
    ),
    "chosen rows": Fused(
        {"x": ("TYPE", (11, 71)), "rows": ("i32", (37,)), "w": ("TYPE", (71, 45))},
        "g = gather[axis=0](x, rows)\np = relu(g)\nq = identity(w)", lambda x, rows, w: (relu(x[rows.astype(int)]), w),
    ),
    "a batch that shares the second": Fused(
        {"x": ("TYPE", (3, 18, 40)), "b": ("TYPE", (40,)), "w": ("TYPE", (40, 21))},
        "s = add(x, b)\np = relu(s)\nq = neg(w)", lambda x, b, w: (relu(x + b), -w),
    ),
    "padded and sliced": Fused(
        {"x": ("TYPE", (40, 60)), "w": ("TYPE", (80, 45))},
        "l = slice[axes={0}, starts={2}, ends={39}](x)\nm = relu(l)\np = pad[pads={0,4,0,7}, value=1](m)\n"
        "q = slice[axes={0}, starts={5}, ends={76}](w)",
        lambda x, w: (np.pad(relu(x[2:39]), ((0, 0), (4, 7)), constant_values=1), w[5:76]),
    ),
    "an exponential, which is not 0 for elements beyond k": Fused(
        {"x": ("TYPE", (9, 33)), "w": ("TYPE", (33, 20))}, "p = exp(x)\nq = identity(w)", lambda x, w: (np.exp(x), w),
    ),
}  # fmt: skip
ELEMENTS = ("f16", "bf16", "f32")  # in turn over targets and cases


@pytest.mark.parametrize(("target", "name"), in_turn(TARGETS, CASES, of=2))
def test_factors_are_computed_in_the_loads(target: str, name: str) -> None:
    case, random = CASES[name], np.random.default_rng(7)
    element = ELEMENTS[(TARGETS.index(target) + [*CASES].index(name)) % len(ELEMENTS)]
    given: list[Array] = []
    text = ""
    for parameter, (type_, dims) in case.given.items():
        type_ = type_.replace("TYPE", element)
        whole = random.integers(0, 11, dims) if type_[0] == "i" else random.standard_normal(dims)
        given.append(whole.astype(DTYPES[type_]))
        text += f"{parameter} = @param:{parameter} -> {type_}, {{{','.join(map(str, dims))}}}\n"
    text += case.statements.replace("TYPE", element) + "\no = dot(p, q)\n@return(o)\n"
    program = asmgen.compile(parse(text, "fused.gen"), target=target, verify_passes=True)
    assert len(program.kernels) == 1, [kernel.name for kernel in program.kernels]
    (found,) = program(*given, device=chosen_device())
    p, q = case.factors(*[each.astype(np.float64) for each in given])
    size = np.abs(p) @ np.abs(q)
    bound = (6 * float(ml_dtypes.finfo(DTYPES[element]).eps) + p.shape[-1] * 2.0**-23) * (size + np.abs(p).max() * np.abs(q).max())
    assert (np.abs(np.asarray(found).astype(np.float64) - p @ q) <= bound).all()


def product(m: int, n: int, k: int, op: str) -> str:
    return f"x = @param:x -> f16, {{{m},{k}}}\nw = @param:w -> f16, {{{k},{n}}}\ny = {op}\no = dot(y, w)\n@return(o)\n"


def test_a_decision_that_differs_in_names_alone_is_told_once() -> None:
    """Of three products, the second is like the first; the factor of the third is computed by another op."""
    layers = [f"y{number} = {op}(x{number})\no{number} = dot(y{number}, w)" for number, op in enumerate(("relu", "relu", "tanh"))]
    inputs = [f"x{number} = @param:x{number} -> f16, {{512,2048}}" for number in range(3)]
    weights = "w = @param:w -> f16, {2048,2048}"
    graph = parse("\n".join([weights, *inputs, *layers, "@return(o0, o1, o2)\n"]), "main.gen")
    told = fuse_lines(graph, parse_target("gfx942").target, propagates_nan=False, precision="")
    lines = [line for line in told if "factor a of" in line]
    assert [re.findall(r"likewise (.*)", line) for line in lines] == [["y1"], []], lines
    assert lines[0].startswith("main: y0, factor a of") and lines[1].startswith("main: y2, factor a of")


@pytest.mark.parametrize(
    ("sizes", "op", "where"),
    [
        ((2048, 2048, 2048), "relu(x)", "in the loads"),
        ((2048, 2048, 2048), "tanh(x)", "stored"),
        ((2048, 64, 2048), "tanh(x)", "in the loads"),
    ],
)
def test_what_is_in_the_loads_is_decided_by_clocks(sizes: tuple[int, int, int], op: str, where: str) -> None:
    graph = parse(product(*sizes, op), "main.gen")
    (line,) = fuse_lines(graph, parse_target("gfx942").target, propagates_nan=False, precision="")
    told = re.fullmatch(r"main: y\w*, factor a of (\w+), (.*): \d+ tiles compute it in (\d+) clocks; .* in (\d+)", line)
    assert told is not None, line
    assert told[2] == where
    assert (int(told[4]) <= int(told[3])) is (where == "stored")
    first = stage_text(asmgen.compile(graph, target="gfx942").compilation, "gridwise").split("launch @")[1]
    assert ("= dot" in first) is (where == "in the loads")


SCORES = """q = @param:q -> f16, {BATCH,N,64}
k = @param:k -> f16, {BATCH,64,N}
v = @param:v -> f16, {BATCH,N,64}
s = dot(q, k)
p = softmax[axis=2](s)
o = dot(p, v)
@return(o)
"""


@pytest.mark.parametrize("target", ["gfx942", "gfx950", "gfx1201"])
@pytest.mark.parametrize(("batch", "n", "is_computed"), [(32, 2048, True), (192, 128, False)])
def test_a_long_softmax_of_a_product_is_computed_in_the_loads(target: str, batch: int, n: int, is_computed: bool) -> None:
    """Rows of 128 are whole in a tile: the first product stores their softmax. Of longer rows, the first product has the
    largest and the sum of each part, so that no launch reads the scores but the second product."""
    graph = parse(SCORES.replace("BATCH", str(batch)).replace("N", str(n)), "main.gen")
    told = list(fuse_lines(graph, parse_target(target).target, propagates_nan=False, precision=""))
    (of_factor,) = [line for line in told if "factor a of o" in line]
    (of_rows,) = [line for line in told if "in the launch of s:" in line]
    assert ("in the loads" in of_factor) is is_computed, told
    assert ("in parts of" in of_rows) is is_computed, told


def test_a_number_of_each_row_is_loaded_once() -> None:
    text = "r = @param:r -> f16, {512,1}\n" + product(512, 64, 4096, "mul(x, r)")
    tile = "contract[m=64, n=64, k=64, waves=4, buffers=1, by=v_mfma_f32_16x16x16_f16]"
    program = asmgen.compile(parse(text, "main.gen"), target="gfx942", schedules=(tile,))
    before, inside = stage_text(program.compilation, "blockwise").split("for[k")[:2]
    assert before.count("](r)") == 1 and before.count("](x)") == 1
    assert "](r)" not in inside and "](x)" in inside


def test_a_factor_is_stored_beside_an_earlier_product() -> None:
    text = "x = @param:x -> f16, {64,64}\nw = @param:w -> f16, {64,64}\na = dot(x, w)\nb = tanh(a)\no = dot(b, w)\n@return(o)\n"
    program = asmgen.compile(parse(text, "fused.gen"), target="gfx942")
    first, second = stage_text(program.compilation, "gridwise").split("launch @")[1:]
    assert "tanh(" in first and "tanh(" not in second
    assert len(program.kernels) == 2


ATTENTION = """q = @param:q -> f16, {5000,16}
k = @param:k -> f16, {16,16}
v = @param:v -> f16, {16,16}
scores = dot(q, k) -> f16, {5000,16}
shares = softmax[axis=1](scores) -> f16, {5000,16}
y = dot(shares, v) -> f16, {5000,16}
@return(y)
"""


def test_reductions_read_the_rounded_products_that_another_launch_reads() -> None:
    """The second launch computes exp(score - largest) from rounded scores. With the largest of the scores in f32, the
    shares of a row added up to 1.03."""
    program = asmgen.compile(ATTENTION)
    assert len(program.kernels) == 2
    q = np.random.default_rng(1).normal(0, 9, (5000, 16)).astype(np.float16)
    k = np.random.default_rng(2).normal(0, 3, (16, 16)).astype(np.float16)
    (y,) = program(q, k, np.eye(16, dtype=np.float16), device=chosen_device())
    np.testing.assert_allclose(y.astype(np.float64).sum(1), 1, atol=2e-3)


def test_columns_chosen_by_numbers_that_each_trip_loads_are_multiplied() -> None:
    """The loads of these columns do not name the counter of the trips, but their numbers do."""
    x, w = np.ones((16, 50), np.float16), np.eye(640, 32, dtype=np.float16)
    x[:] = np.arange(50) % 7
    chosen = np.arange(640, dtype=np.int32) * 13 % 50
    inputs = [asmgen.spec(each.dtype, each.shape) for each in (x, w, chosen)]
    program = asmgen.compile(lambda x, w, chosen: x[:, chosen] @ w, target="gfx1100", inputs=inputs)
    (y,) = program(x, w, chosen, device=chosen_device())
    np.testing.assert_array_equal(y, x[:, chosen[:32]])


def test_sums_read_the_f16_that_a_loop_carries() -> None:
    """A trip loads the factor of the next trip. Its sums widen the f16 themselves, as those after the loop do."""
    rng = np.random.default_rng(5)
    x, m, v = [rng.integers(-4, 5, dims).astype(np.float16) for dims in ((16, 512), (16, 1), (512, 64))]
    program = asmgen.compile(
        lambda x, m, v: np.maximum(x.astype(np.float32) - m, 0).astype(np.float16) @ v,
        target="gfx942",
        inputs=[asmgen.spec(np.float16, x.shape), asmgen.spec(np.float32, m.shape), asmgen.spec(np.float16, v.shape)],
        schedules=("contract[m=16, n=64, k=128, waves=4, buffers=2, by=v_mfma_f32_16x16x16_f16]",),
    )
    (y,) = program(x, m.astype(np.float32), v, device=chosen_device())
    np.testing.assert_array_equal(y, np.maximum(x.astype(float) - m, 0) @ v)
    (kernel,) = program.kernels
    assert "\ts_cbranch_scc1" in kernel.assembly
    assert "v_fma_mix_f32" in kernel.assembly and "v_cvt_f32_f16" not in kernel.assembly
