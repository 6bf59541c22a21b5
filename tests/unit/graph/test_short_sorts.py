"""Sorts of which only the first elements are read."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.ops import SORTS
from asmgen.graph.rewritings.short_sorts import with_short_sorts

HEAD = "x = @param:x -> f32, {4,33}\na = argsort[axis=1, descending=true](x)\n"
TAKEN = f"{HEAD}y = take_along_axis[axis=1](x, a)\n"
FIRST = "f = slice[axes={1}, starts={0}, ends={3}](y)\n"


def sorts(text: str) -> list[tuple[str, object]]:
    """Each sort with its number of elements, if that is stated."""
    module = with_short_sorts(parse(text, "sorts.gen").modules[0])
    return [(each.op.name, each.attributes.get("k")) for each in module.statements if each.op in SORTS]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (f"{TAKEN}{FIRST}@return(f)\n", ("top_k_indices", 3)),
        (f"{HEAD}y = convert[target_type=i32](a)\n{FIRST}g = neg(f)\n@return(g)\n", ("top_k_indices", 3)),
        (
            f"{HEAD.replace('argsort', 'sort')}y = identity(a)\n{FIRST}g = slice[axes={{1}}, starts={{0}}, ends={{5}}](a)\n@return(f, g)\n",
            ("top_k", 5),
        ),
        (f"{TAKEN}{FIRST}@return(f, a)\n", ("argsort", None)),
        (f"{TAKEN}{FIRST}@return(f, y)\n", ("argsort", None)),
        (f"{TAKEN}{FIRST.replace('starts={0}', 'starts={1}')}@return(f)\n", ("argsort", None)),
        (f"{TAKEN}{FIRST.replace('axes={1}', 'axes={0}')}@return(f)\n", ("argsort", None)),
        (f"{TAKEN}{FIRST}g = slice[axes={{0}}, starts={{0}}, ends={{2}}](a)\n@return(f, g)\n", ("argsort", None)),
        (f"{HEAD}y = take_along_axis[axis=1](a, a)\n{FIRST}@return(f)\n", ("argsort", None)),
        (f"{HEAD}y = neg(a)\n{FIRST}@return(f)\n", ("argsort", None)),
        (f"{HEAD}f = slice[axes={{0}}, starts={{0}}, ends={{3}}](a)\n@return(f)\n", ("argsort", None)),
    ],
)
def test_the_elements_of_a_sort(text: str, wanted: tuple[str, object]) -> None:
    assert sorts(text) == [wanted]


def test_results_are_those_of_numpy() -> None:
    x = np.random.default_rng(1).permutation(132).reshape(4, 33).astype(np.float32)
    (first,) = asmgen.compile(f"{TAKEN}{FIRST}@return(f)\n", target="gfx942")(x, device="emulator")
    assert np.array_equal(first, -np.sort(-x, 1)[:, :3])
