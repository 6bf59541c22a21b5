"""The memory that an access may touch: a buffer of the kernel, if its address identifies the buffer.

A kernel's buffers do not overlap (docs/architecture.md, "Machine programs"), so two accesses of different
buffers are independent. If an address is computed from the pointer of a single buffer, the access belongs to
that buffer. Pointers are words of the kernarg segment, preloaded or read from it. Any other
access may be anywhere.
"""

from __future__ import annotations

from asmgen.passes.dependence.facts import OrderFacts, order_facts
from isa.instruction import Immediate, Instr, Kind, Row, Trait, Unit
from isa.program import Argument, Kernel
from isa.registers import FIRST_VIRTUAL, Register

ANYWHERE = -1  # the places of an unknown address; as a mask it has every bit
_KERNARG_ROLE, _PRELOAD_ROLE = "kernarg_segment_ptr", "preload"
_BYTES = 4

LDS_PLACE, SCRATCH_PLACE = 0, 1
FIRST_BUFFER_PLACE = 2


class Memory:
    """The places of a kernel's memory, by number: LDS, scratch, and a place for each argument. The last place
    is memory outside of all arguments.

    On physical registers, which are reused for different values, every global access may be anywhere.
    """

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._points: dict[int, int] | None = None
        count = len(kernel.arguments) + 1
        self._kernarg = 1 << count  # the mask of the segment itself, which is read-only
        self._global = range(FIRST_BUFFER_PLACE, FIRST_BUFFER_PLACE + count)
        self._constant = {
            FIRST_BUFFER_PLACE + number
            for number, argument in enumerate(kernel.arguments)
            if argument.access == "read_only"
        }
        self.shared = (LDS_PLACE, *[place for place in self._global if place not in self._constant])

    def places(self, instr: Instr, facts: OrderFacts, tells_apart: bool) -> tuple[int, ...]:
        """The places that an access may touch, without places that no instruction writes.

        Buffers are distinguished only on request, since that takes a walk over the whole kernel.
        """
        places: list[int] = []
        if facts.in_lds or facts.fills_lds:
            places.append(LDS_PLACE)
        if facts.in_scratch:
            places.append(SCRATCH_PLACE)
        if facts.in_global:
            mask = self._pointed(instr) if tells_apart and self._kernel.owners else ANYWHERE
            if mask == self._kernarg:
                return tuple(places)
            places += [place for place in self._global if mask >> (place - FIRST_BUFFER_PLACE) & 1]
            if not facts.is_write:
                return tuple([place for place in places if place not in self._constant])
        return tuple(places)

    def _pointed(self, instr: Instr) -> int:
        """The arguments that the scalar base of an access may point into, as a mask."""
        if self._points is None:
            self._points = _pointers(self._kernel, self._kernarg)
        points, mask = self._points, 0
        for index in _bases(instr.row):
            base = instr.operands[index]
            if isinstance(base, Register):
                for unit in base.units:
                    mask |= points.get(unit, ANYWHERE)
        return mask or ANYWHERE


def _bases(row: Row) -> tuple[int, ...]:
    """The operands with a scalar address or a buffer resource."""
    return tuple(i for i in row.uses if row.operands[i].count > 1 and row.operands[i].kinds & Kind.SGPR)


def _pointers(kernel: Kernel, kernarg: int) -> dict[int, int]:
    """The arguments that every unit may be computed from the pointers of, as masks, to the fixed point."""
    words = _argument_words(kernel.arguments)
    points: dict[int, int] = {}
    for role, register in kernel.abi.entry:
        for number, unit in enumerate(register.units):
            if role == _KERNARG_ROLE:
                points[unit] = kernarg
            elif role == _PRELOAD_ROLE:
                points[unit] = words.get(number, ANYWHERE)
            else:
                points[unit] = 0
    blocks = {block.label: block for block in kernel.blocks}
    changed = True
    while changed:
        changed = False
        for block in kernel.blocks:
            for instr in block.instructions:
                changed |= _follow(instr, points, words, kernarg)
            for edges, is_scalar in ((block.linear, True), (block.logical, False)):
                for edge in edges:
                    target = blocks[edge.target]
                    parameters = target.scalar_parameters if is_scalar else target.vector_parameters
                    for argument, parameter in zip(edge.arguments, parameters, strict=False):
                        mask = _of(argument, points) if isinstance(argument, Register) else 0
                        changed |= _join(points, parameter, mask)
    return points


def _argument_words(arguments: tuple[Argument, ...]) -> dict[int, int]:
    """By word of the kernarg segment: the argument with the pointer that the word belongs to, or no argument.

    A value of 64 bits may be an address that a user passes as a number.
    """
    words: dict[int, int] = {}
    for number, argument in enumerate(arguments):
        mask = 1 << number if argument.is_buffer else ANYWHERE if argument.size >= 2 * _BYTES else 0
        for word in range(argument.offset // _BYTES, (argument.offset + argument.size + 3) // _BYTES):
            words[word] = mask
    return words


def _follow(instr: Instr, points: dict[int, int], words: dict[int, int], kernarg: int) -> bool:
    """Extend the places to which the results of an instruction may point. Returns whether that added any."""
    row = instr.row
    mask = 0
    for i in row.uses:
        operand = instr.operands[i]
        if isinstance(operand, Register):
            mask |= _of(operand, points)
    changed = False
    for i in row.defines:
        result = instr.operands[i]
        if not isinstance(result, Register):
            continue
        if row.unit is Unit.SMEM and mask == kernarg:
            first = _offset(instr)
            for number, unit in enumerate(result.units):
                found = ANYWHERE if first is None else words.get(first + number, ANYWHERE)
                changed |= _join(points, Register(unit), found)
        else:
            loads = order_facts(row).is_access or mask & kernarg
            changed |= _join(points, result, ANYWHERE if loads else mask)
    return changed


def _offset(instr: Instr) -> int | None:
    """The word of the segment from which a scalar load reads; None if a register gives the offset."""
    immediates = [o.bits for i in instr.row.uses if isinstance(o := instr.operands[i], Immediate)]
    if len(immediates) != 1 or Trait.LOAD not in instr.row.traits or immediates[0] % _BYTES:
        return None
    return immediates[0] // _BYTES


def _of(register: Register, points: dict[int, int]) -> int:
    mask = 0
    for unit in register.units:
        mask |= points.get(unit, 0 if unit >= FIRST_VIRTUAL else ANYWHERE)
    return mask


def _join(points: dict[int, int], register: Register, mask: int) -> bool:
    changed = False
    for unit in register.units:
        before = points.get(unit)
        joined = mask if before is None else before | mask
        if joined != before:
            points[unit] = joined
            changed = True
    return changed
