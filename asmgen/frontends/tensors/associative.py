"""Whether a body may combine its elements in any groups: (a b) c is a (b c).

The interpreter computes a body for triples of numbers, in both groupings. The numbers are small multiples of
1/4, so equal numbers and both signs meet. A difference that rounding cannot explain shows that the body is
not a reduction: its result would depend on the order that a compiler chooses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from asmgen.frontends.tensors.interpret import Unknown, run_block
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.constants import Number
from asmgen.ir.numbers import integer_range
from asmgen.ir.types import BOOL, ElementType
from asmgen.mlir.source import Block, Ssa

Array = np.ndarray[Any, Any]
_TRIPLES = 256
_CONSTANTS = frozenset(["stablehlo.constant", "chlo.constant", "arith.constant"])
_TOLERANCES = {8: 0.25, 16: 0.125, 32: 2.0**-10, 64: 2.0**-10}
"""By the bits of a float: a difference relative to the largest number of a triple that rounding may make."""


def with_constants(block: Block) -> Block:
    """A block with the constants that it takes from outside."""
    owners = dict.fromkeys([each.owner for each in _outside(block)])
    constants = [each for each in owners if each is not None and each.name in _CONSTANTS]
    return Block(block.number, block.arguments, [*constants, *block.operations])


def _outside(block: Block) -> list[Ssa]:
    """The values that a block takes from outside, in order."""
    inside = {*block.arguments, *[result for each in block.operations for result in each.results]}
    return [operand for each in block.operations for operand in each.operands if operand not in inside]


def why_no_reduction(block: Block, elements: Sequence[ElementType]) -> str | None:
    """The reason why a block of two elements, each with parts of these types, is not a reduction; None if it
    is a reduction."""
    outside = _outside(block)
    if outside:
        return f"its body reads %{outside[0].name} from outside, wanted its arguments and constants"
    read = {operand for each in block.operations for operand in each.operands}
    unread = next((each.name for each in block.arguments if each not in read), None)
    if unread is not None:
        return f"its body does not read %{unread}, wanted a combination of its arguments"
    try:
        is_associative = _is_associative(block, elements)
    except Unknown as unknown:
        return f"its body has {unknown}, wanted ops that are known to reduce"
    order = "its result depends on the order of the elements, wanted (a b) c = a (b c)"
    return None if is_associative else f"its body is not associative: {order}"


def is_neutral(block: Block, numbers: Sequence[Number], elements: Sequence[ElementType]) -> bool:
    """Whether a block that is a reduction combines numbers, one number for each part, with any element to
    that element."""
    if len(numbers) != len(elements):
        return False
    block, generator = with_constants(block), np.random.default_rng(1)
    element = [_numbers(generator, each) for each in elements]
    pairs = zip(numbers, elements, strict=True)
    start = [np.full(_TRIPLES, number, numpy_dtype(each)) for number, each in pairs]
    results = [*_run(block, start, element), *_run(block, element, start)]
    return all(np.array_equal(made, each) for made, each in zip(results, element * 2, strict=True))


def keeps_infinities(block: Block, numbers: Sequence[Number], elements: Sequence[ElementType]) -> bool:
    """Whether a block combines numbers that change nothing with infinite elements to those elements."""
    infinite = [np.full(_TRIPLES, np.inf if each.is_float else 1, numpy_dtype(each)) for each in elements]
    start = [np.full(_TRIPLES, each, x.dtype) for each, x in zip(numbers, infinite, strict=True)]
    block = with_constants(block)
    results = [*_run(block, start, infinite), *_run(block, infinite, start)]
    return all(np.array_equal(made, x) for made, x in zip(results, infinite * 2, strict=True))


def _is_associative(block: Block, elements: Sequence[ElementType]) -> bool:
    generator = np.random.default_rng(1)
    a, b, c = [[_numbers(generator, element) for element in elements] for _ in range(3)]
    ab, bc = _run(block, a, b), _run(block, b, c)
    left, right = _run(block, ab, c), _run(block, a, bc)
    pairs = list(zip(left, right, elements, strict=True))
    exact = [np.array_equal(x, y) for x, y, element in pairs if not element.is_float]
    floats = [(x, y, element) for x, y, element in pairs if element.is_float]
    if not all(exact):
        return False
    seen = [x for part in (a, b, c, ab, bc, left, right) for x in part if x.dtype.kind == "f"]
    scale = np.max([np.abs(x) for x in seen], axis=0) if seen else np.zeros(_TRIPLES)
    known = np.isfinite(scale)
    if known.sum() * 4 < _TRIPLES:
        return False
    return all(
        bool(np.all(np.abs(x[known] - y[known]) <= _TOLERANCES[element.bits] * scale[known]))
        for x, y, element in floats
    )


def _run(block: Block, a: Sequence[Array], b: Sequence[Array]) -> list[Array]:
    return [np.broadcast_to(part, (_TRIPLES,)) for part in run_block(block, [*a, *b])]


def _numbers(generator: np.random.Generator, element: ElementType) -> Array:
    """Numbers of a type: a part of them is positive."""
    if element is BOOL:
        return generator.integers(0, 2, _TRIPLES).astype(bool)
    if element.is_float:
        numbers = generator.integers(-16, 17, _TRIPLES) / 4
        numbers[::2] = np.abs(numbers[::2]) + 0.25
        return numbers
    low, high = integer_range(element)
    numbers = generator.integers(max(low, -3), 4, _TRIPLES).astype(object)
    numbers[::2] = generator.integers(low, high, _TRIPLES // 2, dtype=numpy_dtype(element))
    return numbers.astype(numpy_dtype(element))
