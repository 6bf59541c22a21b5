"""Fetching the kernel's arguments: pointers to buffers into pairs of SGPRs, scalars into as many as they
need.

Preloaded arguments are read in place. The others are loaded at the kernel's start, several at once if they
are adjacent. A scalar of less than a dword is extracted from its dword before its first use.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from asmgen.ir.program import Statement, Value, lane_type
from asmgen.ir.types import BOOL, ElementType, NumberKind
from asmgen.lanewise.records import axis_of
from asmgen.select.abi import KERNARG_POINTER, POINTER_BYTES, POINTER_DWORDS, dwords_of
from asmgen.select.memory.global_memory import SCALAR_LOADS
from asmgen.select.operands import put_scalar, put_vector
from asmgen.select.selection import Parts, Selection
from isa.footprint import KERNEL_ARGUMENTS
from isa.instruction import Immediate
from isa.registers import DWORD, Register, RegisterClass

MOST_POINTERS = 32  # that are kept in SGPRs, of which there are 102 or 106, from the start
_BITS_OF_WIDTH = 16  # in s_bfe, the place of the width after that of the first bit


def load_arguments(s: Selection) -> None:
    """Fetch the parameters that something reads."""
    load_pointers(s, s.signature.buffers)
    for scalar in s.signature.scalars:
        if s.uses.of(scalar):
            _load_scalar(s, scalar)


def select_hidden(s: Selection, statement: Statement) -> None:
    """A fact of the launch that the runtime passes: its dword, loaded once at the kernel's start."""
    argument = s.signature.hidden(statement.op, axis_of(statement))
    first = argument.offset // DWORD * DWORD

    def load(register: Register) -> None:
        _fetch(s, "s_load_dword", first, register)

    whole = s.emitter.constant(("hidden", first), RegisterClass.SGPR, 1, load)
    if argument.size == DWORD:
        s.define(statement.result, (whole,))
        return
    result = s.scalar_destination(statement.result)
    bits = 8 * (argument.offset - first) | 8 * argument.size << _BITS_OF_WIDTH
    put_scalar(s.emitter, "s_bfe_u32", (result,), (whole, Immediate(bits)))


def _load_scalar(s: Selection, scalar: Value) -> None:
    """Load the dwords of a scalar; a scalar of less than a dword becomes its bits alone."""
    if lane_type(scalar).lanes > 1:
        _load_vector(s, scalar)
        return
    element, offset = lane_type(scalar).element, s.signature.offset(scalar)
    register = s.signature.preloaded(scalar)
    if register is None:
        register = s.emitter.sgpr(dwords_of(scalar), scalar.name)
        name = next(name for size, name in SCALAR_LOADS if size == DWORD * register.count)
        _fetch(s, name, offset // DWORD * DWORD, register)
    if element.bytes >= DWORD:
        s.define(scalar, tuple(register.part(i) for i in range(register.count)))
    else:
        s.define_late(scalar, partial(_bits_of, s, scalar, register, 8 * (offset % DWORD)))


def _load_vector(s: Selection, vector: Value) -> None:
    """Load the dwords of a vector: SGPRs if its type can be there, else copies in VGPRs."""
    type_, offset = lane_type(vector), s.signature.offset(vector)
    register = s.signature.preloaded(vector)
    parts = [] if register is None else [register.part(i) for i in range(register.count)]
    while len(parts) < dwords_of(vector):
        left = DWORD * (dwords_of(vector) - len(parts))
        size, name = next((size, name) for size, name in SCALAR_LOADS if size <= left)
        some = s.emitter.sgpr(size // DWORD, vector.name)
        _fetch(s, name, offset // DWORD * DWORD + DWORD * len(parts), some)
        parts += [some.part(i) for i in range(some.count)]
    count = -(-type_.lanes * type_.element.bytes // DWORD)
    if s.is_uniform(vector):
        s.define(vector, tuple(parts[:count]))
        return
    register = s.destination(vector)
    for number in range(count):
        if offset % DWORD:
            shift = Immediate(8 * (offset % DWORD))
            put_vector(s.emitter, "v_lshrrev_b32", (register.part(number),), (shift, parts[number]))
        else:
            s.emitter.move(register.part(number), parts[number])


def _bits_of(s: Selection, scalar: Value, register: Register, first: int) -> Parts:
    """A number of 8 or 16 bits, or a bool as 0 or 1; sign-extended if it is signed."""
    element = lane_type(scalar).element
    result = s.emitter.sgpr(1, scalar.name)
    name = "s_bfe_i32" if element.kind is NumberKind.SIGNED else "s_bfe_u32"
    put_scalar(s.emitter, name, (result,), (register, Immediate(first | _width(element) << _BITS_OF_WIDTH)))
    return (result,)


def _width(element: ElementType) -> int:
    return 1 if element is BOOL else element.bits


def load_pointers(s: Selection, buffers: tuple[Value, ...]) -> None:
    """Fetch the pointers that are not preloaded, several at once if they are adjacent.

    If there are more than `MOST_POINTERS`, each is fetched before its first use, and again if it has not been
    used for long.
    """
    wanted = [buffer for buffer in buffers if s.uses.of(buffer) and s.signature.preloaded(buffer) is None]
    is_late = len(wanted) > MOST_POINTERS
    place = {buffer: s.signature.offset(buffer) for buffer in wanted}
    while wanted:
        run = 1
        while run < len(wanted) and place[wanted[run]] == place[wanted[run - 1]] + POINTER_BYTES:
            run += 1
        count, name = next(
            (size // POINTER_BYTES, name) for size, name in SCALAR_LOADS if size <= run * POINTER_BYTES
        )
        fetch = partial(_fetch, s, name, place[wanted[0]])
        if is_late:
            key = ("pointers", place[wanted[0]])
            pointers = partial(s.emitter.constant, key, RegisterClass.SGPR, POINTER_DWORDS * count, fetch)
        else:
            register = s.emitter.sgpr(POINTER_DWORDS * count, wanted[0].name if count == 1 else "pointers")
            fetch(register)
            pointers = partial(_itself, register)
        for i, buffer in enumerate(wanted[:count]):
            s.define_pointer(buffer, partial(_pointer_of, pointers, i))
        wanted = wanted[count:]


def _fetch(s: Selection, name: str, offset: int, register: Register) -> None:
    pointer = s.signature.abi.register(KERNARG_POINTER)
    s.emitter.put_access((KERNEL_ARGUMENTS,), name, register, pointer, offset)


def _itself(register: Register) -> Register:
    return register


def _pointer_of(pointers: Callable[[], Register], number: int) -> Register:
    return pointers().part(POINTER_DWORDS * number, POINTER_DWORDS)
