"""Values that meet at a block: its parameters, and the arguments that each edge brings.

Values in SGPRs, lane masks among them, meet along linear edges, values in VGPRs along logical edges.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.ir.program import Value, lane_type
from asmgen.ir.types import BOOL
from asmgen.select.operands import put_mask
from asmgen.select.selection import Part, Parts, Selection, units
from isa.instruction import Immediate
from isa.lane_masks import MaskOperation
from isa.named_tuple import NamedTuple
from isa.registers import Register


class Merge(NamedTuple):
    """The parameters of a block at which values meet."""

    scalars: tuple[Register, ...]
    vectors: tuple[Register, ...]


def merge_registers(s: Selection, values: Sequence[Value]) -> Merge:
    """Fresh parameters for some values, which become their parts."""
    scalars: list[Register] = []
    vectors: list[Register] = []
    for value in values:
        type_ = lane_type(value)
        if s.is_uniform(value):
            register = s.emitter.sgpr(units(type_), value.name)
            scalars.append(register)
            s.define(value, _units(register))
        elif type_.element is BOOL:
            masks = tuple(s.emitter.mask(value.name) for _ in range(type_.lanes))
            scalars.extend(masks)
            s.define(value, masks)
        else:
            register = s.emitter.vgpr(units(type_), value.name)
            vectors.append(register)
            s.define(value, _units(register))
    return Merge(tuple(scalars), tuple(vectors))


def _units(register: Register) -> Parts:
    return tuple(register.part(i) for i in range(register.count))


def edge_arguments(
    s: Selection, into: Sequence[Value], values: Sequence[Value]
) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """The arguments of the scalar and of the vector parameters, brought into their form in the current
    block."""
    scalars: list[Part] = []
    vectors: list[Part] = []
    for target, value in zip(into, values, strict=True):
        if s.is_uniform(target):
            scalars.append(_scalar_tuple(s, s.parts(value)))
        elif lane_type(target).element is BOOL:
            scalars.extend(s.masks(value))
        else:
            vectors.append(_vector_argument(s, s.parts(value)))
    return tuple(scalars), tuple(vectors)


def take_arguments(
    s: Selection, into: Sequence[Value], scalars: Sequence[Part], vectors: Sequence[Part]
) -> None:
    """Make arguments of an edge, in the order of `edge_arguments`, the parts of values."""
    scalar, vector = iter(scalars), iter(vectors)
    for target in into:
        if s.is_uniform(target):
            s.define(target, _parts_of(next(scalar)))
        elif lane_type(target).element is BOOL:
            s.define(target, tuple(next(scalar) for _ in range(lane_type(target).lanes)))
        else:
            s.define(target, _parts_of(next(vector)))


def _parts_of(argument: Part) -> Parts:
    return _units(argument) if isinstance(argument, Register) else (argument,)


def _scalar_tuple(s: Selection, parts: Parts) -> Part:
    if len(parts) == 1:
        return parts[0]
    whole = s.consecutive(parts)
    if whole is not None:
        return whole
    register = s.emitter.sgpr(len(parts))
    for i, part in enumerate(parts):
        s.emitter.move(register.part(i), part)
    return register


def _vector_argument(s: Selection, parts: Parts) -> Part:
    return parts[0] if len(parts) == 1 and isinstance(parts[0], Immediate) else s.as_tuple(parts)


def put_mask_merge(s: Selection, result: Register, inactive: Part, active: Part) -> None:
    """The bits of `active` in the lanes of EXEC, and of `inactive` in the others."""
    emitter = s.emitter
    kept, taken = emitter.mask(), emitter.mask()
    put_mask(emitter, MaskOperation.AND_NOT, kept, inactive, emitter.masks.exec)
    put_mask(emitter, MaskOperation.AND, taken, active, emitter.masks.exec)
    put_mask(emitter, MaskOperation.OR, result, kept, taken)


def is_mask(s: Selection, value: Value) -> bool:
    """Whether a value is in lane masks."""
    return lane_type(value).element is BOOL and not s.is_uniform(value)
