"""Memory that is accessed as another type than its elements.

The bytes of a `memref.view` and the memory of a pointer have no type of their own. Their elements are those
of the narrowest access of the kernel, which is found by lowering the kernel again (`Lowering.with_element`).
An access of the same width reads the bits as they are. A wider access joins several elements; the first has
the lowest bits.
"""

from __future__ import annotations

from collections.abc import Callable

from asmgen.ir.program import Value
from asmgen.ir.types import BOOL, ELEMENT_TYPES, U32, ElementType
from asmgen.lanewise import ops
from asmgen.lanewise.result_types import MAX_LANES
from asmgen.mlir.lowering.arithmetic.lanes import extended, lanes_of
from asmgen.mlir.lowering.context import Lowering
from asmgen.mlir.lowering.values import Kind, Memory
from asmgen.mlir.source import Operation

BYTE = ELEMENT_TYPES["i8"]


def need_element(lower: Lowering, memory: Memory, element: ElementType, operation: Operation) -> None:
    """Ask for memory with other elements. `InputError` MLIR027 if that was asked before."""
    if memory.kind is Kind.PRIVATE and memory.root is not None:
        raise lower.with_scratch(memory.root)
    if memory.root is None or (memory.root, element) in lower.demands.elements:
        got = f"{operation.name} of {element} in memory of {memory.element}"
        raise lower.refused(operation, "MLIR027", got, "a single element type for the buffer")
    raise lower.with_element(memory.root, element)


def settled(lower: Lowering, memory: Memory, element: ElementType, operation: Operation) -> None:
    """Ask for other elements if an access does not fit those of the memory."""
    of_bools = memory.element is BOOL and element is not BOOL
    if memory.is_undecided or of_bools or element.bytes < memory.element.bytes:
        wanted = BYTE if of_bools or element is BOOL else element
        need_element(lower, memory, wanted, operation)


def read_as(
    lower: Lowering, memory: Memory, element: ElementType, count: int, operation: Operation,
    read: Callable[[int, int], Value],
) -> Value:  # fmt: skip
    """`count` numbers of a type. `read` gives a number of the elements of the memory, from an offset on."""
    settled(lower, memory, element, operation)
    ratio = element.bytes // memory.element.bytes
    if ratio == 1:
        return _cast(lower, read(0, count), element)
    each = MAX_LANES // ratio
    numbers: list[Value] = []
    for first in range(0, count, each):
        size = min(each, count - first) * ratio
        if memory.element.bits < U32.bits:  # no instruction packs them in a vector
            elements = [read(first * ratio + i, 1) for i in range(size)]
        else:
            some = read(first * ratio, size)
            elements = [lower.builder.extract(some, i) for i in range(size)]
        numbers += _joined(lower, elements, ratio, element)
    return numbers[0] if len(numbers) == 1 else lower.builder.pack(*numbers)


def write_as(
    lower: Lowering, memory: Memory, value: Value, operation: Operation, write: Callable[[int, Value], None]
) -> None:
    """Write numbers of a type. `write` stores elements of the memory at an offset."""
    element, count = lanes_of(value).element, lanes_of(value).lanes
    settled(lower, memory, element, operation)
    ratio = element.bytes // memory.element.bytes
    if ratio == 1:
        write(0, _cast(lower, value, memory.element))
        return
    each = MAX_LANES // ratio
    for first in range(0, count, each):
        size = min(each, count - first)
        some = value if size == count else lower.builder.extract(value, first, size)
        parts = _split(lower, some, ratio, memory.element)
        if memory.element.bits < U32.bits:
            for number, part in enumerate(parts, first * ratio):
                write(number, part)
        else:
            write(first * ratio, lower.builder.pack(*parts))


def _cast(lower: Lowering, value: Value, element: ElementType) -> Value:
    """The bits of a number as another type of the same width. A bool is a byte with 0 or 1."""
    own = lanes_of(value).element
    if own is element:
        return value
    if element is BOOL:
        word = extended(lower.builder, _cast(lower, value, _unsigned(BYTE.bits)), U32, signed=False)
        return lower.builder.not_equal(word, lower.builder.like(0, word))
    if own is BOOL:
        return _cast(lower, extended(lower.builder, value, _unsigned(BYTE.bits), signed=False), element)
    return lower.builder.bit_cast(value, element)


def _unsigned(bits: int) -> ElementType:
    return ELEMENT_TYPES[f"u{bits}"]


def _joined(lower: Lowering, elements: list[Value], ratio: int, element: ElementType) -> list[Value]:
    """Numbers, each of `ratio` elements."""
    builder, bits = lower.builder, lanes_of(elements[0]).element.bits
    plain = [_cast(lower, part, _unsigned(bits)) for part in elements]
    of_word = min(U32.bits // bits, ratio)
    words = [_word(lower, plain[first : first + of_word], bits) for first in range(0, len(plain), of_word)]
    if element.bits < U32.bits:
        words = [builder.convert(word, _unsigned(element.bits)) for word in words]
    elif element.bits > U32.bits:
        pairs = zip(words[::2], words[1::2], strict=True)
        words = [builder.value(ops.JOIN_WORDS, low, high, type="u64") for low, high in pairs]
    return [_cast(lower, word, element) for word in words]


def _word(lower: Lowering, parts: list[Value], bits: int) -> Value:
    """The 32 bits of a few narrower numbers, the first lowest."""
    builder = lower.builder
    word = extended(lower.builder, parts[0], U32, signed=False)
    for number, part in enumerate(parts[1:], 1):
        wide = extended(lower.builder, part, U32, signed=False)
        word = builder.bitwise_or(word, builder.shift_left(wide, builder.like(number * bits, wide)))
    return word


def _split(lower: Lowering, value: Value, ratio: int, element: ElementType) -> list[Value]:
    """The elements of numbers, `ratio` for each."""
    builder, type_ = lower.builder, lanes_of(value)
    plain = _cast(lower, value, _unsigned(type_.element.bits))
    parts: list[Value] = []
    for lane in range(type_.lanes):
        number = plain if type_.lanes == 1 else builder.extract(plain, lane)
        words = [number]
        if type_.element.bits > U32.bits:
            words = [builder.value(ops.LOW_WORD, number), builder.value(ops.HIGH_WORD, number)]
        of_word = ratio // len(words)
        for word in words:
            wide = extended(lower.builder, word, U32, signed=False)
            for i in range(of_word):
                moved = wide if i == 0 else builder.shift_right(wide, builder.like(i * element.bits, wide))
                narrow = (
                    moved if element.bits == U32.bits else builder.convert(moved, _unsigned(element.bits))
                )
                parts.append(_cast(lower, narrow, element))
    return parts
