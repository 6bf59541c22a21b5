"""Random contractions: `dot_general` as `dot`, and numpy's spellings in traced functions, against numpy on whole numbers.

Only the reference evaluates the graphs, so that a case takes about a millisecond. A failure has its seed, and is shown at the least
size that fails.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from asmgen.frontends.traced.spec import spec
from asmgen.frontends.traced.trace import trace
from asmgen.gentext.parser import parse
from asmgen.graph.ops import DOT_GENERAL
from asmgen.graph.reference import evaluate
from asmgen.graph.rewritings.contractions import with_dots
from asmgen.ir.program import Program, Stage
from isa.diagnostics import InputError
from tests.property.shrinking import check_shrinking

Array = NDArray[Any]
Dims = tuple[int, ...]
_TYPES = {"i8": np.int8, "i32": np.int32, "i64": np.int64, "f32": np.float32, "f64": np.float64}
_MOST = 4  # elements of an axis
_LETTERS = "abxyYZ"  # an ellipsis must not share letters with them


def numbers(seed: int, dims: Dims, dtype: type[Any]) -> Array:
    return np.random.default_rng(seed).integers(-3, 4, dims).astype(dtype)


def list_of(axes: Sequence[int]) -> str:
    return "{" + ",".join(map(str, axes)) + "}"


def check_general(seed: int, most: int) -> None:
    """A graph of a `dot_general` before and after `with_dots`, and numpy's einsum of the same axes."""
    generator = random.Random(seed)
    batch, summed, rows, columns = (letters[: generator.randint(0, len(letters))] for letters in ("ab", "ijk", "rs", "uv"))
    size = {name: generator.randint(0, most) for name in batch + summed + rows + columns}
    left, right, batch, summed = (
        "".join(generator.sample(names, len(names))) for names in (batch + summed + rows, batch + summed + columns, batch, summed)
    )
    element = generator.choice(list(_TYPES))
    shapes = [tuple([size[name] for name in term]) for term in (left, right)]
    axes = {
        f"{side}_{kind}": list_of([term.index(name) for name in names])
        for side, term in (("lhs", left), ("rhs", right))
        for kind, names in (("batch", batch), ("contract", summed))
    }
    attributes = ", ".join([f"{name}={value}" for name, value in axes.items()])
    parameters = [f"{name} = @param:{name} -> {element}, {list_of(dims)}" for name, dims in zip("ab", shapes, strict=True)]
    program = parse("\n".join([*parameters, f"z = dot_general[{attributes}](a, b)", "@return(z)", ""]), "contraction.gen")
    made = with_dots(program.modules[0])
    assert all(statement.op is not DOT_GENERAL for statement in made.statements)
    arrays = [numbers(seed + side, dims, _TYPES[element]) for side, dims in enumerate(shapes)]
    kept = batch + "".join([name for name in left + right if name in rows + columns])
    wanted = np.einsum(f"{left},{right}->{kept}", *arrays)
    for each in (program, Program(Stage.GRAPH, (made,))):
        (result,) = evaluate(each, arrays)
        np.testing.assert_array_equal(result.value, wanted, f"seed {seed}: {attributes} of {shapes}")


def einsum_case(seed: int, most: int) -> tuple[str, Dims, Dims]:
    """Subscripts and dims: ellipses, diagonals, axes of 1 that broadcast, and mistakes."""
    generator = random.Random(seed)
    letters = generator.sample(_LETTERS, 4)
    size = {name: generator.randint(0, most) for name in letters}
    unnamed = tuple([generator.randint(0, most) for _ in range(generator.randint(0, 2))])
    terms: list[str] = []
    shapes: list[Dims] = []
    for _ in range(2):
        names = generator.choices(letters, k=generator.randint(0, 3))
        dims = [1 if generator.random() < 0.06 else size[name] for name in names]
        if generator.random() < 0.3:
            place = generator.randint(0, len(names))
            names.insert(place, "...")
            dims[place:place] = unnamed[generator.randint(0, len(unnamed)) :]
        terms.append("".join(names))
        shapes.append(tuple(dims))
    text = ",".join(terms)
    if generator.random() < 0.75:
        known = [name for name in letters if name in text]
        result = generator.sample(known, generator.randint(0, len(known)))
        if "..." in text and generator.random() < 0.9:
            result.insert(generator.randint(0, len(result)), "...")
        text += "->" + "".join(result)
    return text, shapes[0], shapes[1]


def check_einsum(seed: int, most: int) -> None:
    """The trace of an einsum computes what numpy does, and is refused if numpy refuses it."""
    text, *shapes = einsum_case(seed, most)
    arrays = [numbers(seed + side, dims, np.float32) for side, dims in enumerate(shapes)]
    try:
        wanted = np.asarray(np.einsum(text, *arrays))
    except ValueError:
        with pytest.raises(InputError):
            _ = trace(lambda a, b: np.einsum(text, a, b), [spec(np.float32, dims) for dims in shapes])
        return
    (result,) = evaluate(trace(lambda a, b: np.einsum(text, a, b), [spec(np.float32, dims) for dims in shapes]), arrays)
    np.testing.assert_array_equal(result.value, wanted, f"seed {seed}: {text} of {shapes}")


@pytest.mark.parametrize("check", [check_general, check_einsum])
@pytest.mark.parametrize("first", [0, pytest.param(1000, marks=pytest.mark.slow)])
def test_contractions_are_those_of_numpy(check: Any, first: int) -> None:
    for seed in range(first, 600 + 9 * first):
        check_shrinking(lambda most, seed=seed: check(seed, most), _MOST)
