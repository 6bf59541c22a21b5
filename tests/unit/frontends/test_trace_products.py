"""Products of matrices in traced functions, against numpy: every spelling, on whole numbers, so that sums are exact."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.frontends.traced.spec import spec
from asmgen.frontends.traced.trace import trace
from asmgen.graph.printer import print_program
from isa.diagnostics import InputError

Dims = tuple[int, ...]
_VECDOT: Any = np.vecdot
_MATMUL: Any = np.matmul


def held(function: Callable[..., Any], *shapes: Dims, dtype: type = np.int32) -> None:
    generator = np.random.default_rng(11)
    arrays: list[Any] = [generator.integers(-9, 9, dims).astype(dtype) for dims in shapes]
    (result,) = asmgen.compile(function, inputs=arrays, verify_passes=True)(*arrays, device="emulator")
    expected = function(*arrays)
    np.testing.assert_array_equal(result, expected)
    assert result.dtype == expected.dtype


@pytest.mark.parametrize(
    ("first", "second"),
    [((3, 4), (4, 5)), ((2, 3, 4), (5, 4, 6)), ((4,), (2, 4, 3)), ((2, 1, 3), (3,)), ((3, 4), (2, 1, 4, 5))],
)
@pytest.mark.parametrize("dtype", [np.int32, np.bool_, np.float16])
def test_dot_is_that_of_numpy(first: Dims, second: Dims, dtype: type) -> None:
    held(np.dot, first, second, dtype=dtype)


@pytest.mark.parametrize(("first", "second"), [((2, 3, 4), (4, 5)), ((2, 1, 3, 4), (5, 4, 6)), ((4,), (2, 4, 3)), ((2, 3), (3,))])
@pytest.mark.parametrize("dtype", [np.int32, np.bool_, np.float32])
def test_matmul_is_that_of_numpy(first: Dims, second: Dims, dtype: type) -> None:
    held(lambda a, b: a @ b, first, second, dtype=dtype)


@pytest.mark.parametrize(("first", "second"), [((3, 4), (5, 4)), ((2, 3, 4), (5, 4)), ((4,), (5, 4)), ((2, 3, 4), (5, 6, 4))])
def test_inner_is_that_of_numpy(first: Dims, second: Dims) -> None:
    held(np.inner, first, second)


@pytest.mark.parametrize(
    ("first", "second", "axes"),
    [((3, 4, 5), (4, 5, 6), 2), ((3, 4, 5), (5, 3, 2), ([0, 2], [1, 0])), ((3, 4), (5, 6), 0), ((3, 4, 5), (5, 2), 1), ((3, 4), (3, 4), 2)],
)
def test_tensordot_is_that_of_numpy(first: Dims, second: Dims, axes: Any) -> None:
    held(lambda a, b: np.tensordot(a, b, axes), first, second)


@pytest.mark.parametrize(
    ("subscripts", "first", "second"),
    [
        ("ij,jk->ik", (3, 4), (4, 5)),
        ("ij,jk", (3, 4), (4, 5)),
        ("ik,jk->ji", (3, 4), (5, 4)),
        ("bhqd,bhkd->bhqk", (2, 3, 4, 5), (2, 3, 6, 5)),
        ("bij,bjk->kbi", (2, 3, 4), (2, 4, 5)),
        ("...ij,...jk->...ik", (2, 3, 4), (4, 5)),
        ("...ij,...jk->...ik", (2, 1, 3, 4), (6, 4, 5)),
        ("iij,jk->ik", (3, 3, 4), (4, 5)),
        ("ija,jkb->ik", (3, 4, 2), (4, 5, 3)),
        ("ij,jk->k", (3, 4), (4, 5)),
        ("ab,cd->acbd", (2, 3), (4, 5)),
        ("abc,cda->bd", (2, 3, 4), (4, 5, 2)),
        ("ij,j->i", (3, 4), (4,)),
        ("i,i->", (4,), (4,)),
        ("bi,bi->b", (3, 4), (3, 4)),
        ("bi,bij->bj", (3, 4), (3, 4, 2)),
        ("ij,ij->", (3, 4), (3, 4)),
        ("...aY,Za...a->...", (1, 1, 1, 4), (2, 1, 1, 1, 1)),
        ("aY...,ZYb->...", (4, 1, 1), (2, 1, 3)),
    ],
)
@pytest.mark.parametrize("dtype", [np.int32, np.bool_])
def test_einsum_is_that_of_numpy(subscripts: str, first: Dims, second: Dims, dtype: type) -> None:
    held(lambda a, b: np.einsum(subscripts, a, b), first, second, dtype=dtype)


@pytest.mark.parametrize(
    ("first", "second", "axis"), [((3, 4), (3, 4), -1), ((4, 3), (4, 3), 0), ((2, 4, 3), (1, 4, 3), 1), ((4, 3), (4,), 0), ((2, 3, 4), (4,), -1)]
)
@pytest.mark.parametrize("dtype", [np.int32, np.bool_, np.float16])
def test_vecdot_is_that_of_numpy(first: Dims, second: Dims, axis: int, dtype: type) -> None:
    held(partial(_VECDOT, axis=axis), first, second, dtype=dtype)


@pytest.mark.parametrize("function", [np.matmul, np.vecdot, np.matvec])
def test_a_product_in_another_type_converts_the_factors(function: np.ufunc) -> None:
    """Products of i16 that leave its range."""
    a, b = [np.full(dims, 300, np.int16) for dims in ((2, 4), (4,))]
    (result,) = asmgen.compile(lambda a, b: function(a, b, dtype=np.int32), inputs=[a, b])(a, b, device="emulator")
    np.testing.assert_array_equal(result, [360_000, 360_000])
    assert result.dtype == np.int32


@pytest.mark.parametrize(
    ("function", "shapes"),
    [
        (np.matmul, [(3, 4), (4,)]), (np.matmul, [(4,), (4, 3)]), (np.dot, [(4,), (4,)]), (np.inner, [(4,), (3, 4)]), (np.vdot, [(2, 4), (2, 4)]),
        (lambda a, b: np.einsum("ij,j->i", a, b), [(3, 4), (4,)]), (lambda a, b: np.einsum("bi,bi->b", a, b), [(3, 4), (3, 4)]),
        (np.vecdot, [(3, 4), (3, 4)]), (np.matvec, [(2, 3, 4), (2, 4)]), (np.vecmat, [(2, 4), (2, 4, 3)]),
    ],
)  # fmt: skip
def test_products_of_vectors_are_not_rounded_before_they_are_summed(function: Callable[..., Any], shapes: list[Dims]) -> None:
    graph = print_program(trace(function, [spec("f16", dims) for dims in shapes]))
    assert re.search(r"= dot(_general\[.*\])?\(", graph) and "= mul(" not in graph and "reduce_sum" not in graph


@pytest.mark.parametrize(
    ("function", "shapes", "code", "wanted"),
    [
        (lambda a, b: a @ b, [(3, 4), (5, 6)], "GEN302", "4 is not 5"),
        (lambda a, b: a @ b, [(2, 3, 4), (3, 4, 5)], "GEN302", "do not broadcast"),
        (np.inner, [(3, 4), (5, 6)], "TRC004", "axes of 4 and 6 elements"),
        (lambda a, b: np.tensordot(a, b, 1), [(3, 4), (5, 6)], "TRC004", "axes of 4 and 5 elements"),
        (lambda a, b: np.tensordot(a, b, 1), [(3, 1), (5, 6)], "TRC004", "axes of 1 and 5 elements"),
        (lambda a, b: np.tensordot(a, b, 3), [(3, 4), (3, 4)], "TRC007", "different axes of an array of 2 axes"),
        (lambda a, b: np.tensordot(a, b, ([0, 0], [0, 1])), [(3, 4), (3, 3)], "TRC007", "different axes"),
        (lambda a, b: np.tensordot(a, b, ([0, 1], [0])), [(3, 4), (3, 4)], "TRC007", "as many axes of both arrays"),
        (np.matvec, [(4,), (3, 4)], "TRC004", "a matrix and a vector"),
        (np.vecmat, [(4,), (4,)], "TRC004", "a vector and a matrix"),
        (lambda a, b: np.matmul(a, b, dtype=np.int32), [(3, 4), (4, 3)], "TRC007", "dtype=i32 for an array of f32, wanted a type of floats"),
        (partial(_MATMUL, axis=0), [(3, 4), (4, 3)], "TRC007", "np.matmul got axis="),
        (lambda a, b: np.einsum("aab,cb->ac", a, b), [(4, 1, 2), (3, 2)], "TRC004", "axes of 4 and 1 elements"),
        (lambda a, b: np.einsum("...ij,jk->ik", a, b), [(2, 3, 4), (4, 5)], "TRC007", "without '...'"),
        (lambda a, b: np.einsum("ij,jk", a, b), [(3, 4), (5, 6)], "TRC004", "'j' names axes of"),
        (lambda a, b: np.einsum("i1,1k->ik", a, b), [(3, 4), (4, 5)], "TRC007", "wanted letters"),
        (lambda a, b: np.einsum("ij,jk,kl->il", a, b, b), [(3, 4), (4, 4)], "TRC007", "wanted two operands"),
        (lambda a, b: np.einsum("ij,jk->ikk", a, b), [(3, 4), (4, 5)], "TRC007", "'k' twice in its result, wanted each letter once"),
        (partial(_VECDOT, axis=5), [(3, 4), (3, 4)], "TRC007", "np.vecdot got axis=5 for an array of 2 axes, wanted -2 to 1"),
        (np.vecdot, [(3, 4), ()], "TRC004", "np.vecdot got a number, wanted arrays"),
        (lambda a, b: a @ b, [(3, 4), (3,)], "TRC004", "of arrays of shapes (3, 4) and (3,), wanted as many of each"),
        (lambda a, b: a @ b, [(4,), (5, 6)], "TRC004", "of arrays of shapes (4,) and (5, 6), wanted as many of each"),
        (np.matvec, [(3, 4), (5,)], "TRC004", "of arrays of shapes (3, 4) and (5,)"),
        (np.vecmat, [(4,), (5, 6)], "TRC004", "of arrays of shapes (4,) and (5, 6)"),
        (partial(_VECDOT, axis=0), [(3, 4, 2), (5, 4, 2)], "TRC004", "of arrays of shapes (3, 4, 2) and (5, 4, 2)"),
        (lambda a, b: np.linalg.multi_dot([a, b, b]), [(3, 4), (4, 4)], "TRC006", "multi_dot is made of functions that are traced"),
        (lambda a, b: np.einsum("ij,jk->iz", a, b), [(3, 4), (4, 5)], "TRC007", "'z' in its result, wanted letters of its operands: i j k"),
    ],
)
def test_products_that_do_not_fit_are_refused_at_the_line(function: Callable[..., Any], shapes: list[Dims], code: str, wanted: str) -> None:
    with pytest.raises(InputError) as caught:
        _ = trace(function, [spec("f32", dims) for dims in shapes])
    assert caught.value.code == code
    assert wanted in caught.value.message
    assert __file__ in str(caught.value.place) or function in (np.inner, np.matvec, np.vecmat, np.vecdot) or isinstance(function, partial)


def test_the_names_of_dims_stay() -> None:
    """A product of dims that the launch knows is one code object for every size."""
    program = asmgen.compile(np.matmul, inputs=[spec("f32", ("rows", 8)), spec("f32", (8, 5))])
    for rows in (0, 1, 7):
        a, b = np.ones((rows, 8), np.float32), np.ones((8, 5), np.float32)
        np.testing.assert_array_equal(program(a, b, device="emulator")[0], a @ b)
