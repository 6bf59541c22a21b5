"""Further launches of the kernels of a file, in the texts of the stages blockwise, lanewise and final.

    kernel @layer ... {...}                            the first launch of @layer, on buffers of these names
    relaunch @layer(x=y, w=w_1, y=z) results(z: 0)     then on others: z is result 0 of the program

A parameter of the kernel that is not named keeps its buffer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from asmgen.ir.program import Relaunch
from asmgen.text.cursor import Cursor
from asmgen.text.lexer import TokenKind

T = TypeVar("T")


def in_order(kernels: Iterable[T], relaunches: Sequence[Relaunch]) -> Iterator[T | Relaunch]:
    """The launches of a file: a kernel for its first launch."""
    for number, kernel in enumerate(kernels, 1):
        yield kernel
        yield from [each for each in relaunches if each.after == number]


def print_relaunch(relaunch: Relaunch) -> str:
    """`relaunch @layer(x=y, w=w_1, y=z) results(z: 0)`."""
    buffers = ", ".join([f"{parameter}={buffer}" for parameter, buffer in relaunch.buffers])
    results = ", ".join([f"{name}: {number}" for name, number in relaunch.results])
    return f"relaunch @{relaunch.kernel}({buffers})" + (f" results({results})" if results else "")


def read_relaunch(cursor: Cursor, kernels: Sequence[str]) -> Relaunch:
    """A relaunch of one of the kernels before it, with its newline. `InputError` GEN004 for another kernel,
    GEN005 for a parameter with two buffers."""
    place = cursor.place(cursor.next())
    _ = cursor.expect("@")
    kernel = cursor.identifier("the kernel's name")
    if kernel.text not in kernels:
        known = ", ".join(kernels) or "none"
        cursor.fail(kernel, "GEN004", f"no kernel before it is {kernel.text}, wanted one of these: {known}")
    buffers: dict[str, str] = {}

    def bound() -> None:
        parameter = cursor.identifier("a parameter of the kernel")
        if parameter.text in buffers:
            cursor.fail(parameter, "GEN005", f"{parameter.text} has two buffers, wanted a single buffer")
        _ = cursor.expect("=")
        buffers[parameter.text] = cursor.identifier("the name of a buffer").text

    _ = cursor.listed("(", ")", bound)
    results: tuple[tuple[str, int], ...] = ()
    if cursor.at("results"):
        results = read_results(cursor)
    cursor.end_of_statement()
    return Relaunch(kernel.text, len(kernels), tuple(buffers.items()), results, place)


def read_results(cursor: Cursor) -> tuple[tuple[str, int], ...]:
    """`results(z: 0)`: buffers, each with the number of a result."""
    _ = cursor.next()

    def result() -> tuple[str, int]:
        name = cursor.identifier("the name of a buffer").text
        _ = cursor.expect(":")
        number = cursor.next()
        if number.kind is not TokenKind.NUMBER or not number.text.isdecimal() or len(number.text) > 10:
            cursor.fail(number, "GEN008", f"got {number}, wanted a whole number")
        return name, int(number.text)

    return tuple(cursor.listed("(", ")", result))


def fault(relaunch: Relaunch, parameters: Sequence[str], written: Sequence[str]) -> str:
    """Why a relaunch does not fit a kernel with such parameters, of which it writes some; empty if it
    does."""
    unknown = [parameter for parameter, _ in relaunch.buffers if parameter not in parameters]
    if unknown:
        known = ", ".join(parameters)
        return f"{relaunch.kernel} has no parameter {unknown[0]}, wanted one of these: {known}"
    buffers = [relaunch.buffer(parameter) for parameter in parameters]
    twice = [name for number, name in enumerate(buffers) if name in buffers[:number]]
    if twice:
        return f"{twice[0]} is the buffer of two parameters of {relaunch.kernel}, wanted a buffer for each"
    outputs = [relaunch.buffer(parameter) for parameter in written]
    strange = [name for name, _ in relaunch.results if name not in outputs]
    if strange:
        return (
            f"{strange[0]} is a result, and the launch does not write it, wanted one of {', '.join(outputs)}"
        )
    return ""
