"""The elements of `dense<...>`: of some types the parser's bindings give them, of others MLIR's print."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from iree.compiler import ir

from asmgen.mlir.read_types import type_of
from asmgen.mlir.source import Dense, Text
from asmgen.mlir.types import FloatType, IntegerType, OtherType, Type, memory_element

if TYPE_CHECKING:
    import numpy as np

_PRINTED = re.compile(r'dense<(?:"0x(?P<bytes>[0-9A-F]*)"|(?P<listed>.*))> : [^>]*>\Z', re.DOTALL)
_NUMBER = re.compile(r"[^\s,\[\]]+")
_BITS = "0x"  # begins a float that has no decimal form: an infinity or a NaN

Elements = ir.DenseIntElementsAttr | ir.DenseFPElementsAttr


def elements_of(given: Elements) -> Dense | Text:
    """The elements in row-major order; the text if they are of a type that no kernel computes with."""
    type_ = type_of(given.type)
    scalar = type_of(given.type.element_type)
    if isinstance(scalar, OtherType):
        return Text(str(given))
    try:
        values = (next(iter(given)),) if given.is_splat else tuple(given)
    except TypeError:  # a type of which the bindings give no elements
        read = _printed(str(given), scalar)
        return Text(str(given)) if read is None else Dense(type_, read)
    return Dense(type_, values)


def _printed(text: str, type_: Type) -> tuple[int | float, ...] | None:
    """The numbers of a printed `dense<...>`: a list of them, or the bytes of all elements as a string."""
    printed = _PRINTED.match(text)
    if printed is None or not isinstance(type_, FloatType | IntegerType):
        return None
    if printed["bytes"] is not None:
        return _of_bytes(bytes.fromhex(printed["bytes"]), type_)
    words = [each[0] for each in _NUMBER.finditer(printed["listed"])]
    if isinstance(type_, IntegerType):
        return tuple([int(word) for word in words])
    return tuple([_float(word, type_) for word in words])


def _float(word: str, type_: FloatType) -> float:
    """A float of the type, nearest to its decimals, or that which has its bits."""
    if word.startswith(_BITS):
        (value,) = _of_bytes(bytes.fromhex(word.removeprefix(_BITS))[::-1], type_)
        return value
    import numpy as np

    return float(np.array(float(word)).astype(_dtype(type_)))


def _of_bytes(bytes_: bytes, type_: FloatType | IntegerType) -> tuple[int | float, ...]:
    """Numbers of little-endian bytes. Each integer has whole bytes; its sign is the top bit of its width."""
    if isinstance(type_, IntegerType):
        size = -(-type_.width // 8)
        words = [int.from_bytes(bytes_[i : i + size], "little") for i in range(0, len(bytes_), size)]
        top = 1 << (type_.width - 1)
        return tuple([((word & 2 * top - 1) ^ top) - top for word in words])
    import numpy as np

    return tuple(np.frombuffer(bytes_, _dtype(type_)).astype(np.float64).tolist())


def _dtype(type_: FloatType) -> np.dtype[Any]:
    from asmgen.ir.arrays import numpy_dtype

    element = memory_element(type_)
    assert element is not None, type_
    return numpy_dtype(element)
