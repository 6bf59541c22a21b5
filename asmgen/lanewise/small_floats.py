"""The instructions that convert between f32 and the floats of 8 bits, by their semantics (`isa.semantics`).

gfx942 has AMD's own formats, gfx950 and gfx1201 those of OCP. A target without instructions for a format
converts with integers (`asmgen.lanewise.math.narrow.conversions`).
"""

from __future__ import annotations

from functools import cache

from asmgen.ir.types import ElementType
from isa.instruction import Encoding, Row
from isa.named_tuple import NamedTuple
from isa.table import Table


class Conversions(NamedTuple):
    """The operations of a format of 8 bits: from a byte to a float, and from two floats to two bytes;
    `suffix` is the suffix of their semantics."""

    from_byte: str
    to_bytes: str
    suffix: str


FORMATS: dict[str, Conversions] = {
    "fp8e4m3fnuz": Conversions("v_cvt_f32_fp8", "v_cvt_pk_fp8_f32", ""),
    "fp8e5m2fnuz": Conversions("v_cvt_f32_bf8", "v_cvt_pk_bf8_f32", ""),
    "fp8e4m3fn": Conversions("v_cvt_f32_fp8", "v_cvt_pk_fp8_f32", "_ocp"),
    "fp8e5m2": Conversions("v_cvt_f32_bf8", "v_cvt_pk_bf8_f32", "_ocp"),
}


def is_small_float(element: ElementType) -> bool:
    """Whether lanes only move values of the type: a float of 16 bits or fewer that is not f16."""
    return element.name == "bf16" or element.name in FORMATS


@cache
def from_byte(table: Table, element: ElementType) -> tuple[Row, ...]:
    """The rows that make an f32 of a byte of this format, the shortest encoding first; empty if the target
    has none."""
    form = FORMATS[element.name]
    return _doing(table, form.from_byte, form.suffix)


@cache
def to_bytes(table: Table, element: ElementType) -> tuple[Row, ...]:
    """The rows that make two bytes of this format of two f32."""
    form = FORMATS[element.name]
    return _doing(table, form.to_bytes, form.suffix)


def _doing(table: Table, operation: str, suffix: str) -> tuple[Row, ...]:
    return tuple(
        row
        for row in table.doing(operation)
        if row.semantics == f"{operation}{suffix}"
        and row.encoding in (Encoding.E32, Encoding.E64, Encoding.SDWA)
    )
