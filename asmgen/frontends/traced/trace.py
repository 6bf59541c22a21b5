"""Traces a Python function over arrays into a graph, the same that its gen text would parse to.

    def scale(x, y):
        return np.maximum(x * 2 + y, 0).sum(axis=1, keepdims=True)

    program = trace(scale, [spec("f32", (4, 8)), spec(np.float32, 8)])

Operators, methods, numpy's functions and those of `asmgen.frontends.traced.functions` add statements. A
Python number or numpy scalar becomes a literal of rank 0 with the type of the array next to it; a numpy array
becomes a literal of its own type. A statement's place is the file, line and column of the Python expression.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from asmgen.frontends.traced import numpy_calls
from asmgen.frontends.traced.array import Array, Tracer, identifier
from asmgen.frontends.traced.selection import Selection
from asmgen.frontends.traced.spec import Spec, named_element
from asmgen.graph.at_sizes import module_at, type_at
from asmgen.graph.builder import GraphBuilder
from asmgen.graph.needed import needed
from asmgen.graph.ops import PARAM
from asmgen.index.size import named_dim, size_of
from asmgen.ir.named_dims import PROVISIONAL, PROVISIONAL_LOW, named_dims, ranges_of
from asmgen.ir.program import Module, Program, Stage, Value, argument_name
from isa.diagnostics import InputError, Place
from isa.named_tuple import NamedTuple

# of the graph of a function: a model of 100 layers has some 10,000, and 100,000 take three seconds
MOST_STATEMENTS = 100_000


class Settings(NamedTuple):
    """Whether arrays keep their types unless the function converts them, and whether a NaN wins in max."""

    is_strict: bool
    propagates_nan: bool


def trace(
    function: Callable[..., object],
    inputs: Sequence[object],
    *,
    is_strict: bool = False,
    propagates_nan: bool = False,
) -> Program:
    """The graph of `function`, called with an array for each element of `inputs` (a `Spec`, or an example
    array).

    Raises `InputError` TRC001 if inputs and arguments do not match, TRC002 for a result that is not an
    array, the errors of traced arrays (TRC003 to TRC007) and of inference, all at the Python line.
    """
    settings = Settings(is_strict, propagates_nan)
    name = identifier(_name_of(function))
    if not isinstance(cast("object", inputs), list | tuple):
        message = f"got {type(inputs).__name__}, wanted a list with one spec or array per argument"
        raise InputError("inputs", "TRC001", message, help="inputs=[asmgen.spec(...)]")
    try:
        bound = inspect.signature(function).bind(*inputs)
    except (TypeError, ValueError) as error:  # ValueError: a callable without a signature
        raise InputError(
            "inputs",
            "TRC001",
            f"{len(inputs)} inputs do not fit {name}: {error}, wanted an input for each argument",
        ) from error
    # only arguments after a `*` are a tuple, so that a list among the inputs is a single input
    names: list[str] = []
    for argument, given in bound.arguments.items():
        starred = bound.signature.parameters[argument].kind is inspect.Parameter.VAR_POSITIONAL
        names += [argument] * (len(cast("tuple[object, ...]", given)) if starred else 1)
    try:
        module = _traced(function, names, inputs, name, settings)
        return Program(Stage.GRAPH, (ranged(module),))
    except InputError:
        large = [_large(given) for given in inputs]
        if all(enlarged is given for enlarged, given in zip(large, inputs, strict=True)):
            raise
    module = _traced(function, names, large, name, settings)
    return Program(Stage.GRAPH, (ranged(module, is_clamped=False),))


def _large(given: object) -> object:
    """An input with named dims as large as slices need them."""
    if not isinstance(given, Spec):
        return given
    names = named_dims((given.type,))
    large = {name: named_dim(name, PROVISIONAL_LOW, PROVISIONAL) for name in names}
    return Spec(type_at(given.type, large)) if names else given


def _traced(
    function: Callable[..., object],
    names: Sequence[str],
    inputs: Sequence[object],
    name: str,
    settings: Settings,
) -> Module:
    tracer = Tracer(GraphBuilder(), numpy_calls, settings.is_strict, settings.propagates_nan, MOST_STATEMENTS)
    arrays = [
        Array(tracer.parameter(argument, given), tracer)
        for argument, given in zip(names, inputs, strict=True)
    ]
    result = function(*arrays)
    values = [_returned(function, name, output, tracer) for output in _listed(result)]
    if not values:
        raise InputError(_place_of(function), "TRC002", f"{name} returns nothing, wanted at least one array")
    return tracer.builder.finish(name, tuple(values), _place_of(function))


def _returned(function: Callable[..., object], name: str, output: object, tracer: Tracer) -> Value:
    """A result of the function; an array of numpy's is a literal."""
    if isinstance(output, Array):
        return output.value
    if isinstance(output, Selection):
        output.refuse(f"a result of {name}")
    if isinstance(output, np.ndarray | np.generic):
        array = np.asarray(cast("np.ndarray[Any, Any]", output))
        if named_element(array.dtype) is not None:
            return tracer.constant(array, _place_of(function))
    message = f"{name} returns {type(cast('object', output)).__name__}, wanted arrays"
    raise InputError(_place_of(function), "TRC002", message, help="return x, or (x, y)")


def ranged(module: Module, is_clamped: bool = True) -> Module:
    """The graph with the ranges of its named dims, which follow from all of it."""
    graph = needed(module) if is_clamped else module  # the types of every slice have to fit
    ranges = ranges_of((graph,), is_clamped)[module.name]
    if not ranges:
        return module
    for statement in module.statements:
        if statement.op is PARAM and argument_name(statement) in ranges:
            name = argument_name(statement)
            raise InputError(
                statement.place or name,
                "GEN005",
                f"{name} is the name of an argument and of a dim, wanted two names",
            )
    return module_at(module, {name: size_of(range_) for name, range_ in ranges.items()})


def _listed(given: object) -> Sequence[object]:
    """The items of a list or tuple, or a single object."""
    return cast("Sequence[object]", given) if isinstance(given, list | tuple) else [given]


def _name_of(function: Callable[..., object]) -> str:
    return getattr(function, "__name__", "traced")


def _place_of(function: Callable[..., object]) -> Place:
    code = getattr(function, "__code__", None)
    return Place(code.co_filename, code.co_firstlineno, 1) if code is not None else Place(_name_of(function))
