"""Cases of gather and scatter, by the whole of their dimension numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tests.tensors import semantics
from tests.tensors.case import BF16, Array, Case, array, case, numbers, reducer, t

Ints = Sequence[int]


def _numbered(**fields: Any) -> str:
    return ", ".join(f"{name} = {list(value) if isinstance(value, Sequence) else value}" for name, value in fields.items() if value != ())


def gathered(
    about: str,
    x: Array,
    starts: Array,
    offset: Ints,
    collapsed: Ints,
    start_map: Ints,
    vector: int,
    sizes: Ints,
    batching: Ints = (),
    of: Ints = (),
    sorted_: bool = False,
) -> Case:
    wanted = semantics.gather(
        x,
        starts,
        offset_dims=offset,
        collapsed=collapsed,
        start_index_map=start_map,
        index_vector_dim=vector,
        sizes=sizes,
        batching=batching,
        starts_batching=of,
    )
    numbered = _numbered(
        offset_dims=tuple(offset), collapsed_slice_dims=tuple(collapsed), operand_batching_dims=tuple(batching), start_indices_batching_dims=tuple(of),
        start_index_map=tuple(start_map), index_vector_dim=vector,
    )  # fmt: skip
    attributes = f"dimension_numbers = #stablehlo.gather<{numbered}>, slice_sizes = array<i64: {', '.join(map(str, sizes))}>"
    attributes += f", indices_are_sorted = {str(sorted_).lower()}"
    text = f'%r = "stablehlo.gather"(%a, %i) <{{{attributes}}}> : ({t(x)}, {t(starts)}) -> {t(wanted)}'
    return case("gather", about, text, {"a": x, "i": starts}, wanted)


def _gathers() -> list[Case]:
    table = numbers(41, (7, 4))
    cube = numbers(42, (3, 4, 5))
    flat = numbers(43, (9,))
    rows = array([[2], [6], [0], [2]], np.int32)
    return [
        gathered("rows of a table", table, rows, [1], [0], [0], 1, [1, 4]),
        gathered("rows, indices without a vector dim", table, rows[:, 0], [1], [0], [0], 1, [1, 4]),
        gathered("rows, indices of rank 2", table, array([[1, 2, 3], [4, 5, 6]], np.int32), [2], [0], [0], 2, [1, 4]),
        gathered("rows, indices out of range are clamped", table, array([[7], [100], [-1], [-7]], np.int32), [1], [0], [0], 1, [1, 4]),
        gathered("rows that keep their dim", table, rows, [1, 2], [], [0], 1, [1, 4]),
        gathered("blocks of two rows, clamped", table, array([[0], [5], [6]], np.int32), [1, 2], [], [0], 1, [2, 4]),
        gathered("parts of rows", table, rows, [1], [0], [0], 1, [1, 2]),
        gathered("columns", table, array([[3], [0]], np.int64), [0], [1], [1], 1, [7, 1]),
        gathered("elements by two indices", table, array([[6, 3], [0, 1], [2, 2]], np.int32), [], [0, 1], [0, 1], 1, [1, 1]),
        gathered("elements by two indices in the other order", table, array([[3, 6], [1, 0], [2, 2]], np.int32), [], [0, 1], [1, 0], 1, [1, 1]),
        gathered("elements, each index clamped", table, array([[9, 1], [-4, 8]], np.int32), [], [0, 1], [0, 1], 1, [1, 1]),
        gathered("the vector of indices in dim 0", table, array([[6, 0, 2], [3, 1, 2]], np.int32), [], [0, 1], [0, 1], 0, [1, 1]),
        gathered("windows at two indices", cube, array([[0, 1], [2, 3]], np.int32), [1, 2], [0], [0, 2], 1, [1, 4, 2]),
        gathered("offset dims first", table, rows, [0], [0], [0], 1, [1, 4]),
        gathered("an offset dim between batch dims", cube, array([[[0], [1]], [[2], [0]]], np.int32), [1, 3], [1], [1], 2, [3, 1, 5]),
        gathered("one slice, no batch dims", cube, array([1, 2], np.int32), [0, 1], [0], [0, 2], 0, [1, 4, 3]),
        gathered("one element of a vector", flat, array([4], np.int32), [], [0], [0], 0, [1]),
        gathered("a batch dim on both", cube, array([[[1], [3]], [[0], [0]], [[2], [9]]], np.int32), [2], [1], [1], 2, [1, 1, 5], [0], [0]),
        gathered(
            "a batch dim, elements along an axis", table, array(np.arange(14).reshape(7, 2, 1) % 5, np.int32), [], [1], [1], 2, [1, 1], [0], [0]
        ),
        gathered("bf16, ui32 indices", table.astype(BF16), rows.astype(np.uint32), [1], [0], [0], 1, [1, 4]),
        gathered("i1, sorted", table > 0, np.sort(rows, 0), [1], [0], [0], 1, [1, 4], sorted_=True),
        gathered("no indices", table, np.zeros((0, 1), np.int32), [1], [0], [0], 1, [1, 4]),
        gathered("i8 indices", table, rows.astype(np.int8), [1], [0], [0], 1, [1, 4]),
        gathered("f64", table.astype(np.float64), rows, [1], [0], [0], 1, [1, 4]),
    ]


_COMBINES: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b,
    "maximum": max,
    "minimum": min,
    "multiply": lambda a, b: a * b,
    "or": lambda a, b: a | b,
    "and": lambda a, b: a & b,
}


def scattered(
    about: str, x: Array, indices: Array, updates: Array, window: Ints, inserted: Ints, to: Ints, vector: int, op: str = "add", *,
    batching: Ints = (), of: Ints = (), unique: bool = False,
) -> Case:  # fmt: skip
    """`op` is the update: a commutative op, or `set`."""
    combine = _COMBINES.get(op, lambda _, new: new)
    wanted = semantics.scatter(
        x,
        indices,
        updates,
        combine,
        update_window_dims=window,
        inserted=inserted,
        to_operand=to,
        index_vector_dim=vector,
        batching=batching,
        indices_batching=of,
    )
    numbered = _numbered(
        update_window_dims=tuple(window), inserted_window_dims=tuple(inserted), input_batching_dims=tuple(batching),
        scatter_indices_batching_dims=tuple(of), scatter_dims_to_operand_dims=tuple(to), index_vector_dim=vector,
    )  # fmt: skip
    scalar = t(array(0, x.dtype))
    replaced = f"{{\n^bb0(%p: {scalar}, %q: {scalar}):\n  stablehlo.return %q : {scalar}\n}}"
    region = replaced if op == "set" else reducer(op, x.dtype)
    attributes = f"scatter_dimension_numbers = #stablehlo.scatter<{numbered}>, unique_indices = {str(unique).lower()}"
    text = f'%r = "stablehlo.scatter"(%a, %i, %u) <{{{attributes}}}> ({region}) : ({t(x)}, {t(indices)}, {t(updates)}) -> {t(x)}'
    return case("scatter", about, text, {"a": x, "i": indices, "u": updates}, wanted)


def _scatters() -> list[Case]:
    table = numbers(51, (6, 3))
    flat = numbers(52, (8,), np.int32)
    rows = array([[4], [1], [4], [0]], np.int32)
    updates = numbers(53, (4, 3))
    apart = array([[5], [2], [0], [1]], np.int32)
    few = numbers(54, (4,), np.int32)
    cube = numbers(55, (2, 3, 4))
    return [
        scattered("sums of rows, one twice", table, rows, updates, [1], [0], [0], 1),
        scattered("sums of rows, indices without a vector dim", table, rows[:, 0], updates, [1], [0], [0], 1),
        scattered("sums of elements, i32", flat, array([[3], [3], [7], [3]], np.int32), few, [], [0], [0], 1),
        scattered("updates out of range are skipped", flat, array([[8], [-1], [100], [2]], np.int32), few, [], [0], [0], 1),
        scattered("replaces unique rows", table, apart, updates, [1], [0], [0], 1, "set", unique=True),
        scattered("replaces unique elements", flat, array([[3], [1], [7], [0]], np.int32), few, [], [0], [0], 1, "set", unique=True),
        scattered("replaces one window", cube, array([1], np.int32), numbers(57, (2, 4)), [0, 1], [1], [1], 0, "set", unique=True),
        scattered("maximum", table, rows, updates, [1], [0], [0], 1, "maximum"),
        scattered("minimum, i32", flat, array([[3], [3], [7], [3]], np.int32), few, [], [0], [0], 1, "minimum"),
        scattered("product, unique", table, apart, updates, [1], [0], [0], 1, "multiply", unique=True),
        scattered("or, i32", flat, array([[3], [3], [7], [3]], np.int32), few, [], [0], [0], 1, "or"),
        scattered("elements by two indices", table, array([[5, 2], [0, 1], [5, 2], [3, 0]], np.int32), numbers(58, (4,)), [], [0, 1], [0, 1], 1),
        scattered(
            "two indices in the other order", table, array([[2, 5], [1, 0], [2, 5], [0, 3]], np.int32), numbers(58, (4,)), [], [0, 1], [1, 0], 1
        ),
        scattered("columns", table, array([[2], [0]], np.int64), numbers(59, (6, 2)), [0], [1], [1], 1),
        scattered(
            "a batch dim on both", cube, array([[[1], [1]], [[0], [2]]], np.int32), numbers(60, (2, 2, 4)), [2], [1], [1], 2, batching=[0], of=[0]
        ),
        scattered("no updates", table, rows[:0], updates[:0], [1], [0], [0], 1),
        scattered("bf16", table.astype(BF16), apart, updates.astype(BF16), [1], [0], [0], 1, unique=True),
        scattered("f64", table.astype(np.float64), rows, updates.astype(np.float64), [1], [0], [0], 1),
    ]


def _two_operands() -> Case:
    """Sums in a table, and the last update in another."""
    x, y = numbers(61, (6, 3)), numbers(62, (6, 3), np.int32)
    places, u, v = array([[4], [1], [4], [0]], np.int32), numbers(63, (4, 3)), numbers(64, (4, 3), np.int32)
    wanted = x.copy()
    np.add.at(wanted, places[:, 0], u)
    replaced = y.copy()
    for place, row in zip(places[:, 0], v, strict=True):
        replaced[place] = row
    s, n = "tensor<f32>", "tensor<i32>"
    numbered = "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
    text = f'%r0, %r1 = "stablehlo.scatter"(%x, %y, %i, %u, %v) <{{scatter_dimension_numbers = #stablehlo.scatter<{numbered}>}}> ({{\n'
    text += f"^bb0(%p: {s}, %q: {n}, %m: {s}, %n: {n}):\n  %s = stablehlo.add %p, %m : {s}\n  stablehlo.return %s, %n : {s}, {n}\n"
    text += f"}}) : ({t(x)}, {t(y)}, {t(places)}, {t(u)}, {t(v)}) -> ({t(x)}, {t(y)})"
    return case("scatter", "two operands", text, {"x": x, "y": y, "i": places, "u": u, "v": v}, wanted, replaced)


CASES = (*_gathers(), *_scatters(), _two_operands())
