"""The state of a selection: the registers of each value, and the destinations of results.

The *parts* of a value are its 32-bit units, in order: a unit per lane of a 32-bit element, two per lane of a
64-bit element (the lower half first), a unit per two lanes of f16 (the even lane in the lower half). A bool
has a lane mask per lane, or 0 or 1 in an SGPR if it is uniform. A part is a register or a constant; parts are
copied into a tuple only if an instruction needs them consecutive.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from asmgen.ir.numbers import float_pattern
from asmgen.ir.program import Statement, Value, lane_type
from asmgen.ir.types import BOOL, ElementType, LaneType, NumberKind, TensorType
from asmgen.lanewise.small_floats import is_small_float
from asmgen.select.abi import Interface
from asmgen.select.emitter import Emitter
from asmgen.select.records import JoinedAccess, OpenLoop
from asmgen.select.sharing import Order
from asmgen.select.uses import NEG, Uses
from isa.constants import float_bits, integer_bits
from isa.diagnostics import InternalError, Place
from isa.instruction import Immediate
from isa.lane_masks import MaskOperation
from isa.registers import Register, tuple_register, unit_register

UNIT_BITS = 32
WORD = 0xFFFFFFFF
INTEGER_KINDS = (NumberKind.SIGNED, NumberKind.UNSIGNED)
_SMALLEST_CONSTANT = 16
Part = Register | Immediate
Parts = tuple[Part, ...]


class Selection:
    """Values and their parts, with the tables that decide their places."""

    def __init__(
        self,
        emitter: Emitter,
        signature: Interface,
        uses: Uses,
        uniform: frozenset[Value],
        ordering: Mapping[Statement, Order],
    ) -> None:
        self.emitter = emitter
        self.signature = signature
        self.uses = uses
        self._uniform = uniform
        self._ordering = ordering
        self._parts: dict[Value, Parts] = {}
        self._late: dict[Value, Callable[[], Parts]] = {}
        self.truths: dict[Value, Register] = {}  # bools that are read as the bytes of their registers
        self._destinations: dict[Value, Register] = {}
        self._pointers: dict[Value, Callable[[], Register]] = {}
        self.lds_offsets: dict[Value, int] = {}
        self.lds_bytes = 0
        self.scratch_offsets: dict[Value, int] = {}
        self.scratch_bytes = 0
        self.joined: dict[Statement, JoinedAccess] = {}  # LDS accesses that share an instruction
        # of narrow lanes that are not joined, the part that has each lane, and the lane's first byte there
        self.lanes_apart: dict[Value, tuple[tuple[Part, int], ...]] = {}
        # of a register that is repeated in every lane of a vector, the pair that it is half of
        self.pairs: dict[Register, Register] = {}
        self.loops: list[OpenLoop] = []  # the loops around, outermost first
        self.trip = ""  # the name of the trip number of the innermost `for`

    def is_uniform(self, value: Value) -> bool:
        return value in self._uniform

    def order_of(self, barrier: Statement) -> Order | None:
        """The accesses of global memory that a barrier orders for other waves; None if there are none."""
        return self._ordering.get(barrier)

    # Values

    def parts(self, value: Value) -> Parts:
        """The parts of a value; InternalError if its statement has not been selected."""
        parts = self._parts.get(value)
        if parts is None and value in self._late:
            parts = self._parts[value] = self._late.pop(value)()
        if parts is None:
            raise InternalError("select", value.name, "the value has no register: nothing selected it")
        return parts

    def has_parts(self, value: Value) -> bool:
        """Whether a value has parts already."""
        return value in self._parts

    def define(self, value: Value, parts: Parts) -> None:
        self._parts[value] = parts

    def define_late(self, value: Value, make: Callable[[], Parts]) -> None:
        """Parts that `make` computes at their first use, or when the next region begins or their own ends:
        they wait for memory."""
        self._late[value] = make

    def make_late_parts(self) -> None:
        """Compute the parts that are not made yet, in their own region."""
        for value in list(self._late):
            _ = self.parts(value)

    def scalar_part(self, value: Value) -> Part:
        """The part of a value with a single unit."""
        (part,) = self.parts(value)
        return part

    # Destinations

    def destination(self, value: Value) -> Register:
        """The VGPRs that a value's statement fills: its own, or its part of the vector it is packed into.
        They become its parts."""
        register = self._destination(value)
        single = register.count == 1
        self._parts[value] = (register,) if single else tuple(map(unit_register, register.units))
        return register

    def _destination(self, value: Value) -> Register:
        destination = self._destinations.get(value)
        if destination is not None:
            return destination
        count = units(lane_type(value))
        inside = self._inside(value)
        if inside is None:
            register = self.emitter.vgpr(count, value.name)
        else:
            vector, first = inside
            register = self._destination(vector).part(first, count)
        self._destinations[value] = register
        return register

    def _inside(self, value: Value) -> tuple[Value, int] | None:
        """The vector that a value is built into, and the unit it starts at, if it fills whole units of VGPRs
        there, aligned as tuples are."""
        vector, lane = self.uses.packed_into.get(value, (None, 0))
        if vector is None or self.is_uniform(value) or self.is_uniform(vector):
            return None
        type_ = lane_type(value)
        if (
            type_.element is BOOL
            or lane * type_.element.bits % UNIT_BITS
            or type_.lanes * type_.element.bits % UNIT_BITS
        ):
            return None
        first = lane * type_.element.bits // UNIT_BITS
        is_aligned = first % self.emitter.target.vgpr_alignment == 0
        return (vector, first) if is_aligned or units(lane_type(value)) == 1 else None

    def packed_destination(self, value: Value) -> Register | None:
        """The register that parts of a `pack` may already have been selected into."""
        return self._destinations.get(value)

    def scalar_destination(self, value: Value) -> Register:
        """Fresh SGPRs, which become the value's parts."""
        register = self.emitter.sgpr(max(1, units(lane_type(value))), value.name)
        self.define(value, tuple(map(unit_register, register.units)))
        return register

    # Buffers

    def pointer(self, buffer: Value) -> Register:
        """The SGPR pair of a buffer's address."""
        preloaded = self.signature.preloaded(buffer)
        return preloaded if preloaded is not None else self._pointers[buffer]()

    def define_pointer(self, buffer: Value, find: Callable[[], Register]) -> None:
        """`find` gives the SGPR pair for the instruction that is made next."""
        self._pointers[buffer] = find

    # Parts of a certain form

    def as_tuple(self, parts: Parts, name: str = "") -> Register:
        """The parts as consecutive VGPRs that lie as tuples do, copied if they are not."""
        emitter = self.emitter
        if len(parts) == 1:
            return emitter.to_vgpr(parts[0])
        whole = self.consecutive(parts)
        if whole is not None and emitter.is_vgpr(whole):
            return whole

        def make() -> Register:
            register = emitter.vgpr(len(parts), name)
            for i, part in enumerate(parts):
                emitter.move(register.part(i), part)
            return register

        return emitter.shared(("tuple", parts), make)

    def consecutive(self, parts: Parts) -> Register | None:
        """Parts that are consecutive registers, aligned as tuples of their class, as a single register; else
        None."""
        first = parts[0]
        if not isinstance(first, Register):
            return None
        for i, part in enumerate(parts):
            if part != (first.first + i, 1):
                return None
        whole = tuple_register(first.first, len(parts))
        return whole if len(parts) == 1 or (self._is_of_one(whole) and self._is_aligned(whole)) else None

    def _is_of_one(self, register: Register) -> bool:
        """Whether consecutive units belong to a single virtual register, and not to two virtual registers
        with consecutive numbers."""
        if not register.is_virtual:
            return True
        owner = self.emitter.kernel.owner(register)
        return register.first + register.count <= owner.first + owner.count

    def _is_aligned(self, register: Register) -> bool:
        vector_alignment = self.emitter.target.vgpr_alignment
        align = vector_alignment if self.emitter.is_vgpr(register) else 4 if register.count > 2 else 2
        if not register.is_virtual:
            return register.first % align == 0
        owner = self.emitter.kernel.owner(register)
        return owner.align % align == 0 and (register.first - owner.first) % align == 0

    # Bool

    def masks(self, value: Value) -> tuple[Register | Immediate, ...]:
        """A bool as a lane mask per lane: in SGPRs, or all or no lanes as a constant."""
        if not self.is_uniform(value):
            return self.parts(value)
        return tuple(self._mask_of_flag(flag) for flag in self.parts(value))

    def mask_registers(self, value: Value) -> tuple[Register, ...]:
        """As `masks`, all in SGPRs."""
        return tuple(
            mask if isinstance(mask, Register) else self._constant_mask(mask) for mask in self.masks(value)
        )

    def _constant_mask(self, mask: Immediate) -> Register:
        return self.emitter.scalar_mask(mask.bits)

    def _mask_of_flag(self, flag: Part) -> Part:
        if isinstance(flag, Immediate):
            return Immediate(self.emitter.masks.every_lane if flag.bits else 0)

        def make() -> Register:
            self.emitter.put("s_cmp_lg_u32", flag, 0)
            return self._mask_of_scc()

        return self.emitter.shared(("mask", flag), make)

    def make_mask(self, flag: Register) -> None:
        """Make the lane mask of a uniform bool that is in SCC; `flag` has it as 0 or 1."""
        _ = self.emitter.shared(("mask", flag), self._mask_of_scc)

    def _mask_of_scc(self) -> Register:
        register = self.emitter.mask()
        self.emitter.put_mask(MaskOperation.SELECT, register, Immediate(self.emitter.masks.every_lane), 0)
        return register


def buffer_type(value: Value) -> TensorType:
    assert isinstance(value.type, TensorType)
    return value.type


def lanes_per_unit(element: ElementType) -> int:
    """The number of lanes with a part in a 32-bit unit; 0 for bool, which is in masks."""
    return 0 if element is BOOL else max(1, UNIT_BITS // element.bits)


def units_per_lane(element: ElementType) -> int:
    """How many parts a lane alone has: two for 64 bits."""
    return 1 if element is BOOL else -(-element.bits // UNIT_BITS)


def is_wide(element: ElementType) -> bool:
    """Whether a lane has several units."""
    return element.bits > UNIT_BITS


def is_small_integer(element: ElementType) -> bool:
    """Whether an element is an integer of less than a unit."""
    return element.kind in INTEGER_KINDS and element.bits < UNIT_BITS


def units(type_: LaneType) -> int:
    """How many parts a value of this type has."""
    return type_.lanes if type_.element is BOOL else -(-type_.lanes * type_.element.bits // UNIT_BITS)


def element_bits(element: ElementType, value: object) -> int:
    """The pattern of a literal's number in its element type."""
    assert isinstance(value, int | float)
    if element.bits < _SMALLEST_CONSTANT and not element.is_float:
        return int(value) & (1 << element.bits) - 1  # instructions have no constants of 8 bits
    if is_small_float(element):
        return float_pattern(float(value), element)
    bits = (
        float_bits(float(value), f"f{element.bits}")
        if element.is_float
        else integer_bits(int(value), f"u{element.bits}")
    )
    if bits is None:
        raise InternalError("select", element.name, f"{value!r} is not a number of type {element.name}")
    return bits


def constant_parts(type_: LaneType, values: tuple[object, ...]) -> Parts:
    """The parts of a literal."""
    if type_.element.kind is NumberKind.BOOL:
        return tuple(Immediate(int(bool(value))) for value in values)
    bits = [element_bits(type_.element, value) for value in values]
    if is_wide(type_.element):
        return tuple(Immediate(b >> shift & WORD) for b in bits for shift in (0, UNIT_BITS))
    per_unit = lanes_per_unit(type_.element)
    if per_unit == 1:
        return tuple(Immediate(b) for b in bits)
    width = type_.element.bits
    return tuple(
        Immediate(sum(b << (width * lane) for lane, b in enumerate(bits[i : i + per_unit])))
        for i in range(0, len(bits), per_unit)
    )


class SourceOperand(Struct, frozen=True):
    """An operand of an elementwise op: its parts, its element type's name, and the modifiers to read it
    with."""

    parts: Parts
    type: str
    neg: bool = False
    abs: bool = False


def source_of(s: Selection, value: Value) -> SourceOperand:
    """A value as an operand, through the sign changes that are folded into it."""
    neg = abs_ = False
    while value in s.uses.folded:
        statement = s.uses.defined[value]
        if statement.op is NEG:
            neg = neg != (not abs_)
        else:
            abs_ = True
        (value,) = statement.operands
    return SourceOperand(s.parts(value), lane_type(value).element.name, neg, abs_)


class Unselectable(Exception):
    """A statement that no record selects; `select` and `select_input` decide whether that is bad input."""

    def __init__(self, place: Place | str, message: str) -> None:
        super().__init__(message)
        self.place = place
        self.message = message


def unsupported(statement: Statement, what: str = "") -> Unselectable:
    """The exception for a statement that no record selects."""
    types = ", ".join(
        str(operand.type) for operand in statement.operands if isinstance(operand.type, LaneType)
    )
    return Unselectable(
        statement.place or statement.op.name, f"no instruction for {statement.op.name}({types}){what}"
    )
