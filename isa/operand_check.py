"""Checks a single operand: its class, its width and alignment, and the value of an immediate.

    v_add_u32_e32 v0, 1, s2     ISA001: src1 is s2, wanted a VGPR

`isa.verify` checks the relations between operands.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from isa.constants import constant_width, inline_spelling, literal_bits
from isa.fields import format_fields
from isa.instruction import (
    Immediate,
    Kind,
    Label,
    Operand,
    OperandSpec,
    Row,
)
from isa.named_tuple import NamedTuple
from isa.registers import (
    EXEC,
    FIRST_VGPR,
    FIRST_VIRTUAL,
    M0,
    NULL,
    SCC,
    VCC,
    Register,
    RegisterClass,
    physical_class,
    register_name,
)

ClassOf = Callable[[Register], RegisterClass | None]

SGPR, VGPR, _AGPR = Kind.SGPR.value, Kind.VGPR.value, Kind.AGPR.value
_M0, _EXEC, _STATUS = Kind.M0.value, Kind.EXEC.value, Kind.SCALAR_STATUS.value
INLINE, LITERAL, _SIMM = Kind.INLINE.value, Kind.LITERAL.value, Kind.SIMM.value
_NULL, _ZERO, _FIELDS = Kind.NULL.value, Kind.ZERO_FLAGS.value, Kind.FIELDS.value
_SCALAR = SGPR | _M0 | _EXEC | _STATUS | _NULL | _ZERO
COUNTED = _SCALAR & ~_NULL  # counts towards the scalar values that a vector instruction may read
_ANY_WIDTH = _STATUS | _NULL | _ZERO  # what reads as a value of any width
_EITHER = VGPR | _AGPR
_CLASS_KIND = {
    RegisterClass.SGPR: SGPR,
    RegisterClass.VGPR: VGPR,
    RegisterClass.AGPR: _AGPR,
    RegisterClass.AV: _EITHER,
}
_KIND_WORDS = {
    Kind.VGPR: "a VGPR", Kind.SGPR: "an SGPR", Kind.AGPR: "an AGPR", Kind.M0: "m0", Kind.EXEC: "exec",
    Kind.SCALAR_STATUS: "a status register", Kind.INLINE: "an inline constant", Kind.LITERAL: "a literal",
    Kind.SIMM: "an immediate", Kind.LABEL: "a label", Kind.OFF: "off", Kind.HWREG: "hwreg(...)",
    Kind.FIELDS: "fields", Kind.NULL: "null", Kind.ZERO_FLAGS: "src_vccz or src_execz",
}  # fmt: skip
_FIRST_APERTURE, _LAST_APERTURE = 235, 238
_ZERO_FLAGS = (251, 252)  # src_vccz, src_execz


class Fault(NamedTuple):
    """Why an instruction is not legal: a stable code, and a message."""

    code: str
    message: str


class OperandCheck(NamedTuple):
    """An operand spec as plain integers."""

    spec: OperandSpec
    kinds: int
    width: int
    align: int
    scalar_align: int
    is_use: bool


@cache
def operand_checks(row: Row) -> tuple[OperandCheck, ...]:
    """The operand specs of a row as plain integers."""
    defines = set(row.defines)
    return tuple(
        OperandCheck(
            spec, spec.kinds.value, spec.count, spec.align, spec.scalar_align or spec.align, i not in defines
        )
        for i, spec in enumerate(row.operands)
    )


def operand_check(row: Row, index: int) -> OperandCheck:
    """The requirements on an operand of a row, for `operand_fault`."""
    return operand_checks(row)[index]


def known_class(register: Register) -> RegisterClass | None:
    """The class of a physical register; None for a virtual register, because only its kernel knows its
    class."""
    return None if register.first >= FIRST_VIRTUAL else physical_class(register)


def register_kind(register: Register, register_class: RegisterClass | None) -> int:
    """The operand kind that a register is, as the value of a `Kind`: both vector kinds for class AV; every
    register kind for an unknown class; 0 for none."""
    if register_class is None:
        return _SCALAR | VGPR | _AGPR
    kind = _CLASS_KIND.get(register_class)
    if kind is not None:
        return kind
    first = register.first
    if first == M0.first:
        return _M0
    if first == NULL.first:
        return _NULL
    if EXEC.first <= first <= EXEC.first + 1:
        return _EXEC
    if first in _ZERO_FLAGS:
        return _ZERO
    if _FIRST_APERTURE <= first <= _LAST_APERTURE or first == SCC.first:
        return _STATUS
    return SGPR if VCC.first < first < M0.first else 0


def wanted(spec: OperandSpec) -> str:
    """The allowed kinds of an operand, in words."""
    kinds = [text for kind, text in _KIND_WORDS.items() if kind in spec.kinds]
    width = (
        f" of {spec.count} registers"
        if spec.count > 1 and spec.kinds & (Kind.VGPR | Kind.SGPR | Kind.AGPR)
        else ""
    )
    if spec.fixed is not None:
        return register_name(spec.fixed)
    return " or ".join(kinds) + width


def operand_fault(check: OperandCheck, operand: Operand, class_of: ClassOf) -> Fault | None:
    """The first fault of an operand by itself."""
    if isinstance(operand, Register):
        return _register_fault(check, operand, class_of)
    spec = check.spec
    if isinstance(operand, Immediate):
        return _immediate_fault(check, operand.bits)
    kind = Kind.LABEL if isinstance(operand, Label) else Kind.OFF
    if kind not in spec.kinds:
        shown = f"label {operand.name}" if isinstance(operand, Label) else "off"
        return Fault("ISA001", f"{spec.name} is {shown}, wanted {wanted(spec)}")
    return None


def _register_fault(check: OperandCheck, register: Register, class_of: ClassOf) -> Fault | None:
    spec = check.spec
    kind = register_kind(register, class_of(register))
    if not kind & check.kinds or (kind == _EITHER and kind & ~check.kinds):
        shown = register_name(register)
        if kind == _EITHER:
            shown += ", which may be in either file"
        elif register.is_virtual and (word := _KIND_WORDS.get(Kind(kind))):
            shown = f"{word}, {shown}"
        return Fault("ISA001", f"{spec.name} is {shown}, wanted {wanted(spec)}")
    if register.count != check.width and not kind & _ANY_WIDTH:
        return Fault(
            "ISA002",
            f"{spec.name} is {register.count} registers ({register_name(register)}), wanted {check.width}",
        )
    if register.first >= FIRST_VIRTUAL:
        return None
    align = check.scalar_align if kind == SGPR else check.align
    if kind == SGPR and register.first < VCC.first < register.first + register.count:
        shown = register_name(register)
        return Fault("ISA002", f"{spec.name} is {shown}, which goes on into VCC, wanted SGPRs alone")
    if align > 1 and register.first % align and not kind & _ANY_WIDTH:
        return Fault(
            "ISA003",
            f"{spec.name} is {register_name(register)}, wanted a first register that is a multiple of "
            f"{align}",
        )
    if spec.reach and register.first + register.count > FIRST_VGPR + spec.reach and kind == VGPR:
        return Fault("ISA001", f"{spec.name} is {register_name(register)}, wanted a VGPR below v{spec.reach}")
    if spec.fixed is not None and register != spec.fixed:
        return Fault(
            "ISA001", f"{spec.name} is {register_name(register)}, wanted {register_name(spec.fixed)}"
        )
    return None


def _immediate_fault(check: OperandCheck, bits: int) -> Fault | None:
    spec, kinds = check.spec, check.kinds
    if kinds & _FIELDS:
        if 0 <= bits < 1 << 16 and format_fields(bits, spec.type) is not None:
            return None
        return Fault("ISA004", f"{spec.name} is {bits:#x}, wanted {wanted(spec)} with named values")
    if not kinds & (INLINE | LITERAL | _SIMM):
        return Fault("ISA001", f"{spec.name} is the constant {bits:#x}, wanted {wanted(spec)}")
    if not 0 <= bits < 1 << constant_width(spec.type):
        return Fault(
            "ISA004", f"{spec.name} is {bits:#x}, wanted an immediate of {constant_width(spec.type)} bits"
        )
    if kinds & _SIMM or (kinds & INLINE and inline_spelling(bits, spec.type) is not None):
        return None
    if not kinds & LITERAL:
        return Fault("ISA004", f"{spec.name} is the literal {bits:#x}, wanted {wanted(spec)}")
    if literal_bits(bits, spec.type) is None:
        return Fault(
            "ISA004", f"{spec.name} is {bits:#x}, wanted a value that a 32-bit literal can give a {spec.type}"
        )
    return None
