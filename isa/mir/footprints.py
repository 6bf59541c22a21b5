"""Footprints in `.mir` text, as JSON objects. A field that is left out has its default:

    !touches {"lds": "a_lds", "slot": "trip_k mod 2", "bytes": ["0", 0, 2032, 16, 16], "loop": "trip_k"}

`bytes` has the uniform part, the first and the last byte of the lanes' parts, their step, and the width.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import cast

from isa.footprint import Bytes, Footprint, Space
from isa.instruction import Row, Trait, Unit
from isa.mir.fields import Line
from isa.program import Argument

IsIndex = Callable[[str], bool]
_REACHED = {
    Unit.LDS: (Space.LDS,),
    Unit.SCRATCH: (Space.SCRATCH,),
    Unit.VMEM: (Space.GLOBAL,),
    Unit.SMEM: (Space.GLOBAL, Space.ARGUMENTS),
    Unit.FLAT: (Space.GLOBAL, Space.LDS, Space.SCRATCH),
}
_WANTED = (
    '!touches wants {"global"|"lds"|"scratch"|"arguments": OBJECT, "slot": INDEX, '
    '"bytes": [INDEX, FIRST, LAST, STEP, WIDTH], "loop": NAME}, of which the first is required'
)


def print_footprint(footprint: Footprint) -> str:
    """The text of a footprint."""
    fields: dict[str, object] = {footprint.space.value: footprint.object}
    if footprint.slot != "0":
        fields["slot"] = footprint.slot
    if footprint.bytes is not None:
        fields["bytes"] = footprint.bytes
    if footprint.loop:
        fields["loop"] = footprint.loop
    return json.dumps(fields)


def read_footprint(
    line: Line, row: Row, value: object, arguments: tuple[Argument, ...], is_index: IsIndex
) -> Footprint:
    """A footprint of an instruction from its JSON object; else InputError MIR005."""
    fields = cast("dict[str, object]", value) if isinstance(value, dict) else {}
    spaces = [space for space in Space if space.value in fields]
    known = {"slot", "bytes", "loop", *(space.value for space in spaces)}
    if len(spaces) != 1 or not fields.keys() <= known:
        raise line.error("MIR005", _WANTED)
    (space,) = spaces
    if space not in _reached(row):
        raise line.error(
            "MIR005", f"!touches names {space.value}, wanted memory that {row.mnemonic} accesses"
        )
    buffers = [argument.name for argument in arguments if argument.is_buffer]
    if space is Space.GLOBAL and fields[space.value] not in buffers:
        known = ", ".join(buffers) or "none: the kernel has no buffers"
        raise line.error("MIR005", f"!touches names {fields[space.value]!r}, wanted one of {known}")
    object_, loop, slot = fields[space.value], fields.get("loop", ""), fields.get("slot", "0")
    if not (
        isinstance(object_, str) and object_ and isinstance(loop, str) and isinstance(slot, str)
        and is_index(slot)
    ):  # fmt: skip
        raise line.error("MIR005", _WANTED)
    return Footprint(space, object_, slot, _bytes(line, fields.get("bytes"), is_index), loop)


def _reached(row: Row) -> tuple[Space, ...]:
    """The spaces that an instruction of a row may access."""
    spaces = _REACHED.get(row.unit, ())
    return (*spaces, Space.LDS) if Trait.LDS_DMA in row.traits else spaces


def _bytes(line: Line, value: object, is_index: IsIndex) -> Bytes | None:
    if value is None:
        return None
    match cast("list[object]", value) if isinstance(value, list) else []:
        case [str() as at, int() as first, int() as last, int() as step, int() as width] if (
            is_index(at) and first <= last and step > 0 and width > 0 and (last - first) % step == 0
        ):
            return Bytes(at, first, last, step, width)
        case _:
            raise line.error("MIR005", _WANTED)
