"""Products of different dims that share a factor, in one kernel: a workgroup has several tiles of the larger."""

from __future__ import annotations

from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import pytest

import asmgen
from asmgen.blockwise.schedules.choices import Contract
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.misfit import misfit
from asmgen.gentext.parser import parse
from asmgen.graph.fusion.siblings import Joint, Siblings, decided, strips
from asmgen.ir.program import definitions
from isa.targets import TARGETS
from tests.device import chosen_device

DTYPES: dict[str, Any] = {"f16": np.float16, "f32": np.float32, "bf16": ml_dtypes.bfloat16, "i8": np.int8}


class Case(NamedTuple):
    """{m,k} by {k,n} for each n, of weights {n,k} if `rows`."""

    target: str
    element: str
    m: int
    columns: tuple[int, ...]
    k: int
    rows: bool = True
    schedule: str = ""

    @property
    def text(self) -> str:
        lines, names = [f"x = @param:x -> {self.element}, {{{self.m},{self.k}}}"], list[str]()
        chosen = "[target_type=i32]" if self.element == "i8" else ""
        for number, n in enumerate(self.columns):
            shape = f"{n},{self.k}" if self.rows else f"{self.k},{n}"
            lines.append(f"w{number} = @param:w{number} -> {self.element}, {{{shape}}}")
            if self.rows:
                lines.append(f"t{number} = transpose[permutation={{1,0}}](w{number})")
            lines.append(f"y{number} = dot{chosen}(x, {'t' if self.rows else 'w'}{number})")
            names.append(f"y{number}")
        return "\n".join([*lines, f"@return({', '.join(names)})\n"])


HALVES = "contract[m=64, n=32, k=64, waves=4, buffers=2, by=v_mfma_f32_16x16x32_f16, stages=2, copies=16, staggered=1]"
CASES = (
    Case("gfx942", "f16", 8, (96, 32, 32), 512),  # four lanes along k
    Case("gfx950", "bf16", 13, (37, 111), 100, rows=False),
    Case("gfx950", "f16", 40, (32, 128, 32), 512),  # waves along k
    Case("gfx90a", "f32", 70, (20, 40), 33),
    Case("gfx1201", "f16", 20, (48, 16), 64),
    Case("gfx942", "i8", 33, (50, 100), 70, rows=False),
    Case(
        "gfx942", "f16", 37, (100, 50), 256, True,
        "contract[m=16, n=16, k=256, waves=4, buffers=1, by=v_mfma_f32_16x16x16_f16, along=1]",
    ),
    Case("gfx950", "f16", 70, (120, 40), 512, True, HALVES),
    Case("gfx950", "f16", 70, (40, 40, 80), 512, False, HALVES),
    Case("gfx942", "f32", 37, (100, 50), 40, False, "contract[m=16, n=16, k=8, waves=1, buffers=2]"),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.target} {case.element} {case.schedule[:13]}")
def test_products_of_different_columns_are_a_kernel(case: Case) -> None:
    draw = np.random.default_rng(5)
    kind = DTYPES[case.element]
    x = draw.integers(-3, 4, (case.m, case.k)).astype(kind)
    weights = [draw.integers(-3, 4, (n, case.k) if case.rows else (case.k, n)).astype(kind) for n in case.columns]
    stated = (case.schedule,) if case.schedule else ()
    program = asmgen.compile(case.text, target=case.target, schedules=stated)
    assert len(program.kernels) == 1
    for after, weight in zip(program(x, *weights, device=chosen_device()), weights, strict=True):
        truth = x.astype("f8") @ (weight.T if case.rows else weight).astype("f8")
        np.testing.assert_array_equal(after, truth.astype(after.dtype))


ROWS = """w = @param:w -> f16, {{40,{k}}}
v = @param:v -> f16, {{120,{k}}}
x = @param:x -> f16, {{{k},56}}
p = dot(w, x)
q = dot(v, x)
@return(p, q)
"""
FUSED = """x = @param:x -> f16, {30,64}
wq = @param:wq -> f16, {64,150}
wg = @param:wg -> f16, {64,50}
wu = @param:wu -> f16, {64,50}
bias = @param:bias -> f16, {50}
b = multibroadcast[out_lens={30,50}](bias)
q = dot(x, wq)
g = dot(x, wg)
u = dot(x, wu)
r = relu(q)
q3 = reshape[dims={30,3,50}](r)
s = add(g, b)
h = mul(s, u)
@return(q3, h, g)
"""


@pytest.mark.parametrize(
    ("target", "k", "schedules"), [("gfx942", 64, ()), ("gfx950", 64, ()), ("gfx950", 512, (HALVES,))], ids=["gfx942", "gfx950", "halves"]
)
def test_products_of_different_rows_are_a_kernel(target: str, k: int, schedules: tuple[str, ...]) -> None:
    draw = np.random.default_rng(6)
    w, v, x = [draw.integers(-3, 4, shape).astype("f2") for shape in ((40, k), (120, k), (k, 56))]
    program = asmgen.compile(ROWS.format(k=k), target=target, schedules=schedules)
    assert len(program.kernels) == 1
    p, q = program(w, v, x, device=chosen_device())
    np.testing.assert_array_equal(p, w.astype("f8") @ x)
    np.testing.assert_array_equal(q, v.astype("f8") @ x)


def test_pointwise_ops_after_them_are_in_the_kernel() -> None:
    draw = np.random.default_rng(7)
    shapes = ((30, 64), (64, 150), (64, 50), (64, 50), (50,))
    x, wq, wg, wu, bias = [draw.integers(-1, 2, shape).astype("f2") for shape in shapes]
    program = asmgen.compile(FUSED, target="gfx942")
    assert len(program.kernels) == 1
    q, h, g = program(x, wq, wg, wu, bias, device=chosen_device())
    wide = x.astype("f8")
    np.testing.assert_array_equal(q, np.maximum(wide @ wq, 0).reshape(30, 3, 50))
    np.testing.assert_array_equal(g, wide @ wg)
    np.testing.assert_array_equal(h, (wide @ wg + bias) * (wide @ wu))


def _sets(text: str, is_joint: bool = True) -> list[Siblings]:
    defined = definitions(parse(text, "strips.gen").modules[0])
    return [group for group, _ in decided(defined, lambda _: Joint(is_joint, ""))]


def test_the_smallest_product_has_one_strip_and_others_a_multiple() -> None:
    (group,) = _sets(CASES[0].text)
    assert not group.is_even
    assert [(each.dot.result.name, each.numbers) for each in strips(group.dots)] == [
        ("y0", (0, 0)), ("y0", (0, 1)), ("y0", (0, 2)), ("y1", (0, 0)), ("y2", (0, 0)),
    ]  # fmt: skip


@pytest.mark.parametrize("columns", [(30, 20), (88, 8), (64, 32, 32, 32)], ids=["no multiple", "too many strips", "too many"])
def test_others_are_no_set_of_different_dims(columns: tuple[int, ...]) -> None:
    assert all(group.is_even for group in _sets(Case("gfx942", "f16", 8, columns, 64).text))


def test_products_of_the_same_dims_are_a_set_if_all_are_none() -> None:
    wide, even = _sets(CASES[0].text, is_joint=False)
    assert [dot.result.name for dot in wide.dots] == ["y0", "y1", "y2"]
    assert [dot.result.name for dot in even.dots] == ["y1", "y2"] and even.is_even


MIXED = """x = @param:x -> f16, {30,64}
a = @param:a -> f16, {64,32}
b = @param:b -> f16, {64,16}
q = dot(x, a)
k = dot(x, b)
first = slice[axes={1}, starts={0}, ends={16}](q)
z = add(first, k)
"""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (MIXED + "@return(z, q)\n", "z has to be made of products of its own dims"),
        (MIXED + "s = reduce_sum[axes={1}](q)\n@return(s, k)\n", "without scales and reductions"),
        (MIXED.replace("64,16", "64,12").replace("ends={16}", "ends={12}") + "@return(q, k)\n", "a multiple of the rows"),
    ],
)
def test_a_kernel_of_products_that_are_no_strips_is_refused(text: str, words: str) -> None:
    graph = Graph(parse(text, "strips.gen").modules[0])
    assert words in misfit(graph, Contract(16, 16, 64, 1, 1), TARGETS["gfx942"])
