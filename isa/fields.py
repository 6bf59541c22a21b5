"""Immediates with named fields, and their spelling: RDNA's waits for the ALUs, issue hints and messages.

The operand's type names the layout: `depctr` (s_waitcnt_depctr, s_wait_alu), `delay_alu`, `gpr_idx`
(s_set_gpr_idx_on), `sendmsg_cdna`, `sendmsg_rdna3` and `sendmsg_rdna4` (`sendmsg_rtn_` for those with a
result), and `loadcnt_dscnt` and `storecnt_dscnt` for a wait for two counters. A field that the text leaves
out has its `idle` value, which has no effect. Sources: RDNA3 ISA, sections 16.5 and 5.7; RDNA4 ISA, section
15.5; spelling by llvm-mc.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from isa.constants import parse_integer
from isa.instruction import OperandSpec
from isa.named_tuple import NamedTuple

# Patterns are text here: `re` compiles each at its first use and keeps it, and most compiles use none.
_ITEM = r"(\w+)\((\w+)\)([|,&]?)"
_MESSAGE = r"sendmsg\((\w+)(?:,(\w+),(\w+))?\)\Z"


class BitField(NamedTuple):
    """`width` bits from bit `shift`; `words` are the names of its values, if they have names."""

    name: str
    shift: int
    width: int
    idle: int = 0
    words: tuple[str, ...] = ()

    def of(self, bits: int) -> int:
        return bits >> self.shift & (1 << self.width) - 1


class BitLayout(NamedTuple):
    """The fields of a type in the order in which they are spelt, and the two ways between text (without
    spaces) and bits."""

    fields: tuple[BitField, ...]
    parse: Callable[[BitLayout, str], int | None]
    spell: Callable[[BitLayout, int], str | None]
    messages: tuple[tuple[int, str], ...] = ()


def field_values(spec: OperandSpec, bits: int) -> dict[str, int]:
    """The fields of an operand by name; an operand without fields is a single field of its own name."""
    layout = _LAYOUTS.get(spec.type)
    return {spec.name: bits} if layout is None else {field.name: field.of(bits) for field in layout.fields}


def pack_fields(spec: OperandSpec, values: Mapping[str, int]) -> int:
    """The immediate with these values in its fields and every other field idle; the opposite of
    `field_values`."""
    layout = _LAYOUTS.get(spec.type)
    if layout is None:
        return values[spec.name]
    return _pack(layout, values)


@lru_cache(maxsize=1024)
def parse_fields(text: str, type_name: str) -> int | None:
    """The immediate that text without spaces means, or None: fields, or a plain number."""
    layout = _LAYOUTS[type_name]
    number = parse_integer(text)
    bits = layout.parse(layout, text) if number is None else number
    return bits if bits is not None and 0 <= bits < 1 << 16 else None


@lru_cache(maxsize=1024)
def format_fields(bits: int, type_name: str) -> str | None:
    """The spelling of an immediate; None if a field has a value without a name."""
    layout = _LAYOUTS[type_name]
    return layout.spell(layout, bits)


def _pack(layout: BitLayout, values: Mapping[str, int]) -> int:
    return sum(values.get(field.name, field.idle) << field.shift for field in layout.fields)


def _covered(layout: BitLayout) -> int:
    """The bits that belong to a field."""
    return sum((1 << field.width) - 1 << field.shift for field in layout.fields)


def _items(text: str, separators: str) -> list[tuple[str, str]] | None:
    """The `name(value)` items of a text with separators between them; None if the text has another form."""
    items: list[tuple[str, str]] = []
    position, separator = 0, ""
    while position < len(text):
        item = re.compile(_ITEM, re.ASCII).match(text, position)
        if item is None or (items and separator not in separators.split(" ")):
            return None
        name, value, separator = item.groups()
        items.append((name, value))
        position = item.end()
    return None if separator or len(dict(items)) != len(items) else items


def _parse_depctr(layout: BitLayout, text: str) -> int | None:
    """`depctr_va_vdst(0) depctr_va_sdst(1)`, with or without commas or `&` between."""
    items = _items(text, " , &")
    by_name = {f"depctr_{field.name}": field for field in layout.fields}
    if items is None:
        return None
    values: dict[str, int] = {}
    for name, value in items:
        field, number = by_name.get(name), parse_integer(value)
        if field is None or number is None or not 0 <= number <= field.idle:
            return None
        values[field.name] = number
    return _pack(layout, values)


def _spell_depctr(layout: BitLayout, bits: int) -> str:
    """The fields that are not idle, or all fields if all are idle; a number if a bit belongs to no field."""
    if bits & ~_covered(layout):
        return hex(bits)
    spelt = [(field, field.of(bits)) for field in layout.fields]
    waited = [(field, value) for field, value in spelt if value != field.idle]
    return " ".join(f"depctr_{field.name}({value})" for field, value in waited or spelt)


def _parse_delay(layout: BitLayout, text: str) -> int | None:
    """`instid0(VALU_DEP_1) | instskip(NEXT) | instid1(TRANS32_DEP_1)`."""
    items = _items(text, "|")
    by_name = {field.name: field for field in layout.fields}
    if items is None or any(name not in by_name or value not in by_name[name].words for name, value in items):
        return None
    return _pack(layout, {name: by_name[name].words.index(value) for name, value in items})


def _spell_delay(layout: BitLayout, bits: int) -> str | None:
    if bits & ~_covered(layout) or any(field.of(bits) >= len(field.words) for field in layout.fields):
        return None
    spelt = [f"{field.name}({field.words[field.of(bits)]})" for field in layout.fields if field.of(bits)]
    return " | ".join(spelt) or "0"


def _parse_message(layout: BitLayout, text: str) -> int | None:
    """`sendmsg(MSG_INTERRUPT)`, or `sendmsg(5, 0, 0)`: message, operation and stream."""
    match = re.match(_MESSAGE, text, re.ASCII)
    if match is None:
        return None
    name, operation, stream = match.groups(default="0")
    named = {spelling: number for number, spelling in layout.messages}
    message, first, second = (
        named.get(name, parse_integer(name)),
        parse_integer(operation),
        parse_integer(stream),
    )
    if message is None or first is None or second is None:
        return None
    return (
        message | first << 4 | second << 8
        if 0 <= message < 256 and 0 <= first < 8 and 0 <= second < 4
        else None
    )


def _spell_plain_message(layout: BitLayout, bits: int) -> str | None:
    """Only messages by name; the graphics pipeline's, with an operation and a stream, have no spelling
    here."""
    name = dict(layout.messages).get(bits)
    return f"sendmsg({name})" if name else None


def _spell_message(layout: BitLayout, bits: int) -> str | None:
    """A named message hides the bits above it, so a value that has some has no spelling."""
    name = dict(layout.messages).get(bits & 255)
    if bits >> 8:
        return None if name else str(bits)
    return f"sendmsg({name})" if name else f"sendmsg({bits}, 0, 0)"


def _spell_returning(layout: BitLayout, bits: int) -> str | None:
    """A message with a result is eight bits in all."""
    return None if bits >> 8 else _spell_message(layout, bits)


_INDEXED = r"gpr_idx\(((?:\w+,?)*)\)\Z"


def _parse_indexed(layout: BitLayout, text: str) -> int | None:
    """`gpr_idx(SRC0,DST)`: the operands that are indexed."""
    match = re.match(_INDEXED, text, re.ASCII)
    names = [name for name in match[1].split(",") if name] if match else None
    known = {field.name for field in layout.fields}
    if names is None or not known.issuperset(names) or len(set(names)) != len(names):
        return None
    return _pack(layout, dict.fromkeys(names, 1))


def _spell_indexed(layout: BitLayout, bits: int) -> str | None:
    if bits & ~_covered(layout):
        return None
    return f"gpr_idx({','.join(field.name for field in layout.fields if field.of(bits))})"


def _parse_nothing(_layout: BitLayout, _text: str) -> None:
    """Spelt as a number alone."""


def _spell_hex(_layout: BitLayout, bits: int) -> str:
    return hex(bits)


def _counts(high: str) -> BitLayout:
    return BitLayout((BitField("dscnt", 0, 6, 63), BitField(high, 8, 6, 63)), _parse_nothing, _spell_hex)


_DELAYS = (
    "NO_DEP", "VALU_DEP_1", "VALU_DEP_2", "VALU_DEP_3", "VALU_DEP_4", "TRANS32_DEP_1", "TRANS32_DEP_2",
    "TRANS32_DEP_3", "FMA_ACCUM_CYCLE_1", "SALU_CYCLE_1", "SALU_CYCLE_2", "SALU_CYCLE_3",
)  # fmt: skip
_SKIPS = ("SAME", "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4")
_DEPCTR = tuple(
    BitField(name, shift, width, (1 << width) - 1)
    for name, shift, width in (
        ("hold_cnt", 7, 1), ("sa_sdst", 0, 1), ("va_vdst", 12, 4), ("va_sdst", 9, 3), ("va_ssrc", 8, 1),
        ("va_vcc", 1, 1), ("vm_vsrc", 2, 3),
    )
)  # fmt: skip
_COMMON_MESSAGES = (
    (1, "MSG_INTERRUPT"), (2, "MSG_HS_TESSFACTOR"), (3, "MSG_DEALLOC_VGPRS"), (9, "MSG_GS_ALLOC_REQ"),
    (128, "MSG_RTN_GET_DOORBELL"), (129, "MSG_RTN_GET_DDID"), (130, "MSG_RTN_GET_TMA"),
    (131, "MSG_RTN_GET_REALTIME"), (132, "MSG_RTN_SAVE_WAVE"), (133, "MSG_RTN_GET_TBA"),
    (134, "MSG_RTN_GET_TBA_TO_PC"),
)  # fmt: skip
_RDNA3_MESSAGES = (*_COMMON_MESSAGES, (5, "MSG_STALL_WAVE_GEN"), (6, "MSG_HALT_WAVES"))
_RDNA4_MESSAGES = (*_COMMON_MESSAGES, (135, "MSG_RTN_GET_SE_AID_ID"))
# those of CDNA that have neither operation nor stream
_CDNA_MESSAGES = (
    (1, "MSG_INTERRUPT"), (4, "MSG_SAVEWAVE"), (5, "MSG_STALL_WAVE_GEN"), (6, "MSG_HALT_WAVES"),
    (7, "MSG_ORDERED_PS_DONE"), (8, "MSG_EARLY_PRIM_DEALLOC"), (9, "MSG_GS_ALLOC_REQ"),
    (10, "MSG_GET_DOORBELL"),
)  # fmt: skip
_MESSAGE_FIELD = (BitField("message", 0, 8),)
_LAYOUTS: dict[str, BitLayout] = {
    "depctr": BitLayout(_DEPCTR, _parse_depctr, _spell_depctr),
    "delay_alu": BitLayout(
        (
            BitField("instid0", 0, 4, 0, _DELAYS),
            BitField("instskip", 4, 3, 0, _SKIPS),
            BitField("instid1", 7, 4, 0, _DELAYS),
        ),
        _parse_delay,
        _spell_delay,
    ),
    "gpr_idx": BitLayout(
        tuple(BitField(name, i, 1) for i, name in enumerate(("SRC0", "SRC1", "SRC2", "DST"))),
        _parse_indexed,
        _spell_indexed,
    ),
    "sendmsg_cdna": BitLayout(
        (BitField("message", 0, 4),), _parse_message, _spell_plain_message, _CDNA_MESSAGES
    ),
    "sendmsg_rdna3": BitLayout(_MESSAGE_FIELD, _parse_message, _spell_message, _RDNA3_MESSAGES),
    "sendmsg_rdna4": BitLayout(_MESSAGE_FIELD, _parse_message, _spell_message, _RDNA4_MESSAGES),
    "sendmsg_rtn_rdna3": BitLayout(_MESSAGE_FIELD, _parse_message, _spell_returning, _RDNA3_MESSAGES),
    "sendmsg_rtn_rdna4": BitLayout(_MESSAGE_FIELD, _parse_message, _spell_returning, _RDNA4_MESSAGES),
    "loadcnt_dscnt": _counts("loadcnt"),
    "storecnt_dscnt": _counts("storecnt"),
}
