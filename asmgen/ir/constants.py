"""The numbers of a literal with many numbers: a numpy array that is compared and hashed as a whole.

A literal of a few numbers has a tuple of them. A table of a traced function keeps its array, because
millions of Python numbers take seconds and gigabytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload
from zlib import crc32

if TYPE_CHECKING:
    import numpy as np

Number = int | float | bool
_MANY = 32  # numbers from which on an array takes less than a tuple
_AT_ONCE = 1 << 16
_IN_HASH = 1024


class Constants(Sequence[Number]):
    """The numbers of an array, row-major; nothing changes it."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        import numpy as np

        self.array = np.array(array, order="C").reshape(-1)  # a copy: the caller's may change
        self.array.flags.writeable = False

    def __len__(self) -> int:
        return self.array.size

    @overload
    def __getitem__(self, index: int) -> Number: ...
    @overload
    def __getitem__(self, index: slice[Any, Any, Any]) -> tuple[Number, ...]: ...
    def __getitem__(self, index: int | slice[Any, Any, Any]) -> Number | tuple[Number, ...]:
        if isinstance(index, slice):
            return tuple(self.array[index].tolist())
        return self.array[[index]].tolist()[0]

    def __iter__(self) -> Iterator[Number]:
        for start in range(0, len(self), _AT_ONCE):
            yield from self.array[start : start + _AT_ONCE].tolist()

    @property
    def _bits(self) -> np.ndarray[Any, Any]:
        return self.array.view(f"u{self.array.itemsize}")

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Constants):
            is_alike = self.array.dtype == other.array.dtype and len(self) == len(other)
            return is_alike and bool((self._bits == other._bits).all())
        return isinstance(other, tuple) and tuple(self) == other

    def __hash__(self) -> int:
        """Of some of the numbers: all of them take longer than the few comparisons that this saves."""
        step = max(1, len(self) // _IN_HASH)
        return hash((self.array.dtype.name, len(self), self._bits[::step].tobytes()))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return self.array if dtype is None else self.array.astype(dtype)

    def __repr__(self) -> str:
        return f"<{len(self)} numbers of {self.array.dtype}, CRC {crc32(self._bits.data):08x}>"

    @property
    def splat(self) -> Number | None:
        """The number that all elements share, bit for bit."""
        bits = self._bits
        return self[0] if bits.size and (bits == bits[0]).all() else None


Numbers = tuple[Number, ...] | Constants


def of_array(array: np.ndarray[Any, Any]) -> Numbers:
    """The numbers of an array, row-major, for a literal."""
    return Constants(array) if array.size > _MANY else tuple(array.reshape(-1).tolist())


def splat_of(values: Numbers) -> Number | None:
    """The number that all elements of a literal share, 0 for none; None if they differ. 0.0 is not -0.0,
    and a NaN is itself."""
    if isinstance(values, Constants):
        return values.splat
    first = values[0] if values else 0
    return None if any(repr(value) != repr(first) for value in values) else first


def repeated(values: Numbers, count: int) -> Numbers:
    """`count` numbers: the given numbers, again and again."""
    import numpy as np

    if isinstance(values, Constants):
        return of_array(np.resize(values.array, count))
    return tuple(np.resize(np.array(values, object), count).tolist())
