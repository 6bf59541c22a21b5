"""Random index expressions of SymPy in kernels by hand: the kernel's results are SymPy's, at the corners of
the bounds."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Annotated, Any, cast

import numpy as np
import pytest
import sympy

from asmgen.assembly import Builder, below, between, global_pointer, i32, kernel, pseudo, u32
from asmgen.assembly.indices import to_index, to_sympy
from asmgen.index.expression import as_symbol, symbol
from asmgen.index.nodes import Index, Symbol
from isa.diagnostics import InputError

TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")
ITEMS, GROUPS = 64, 3
SMALL, LARGE, LEAST = 1000, 1 << 20, -500
Expression = sympy.Expr


def random_expression(rng: random.Random, atoms: Sequence[Expression], depth: int) -> Expression:
    """A sum, product, quotient, remainder, minimum or maximum of simpler expressions."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(atoms) if rng.random() < 0.8 else sympy.Integer(rng.choice((0, 1, 3, 64, 255, 1000)))
    left, right = (random_expression(rng, atoms, depth - 1) for _ in range(2))
    divisor = rng.choice((1, 2, 3, 4, 5, 7, 8, 10, 12, 16, 60, 64, 100, 256, 641, 1024))
    made: Any = rng.choice(
        (
            lambda: left + right, lambda: left - right, lambda: left * rng.choice((2, 3, 4, 8, 12, 64, 100)), lambda: left // divisor,
            lambda: left % divisor, lambda: cast("Any", sympy).Min(left, right), lambda: cast("Any", sympy).Max(left, right),
            lambda: sympy.ceiling(left / divisor), lambda: left * right, lambda: left + divisor, lambda: left // (atoms[2] + 1),
            lambda: right % (atoms[2] + 1), lambda: left // (atoms[0] + 3),
        )
    )()  # fmt: skip
    return made


def evaluated(expression: Expression, place: dict[sympy.Symbol, int]) -> int:
    """The value at a place, with all symbols replaced at once: one after the other, SymPy 1.14 makes
    Mod(Max(123456, 64*g), 642) a 0."""
    return int(cast("Any", expression).xreplace({name: sympy.Integer(value) for name, value in place.items()}))


def computed(target: str, expressions: int, seed: int, values: tuple[int, int, int]) -> int:
    """Compare random expressions with SymPy at the given arguments; how many the kernel takes."""
    rng = random.Random(seed)
    made: list[tuple[Expression, dict[str, sympy.Symbol]]] = []

    def body(k: Builder, out: global_pointer[u32], a: Annotated[u32, below(SMALL)], b: Annotated[u32, below(LARGE)],
             c: Annotated[i32, between(LEAST, SMALL)]) -> None:  # fmt: skip
        t, g = k.thread_id.x, k.workgroup_id.x
        while len(made) < expressions:
            expression = random_expression(rng, (t, g, a, b, c, 4 * t, 64 * g + t), rng.randint(1, 4))
            try:
                value = k.v_mov_b32(expression)
            except InputError as refused:
                assert refused.code == "HND021", refused
                continue
            k.global_store_dword(out, 4 * (expressions * (ITEMS * g + t) + len(made)), value)
            made.append((expression, {"t": t, "g": g, "a": a, "b": b, "c": c}))

    program = kernel(workgroup=(ITEMS, 1, 1), most_workgroups=(GROUPS, 1, 1), name="k")(body).compile(target)
    out = np.zeros((GROUPS * ITEMS, expressions), np.uint32)
    a, b, c = values
    got = program.launch((GROUPS, 1, 1), "emulator", out=out, a=a, b=b, c=c)["out"]
    for column, (expression, names) in enumerate(made):
        for g, t in ((0, 0), (0, ITEMS - 1), (GROUPS - 1, 0), (GROUPS - 1, ITEMS - 1), (1, 37)):
            place = {names["t"]: t, names["g"]: g, names["a"]: a, names["b"]: b, names["c"]: c}
            wanted = evaluated(expression, place)
            assert int(got[ITEMS * g + t, column]) == wanted & 0xFFFFFFFF, (seed, expression, place, wanted)
    return len(made)


CORNERS = ((0, 0, 0), (SMALL - 1, LARGE - 1, SMALL), (SMALL - 1, 0, LEAST), (0, LARGE - 1, LEAST), (641, 123456, -1))


@pytest.mark.parametrize("target", TARGETS)
def test_what_a_kernel_computes_is_what_sympy_evaluates(target: str) -> None:
    number = TARGETS.index(target)
    assert computed(target, 40, 1000 + number, CORNERS[number]) == 40


@pytest.mark.slow
@pytest.mark.parametrize("values", CORNERS)
@pytest.mark.parametrize("target", TARGETS)
def test_many_expressions_at_every_corner(target: str, values: tuple[int, int, int]) -> None:
    for seed in range(3):
        assert computed(target, 100, seed, values) == 100


def wide_expression(rng: random.Random, atoms: Sequence[Expression]) -> Expression:
    """A sum of products, most of which need more than 32 bits."""
    terms: list[Any] = [
        rng.choice(atoms) * rng.choice((rng.choice(atoms), 1, 1)) * rng.choice((1, 4, 12, 1 << 10, 1 << 20)) for _ in range(rng.randint(1, 3))
    ]
    return sum(terms, start=sympy.Integer(rng.choice((0, 0, 16, 1 << 34))))


def computed_wide(target: str, expressions: int, seed: int, values: tuple[int, int, int]) -> None:
    """As `computed`, in 64 bits."""
    rng = random.Random(seed)
    made: list[tuple[Expression, dict[str, sympy.Symbol]]] = []

    def body(k: Builder, out: global_pointer[u32], a: Annotated[u32, below(SMALL)], b: Annotated[u32, below(LARGE)], c: u32) -> None:
        t, g = k.thread_id.x, k.workgroup_id.x
        while len(made) < expressions:
            expression = wide_expression(rng, (t, g, a, b, c, 64 * g + t, c // 7, b % 100))
            try:
                pair = pseudo.wide(k, expression)
            except InputError as refused:
                assert refused.code == "HND021", refused
                continue
            stored = k.vgpr(2)
            k.assign(stored, pair)
            k.global_store_dwordx2(out, 8 * (expressions * (ITEMS * g + t) + len(made)), stored)
            made.append((expression, {"t": t, "g": g, "a": a, "b": b, "c": c}))

    program = kernel(workgroup=(ITEMS, 1, 1), most_workgroups=(GROUPS, 1, 1), name="k")(body).compile(target)
    out = np.zeros((GROUPS * ITEMS, expressions, 2), np.uint32)
    a, b, c = values
    got = program.launch((GROUPS, 1, 1), "emulator", out=out, a=a, b=b, c=c)["out"].view(np.uint64)[..., 0]
    for column, (expression, names) in enumerate(made):
        for g, t in ((0, 0), (0, ITEMS - 1), (GROUPS - 1, ITEMS - 1), (1, 37)):
            place = {names["t"]: t, names["g"]: g, names["a"]: a, names["b"]: b, names["c"]: c}
            wanted = evaluated(expression, place)
            assert int(got[ITEMS * g + t, column]) == wanted % (1 << 64), (seed, expression, place, wanted)


WIDE_CORNERS = ((0, 0, 0), (SMALL - 1, LARGE - 1, (1 << 32) - 1), (SMALL - 1, 0, 1 << 31), (1, LARGE - 1, 0xDEADBEEF))


@pytest.mark.parametrize("target", TARGETS)
def test_a_wide_index_is_what_sympy_evaluates(target: str) -> None:
    for values in WIDE_CORNERS:
        computed_wide(target, 12, TARGETS.index(target), values)


@pytest.mark.slow
@pytest.mark.parametrize("values", WIDE_CORNERS)
@pytest.mark.parametrize("target", TARGETS)
def test_many_wide_indices_at_every_corner(target: str, values: tuple[int, int, int]) -> None:
    for seed in range(10, 13):
        computed_wide(target, 100, seed, values)


@pytest.mark.parametrize("seed", range(150))
def test_an_expression_goes_to_an_index_and_back(seed: int) -> None:
    rng = random.Random(seed)
    names = [sympy.Symbol(name, integer=True, nonnegative=True) for name in "xyz"]
    indices: dict[sympy.Symbol, Index] = {name: symbol(f"{name.name}{seed}", 0, 1000) for name in names}
    back: dict[Symbol, Expression] = {as_symbol(index): name for name, index in indices.items()}
    expression = random_expression(rng, names, 4)
    index = to_index(expression, indices)
    again = to_sympy(index, back)
    for _ in range(8):
        values = {name: rng.choice((0, 1, 999, 1000, rng.randint(0, 1000))) for name in names}
        wanted = evaluated(expression, values)
        assert evaluated(again, values) == wanted, (expression, again, values)
        assert index.evaluate({as_symbol(indices[name]): value for name, value in values.items()}, 0) == wanted, (expression, values)


DIVISORS = (1, 2, 3, 5, 6, 7, 10, 11, 14, 28, 60, 641, 1000, 1 << 16, 65537, 6700417, (1 << 31) - 1, (1 << 31) + 1, (1 << 32) - 1)
BOUNDS = ((0, 15), (0, 65535), (0, (1 << 24) - 1), (0, (1 << 31) - 1), (0, (1 << 32) - 1), (-1000, 5000), (-(1 << 31), (1 << 31) - 1))


def near_multiples(rng: random.Random, divisor: int, least: int, most: int) -> list[int]:
    """Numbers of a range that show a wrong reciprocal: next to multiples of the divisor, the largest among
    them."""
    found = [least, most, 0, *(place + step for place in (most // divisor * divisor, least // divisor * divisor) for step in (-1, 0, 1))]
    while len(found) < ITEMS:
        found.append(rng.randint(least // divisor, most // divisor) * divisor + rng.choice((-1, 0, 1)))
    return [number for number in found if least <= number <= most][:ITEMS]


def quotients(target: str, divisor: int) -> None:
    """Quotients and remainders of numbers from memory, with each bounds that a promise may give."""
    rng = random.Random(divisor)
    columns = [near_multiples(rng, divisor, *bounds) for bounds in BOUNDS]
    data = np.array([[number & 0xFFFFFFFF for number in (*column, *[column[0]] * (ITEMS - len(column)))] for column in columns], np.uint32)

    def body(k: Builder, x: global_pointer[u32], y: global_pointer[u32]) -> None:
        t = k.thread_id.x
        for row, (least, most) in enumerate(BOUNDS):
            number = k.index(k.global_load_dword(x, 4 * (ITEMS * row + t)), least, most)
            k.global_store_dword(y, 8 * (ITEMS * row + t), k.v_mov_b32(number // divisor))
            k.global_store_dword(y, 8 * (ITEMS * row + t) + 4, k.v_mov_b32(number % divisor))

    y = np.zeros((len(BOUNDS), ITEMS, 2), np.uint32)
    got = kernel(workgroup=(ITEMS, 1, 1), name="k")(body).compile(target).launch((1, 1, 1), "emulator", x=data, y=y)["y"]
    for row, column in enumerate(columns):
        for lane, number in enumerate(column):
            wanted = [part & 0xFFFFFFFF for part in divmod(number, divisor)]
            assert got[row, lane].tolist() == wanted, (target, number, divisor, BOUNDS[row])


@pytest.mark.parametrize("divisor", DIVISORS)
def test_quotients_next_to_multiples(divisor: int) -> None:
    quotients(TARGETS[DIVISORS.index(divisor) % len(TARGETS)], divisor)


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_quotients_by_many_divisors(target: str) -> None:
    rng = random.Random(7)
    for _ in range(60):
        quotients(target, rng.randint(1, 1 << rng.randint(1, 31)))
