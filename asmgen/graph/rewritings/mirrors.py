"""Makes a pad of a value between parts of itself.

    a = slice[axes={0}, starts={1}, ends={3}](x)              x has 5 elements
    b = reverse[axes={0}](a)
    c = slice[axes={0}, starts={2}, ends={4}](x)   becomes    y = pad[pads={2,2}, mode=reflect](x)
    d = reverse[axes={0}](c)
    y = concat[axis=0](b, x, d)

A pad of a pad along other axes is a single pad.

A pad has an index for each element, and a concat has a condition and an access for each of its operands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from asmgen.graph.ops import CONCAT, MULTIBROADCAST, PAD, REVERSE, SLICE
from asmgen.graph.rewritings.concats import axis_of
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.index.size import Size
from asmgen.ir.program import Attribute, Module, Statement, Value, definitions, tensor_type
from asmgen.ir.slices import ends_of
from isa.named_tuple import NamedTuple

_Defined = Mapping[Value, Statement]
_MODES = ("reflect", "edge")


def with_mirrors(module: Module) -> Module:
    """The module with pads in place of such concats."""
    defined, rewriter = definitions(module), Rewriter(module)
    for statement in module.statements:
        if statement.op is not CONCAT or not _pad(rewriter, statement, defined):
            rewriter.keep(statement)
    return rewriter.module()


def _pad(rewriter: Rewriter, statement: Statement, defined: _Defined) -> bool:
    """Write a concat as a pad if it is equal to a pad; returns whether it is."""
    axis, parts = axis_of(statement), statement.operands
    if not 2 <= len(parts) <= 3:
        return False
    sizes = [_size(part, axis) for part in parts]
    for number in range(max(0, len(parts) - 2), 2):
        for mode in _MODES:
            if _is_padded(defined, parts, number, axis, mode):
                added = sum(sizes[:number]), sum(sizes[number + 1 :])
                _write(rewriter, statement, parts[number], axis, added, mode)
                return True
    return False


def _size(value: Value, axis: int) -> int:
    """The elements along an axis; 0 if only the launch knows them."""
    dim = tensor_type(value).dims[axis]
    return 0 if isinstance(dim, Size) else dim


class _Part(NamedTuple):
    """The elements of a value from `start` to before `end` along an axis, the last of them first if it is
    reversed, or `copies` of them."""

    of: Value
    start: int
    end: int
    is_reversed: bool
    copies: int


def _is_padded(defined: _Defined, parts: Sequence[Value], number: int, axis: int, mode: str) -> bool:
    """Whether a pad of part `number` has the elements of the part before it, and of the part after it."""
    middle, size = parts[number], _size(parts[number], axis)
    if not size:
        return False
    before, after = [_part(defined, each, axis) for each in (parts[0], parts[-1])]
    is_before = number == 0 or _is_border(before, middle, mode, size, is_first=True)
    is_after = number == len(parts) - 1 or _is_border(after, middle, mode, size, is_first=False)
    return is_before and is_after


def _is_border(part: _Part | None, middle: Value, mode: str, size: int, is_first: bool) -> bool:
    if part is None or part.of is not middle:
        return False
    length = part.end - part.start
    if mode == "edge":
        return length == 1 and part.start == (0 if is_first else size - 1)
    is_next = part.start == 1 if is_first else part.end == size - 1
    return is_next and part.copies == 1 and (part.is_reversed or length == 1)


def _part(defined: _Defined, value: Value, axis: int) -> _Part | None:
    """The part of a value along an axis that is sliced, reversed and repeated."""
    statement, is_reversed, copies = defined[value], False, 1
    if statement.op is MULTIBROADCAST and _is_repeated(statement, axis):
        copies, statement = _size(value, axis), defined[statement.operands[0]]
    if statement.op is REVERSE and _listed(statement.attributes["axes"], value) == [axis]:
        is_reversed, statement = True, defined[statement.operands[0]]
    if statement.op is not SLICE or _listed(statement.attributes["axes"], value) != [axis]:
        return None
    (of,) = statement.operands
    size, starts, ends = (
        _size(of, axis),
        *[numbers_of(statement.attributes[name]) for name in ("starts", "ends")],
    )
    if not size or not starts or not ends:
        return None
    first, last = ends_of(size, starts[0], ends[0])
    if isinstance(first, Size) or isinstance(last, Size):
        return None
    return _Part(of, first, last, is_reversed, copies)


def _is_repeated(broadcast: Statement, axis: int) -> bool:
    """Whether a broadcast repeats a single element along an axis, and repeats nothing along the others."""
    before, after = [list(tensor_type(each).dims) for each in (*broadcast.operands, broadcast.result)]
    return (
        len(before) == len(after)
        and before[axis] == 1
        and before[:axis] + before[axis + 1 :] == after[:axis] + after[axis + 1 :]
    )


def _listed(axes: Attribute, value: Value) -> list[int]:
    return [axis % tensor_type(value).rank for axis in numbers_of(axes)]


def numbers_of(value: Attribute) -> list[int]:
    """The integers of an attribute, which is a list or a single number."""
    return [number for number in (value if isinstance(value, tuple) else (value,)) if type(number) is int]


def _write(
    rewriter: Rewriter, statement: Statement, middle: Value, axis: int, sizes: tuple[int, int], mode: str
) -> None:
    """A pad along an axis, which a pad along others joins."""
    rank = tensor_type(statement.result).rank
    pads = [0] * (2 * rank)
    pads[axis], pads[axis + rank] = sizes
    inner = rewriter.definition(middle)
    if inner.op is PAD and inner.attributes["mode"] == mode:
        others = numbers_of(inner.attributes["pads"])
        if not others[axis] and not others[axis + rank]:
            pads = [mine + other for mine, other in zip(pads, others, strict=True)]
            (middle,) = inner.operands
    rewriter.finish(PAD, (middle,), statement, pads=tuple(pads), mode=mode)
