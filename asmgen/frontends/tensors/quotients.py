"""Functions of sizes that only the launch knows: quotients and remainders, for which JAX writes functions of
ten ops. The results for sample sizes tell which function it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asmgen.frontends.tensors.extents import Extents
from asmgen.index.nodes import Symbol
from asmgen.index.size import Dim, Size, symbols_of
from asmgen.mlir.source import Block, Operation
from asmgen.mlir.types import TensorType

_Numbers = NDArray[np.int64]
_SAMPLES = np.array([*range(1, 40), 63, 64, 65, 127, 1000, 4095, 65535, 99991])
_FUNCTIONS: tuple[Callable[[Any, int], Any], ...] = (lambda a, b: a // b, lambda a, b: a % b)


def quotients_of(
    body: Block, given: Sequence[Extents | None], functions: Mapping[str, Operation]
) -> tuple[Extents, ...] | None:
    """The results of a function of sizes if each is a quotient, rounded down, or a remainder, of a size by a
    number; None for any other function."""
    sizes = [each.sizes[0] for each in given if each is not None]
    if len(sizes) != len(given) or not any(isinstance(size, Size) for size in sizes):
        return None
    if not all(_is_number(argument.type) for argument in (*body.arguments, *body.terminator.operands)):
        return None
    samples = _sampled(sizes)
    made = _results(body, samples, functions)
    if made is None:
        return None
    results = [_quotient(numbers, sizes, samples) for numbers in made]
    known = [Extents((size,)) for size in results if size is not None]
    return tuple(known) if len(known) == len(results) else None


def _is_number(type_: object) -> bool:
    return isinstance(type_, TensorType) and not type_.dims


def _results(
    body: Block, samples: Sequence[_Numbers], functions: Mapping[str, Operation]
) -> list[_Numbers] | None:
    from asmgen.frontends.tensors.interpret import Unknown, run_block

    try:
        made = run_block(body, [each.astype(np.int32) for each in samples], functions)
    except Unknown:
        return None
    return [np.asarray(each, np.int64) for each in made]


def _sampled(sizes: Sequence[Dim]) -> list[_Numbers]:
    """Sizes at the samples: each dim takes them in an order of its own."""
    symbols = sorted(set(symbols_of(sizes)), key=lambda symbol: symbol.name)
    values: dict[Symbol, Any] = {
        symbol: np.roll(_SAMPLES, 7 * number) for number, symbol in enumerate(symbols)
    }
    made = [size.expression.evaluate(values, 0) if isinstance(size, Size) else size for size in sizes]
    return [np.broadcast_to(np.asarray(each, np.int64), _SAMPLES.shape) for each in made]


def _quotient(numbers: _Numbers, sizes: Sequence[Dim], samples: Sequence[_Numbers]) -> Dim | None:
    for (a, of_a), (b, _) in permutations(zip(sizes, samples, strict=True), 2):
        if not isinstance(a, Size) or not isinstance(b, int) or b < 1:
            continue
        for function in _FUNCTIONS:
            if np.array_equal(function(of_a, b), numbers):
                return function(a, b)
    return None
