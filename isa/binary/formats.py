"""What an encoding format is: its size, the bits that tell it, where the opcode is, and what its fields hold.

A format is data. `isa.binary.cdna` and `isa.binary.rdna` list those of a family, `isa.binary.plan` puts a
row's operands and modifiers into the fields of its format, and nothing else knows where a bit is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

from isa.binary.operands import NUMBER, Coding
from isa.instruction import Encoding

Pieces = tuple[tuple[int, int], ...]  # first bit and width of each piece of a number, its low bits first


class Field(NamedTuple):
    """One field: its name, its pieces, and how a number of it names an operand.

    An operand or modifier of the row goes into the field of its own name, or into one that has its name in
    `also`; an operand without such a field goes into the first free one of its kind. `idle` is what the field
    holds where the row has nothing for it, and `absent` what it holds for the keyword `off`. `result_last` is
    said of op_sel: the last element of a list that is longer than the row has sources goes into the last
    piece. `half` is the bit that says that the upper half of a VGPR is meant, where the row chooses halves.
    `numbers` are those of a modifier's values, by what text spells, where the field does not hold the values
    themselves.
    """

    name: str
    pieces: Pieces
    coding: Coding = NUMBER
    also: tuple[str, ...] = ()
    idle: int = 0
    absent: int = 0
    result_last: bool = False
    half: int = -1
    numbers: Mapping[str, int] = {}

    @property
    def width(self) -> int:
        return sum(width for _, width in self.pieces)


class Format(Struct, frozen=True, eq=False):
    """A format of `size` bytes (without a literal).

    `bits` are the bits that tell it, each piece as first bit, width and value. `opcode` is the place of the
    opcode, and `opcodes` names the list of opcodes (`isa.binary.opcodes`) that it shares with other formats:
    VOP2, its DPP and its SDWA form count alike. `encodings` are those of the rows that it holds. `ignored` is
    a mask of the bits that LLVM's disassembler does not look at where the row has nothing there; every other
    bit outside the fields of a row has to be 0. `needs` are fields that a row has to fill to be in this
    format. `cache_bits` is a mask of bits that are ignored too in rows of `Trait.CACHE`: clang sets those of
    `buffer_wbl2` in gfx90a's code objects, and no text can say them.
    """

    name: str
    size: int
    bits: tuple[tuple[int, int, int], ...]
    opcode: Pieces
    opcodes: str
    encodings: frozenset[Encoding]
    fields: tuple[Field, ...]
    ignored: int = 0
    needs: frozenset[str] = frozenset()
    cache_bits: int = 0

    @property
    def mask(self) -> int:
        """The bits that tell the format."""
        return sum((1 << width) - 1 << first for first, width, _ in self.bits)

    @property
    def value(self) -> int:
        return sum(value << first for first, _, value in self.bits)


def put(number: int, pieces: Pieces) -> int:
    """The bits of an instruction that hold a number in these pieces."""
    bits = 0
    for first, width in pieces:
        bits |= (number & (1 << width) - 1) << first
        number >>= width
    return bits


def take(bits: int, pieces: Pieces) -> int:
    """The number in these pieces of an instruction; the opposite of `put`."""
    number = shift = 0
    for first, width in pieces:
        number |= (bits >> first & (1 << width) - 1) << shift
        shift += width
    return number


def mask_of(pieces: Pieces) -> int:
    """The bits of an instruction that belong to these pieces."""
    return put(-1, pieces)


def at(
    name: str, first: int, width: int, coding: Coding = NUMBER, *also: str, idle: int = 0, absent: int = 0,
    half: int = -1, numbers: Mapping[str, int] | None = None,
) -> Field:  # fmt: skip
    """A field of one piece."""
    return Field(name, ((first, width),), coding, also, idle, absent, half=half, numbers=numbers or {})
