"""Reductions of the rows and columns of matrix products, in the launch of the products, against the float64 reference: types, functions,
chains of reductions, batches, tails, named dims, whole rows and parts of a tile or of a wave.
"""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest
from msgspec.structs import replace

import asmgen
from asmgen.blockwise.schedules.choosing import epilogue
from asmgen.blockwise.schedules.choosing.contract import Planned
from asmgen.blockwise.schedules.choosing.product_tile import Shape
from asmgen.graph.fusion.epilogues import Epilogue
from asmgen.verification import hold
from isa.target import Target
from tests.device import chosen_device
from tests.rows import MACHINES

_BODIES = {
    "sum of squares": ("q = mul(y, y)", "s = reduce_sum[axes={axis}](q)"),
    "biased sum": ("c = @param:c -> {element}, {columns}", "t = add(y, c)", "s = reduce_sum[axes={axis}](t)"),
    "max": ("s = reduce_max[axes={axis}](y)",),
    "min of exp": ("e = exp(y)", "s = reduce_min[axes={axis}](e)"),
    "mean": ("s = reduce_mean[axes={axis}](y)",),
    "argmax": ("s = argmax[axis={axis}](y)",),
    "softmax": ("s = softmax[axis={axis}](y)",),
    "rmsnorm": ("q = mul(y, y)", "m = reduce_mean[axes={axis}](q)", "r = rsqrt(m)", "s = mul(y, r)"),
    "variance": ("m = reduce_mean[axes={axis}](y)", "d = sub(y, m)", "q = mul(d, d)", "s = reduce_mean[axes={axis}](q)"),
    "log of a sum": (
        "m = reduce_max[axes={axis}](y)", "d = sub(y, m)", "e = exp(d)", "t = reduce_sum[axes={axis}](e)", "l = log(t)", "s = add(l, m)",
    ),
}  # fmt: skip
_OF_FLOATS = ("min of exp", "softmax", "rmsnorm", "variance", "log of a sum")
_WHOLE = ("softmax", "rmsnorm")  # results with all dims of the product: no launch of their own in parts
_TYPES = ("f16", "bf16", "f32", "f16", "f32", "i8")
_SIZES = (2, 5, 16, 17, 33, 64, 70, 100)


class Cell(NamedTuple):
    """A product of `dims` m, k and n, and a reduction over its last `axis`, or the one before, in parts or in whole rows. `keeps` says
    whether the product is a result too."""

    element: str
    dims: tuple[int, int, int]
    batch: tuple[int, ...]
    body: str
    axis: int
    in_parts: bool
    keeps: bool = False
    named: bool = False

    def __str__(self) -> str:
        flags = [name for name in ("in_parts", "keeps", "named") if getattr(self, name)]
        dims = "x".join(map(str, (*self.batch, *self.dims)))
        return "-".join([self.element, dims, self.body, str(self.axis), *flags]).replace(" ", "_")

    def text(self) -> str:
        m, k, n = self.dims
        rows, columns = ("rows", "columns") if self.named else (m, n)
        lead = "".join([f"{size}," for size in self.batch])
        given = {"element": self.element, "columns": f"{{{columns}}}", "axis": len(self.batch) + 2 + self.axis}
        return "\n".join([
            f"a = @param:a -> {self.element}, {{{lead}{rows},{k}}}",
            f"b = @param:b -> {self.element}, {{{lead}{k},{columns}}}",
            "y = dot(a, b)",
            *[line.format(**given) for line in _BODIES[self.body]],
            f"@return(s{', y' if self.keeps else ''})",
            "",
        ])  # fmt: skip


def cells(seed: int, count: int) -> list[Cell]:
    generator = random.Random(seed)
    return [_cell(generator, _TYPES[number % len(_TYPES)]) for number in range(count)]


def _cell(generator: random.Random, element: str) -> Cell:
    bodies = [body for body in _BODIES if element != "i8" or body not in _OF_FLOATS]
    body = generator.choice(bodies)
    dims = generator.choice(_SIZES), generator.choice((2, 24, 33, 64)), generator.choice(_SIZES)
    batch = generator.choice(((), (), (2,), (3, 1)))
    named = generator.random() < 0.2 and not batch
    in_parts = body not in _WHOLE and generator.random() < 0.6
    return Cell(element, dims, batch, body, generator.choice((-1, -2)), in_parts, generator.random() < 0.3, named)


def force(monkeypatch: pytest.MonkeyPatch, in_parts: bool) -> list[bool]:
    """Let kernels of products take every reduction that they can; gives whether they did."""
    decide, taken = epilogue.verdict, list[bool]()

    def forced(of: Epilogue, parts: bool, target: Target, rounds: bool) -> epilogue.Taken:
        said = decide(of, parts, target, rounds)
        taken.append(bool(said.length) if in_parts else said.why.startswith("in whole"))
        return said._replace(is_taken=" clocks" in said.why)

    monkeypatch.setattr(epilogue, "verdict", forced)
    if in_parts:
        monkeypatch.setattr(epilogue, "LONGEST", 0)
    return taken


def check(cell: Cell, machine: str, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    taken = force(monkeypatch, cell.in_parts)
    report = hold(asmgen.compile(cell.text(), target=machine, verify_passes=True), chosen_device())
    assert not report.is_broken, "\n".join([cell.text(), *[str(check) for check in report.checks]])
    return taken


_SQUARES = Cell("f16", (17, 8, 40), (), "sum of squares", -1, in_parts=True, keeps=True)
_ORDINARY = (
    (_SQUARES._replace(dims=(40, 8, 70)), "gfx942"), (_SQUARES._replace(body="rmsnorm", in_parts=False), "gfx1100"),
    (_SQUARES._replace(element="f32", body="variance", axis=-2, dims=(40, 8, 70)), "gfx1201"),
)  # fmt: skip


@pytest.mark.parametrize(("cell", "machine"), _ORDINARY, ids=str)
def test_reductions_of_products_agree_with_the_reference(cell: Cell, machine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert check(cell, machine, monkeypatch) == [True]


def test_no_part_is_a_single_element(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the best tile, or a wave of it, has a single row, there is nothing to reduce."""
    cell, plan = Cell("f32", (16, 16, 5), (), "biased sum", -2, in_parts=True), epilogue.planned
    assert check(cell, "gfx1201:wave64", monkeypatch) == [True]

    def of_single_rows(shape: Shape, target: Target) -> Planned | None:
        made = plan(shape, target)
        return made and made._replace(choice=replace(made.choice, m=1))

    monkeypatch.setattr(epilogue, "planned", of_single_rows)
    monkeypatch.setattr(epilogue, "of_wave", lambda *_: (1, 1))
    assert check(cell, "gfx1201:wave64", monkeypatch) == [False]


@pytest.mark.slow
@pytest.mark.parametrize(("cell", "machine"), [(cell, MACHINES[number % len(MACHINES)]) for number, cell in enumerate(cells(5, 300))], ids=str)
def test_many_reductions_of_products_agree_with_the_reference(cell: Cell, machine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _ = check(cell, machine, monkeypatch)
