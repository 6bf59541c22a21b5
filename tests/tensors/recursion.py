"""A scan as JAX's `associative_scan` prints it: a recursion over even and odd elements, as text and in
numpy."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tests.tensors.case import Array, element, main, type_of

Ops = Sequence[tuple[str, str, str]]
"""The ops of a body. Operands are p0, q1, ...: parts of the earlier and the later element; or v0, v1, ...:
earlier ops."""
Body = tuple[Ops, Sequence[str]]
"""Ops, and the value of each part of the result."""
Combine = Callable[[Sequence[Array], Sequence[Array]], list[Array]]


def scan_text(body_of: Callable[[int], Body], arrays: Sequence[Array], axis: int, reverse: bool = False) -> str:
    """A module that scans arrays. `body_of` gives the body by the number of pairs that it combines."""
    writer = _Writer(body_of, axis, [element(x.dtype) for x in arrays])
    given, dims = [f"%x{number}" for number in range(len(arrays))], arrays[0].shape
    turned = writer.reversed(given, dims) if reverse else given
    scans = writer.scan(turned, dims)
    scans = writer.reversed(scans, dims) if reverse else scans
    names = ["%r"] if len(arrays) == 1 else [f"%r{number}" for number in range(len(arrays))]
    for name, scan, x in zip(names, scans, arrays, strict=True):
        writer.lines.append(f"{name} = stablehlo.optimization_barrier {scan} : {type_of(dims, x.dtype)}")
    body = "\n".join(writer.lines)
    return main(body, {f"x{number}": x for number, x in enumerate(arrays)}, *arrays)


def scan_in_numpy(combine: Combine, arrays: Sequence[Array]) -> list[Array]:
    """The recursion along axis 0."""
    count = len(arrays[0])
    if count < 2:
        return list(arrays)
    odd = scan_in_numpy(combine, combine([x[: count - 1 : 2] for x in arrays], [x[1::2] for x in arrays]))
    even = combine([x[: (count - 1) // 2] for x in odd], [x[2::2] for x in arrays])
    made = [np.empty_like(x) for x in arrays]
    for result, first, rest, other in zip(made, arrays, even, odd, strict=True):
        result[:1], result[2::2], result[1::2] = first[:1], rest, other
    return made


class _Writer:
    def __init__(self, body_of: Callable[[int], Body], axis: int, elements: Sequence[str]) -> None:
        self._body_of = body_of
        self._axis = axis
        self._elements = elements
        self.lines: list[str] = []

    def _op(self, text: str) -> str:
        self.lines.append(f"%{len(self.lines)} = stablehlo.{text}")
        return f"%{len(self.lines) - 1}"

    def _type(self, dims: Sequence[int], name: str) -> str:
        return f"tensor<{''.join(f'{dim}x' for dim in dims)}{name}>"

    def _resized(self, dims: Sequence[int], count: int) -> tuple[int, ...]:
        return (*dims[: self._axis], count, *dims[self._axis + 1 :])

    def reversed(self, arrays: Sequence[str], dims: Sequence[int]) -> list[str]:
        pairs = zip(arrays, self._elements, strict=True)
        return [self._op(f"reverse {x}, dims = [{self._axis}] : {self._type(dims, name)}") for x, name in pairs]

    def scan(self, arrays: Sequence[str], dims: Sequence[int]) -> list[str]:
        count = dims[self._axis]
        if count < 2:
            return list(arrays)
        pairs, rest = self._resized(dims, count // 2), self._resized(dims, (count - 1) // 2)
        odd = self.scan(self._combined(self._parts(arrays, dims, 0, count - 1, 2), self._parts(arrays, dims, 1, count, 2), pairs), pairs)
        before = odd if count % 2 else self._parts(odd, pairs, 0, count // 2 - 1)
        even = self._combined(before, self._parts(arrays, dims, 2, count, 2), rest)
        first = self._parts(arrays, dims, 0, 1)
        return [self._woven(*each, dims) for each in zip(first, even, odd, self._elements, strict=True)]

    def _parts(self, arrays: Sequence[str], dims: Sequence[int], start: int, end: int, step: int = 1) -> list[str]:
        ranges = ", ".join(f"{start}:{end}:{step}" if axis == self._axis else f"0:{dim}" for axis, dim in enumerate(dims))
        after = self._resized(dims, len(range(start, end, step)))
        return [
            self._op(f"slice {x} [{ranges}] : ({self._type(dims, name)}) -> {self._type(after, name)}")
            for x, name in zip(arrays, self._elements, strict=True)
        ]

    def _combined(self, earlier: Sequence[str], later: Sequence[str], dims: Sequence[int]) -> list[str]:
        values = {f"{word}{number}": x for word, given in (("p", earlier), ("q", later)) for number, x in enumerate(given)}
        ops, results = self._body_of(dims[self._axis])
        for number, (op, a, b) in enumerate(ops):
            values[f"v{number}"] = self._op(f"{op} {values[a]}, {values[b]} : {self._type(dims, self._elements[0])}")
        return [values[result] for result in results]

    def _woven(self, first: str, even: str, odd: str, name: str, dims: Sequence[int]) -> str:
        count = dims[self._axis]
        types = [self._type(self._resized(dims, size), name) for size in (1, (count - 1) // 2, (count + 1) // 2, count // 2)]
        start = self._op(f"concatenate {first}, {even}, dim = {self._axis} : ({types[0]}, {types[1]}) -> {types[2]}")
        zero = self._op(f"constant dense<{'false' if name == 'i1' else '0' if 'i' in name else '0.0'}> : tensor<{name}>")
        spread = [self._pad(start, zero, types[2], 0, 1 - count % 2, dims, name), self._pad(odd, zero, types[3], 1, count % 2, dims, name)]
        return self._op(f"{'or' if name == 'i1' else 'add'} {', '.join(spread)} : {self._type(dims, name)}")

    def _pad(self, x: str, zero: str, type_: str, low: int, high: int, dims: Sequence[int], name: str) -> str:
        pads = [str([pad if axis == self._axis else 0 for axis in range(len(dims))]) for pad in (low, high, 1)]
        by = f"low = {pads[0]}, high = {pads[1]}, interior = {pads[2]}"
        return self._op(f"pad {x}, {zero}, {by} : ({type_}, tensor<{name}>) -> {self._type(dims, name)}")
