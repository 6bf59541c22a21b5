"""Encoding formats: the size, the identifying bits, the place of the opcode, and the fields.

A format is data. `isa.binary.cdna` and `isa.binary.rdna` list the formats of a family, `isa.binary.plan` puts
a row's operands and modifiers into the fields of its format, and no other module knows the place of a bit.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from isa.binary.operands import NUMBER, Coding
from isa.instruction import Encoding
from isa.named_tuple import NamedTuple

Pieces = tuple[tuple[int, int], ...]  # first bit and width of each piece of a number, its low bits first


class Field(NamedTuple):
    """A field: its name, its pieces, and the mapping from its numbers to operands.

    An operand or modifier of the row goes into the field of its own name, or into a field with its name in
    `also`; an operand without such a field goes into the first free field of its kind.

    * `idle`: the contents if the row has nothing for the field
    * `absent`: the contents for the keyword `off`
    * `result_last`: for op_sel; the last element of a list that is longer than the row's sources goes into
      the last piece
    * `half`: the bit for the upper half of a VGPR, if the row chooses halves
    * `numbers`: the numbers of a modifier's values, by their spelling, if the field does not contain the
      values themselves
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

    * `bits`: the identifying bits, each piece as first bit, width and value
    * `opcode`: the place of the opcode
    * `opcodes`: the list of opcodes (`isa.binary.opcodes`), shared with other formats: VOP2, its DPP and its
      SDWA form have the same opcodes
    * `encodings`: the encodings of its rows
    * `ignored`: a mask of the bits that LLVM's disassembler ignores if the row has nothing there; every other
      bit outside the fields of a row must be 0
    * `needs`: fields that a row must fill to be in this format
    * `cache_bits`: a mask of bits that are ignored too in rows of `Trait.CACHE`: clang sets those of
      `buffer_wbl2` in gfx90a's code objects, and no text can spell them
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
    """The bits of an instruction with a number in these pieces."""
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
    """A field with a single piece."""
    return Field(name, ((first, width),), coding, also, idle, absent, half=half, numbers=numbers or {})
