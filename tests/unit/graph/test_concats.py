"""Concats of concats, slices of concats, and transposes that change no order."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.needed import needed
from asmgen.graph.printer import print_statement
from asmgen.graph.reference import evaluate_module
from asmgen.graph.rewritings.concats import with_whole_concats
from asmgen.graph.rewritings.plain_transposes import with_plain_transposes
from asmgen.index.size import numbers
from asmgen.ir.program import Module, tensor_type
from tests.device import chosen_device

HEAD = "x = @param:x -> f32, {5,4}\ny = @param:y -> f32, {3,4}\na = concat[axis=0](x, y)\n"
PLANES = "x = @param:x -> f32, {4,2,1,8}\n"


def lines(before: Module, after: Module) -> list[str]:
    """The statements of a graph but parameters, which has the results of the graph before."""
    generator = np.random.default_rng(1)
    inputs = [generator.integers(-9, 9, numbers(tensor_type(each.result).dims)).astype(np.float32) for each in before.statements if not each.operands]
    for old, new in zip(evaluate_module(before, iter(inputs)), evaluate_module(after, iter(inputs)), strict=True):
        assert np.array_equal(old.value, new.value)
    return [print_statement(each).partition(" -> ")[0] for each in needed(after).statements[:-1] if each.operands]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("r = concat[axis=-2](y, a, x)", ["r = concat[axis=-2](y, x, y, x)"]),
        ("r = concat[axis=1](a, a)", ["a = concat[axis=0](x, y)", "r = concat[axis=1](a, a)"]),
        ("r = slice[axes={0}, starts={5}, ends={7}](a)", ["r = slice[axes={0}, starts={0}, ends={2}](y)"]),
        ("b = slice[axes={1,-2}, starts={2,1}, ends={4,5}](a)\nr = neg(b)", ["b = slice[axes={1,-2}, starts={2,1}, ends={4,5}](x)", "r = neg(b)"]),
        ("r = slice[axes={0}, starts={-2}, ends={99}](a)", ["r = slice[axes={0}, starts={1}, ends={3}](y)"]),
        ("r = slice[axes={0}, starts={4}, ends={6}](a)", ["a = concat[axis=0](x, y)", "r = slice[axes={0}, starts={4}, ends={6}](a)"]),
        ("r = slice[axes={1}, starts={0}, ends={2}](a)", ["a = concat[axis=0](x, y)", "r = slice[axes={1}, starts={0}, ends={2}](a)"]),
    ],
)
def test_concats(text: str, wanted: list[str]) -> None:
    (module,) = parse(f"{HEAD}{text}\n@return(r)\n", "concats.gen").modules
    assert lines(module, with_whole_concats(module)) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("r = transpose[permutation={2,0,1,3}](x)", ["r = reshape[dims={1,4,2,8}](x)"]),
        ("t = transpose[permutation={0,2,1,3}](x)\nr = neg(t)", ["t = reshape[dims={4,1,2,8}](x)", "r = neg(t)"]),
        ("r = transpose[permutation={1,0,2,3}](x)", ["r = transpose[permutation={1,0,2,3}](x)"]),
        (
            "t = transpose[permutation={0,3,2,1}](x)\nr = reduce_max[axes={-1}](t)",
            ["r_reduce_max = reduce_max[axes={1}](x)", "r = reshape[dims={4,8,1,1}](r_reduce_max)"],
        ),
        (
            "t = transpose[permutation={3,1,2,0}](x)\nr = reduce_max[axes={2}](t)",
            ["t = transpose[permutation={3,1,2,0}](x)", "r = reduce_max[axes={2}](t)"],
        ),
    ],
)
def test_transposes(text: str, wanted: list[str]) -> None:
    (module,) = parse(f"{PLANES}{text}\n@return(r)\n", "transposes.gen").modules
    assert lines(module, with_plain_transposes(module)) == wanted


def test_a_concat_without_elements_may_be_padded() -> None:
    text = "x = @param:x -> f32, {1,0}\na = concat[axis=1](x, x)\ny = pad[pads={1,1,1,0}, value=3](a)\n@return(y)\n"
    (padded,) = asmgen.compile(text)(np.empty((1, 0), np.float32), device=chosen_device())
    assert np.array_equal(padded, np.full((3, 1), 3, np.float32))
