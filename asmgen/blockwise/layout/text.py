"""Layouts as text: `reg(0:1 0:2) lane(0:4 0:8) wave(1:0) repeat(1:5)`, as written after `@` in a tile's type.

A part without bits is left out. The sizes of the tile are not written: the bases reach every element, so that
the largest along each axis says its size.
"""

from __future__ import annotations

from functools import cache

from asmgen.blockwise.layout.layout import Layout, absorbed, basis_text, fault, join, split
from asmgen.ir.shapes import format_list
from asmgen.text.cursor import Cursor
from asmgen.text.lexer import Token, TokenKind

PARTS = ("reg", "lane", "wave")
REPEAT = "repeat"
LARGEST_TILE = 1 << 32  # elements
_MOST_BITS = 32

Coordinates = tuple[int, ...]


@cache
def print_layout(of: Layout) -> str:
    parts = zip(PARTS, (of.registers, of.lanes, of.waves), strict=True)
    shown = [print_bases(name, bases, of.sizes) for name, bases in parts if bases]
    if of.repeat:
        shown.append(f"{REPEAT}({':'.join(map(str, of.repeat))})")
    return " ".join(shown) or f"{PARTS[0]}()" + (
        f" {REPEAT}({':'.join('1' * of.rank)})" if of.rank > 1 else ""
    )


def print_bases(name: str, bases: tuple[int, ...], sizes: tuple[int, ...]) -> str:
    return f"{name}({' '.join([basis_text(basis, sizes) for basis in bases])})"


def read_layout(cursor: Cursor) -> Layout:
    """A layout. `InputError` BLK001 names the rule that it breaks."""
    opening = cursor.peek()
    written = read_parts(cursor, (*PARTS, REPEAT))
    counts = written.pop(REPEAT, [])
    if len(counts) > 1:
        cursor.fail(
            opening,
            "BLK001",
            f"repeat has {len(counts)} groups of counts, wanted a group with a count for each axis: "
            "repeat(1:5)",
        )
    parts = [written.get(name, []) for name in PARTS]
    sizes, (registers, lanes, waves) = numbered(cursor, opening, parts, len(counts[0]) if counts else 0)
    repeat = counts[0] if counts and any(count != 1 for count in counts[0]) else ()
    made = Layout(sizes, registers, lanes, waves, repeat)
    broken = fault(made)
    if broken:
        cursor.fail(opening, "BLK001", broken, help="docs/tiles.md, layouts, has the rules of a layout")
    return absorbed(made)


def read_parts(cursor: Cursor, names: tuple[str, ...]) -> dict[str, list[Coordinates]]:
    """`NAME(basis basis ...)` for some of the names, each once and in their order."""
    written: dict[str, list[Coordinates]] = {}
    if not any(cursor.at(name, "(") for name in names):
        cursor.fail(
            cursor.peek(),
            "GEN002",
            f"got {cursor.peek()}, wanted a layout: {' '.join(f'{name}(...)' for name in names)}",
        )
    for name in names:
        if not cursor.at(name, "("):
            continue
        _ = cursor.next(), cursor.next()
        written[name] = []
        while not cursor.at(")"):
            written[name].append(_coordinates(cursor))
        _ = cursor.next()
    return written


def _coordinates(cursor: Cursor) -> Coordinates:
    coordinates = [read_size(cursor)]
    while cursor.at(":"):
        _ = cursor.next()
        coordinates.append(read_size(cursor))
    return tuple(coordinates)


def read_size(cursor: Cursor) -> int:
    """A number that is not negative and below the largest tile."""
    token = cursor.next()
    if (
        token.kind is not TokenKind.NUMBER
        or not token.text.isdigit()
        or len(token.text) > 10
        or int(token.text) >= LARGEST_TILE
    ):
        cursor.fail(token, "GEN002", f"got {token}, wanted a whole number below {LARGEST_TILE}")
    return int(token.text)


def numbered(
    cursor: Cursor, opening: Token, parts: list[list[Coordinates]], rank: int
) -> tuple[tuple[int, ...], list[tuple[int, ...]]]:
    """The sizes that the bases reach, and the bases as row-major numbers. `rank` is 0 if it follows from the
    bases.
    """
    every = [basis for part in parts for basis in part]
    rank = rank or (len(every[0]) if every else 1)
    for basis in every:
        if len(basis) != rank:
            text = ":".join(map(str, basis))
            wanted = f"wanted {rank} as the others have"
            cursor.fail(opening, "BLK001", f"the basis {text} has {len(basis)} coordinates, {wanted}")
    if len(every) > 2 * _MOST_BITS:
        cursor.fail(opening, "BLK001", f"the layout has {len(every)} bases, wanted at most {2 * _MOST_BITS}")
    sizes = tuple(
        [1 << max([basis[axis].bit_length() for basis in every], default=0) for axis in range(rank)]
    )
    return sizes, [tuple([join(basis, sizes) for basis in part]) for part in parts]


def layout_difference(left: Layout, right: Layout) -> str:
    """`wave bit 0: 0:256 and 1:0`, the first difference; empty if they are equal."""
    if left == right:
        return ""
    if left.shape != right.shape:
        return f"shape: {format_list(left.shape)} and {format_list(right.shape)}"
    if left.counts != right.counts:
        return f"repetition: {format_list(left.counts)} and {format_list(right.counts)}"
    parts = (
        ("wave", left.waves, right.waves),
        ("lane", left.lanes, right.lanes),
        ("register", left.registers, right.registers),
    )
    for part, ours, theirs in parts:
        for bit, (own, wanted) in enumerate(zip(ours, theirs, strict=False)):
            if own != wanted:
                return (
                    f"{part} bit {bit}: {basis_text(own, left.sizes)} and {basis_text(wanted, right.sizes)}"
                )
        if len(ours) != len(theirs):
            return f"number of {part} bits: {len(ours)} and {len(theirs)}"
    return "sizes"


def division_fault(whole: Layout, tile: Layout) -> str:
    """Why a layout does not consist of tiles of another of its rank: the first difference."""
    if any(part > size for part, size in zip(tile.sizes, whole.sizes, strict=True)):
        return f"it is {format_list(whole.shape)} itself"
    lanes, registers = (
        [join(split(basis, tile.sizes), whole.sizes) for basis in part]
        for part in (tile.lanes, tile.registers)
    )
    for bit, (have, want) in enumerate(zip(whole.lanes, lanes, strict=False)):
        if have != want:
            sizes = whole.sizes
            return f"lane bit {bit} has {basis_text(have, sizes)}, wanted {basis_text(want, sizes)}"
    for want in registers:
        if want not in whole.registers:
            return f"no register bit has {basis_text(want, whole.sizes)}"
    return "its tiles are not next to each other"
