"""The arguments with which a proof runs a kernel or a function: sizes from the user, and defaults.

    memref<?x4xf32>   the dims that are dynamic        x=1000
    !llvm.ptr         bytes                            p=4096
    i32, index        the number itself                n=1000

By default a dynamic dim is the number of work-items, or less if the array would be too large. A pointer has
64 bytes for each work-item and at least 64 KiB. An integer is the largest of a few numbers for which the
interpreter finds every access in bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np

from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.types import ELEMENT_TYPES, ElementType
from asmgen.runtime.formals import Formal
from isa.diagnostics import InputError, close_names

Chosen = Mapping[str, tuple[int, ...]]  # the values of --size by the name of the argument
NOTHING_CHOSEN: Chosen = MappingProxyType({})
MOST_ELEMENTS = 1 << 20  # of an array with several dynamic dims without a given size
LEAST_BYTES, BYTES_OF_ITEM = 1 << 16, 64  # of a pointer without a given size
LIMIT_BYTES = 1 << 32  # of an array (docs/mlir.md)
HOW_TO_CHOOSE = "--size NAME=N"
_SEED = 20


def chosen_of(sizes: Sequence[tuple[str, tuple[int, ...]]]) -> Chosen:
    """Sizes by the names of their arguments; `InputError` MLIR079 for two sizes of the same name."""
    chosen: dict[str, tuple[int, ...]] = {}
    for name, values in sizes:
        if name in chosen:
            raise InputError("--size", "MLIR079", f"got two sizes of {name}, wanted a single size")
        chosen[name] = values
    return chosen


def check_names(chosen: Chosen, formals: Sequence[Formal]) -> None:
    """`InputError` MLIR079 for a size of an argument that does not exist, has no open size, or cannot be so
    large."""
    known = sorted({formal.name for formal in formals if is_open(formal)})
    for name in chosen:
        if name not in known:
            fixed = next((formal for formal in formals if formal.name == name), None)
            if fixed is None:
                message = f"got a size of {name}, but no argument has that name"
            else:
                message = f"got a size of {name}, which {_fixed(fixed)}"
            wanted = f"one of {', '.join(known)}" if known else "none: no argument has a size to choose"
            raise InputError(
                "--size", "MLIR079", f"{message}, wanted {wanted}", help=close_names(name, known)
            )
    for formal in formals:
        if formal.name in chosen:
            _check_size(formal, chosen[formal.name])


def _check_size(formal: Formal, sizes: tuple[int, ...]) -> None:
    element = _element(formal)
    got = f"got {formal.name}={','.join(map(str, sizes))}"
    if not formal.is_array:
        most = (1 << 8 * numpy_dtype(element).itemsize) - 1
        if max(sizes) > most:
            raise InputError("--size", "MLIR079", f"{got}, wanted a number from 0 to {most}")
        return
    fixed = [dim for dim in formal.dims or () if dim is not None]
    size = prod((*sizes, *fixed)) * (1 if formal.dims is None else element.bytes)
    if size >= LIMIT_BYTES:
        raise InputError("--size", "MLIR079", f"{got} of {size} bytes, wanted less than {LIMIT_BYTES} bytes")


def _fixed(formal: Formal) -> str:
    if not formal.is_array:
        return f"is a number of {formal.element}"
    return f"has the dims {'x'.join(map(str, formal.dims or ())) or 'of a single element'}"


Outcome = TypeVar("Outcome")


def run_without_fault(
    formals: Sequence[Formal], chosen: Chosen, items: int, run: Callable[[list[Any]], Outcome]
) -> tuple[Outcome, str]:
    """Call `run` with an array or a number for each argument; gives its result and a line of default sizes.

    An `InputError` of `run` is a fault. Then smaller candidates for integers without a given size are tried.
    Raises the first fault if every candidate has a fault; `InputError` MLIR079 for a wrong number of sizes.
    """
    fault: InputError | None = None
    by_default = ""
    for count in _counts(items, chosen):
        shown = _defaults(formals, chosen, count, items)
        by_default = by_default or shown
        given = [argument_of(formal, chosen, count, items, number) for number, formal in enumerate(formals)]
        try:
            return run(given), shown
        except InputError as error:
            fault = fault or error
    assert fault is not None
    notes = (*fault.notes, by_default) if by_default else fault.notes
    raise InputError(fault.place, fault.code, fault.message, notes, fault.help)


def _counts(items: int, chosen: Chosen) -> Iterator[int]:
    """Candidates for an integer without a given size, in falling order: the given sizes, the number of items,
    then smaller numbers."""
    said = {size for sizes in chosen.values() for size in sizes}
    yield from sorted({*said, items, items // 2 + 1, 16, 4, 1, 0}, reverse=True)


def argument_of(formal: Formal, chosen: Chosen, count: int, items: int, number: int) -> Any:
    """An argument with generated elements. `count` is an integer without a given size, `items` the size of a
    dim without a size."""
    element = _element(formal)
    dtype = numpy_dtype(element)
    sizes = _sizes(formal, chosen.get(formal.name), count, items)
    if not formal.is_array:
        value = sizes[0] if sizes else 0.75 if dtype.kind != "b" else True
        values = [value] * formal.lanes if formal.lanes else value
        return np.array(values).astype(dtype)
    random = np.random.default_rng([_SEED, number])
    shape = _shape(formal, sizes)
    if dtype.kind in "iu":
        return random.integers(0, min(items, 100) + 1, shape).astype(dtype)
    return random.standard_normal(shape).astype(dtype) if dtype.kind != "b" else random.random(shape) < 0.5


def _shape(formal: Formal, sizes: Sequence[int]) -> tuple[int, ...]:
    if formal.dims is None:
        return (-(-sizes[0] // _element(formal).bytes),)
    left = iter(sizes)
    return tuple([next(left) if dim is None else dim for dim in formal.dims])


def _sizes(formal: Formal, said: tuple[int, ...] | None, count: int, items: int) -> tuple[int, ...]:
    """The open sizes of an argument."""
    default = _default_sizes(formal, count, items)
    if said is None or len(said) == len(default):
        return default if said is None else said
    got = f"{formal.name}={','.join(map(str, said))} of {len(said)} sizes"
    wanted = f"{len(default)}, a size for each dynamic dim" if len(default) > 1 else "a single size"
    raise InputError("--size", "MLIR079", f"got {got}, wanted {wanted}")


def _default_sizes(formal: Formal, count: int, items: int) -> tuple[int, ...]:
    if not is_open(formal):
        return ()
    if not formal.is_array:
        return (count,)
    if formal.dims is None:
        return (max(LEAST_BYTES, BYTES_OF_ITEM * items),)
    fixed = max(prod(dim for dim in formal.dims if dim is not None), 1)
    dynamic = formal.dims.count(None)
    size = items
    while dynamic > 1 and size > 1 and size**dynamic * fixed > MOST_ELEMENTS:
        size //= 2
    return (size,) * dynamic


def _defaults(formals: Sequence[Formal], chosen: Chosen, count: int, items: int) -> str:
    """A line that shows the default sizes; empty if there are none."""
    shown: list[str] = []
    for formal in formals:
        sizes = _default_sizes(formal, count, items)
        if sizes and formal.name not in chosen:
            unit = " bytes" if formal.is_array and formal.dims is None else ""
            shown.append(f"{formal.name}={','.join(map(str, sizes))}{unit}")
    return f"sizes by default: {', '.join(shown)} ({HOW_TO_CHOOSE} chooses)" if shown else ""


def is_open(formal: Formal) -> bool:
    """Whether the type of an argument leaves a size open."""
    if formal.is_array:
        return formal.dims is None or None in formal.dims
    return numpy_dtype(_element(formal)).kind in "iu"


def _element(formal: Formal) -> ElementType:
    """The element type of an argument; of a pointer the type as which it is passed."""
    return ELEMENT_TYPES[formal.element or formal.passed]
