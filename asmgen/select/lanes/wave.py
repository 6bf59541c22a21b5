"""Operations of the whole wave: ids, exchange between lanes, and matrix instructions.

Matrix results are in VGPRs: on targets with AGPRs these are in the same file, so a sum is read there without
a copy.
"""

from __future__ import annotations

from asmgen.emission.entry import SYSTEM_ROLES, WORKGROUP_ID_BITS, WORKITEM, first_bit
from asmgen.ir.program import Statement, lane_type
from asmgen.ir.types import BOOL
from asmgen.lanewise.records import axis_of, instruction_of
from asmgen.select.abi import LOCAL_ID_BITS
from asmgen.select.lanes.masks import active_mask, select_truth
from asmgen.select.operands import fits, put_scalar, put_vector
from asmgen.select.selection import WORD, Part, Selection, unsupported
from isa.instruction import Immediate, Operand
from isa.registers import Register

HALF_OF_WAVE = 32  # lanes, and the bit of a lane's number that tells its half
WORKGROUP_ID_MASK = (1 << WORKGROUP_ID_BITS) - 1


def select_workgroup_id(s: Selection, statement: Statement) -> None:
    """The SGPR that the hardware fills, read in place: nothing writes it, so it needs no copy. An SGPR may
    have two ids."""
    role = SYSTEM_ROLES[axis_of(statement)]
    entry = dict(s.signature.abi.entry)
    place, shift = entry[role], first_bit(s.emitter.target, role)
    is_alone = [entry.get(other) for other in SYSTEM_ROLES].count(place) == 1
    if is_alone and not shift:
        s.define(statement.result, (place,))
        return
    register = s.scalar_destination(statement.result)
    name, constant = ("s_lshr_b32", shift) if shift else ("s_and_b32", WORKGROUP_ID_MASK)
    put_scalar(s.emitter, name, (register,), (place, Immediate(constant)))


def select_local_id(s: Selection, statement: Statement) -> None:
    """v0 itself in a workgroup of a single dimension; the bits of an axis otherwise. An axis of size 1 is
    0."""
    axis = axis_of(statement)
    sizes = s.emitter.kernel.axes
    packed = s.signature.abi.register(WORKITEM)
    if sizes[axis] == 1:
        s.define(statement.result, (Immediate(0),))
    elif axis == 0 and sizes[1] == sizes[2] == 1:
        s.define(statement.result, (packed,))
    else:
        register = s.destination(statement.result)
        put_vector(
            s.emitter,
            "v_bfe_u32",
            (register,),
            (packed, Immediate(axis * LOCAL_ID_BITS), Immediate(LOCAL_ID_BITS)),
        )


def select_shuffle(s: Selection, statement: Statement) -> None:
    """The value of another lane. A uniform lane number is read into an SGPR; other lane numbers go through
    the LDS crossbar, which counts lanes in bytes.

    If the crossbar reaches only the lane's own half of the wave, the values of the other half are exchanged
    first and pass through it too.
    """
    value, lane = statement.operands
    if lane_type(value).element is BOOL:
        _select_bool_of_lane(s, statement)
        return
    position = s.scalar_part(lane)
    if s.is_uniform(statement.result):
        _select_lane(s, statement, position)
        return
    register = s.destination(statement.result)

    def make() -> Register:
        address = s.emitter.vgpr()
        put_vector(s.emitter, "v_lshlrev_b32", (address,), (Immediate(2), position))
        return address

    address = s.emitter.shared(("lane address", position), make)
    crossed = None if s.emitter.target.reaches_whole_wave else _is_other_half(s, position)
    for unit, part in enumerate(s.parts(value)):
        source = s.emitter.to_vgpr(part)
        if crossed is None:
            s.emitter.put("ds_bpermute_b32", register.part(unit), address, source)
            continue
        near, exchanged, far = (s.emitter.vgpr() for _ in range(3))
        s.emitter.put("v_permlane64_b32", exchanged, source)
        s.emitter.put("ds_bpermute_b32", near, address, source)
        s.emitter.put("ds_bpermute_b32", far, address, exchanged)
        put_vector(s.emitter, "v_cndmask_b32", (register.part(unit),), (near, far, crossed))


def _select_bool_of_lane(s: Selection, statement: Statement) -> None:
    """A bit of a lane mask, at a uniform lane number."""
    value, result = statement.operands[0], statement.result
    if s.is_uniform(value):
        s.define(result, s.parts(value))
    elif s.is_uniform(result):
        select_truth(s, statement)
    else:
        raise unsupported(statement)


def _select_lane(s: Selection, statement: Statement, position: Part) -> None:
    value, result = statement.operands[0], statement.result
    if s.is_uniform(value):
        s.define(result, s.parts(value))
        return
    register = s.scalar_destination(result)
    for unit, part in enumerate(s.parts(value)):
        s.emitter.put("v_readlane_b32", register.part(unit), s.emitter.to_vgpr(part), position)


def _is_other_half(s: Selection, position: Part) -> Register:
    """The lanes for which `position` is a lane of the other half of a wave of 64."""
    lower, own, differs = (s.emitter.vgpr() for _ in range(3))
    mask = s.emitter.mask()
    put_vector(s.emitter, "v_mbcnt_lo_u32_b32", (lower,), (Immediate(WORD), Immediate(0)))
    put_vector(s.emitter, "v_mbcnt_hi_u32_b32", (own,), (Immediate(WORD), lower))
    put_vector(s.emitter, "v_xor_b32", (differs,), (position, own))
    half = s.emitter.vgpr()
    put_vector(s.emitter, "v_and_b32", (half,), (Immediate(HALF_OF_WAVE), differs))
    put_vector(s.emitter, "v_cmp_ne_u32", (mask,), (Immediate(0), half))
    return mask


def select_first_lane(s: Selection, statement: Statement) -> None:
    """The value of the first active lane; a uniform value needs no instruction."""
    (value,), result = statement.operands, statement.result
    if s.is_uniform(value):
        s.define(result, s.parts(value))
        return
    if not s.is_uniform(result):
        raise unsupported(statement)
    register = s.scalar_destination(result)
    for unit, part in enumerate(s.parts(value)):
        s.emitter.put("v_readfirstlane_b32", register.part(unit), s.emitter.to_vgpr(part))


def select_ballot(s: Selection, statement: Statement) -> None:
    """A word of a mask."""
    word = statement.attributes["word"]
    assert isinstance(word, int), word
    if word >= s.emitter.masks.units:
        s.define(statement.result, (Immediate(0),))
        return
    mask = active_mask(s, statement.operands[0])
    s.emitter.put("s_mov_b32", s.scalar_destination(statement.result), mask.part(word))


_FIRST_BIT = {1: "s_ff1_i32_b32", 2: "s_ff1_i32_b64"}  # by the SGPRs of a mask; -1 if no bit is set
_LAST_BIT = {1: "s_flbit_i32_b32", 2: "s_flbit_i32_b64"}  # counted from the end of the mask


def select_find_lane(s: Selection, statement: Statement) -> None:
    """The first bit of a mask, or the last. Bits of inactive lanes do not count."""
    emitter, mask = s.emitter, active_mask(s, statement.operands[0])
    register = s.scalar_destination(statement.result)
    units = emitter.masks.units
    if not statement.attributes["last"]:
        emitter.put(_FIRST_BIT[units], register, mask)
        return
    from_end = emitter.sgpr()
    emitter.put(_LAST_BIT[units], from_end, mask)
    put_scalar(emitter, "s_xor_b32", (register,), (from_end, Immediate(32 * units - 1)))


def select_matrix(s: Selection, statement: Statement) -> None:
    from asmgen.lanewise.matrices import matrix_row, misfit, modifiers_of

    table = s.emitter.table
    row, fault = matrix_row(table, instruction_of(statement)), misfit(statement, table)
    if row is None or fault is not None:
        raise unsupported(statement, f": {fault.rule}" if fault else "")
    a, b, c, *of_factors = statement.operands
    factors = [s.as_tuple(s.parts(value), value.name) for value in (a, b)]
    scales = [s.as_tuple(s.parts(value), value.name) for value in of_factors]
    modifiers = modifiers_of(row, [lane_type(value).element.numpy for value in (a, b)])
    parts = s.parts(c)
    constant = parts[0] if all(part == parts[0] for part in parts) else None
    result = s.destination(statement.result)
    if isinstance(constant, Immediate):
        whole: tuple[Operand, ...] = (result, *factors, constant, *scales)
        if fits(s.emitter, row, whole):
            s.emitter.put(row, *whole, **modifiers)
            return
    s.emitter.put(row, result, *factors, s.as_tuple(parts, c.name), *scales, **modifiers)
