"""The accesses of a tile to a buffer: their registers, addresses and guards.

Registers with consecutive addresses make an access of up to 16 bytes. An access may begin at any multiple of
an element: global memory has no other rule on our targets (`asmgen.select.memory`). A condition can guard a
whole access if it is true for all elements of the access or for none. `c1 < 1100` is such a condition for
four elements from a multiple of 4 on, since 1100 is a multiple of 4. Other accesses are halved.

Registers of consecutive elements need not differ in register bits (`runs`):

    rows 0 to 3 of three columns     reg(0:1 0:2) repeat(1:3), the address of row r, column c is 3*r + c
    addresses by register            0 3 6 9  1 4 7 10  2 5 8 11
    accesses                         registers (0 4 8 1) (5 9 2 6) (10 3 7 11)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from asmgen.blockwise.actions import Below
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.layout.queries import copying
from asmgen.blockwise.lowering.addresses.conditions import canonical
from asmgen.blockwise.lowering.addresses.places import Places
from asmgen.blockwise.lowering.tile import Bits, groups
from asmgen.index import Index, Symbol, constant
from asmgen.ir.types import TensorType
from asmgen.lanewise.result_types import MAX_LANES
from isa.named_tuple import NamedTuple
from isa.registers import DWORD
from isa.target import WIDEST_ACCESS

Registers = tuple[int, ...]
Conditions = tuple[Below | bool, ...]
OfRegisters = Callable[[Index], Sequence[Index]]
Data = Sequence[Mapping[Symbol, Index]]  # of each register, the index that each datum is


class ElementAddress(NamedTuple):
    """The address of a register's element, and the conditions on the element (`conditions.canonical`)."""

    address: Index
    where: Conditions


class Accesses(NamedTuple):
    """The addresses of a tile's registers, and the register bits of an access. `copies` is a mask of the
    register bits that only make copies.
    """

    layout: Layout
    places: tuple[ElementAddress, ...]
    bits: Bits
    copies: int

    def vectors(self) -> list[tuple[int, ...]]:
        """The registers of each access; those of copies are left out."""
        return [group for group in groups(self.layout, self.bits) if not group[0] & self.copies]

    def is_whole(self, registers: Sequence[int]) -> bool:
        """Whether each condition is true for all elements of an access or for none."""
        first = self.places[registers[0]].where
        return all(self.places[register].where == first for register in registers)


    def begins_first(self, registers: Sequence[int]) -> bool:
        """Whether the first element of an access exists if any does: whatever the condition, it has at least
        the room of the others' ("c < n" and "c + 1 < n")."""
        first, *others = [self.places[register].where for register in registers]
        return all(_is_weaker(*pair) for where in others for pair in zip(first, where, strict=True))


def _is_weaker(one: Below | bool, other: Below | bool) -> bool:
    """Whether a condition is certainly true if another is true."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is True or other is False
    return ((one.right - one.left) - (other.right - other.left)).low >= 0


class Reach(NamedTuple):
    """The elements of a buffer that a tile reaches: `at` is the index of each element, and `where` are the
    conditions under which the element exists.
    """

    layout: Layout
    at: tuple[Index, ...]
    where: tuple[Below, ...]
    buffer: TensorType


def accesses(places: Places, reach: Reach, data: Data = ()) -> Accesses:
    """How the registers of a tile reach a buffer."""
    layout, buffer, flat = reach.layout, reach.buffer, constant(0)
    for index, stride in zip(reach.at, buffer.strides, strict=True):
        flat += index * stride
    of_registers = by_register(places, layout, data)
    reached = tuple(map(ElementAddress, of_registers(flat), conditions(reach.where, layout, of_registers)))
    copies = sum(1 << bit for bit in copying(layout).registers)
    bits = _bits(layout, [place.address for place in reached], buffer.element.bytes, copies)
    return Accesses(layout, reached, bits, copies)


def by_register(places: Places, layout: Layout, data: Data = ()) -> OfRegisters:
    """Computes indices for the element of each register."""
    if not data:
        return lambda index: places.of_registers(index, layout)
    return lambda index: [
        places.substituted(index, layout, register, values) for register, values in enumerate(data)
    ]


def conditions(where: Sequence[Below], layout: Layout, of_registers: OfRegisters) -> list[Conditions]:
    """The conditions on the element of each register."""
    found = [
        [canonical(Below(*sides)) for sides in zip(of_registers(left), of_registers(right), strict=True)]
        for left, right in where
    ]
    return [tuple([one[register] for one in found]) for register in range(layout.register_count)]


def _bits(layout: Layout, addresses: Sequence[Index], element: int, copies: int) -> Bits:
    """Register bits that step through consecutive elements in memory, as many as fit in an access."""
    bits: list[int] = []
    while (element << len(bits) + 1) <= WIDEST_ACCESS and (2 << len(bits)) <= MAX_LANES:
        step = 1 << len(bits)
        free = [bit for bit in range(len(layout.registers)) if bit not in bits and not copies >> bit & 1]
        found = [bit for bit in free if _follows(addresses, bit, step)]
        if not found:
            break
        bits.append(found[0])
    return tuple(bits)


def _follows(addresses: Sequence[Index], bit: int, step: int) -> bool:
    """Whether setting the bit in a register's number moves its address by `step` elements, for all
    registers."""
    return all(
        _difference(addresses[register | 1 << bit], addresses[register]) == step
        for register in range(len(addresses))
        if not register >> bit & 1
    )


def _difference(a: Index, b: Index) -> int | None:
    return a.constant - b.constant if a.terms == b.terms else None


# Accesses of registers that have no bits in common


def runs(found: Accesses, element: int) -> list[Registers]:
    """The registers of each access, in the order of their addresses, with a single register for each address.
    `element` is the size of an element in bytes. Empty if register bits make as few accesses already.
    """
    if element << len(found.bits) >= WIDEST_ACCESS or 1 << len(found.bits) >= MAX_LANES:
        return []
    first: dict[ElementAddress, int] = {}
    for register, place in enumerate(found.places):
        if not register & found.copies:
            _ = first.setdefault(place, register)
    alike: dict[object, list[tuple[int, int]]] = {}
    for (address, where), register in first.items():
        alike.setdefault((address.terms, where), []).append((address.constant, register))
    most = min(WIDEST_ACCESS // element, MAX_LANES)
    made = [access for some in alike.values() for access in _cut(sorted(some), most)]
    return made if len(made) < _accesses(found, first) else []


def _accesses(found: Accesses, first: Mapping[ElementAddress, int]) -> int:
    """The number of accesses that the register bits make. Equal accesses count once."""
    if not found.bits:
        return len(first)
    vectors = {tuple([found.places[register] for register in group]): group for group in found.vectors()}
    return sum([1 if found.is_whole(group) else len(group) for group in vectors.values()])


def _cut(places: list[tuple[int, int]], most: int) -> list[Registers]:
    """Addresses in their order with their registers, in parts that follow each other: the longest powers of
    two from each part's beginning on.
    """
    made: list[Registers] = []
    while places:
        length = most
        while length > 1 and (len(places) < length or places[length - 1][0] != places[0][0] + length - 1):
            length //= 2
        made.append(tuple([register for _, register in places[:length]]))
        places = places[length:]
    return made


# Loads of whole blocks


class Block(NamedTuple):
    """An access of `lanes` elements from an address on, and the registers of the elements that it is for: the
    numbers of the elements are `taken`."""

    address: Index
    lanes: int
    registers: Registers
    taken: tuple[int, ...]


def blocks(found: Accesses, parts: Sequence[Registers], memory: TensorType) -> list[Block]:
    """The accesses of a load. Vectors of an aligned block of 16 bytes become a single vector if every word
    from the first to the last has an element of theirs: a vector that crosses the end of a row is three
    quarters of a block, and every second f16 a whole block. An access may read other elements in these words:
    if the buffer has whole blocks, a block with an element of it is in it.
    """
    most = WIDEST_ACCESS // memory.element.bytes
    has_blocks = isinstance(memory.span, int) and memory.span % most == 0
    alike: dict[object, list[Registers]] = {}
    for part in parts:
        address, where = found.places[part[0]]
        offset = address.constant % most
        is_aligned = has_blocks and (address - address.constant).multiple % most == 0
        is_inside = is_aligned and offset + len(part) <= most
        alike.setdefault((address - offset, where) if is_inside else part, []).append(part)
    return [block for some in alike.values() for block in _blocks(found, some, memory.element.bytes)]


def _blocks(found: Accesses, parts: Sequence[Registers], element: int) -> list[Block]:
    """A single access of some parts of a block, or an access for each."""
    most, of_word = WIDEST_ACCESS // element, max(DWORD // element, 1)
    registers = tuple([register for part in parts for register in part])
    addresses = [found.places[register].address for register in registers]
    words = {address.constant % most // of_word for address in addresses}
    if len(parts) == 1 or len(words) <= max(words) - min(words):
        own = [(part, found.places[part[0]].address) for part in parts]
        return [Block(address, len(part), part, tuple(range(len(part)))) for part, address in own]
    first = min(words) * of_word
    taken = tuple([address.constant % most - first for address in addresses])
    start = addresses[0] - taken[0]
    return [Block(start, len(words) * of_word, registers, taken)]
