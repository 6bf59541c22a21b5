"""Trips of a body for each element of tiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asmgen.blockwise.actions import Iterate
from asmgen.graph.bodies import carried_number, computed_of, of_attributes, parameters_of, returned_of
from asmgen.graph.ops import LITERAL
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.program import Body, Statement, Value, literal_numbers
from asmgen.lanewise.interpret.functions import LANE_FUNCTIONS
from isa.semantics.mode import Mode

Array = NDArray[Any]


def iterated(action: Iterate, arrays: Sequence[Array], mode: Mode) -> tuple[Array, ...]:
    """The carried values of each element after its trips."""
    shape, carried = arrays[0].shape, len(parameters_of(action.body))
    ended = [array.flatten() for array in arrays[:carried]]
    runs = arrays[-1].flatten() if action.masked else np.ones(ended[0].size, np.bool_)
    places = np.flatnonzero(runs)
    while places.size:
        more, *following = _trip(action.body, [array[places] for array in ended], mode)
        places = places[more]
        for array, new in zip(ended, following, strict=True):
            array[places] = new[more]
    return tuple([array.reshape(shape) for array in ended])


def _trip(body: Body, carried: Sequence[Array], mode: Mode) -> list[Array]:
    values: dict[Value, Array] = dict(zip(parameters_of(body), carried, strict=True))
    for statement in computed_of(body):
        results = _computed(statement, [values[each] for each in statement.operands], carried[0].size, mode)
        values.update(zip(statement.results, results, strict=True))
    return [values[each] for each in returned_of(body)]


def _computed(statement: Statement, operands: Sequence[Array], size: int, mode: Mode) -> Iterator[Array]:
    dtype = numpy_dtype(statement.result.type.element)
    if statement.op is LITERAL:
        yield np.full(size, literal_numbers(statement)[0]).astype(dtype)
    elif statement.op.has_body:
        results = iterated(Iterate(of_attributes(statement)), operands, mode)
        yield results[carried_number(statement)]
    else:
        (array,) = LANE_FUNCTIONS[statement.op](mode, statement.attributes, tuple(operands))
        yield np.asarray(array).astype(dtype, copy=False)
