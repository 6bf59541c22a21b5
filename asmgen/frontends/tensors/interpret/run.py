"""Runs an entry of a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from asmgen.frontends.tensors.interpret.machine import Machine
from asmgen.frontends.tensors.interpret.values import Array, Value, element_of, rounded
from asmgen.mlir.file import read_module
from asmgen.mlir.source import Block, Operation
from asmgen.mlir.tensor_functions import TensorText, body_of, entries, tensor_functions


def run_entry(text: TensorText, arrays: Sequence[Array]) -> list[Array]:
    """The results of all entries of a file, which take the arrays in order.

    Raises `Unknown` at the first op that has no semantics here.
    """
    module = read_module(text.text, text.file)
    results: list[Array] = []
    given = list(arrays)
    for function in entries(module, text.entry):
        body = body_of(function)
        assert body is not None, "an entry has a body"
        taken, given = given[: len(body.arguments)], given[len(body.arguments) :]
        results += _run(function, taken, tensor_functions(module))
    return results


def run_block(
    block: Block, arrays: Sequence[Array], functions: Mapping[str, Operation] = MappingProxyType({})
) -> list[Array]:
    """The results of a block for numbers, computed for all elements of arrays. Raises `Unknown`, as above."""
    with np.errstate(all="ignore"):
        return _leaves(Machine(functions).block(block, arrays))


def _run(function: Operation, arrays: Sequence[Array], functions: dict[str, Operation]) -> list[Array]:
    body = body_of(function)
    assert body is not None, "an entry has a body"
    values = [rounded(x, element_of(each.type)) for x, each in zip(arrays, body.arguments, strict=True)]
    with np.errstate(all="ignore"):
        made = Machine(functions).block(body, values)
    return _leaves(made)


def _leaves(values: Sequence[Value]) -> list[Array]:
    """The arrays of values, those of tuples in order."""
    leaves: list[Array] = []
    for value in values:
        leaves += _leaves(value) if isinstance(value, tuple) else [value]
    return leaves
