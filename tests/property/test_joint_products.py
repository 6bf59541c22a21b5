"""Products that share a factor, in one launch, against the float64 reference: types, sides, batches, tails, named dims, dims of 0, and ops
before and after.
"""

from __future__ import annotations

import random
import re
from typing import NamedTuple

import numpy as np
import pytest

import asmgen
from asmgen.cli.stages import stage_text
from asmgen.gentext.parser import parse
from asmgen.gridwise.fuse_lines import fuse_lines
from asmgen.verification import hold
from isa.targets import parse_target
from tests.device import chosen_device
from tests.rows import MACHINES

_TYPES = ("f16", "bf16", "f32", "f16", "f32", "i8", "f64", "i32")
_SIZES = (2, 3, 5, 16, 17, 33, 64, 70, 100)
_DEPTHS = (*_SIZES, 0, 130, 256)
_BATCHES = ((), (), (), (2,), (3, 1))
_MOST = 60_000  # products of a cell
_COUNT = 440  # of cells on demand; a quarter is multiplied by sums, because k and the rows or columns are few


class Cell(NamedTuple):
    """`products` of a shared factor, which is on the side `side`; other factors have a batch only if it has."""

    element: str
    products: int
    side: int
    dims: tuple[int, int, int]
    batch: tuple[int, ...]
    transposed: tuple[bool, bool]
    before: str
    after: str  # "gate", "add", or empty for a result of each product
    named: bool

    def __str__(self) -> str:
        turned = "".join("tn"[not each] for each in self.transposed)
        around = [each for each in (self.before, self.after, "named" if self.named else "") if each]
        dims = "x".join(map(str, self.dims))
        return "-".join([f"{self.products}{self.element}", "ab"[self.side], dims, f"{self.batch}", turned, *around]).replace(" ", "")

    def text(self) -> str:
        m, k, n = self.dims
        whole = [[m, k], [k, n]]
        listed = [
            ",".join(map(str, [*self.batch, *(reversed(pair) if turned else pair)])) for pair, turned in zip(whole, self.transposed, strict=True)
        ]
        if self.named and not any(self.transposed) and not self.batch:
            listed[0] = f"rows,{k}"
        rank = 2 + len(self.batch)
        order = ",".join(map(str, (*range(rank - 2), rank - 1, rank - 2)))
        lines: list[str] = []

        def factor(name: str, side: int) -> str:
            lines.append(f"{name} = @param:{name} -> {self.element}, {{{listed[side]}}}")
            value = name
            if side == self.side and self.before:
                lines.append(f"{name}_before = {self.before}({name})")
                value = f"{name}_before"
            if self.transposed[side]:
                lines.append(f"{name}_turned = transpose[permutation={{{order}}}]({value})")
                value = f"{name}_turned"
            return value

        shared = factor("x", self.side)
        for number in range(self.products):
            pair = (shared, factor(f"w{number}", 1)) if self.side == 0 else (factor(f"w{number}", 0), shared)
            lines.append(f"z{number} = dot({pair[0]}, {pair[1]})")
        if not self.after:
            return "\n".join([*lines, f"@return({', '.join(f'z{number}' for number in range(self.products))})", ""])
        if self.after == "gate":
            lines.append("share = sigmoid(z0)")
        total = "share" if self.after == "gate" else "z0"
        for number in range(self.after != "gate", self.products):
            lines.append(f"t{number} = {'mul' if self.after == 'gate' else 'add'}({total}, z{number})")
            total = f"t{number}"
        return "\n".join([*lines, f"@return({total})", ""])


def cells(seed: int, count: int) -> list[Cell]:
    generator = random.Random(seed)
    return [_cell(generator, _TYPES[number % len(_TYPES)]) for number in range(count)]


def _cell(generator: random.Random, element: str) -> Cell:
    batch = generator.choice(_BATCHES)
    count = generator.choice((2, 2, 3))
    dims = generator.choice(_SIZES), generator.choice(_DEPTHS), generator.choice(_SIZES)
    while np.prod(dims) * max(1, np.prod(batch)) * count > _MOST:
        dims = generator.choice(_SIZES), generator.choice(_DEPTHS), generator.choice(_SIZES)
    is_float = element[0] in "fb"
    side = int(generator.random() < 0.3)
    transposed = generator.random() < 0.4, generator.random() < 0.4
    before = generator.choice(("", "", "relu")) if is_float else ""
    after = generator.choice(("gate", "add", "")) if is_float else generator.choice(("add", ""))
    return Cell(element, count, side, dims, batch, transposed, before, after, generator.random() < 0.15)


def check(cell: Cell, machine: str) -> None:
    report = hold(asmgen.compile(cell.text(), target=machine, verify_passes=True), chosen_device())
    assert not report.is_broken, "\n".join([cell.text(), *[str(check) for check in report.checks]])


_GATE = Cell("f16", 2, 0, (33, 70, 17), (), (False, True), "", "gate", named=False)
_ORDINARY = (
    (_GATE._replace(dims=(17, 40, 17), before="relu"), "gfx942"),
    (_GATE._replace(element="f32", products=3, side=1, batch=(3, 1), dims=(3, 256, 5)), "gfx950"),  # in parts along k, of which copies are refused
    (_GATE._replace(transposed=(False, False), dims=(9, 33, 17), named=True), "gfx1201"), (_GATE._replace(side=1, dims=(17, 0, 5)), "gfx90a"),
)  # fmt: skip
_OTHERS = (
    (_GATE._replace(products=3, after="", batch=(2,), dims=(16, 33, 17)), "gfx950"),
    (_GATE, "gfx942"), (_GATE._replace(element="f32", before="relu"), "gfx1100"), (_GATE._replace(side=1, element="bf16"), "gfx1201:wave64"),
)  # fmt: skip


@pytest.mark.parametrize(("cell", "machine"), _ORDINARY, ids=str)
def test_joint_products_agree_with_the_reference(cell: Cell, machine: str) -> None:
    check(cell, machine)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cell", "machine"), [*_OTHERS, *((cell, MACHINES[number % len(MACHINES)]) for number, cell in enumerate(cells(3, _COUNT)))], ids=str
)
def test_many_joint_products_agree_with_the_reference(cell: Cell, machine: str) -> None:
    check(cell, machine)


@pytest.mark.slow
def test_most_cells_are_one_launch() -> None:
    joint = [cell for cell in cells(3, _COUNT) if " in one launch: " in "".join(lines_of(cell.text()))]
    assert len(joint) > 250


def lines_of(text: str, target: str = "gfx942") -> list[str]:
    return list(fuse_lines(parse(text, "main.gen"), parse_target(target).target, propagates_nan=False, precision=""))


GATED = """x = @param:x -> f16, {M,K}
gate = @param:gate -> f16, {K,N}
up = @param:up -> f16, {K,N}
p = dot(x, gate)
q = dot(x, up)
s = sigmoid(p)
o = mul(s, q)
@return(o)
"""


def gated(m: int, n: int, k: int) -> str:
    return GATED.replace("M", str(m)).replace("N", str(n)).replace("K", str(k))


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_products_in_one_launch_load_the_shared_factor_once(target: str) -> None:
    """The tile of x is loaded as often as a tile of each weight, and multiplied twice."""
    program = asmgen.compile(gated(64, 64, 64), target=target)
    assert len(program.kernels) == 1
    text = stage_text(program.compilation, "blockwise")
    loads = [len(re.findall(rf"tile_load\[.*\]\({name}\)", text)) for name in ("x", "gate", "up")]
    products = [re.split(", ", found)[0] for found in re.findall(r" = contract\[.*?\]\((.*?)\)", text)]
    assert loads[0] == loads[1] == loads[2] > 0, text
    assert len(products) == 2 * len(set(products)), text


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (("", ""), r"main: p and q, which share x, in one launch: together \d+ clocks, apart \d+"),
        (("q = dot(x, up)", "r = relu(p)\nq = dot(r, up)"), ""),  # the second is made of the first
        (("q = dot(x, up)", "y = relu(x)\nq = dot(y, up)"), ""),  # other factors
    ],
)
def test_why_products_are_one_launch_or_not(edit: tuple[str, str], why: str) -> None:
    text = gated(64, 64, 64).replace(*edit)
    lines = [line for line in lines_of(text) if "which share" in line]
    assert re.fullmatch(why, "".join(lines)), lines
    assert (len(asmgen.compile(text, target="gfx942").kernels) == 1) is bool(why)


def test_a_repeated_product_is_multiplied_once() -> None:
    """silu as users write it: x gate occurs twice, and so does its transpose."""
    text = gated(32, 32, 64).replace(
        "p = dot(x, gate)", "t = transpose[permutation={1,0}](gate)\nu = transpose[permutation={1,0}](gate)\np = dot(x, t)\nr = dot(x, u)"
    )
    text = (
        text.replace("gate -> f16, {64,32}", "gate -> f16, {32,64}")
        .replace("sigmoid(p)", "sigmoid(r)")
        .replace("mul(s, q)", "mul(p, q)\no = mul(v, s)")
    )
    text = text.replace("o = mul(p, q)", "v = mul(p, q)")
    program = asmgen.compile(text, target="gfx942")
    assert len(program.kernels) == 1
    assert stage_text(program.compilation, "gridwise").count(" = dot(") == 2
    report = hold(program, chosen_device())
    assert not report.is_broken, report.checks
    both = text.replace("@return(o)", "@return(o, p, r)")
    (*_, p, r) = asmgen.compile(both, target="gfx942")(
        *[np.ones(dims, np.float16) for dims in ((32, 64), (32, 64), (64, 32))], device=chosen_device()
    )
    assert (p == 64).all() and (r == 64).all()


def test_the_clocks_decide() -> None:
    """The lines say the smaller number of clocks, and the launches agree with it."""
    for m, n, k in ((8, 512, 512), (70, 1030, 8), (2048, 2048, 2048)):
        (line,) = [line for line in lines_of(gated(m, n, k)) if "which share" in line]
        told = re.fullmatch(r"main: p\w* and q\w*, which share x, (.*): together (\d+) clocks, apart (\d+)", line)
        assert told is not None, line
        assert (told[1] == "in one launch") is (int(told[2]) < int(told[3])), line
