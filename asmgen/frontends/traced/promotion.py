"""The type in which numpy computes an operation, and the operands in that type.

i32 + f32            both become f64
f32 * 2.0            the number becomes f32: a Python number takes the type of the array next to it
f32 * np.float64(2)  both become f64: a numpy scalar has a type of its own
np.exp(i32)          f64

If numpy's scalars or arrays are the only reason for f64, a warning says so (TRC011).

numpy itself is asked (`ufunc.resolve_dtypes`, `np.result_type`). With promotion="strict" an array that would
have to be converted is refused (TRC009); numbers and numpy arrays are converted always, because that costs
nothing when the program runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeGuard, cast

import numpy as np

from asmgen.frontends.traced.array import Array, Tracer, apply
from asmgen.frontends.traced.places import caller
from asmgen.frontends.traced.python_values import element_of
from asmgen.frontends.traced.spec import named_element
from asmgen.index.size import Size
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.types import BOOL, ElementType, NumberKind
from isa.diagnostics import InputError, warn

Constant = np.ndarray[Any, Any]
Operand = Array | Constant | bool | int | float
Kind = Any  # a dtype, or Python's int or float for a number that takes the type of the array next to it


def tracer_of(operands: object) -> Tracer:
    """The trace of the first traced array among the operands, which may be nested lists; `InputError` TRC004
    if there is none."""
    for array in traced_in(operands):
        return array.tracer
    raise InputError(caller(), "TRC004", "got no traced array, wanted at least one array")


def traced_in(given: object) -> Iterator[Array]:
    """The traced arrays in nested lists and tuples."""
    if isinstance(given, Array):
        yield given
    elif isinstance(given, list | tuple):
        for each in cast("Sequence[object]", given):
            yield from traced_in(each)


def taken(what: str, given: object, tracer: Tracer) -> Operand:
    """An operand as given; `InputError` if it is neither an array of a known type nor a number."""
    if isinstance(given, Array):
        if given.tracer is not tracer:
            message = f"{what} got {given!r} of another trace, wanted arrays of one function call"
            raise InputError(caller(), "TRC004", message)
        return given
    if isinstance(given, Size):
        message = f"{what} got {given}, wanted an array or a number: only the launch knows its value"
        raise InputError(caller(), "TRC008", message, help="pass it as an array of rank 0")
    if isinstance(given, bool | int | float) and not isinstance(given, np.generic):
        return given
    if isinstance(given, list | tuple) and any(True for _ in traced_in(cast("object", given))):
        return stacked(what, cast("Sequence[object]", given), tracer)
    if isinstance(given, np.ndarray | np.generic | list | tuple):
        return _constant(what, cast("object", given))
    message = f"{what} got {type(given).__name__}, wanted a traced array, a number or a numpy array"
    raise InputError(caller(), "TRC004", message)


def _constant(what: str, given: object) -> Constant:
    if isinstance(given, np.ma.MaskedArray):
        message = f"{what} got a masked array, wanted an array without a mask"
        raise InputError(caller(), "TRC004", message, help="x.filled(0), or np.where(mask, a, b)")
    try:
        array = cast("Constant", np.asarray(given))
    except ValueError as error:  # lists of several lengths
        raise InputError(
            caller(), "TRC004", f"{what} got a list, wanted a list that is an array: {error}"
        ) from error
    _ = element_of(array, caller())
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def is_constant(given: object) -> TypeGuard[Constant]:
    return isinstance(given, np.ndarray)


def kind_of(operand: Operand) -> Kind:
    """The kind of an operand for numpy's promotion."""
    if isinstance(operand, Array):
        return numpy_dtype(operand.type.element)
    if is_constant(operand):
        return operand.dtype
    return np.dtype(bool) if isinstance(operand, bool) else int if isinstance(operand, int) else float


def kinds_of(operands: Sequence[Operand]) -> list[Kind]:
    """The kinds of several operands. A number next to bf16 or an 8-bit float gets that type: numpy knows
    these types only by the rules of `ml_dtypes`, which has none for Python's numbers."""
    kinds = [kind_of(operand) for operand in operands]
    small = next((kind for kind in kinds if is_of_ml_dtypes(kind)), None)
    return [small if small is not None and kind in (int, float) else kind for kind in kinds]


def is_of_ml_dtypes(kind: Kind) -> bool:
    return kind not in (int, float) and kind.type.__module__ != "numpy"


def common(what: str, *given: object) -> list[Array]:
    """The operands as traced arrays of their common type by `np.result_type`."""
    tracer = tracer_of(given)
    operands = [taken(what, each, tracer) for each in given]
    return [converted(what, operand, common_type(what, operands), tracer) for operand in operands]


def common_type(what: str, operands: Sequence[Operand]) -> np.dtype[Any]:
    """The type in which numpy combines the operands."""
    type_ = _common_type(what, operands)
    warn_if_widened(what, operands, [type_], lambda others: [_common_type(what, others)])
    return type_


def _common_type(what: str, operands: Sequence[Operand]) -> np.dtype[Any]:
    kinds = [0 if kind is int else 0.0 if kind is float else kind for kind in kinds_of(operands)]
    try:
        return np.result_type(*kinds)
    except TypeError as error:
        raise InputError(caller(), "TRC004", f"{what}: {error}, wanted types that numpy combines") from error


Types = Sequence[np.dtype[Any]]


def warn_if_widened(
    what: str, operands: Sequence[Operand], types: Types, resolve: Callable[[Sequence[Operand]], Types]
) -> None:
    """Warn (TRC011) if numpy computes floats of 32 bits or fewer in f64 only because of numpy's scalars or
    arrays among the operands; `resolve` gives the types for other operands."""
    constants = [each for each in operands if is_constant(each)]
    arrays = [each for each in operands if isinstance(each, Array) and each.type.element.is_float]
    wide = np.dtype(np.float64)
    if wide not in types or not constants or not arrays or arrays[0].tracer.is_strict:
        return
    if wide in resolve([_as_number(each) if is_constant(each) else each for each in operands]):
        return
    place = caller()
    if place in arrays[0].tracer.warned:
        return
    arrays[0].tracer.warned.add(place)
    kinds = " and ".join(dict.fromkeys([str(each.dtype) for each in constants]))
    message = f"{what} computes {arrays[0].type.element} in f64, as numpy promotes it next to {kinds}"
    help = "float(...) of a scalar and .astype(...) of an array keep the type; x.astype(np.float64) wants f64"
    warn(place, "TRC011", message, help)


def _as_number(constant: Constant) -> bool | int | float:
    """A Python number of the same kind: numpy gives it the type of the array next to it."""
    kind = constant.dtype.kind
    return False if kind == "b" else 1 if kind in "iu" else 1.0


def element(what: str, dtype: np.dtype[Any]) -> ElementType:
    """The element type that the program computes in; `InputError` for complex numbers and the like."""
    known = named_element(dtype)
    if known is None:
        message = f"{what} is computed in {dtype}, wanted a real type of at most 64 bits"
        raise InputError(caller(), "TRC004", message)
    return known


def converted(what: str, operand: object, dtype: np.dtype[Any], tracer: Tracer) -> Array:
    """An operand as a traced array of a type."""
    wanted = element(what, dtype)
    if isinstance(operand, Array):
        if operand.type.element is wanted:
            return operand
        if tracer.is_strict:
            message = f"{what} converts an array of {operand.type.element} to {wanted}, as numpy promotes it"
            help = f'x.astype("{wanted}") converts, or compile without promotion="strict"'
            raise InputError(caller(), "TRC009", f"{message}; wanted arrays of one type", help=help)
        return apply("convert", operand, target_type=wanted.name)
    if is_constant(operand):
        with np.errstate(all="ignore"):
            array = operand.astype(dtype)
        return Array(tracer.constant(array, caller()), tracer)
    assert isinstance(operand, bool | int | float), "an operand is an array or a number"
    return Array(tracer.number(_of_kind(operand, wanted), wanted, tracer.place()), tracer)


def _of_kind(number: float, element: ElementType) -> float:
    """A number as Python converts it to a type; a number out of the type's range stays, to be refused."""
    if element is BOOL:
        return number if isinstance(number, bool) else bool(number) if number in (0, 1) else number
    if isinstance(number, bool):
        return float(number) if element.is_float else int(number)
    return number


def as_array(what: str, given: object, tracer: Tracer | None = None) -> Array:
    """An argument of a numpy function as a traced array of its own type."""
    tracer = tracer or tracer_of(given)
    operand = taken(what, given, tracer)
    return converted(what, operand, np.result_type(*_weak([kind_of(operand)])), tracer)


def _weak(kinds: Sequence[Kind]) -> list[Kind]:
    return [0 if kind is int else 0.0 if kind is float else kind for kind in kinds]


def astype(a: Array, dtype: object) -> Array:
    """The array converted to an element type, or itself: gen's name, or a numpy dtype."""
    wanted = named_element(dtype)
    if wanted is a.type.element:
        return copy(a)
    return apply("convert", a, target_type=dtype)


def copy(a: Array) -> Array:
    """Another array of the same numbers, which is written to by itself."""
    return Array(a.value, a.tracer)


def as_float(a: Array, what: str = "np.mean") -> Array:
    """Integers as numpy's f64, in which it divides them; floats as they are."""
    return a if a.type.element.is_float else converted(what, a, np.dtype(np.float64), a.tracer)


def as_sum(a: Array, what: str = "np.sum") -> Array:
    """Integers as the type in which numpy adds them: 64 bits at least."""
    kind = a.type.element.kind
    if kind is NumberKind.FLOAT:
        return a
    return converted(what, a, np.dtype(np.uint64 if kind is NumberKind.UNSIGNED else np.int64), a.tracer)


def as_bool(a: Array) -> Array:
    """Whether each element is other than 0."""
    return a if a.type.element is BOOL else apply("convert", a, target_type=BOOL.name)


def of_one_type(what: str, given: Sequence[object], tracer: Tracer, dtype: object = None) -> list[Array]:
    """Arrays and numbers as traced arrays of the type that numpy gives their concatenation."""
    operands = [taken(what, each, tracer) for each in given]
    # a number is an array of its own here, of i64 or f64
    operands = [each if isinstance(each, Array | np.ndarray) else np.asarray(each) for each in operands]
    type_ = common_type(what, operands)
    made = [converted(what, operand, type_, tracer) for operand in operands]
    return made if dtype is None else [astype(each, dtype) for each in made]


def stacked(what: str, given: Sequence[object], tracer: Tracer) -> Array:
    """A list of arrays and numbers, as numpy makes an array of it."""
    return stack_arrays(of_one_type(what, given, tracer), 0)


def stack_arrays(arrays: Sequence[Array], axis: int) -> Array:
    if len({each.type.dims for each in arrays}) > 1:
        shapes = " and ".join(dict.fromkeys(str(each.shape) for each in arrays))
        raise InputError(caller(), "TRC004", f"got arrays of shapes {shapes}, wanted one shape")
    wide = [apply("unsqueeze", each, axes=axis) for each in arrays]
    return join_arrays(wide, axis)


def join_arrays(arrays: Sequence[Array], axis: int) -> Array:
    return copy(arrays[0]) if len(arrays) == 1 else apply("concat", *arrays, axis=axis)
