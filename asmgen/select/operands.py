"""Fitting operands into a vector instruction: the encoding that takes them, and the copies to VGPRs or SGPRs
that it needs.

The short encoding takes any first source and VGPRs after it. The long encoding takes modifiers, no literal,
and a single scalar value. `isa.verify` decides from the rows what fits.
"""

from __future__ import annotations

from functools import cache

from asmgen.select.emitter import DirectForm, Emitter
from isa.build import ordered_modifiers
from isa.constants import FLOAT_TYPES, constant_width, inline_spelling
from isa.diagnostics import InternalError
from isa.instruction import Encoding, Immediate, Instr, ModifierValue, Operand, Row, Trait
from isa.lane_masks import MASK_TYPES, MaskOperation
from isa.operand_check import INLINE, LITERAL, SGPR, VGPR, OperandCheck, operand_checks
from isa.operations import literal_forms
from isa.registers import Register
from isa.table import Table
from isa.verify import reaches_every_register, shape_of, takes

_DIRECT = (Encoding.PLAIN, Encoding.E32, Encoding.E64)
Sources = tuple[Register | Immediate, ...]


@cache
def encodings(table: Table, name: str) -> tuple[Row, ...]:
    """The rows of a VALU operation that read plain registers and keep nothing of their destination, shortest
    first."""
    rows = tuple(
        row
        for row in table.doing(name)
        if row.encoding in _DIRECT and not row.ties and reaches_every_register(row)
    )
    if not rows:
        raise InternalError("select", name, f"{table.target.name} has no row that does this")
    return rows


@cache
def half_row(table: Table, name: str) -> Row | None:
    """The row of an operation that chooses the half of its first source; None if the target has none."""
    return next(
        (row for row in encodings(table, name) if _modifier_mask(row, "half") >> row.uses[0] & 1), None
    )


@cache
def _modifier_mask(row: Row, name: str) -> int:
    """The sources that may have `neg` or `abs`, or the operands that may have `half`, as a mask."""
    return next((spec.maximum for spec in row.modifiers if spec.name == name), 0)


@cache
def offset_range(row: Row) -> range:
    """The range of the immediate offset of a memory row, in bytes."""
    return next(
        (range(spec.minimum, spec.maximum + 1) for spec in row.modifiers if spec.name == "offset"), range(1)
    )


def fits(emitter: Emitter, row: Row, operands: tuple[Operand, ...]) -> bool:
    """Whether a row takes these operands as they are."""
    return _fixed_ones_stand(row, operands) and takes(row, operands, emitter.kernel.register_class)


def _fixed_ones_stand(row: Row, operands: tuple[Operand, ...]) -> bool:
    """Whether the operands that must be a certain register (VCC of the short encodings) are that register."""
    fixed = _fixed(row)
    return not fixed or all(operands[index] == register for index, register in fixed)


@cache
def _fixed(row: Row) -> tuple[tuple[int, Register], ...]:
    """The operands that must be a certain register, by index."""
    return tuple((i, spec.fixed) for i, spec in enumerate(row.operands) if spec.fixed is not None)


@cache
def _rows_with(table: Table, name: str, neg: int, abs: int) -> tuple[Row, ...]:
    """The encodings of an operation that take source modifiers."""
    return tuple(
        row
        for row in encodings(table, name)
        if (row.encoding is Encoding.E64 or not (neg or abs))
        and not neg & ~_modifier_mask(row, "neg")
        and not abs & ~_modifier_mask(row, "abs")
    )


def put_vector(
    emitter: Emitter,
    name: str,
    destinations: tuple[Register, ...],
    sources: Sources,
    neg: int = 0,
    abs: int = 0,
    reversed: str = "",
) -> None:
    """Append the VALU instruction `name`, in the encoding and with the copies it takes; `neg` and `abs` are
    masks over the sources.

    Constants must have their sign already; `reversed` names the instruction that takes the first two sources
    exchanged.
    """
    if isinstance(sources[-1], Immediate) and not (neg or abs) and _may_have_literal(emitter.table, name):
        sources = (*[_factor(emitter, source) for source in sources[:-1]], sources[-1])
    operands = (*destinations, *sources)
    key = (name, neg, abs, reversed, shape_of(operands, emitter.kernel.register_class))
    try:
        direct = emitter.direct[key]
    except KeyError:
        direct = _direct(emitter, name, destinations, sources, neg, abs, reversed)
        emitter.direct[key] = direct
    if direct is not None:
        form, is_exchanged, modifiers = direct
        if is_exchanged:
            operands = (*destinations, sources[1], sources[0], *sources[2:])
        emitter.append(Instr(form, operands, modifiers, emitter.origin))
        return
    rows = [row for row in _rows_with(emitter.table, name, neg, abs) if _fixed_ones_stand(row, operands)]
    if not rows:
        raise InternalError(
            "select", name, f"no encoding takes the source modifiers neg={neg:#b} abs={abs:#b}"
        )
    form, chosen, n, a = _preferred(emitter, rows, sources, neg, abs, reversed)
    moved = _moved(emitter, form, chosen)
    emitter.put(form, *destinations, *moved, **_source_modifiers(n, a))


@cache
def _may_have_literal(table: Table, name: str) -> bool:
    """Whether an operation has a short form with a literal addend, which takes a factor in an SGPR."""
    return any(literal_forms(table, row) for row in encodings(table, name))


def _factor(emitter: Emitter, source: Register | Immediate) -> Register | Immediate:
    """A factor beside a constant addend: in an SGPR if it would need a literal."""
    if not isinstance(source, Immediate) or inline_spelling(source.bits, "f32") is not None:
        return source
    return emitter.scalar_constant(source.bits)


def _direct(
    emitter: Emitter, name: str, destinations: tuple[Register, ...], sources: Sources, neg: int, abs: int,
    reversed: str,
) -> DirectForm | None:  # fmt: skip
    """The first form of an operation that takes all operands as they are; None if there is none."""
    for row in _rows_with(emitter.table, name, neg, abs):
        if not _fixed_ones_stand(row, (*destinations, *sources)):
            continue
        if takes(row, (*destinations, *sources), emitter.kernel.register_class):
            return DirectForm(row, False, ordered_modifiers(row, _source_modifiers(neg, abs)))
        exchanged = _exchanged(emitter, row, sources, neg, abs, reversed)
        if exchanged is not None:
            form, chosen, n, a = exchanged
            if fits(emitter, form, (*destinations, *chosen)):
                return DirectForm(form, True, ordered_modifiers(form, _source_modifiers(n, a)))
    return None


_Way = tuple[Row, Sources, int, int]  # a row with the sources in its order, and `neg` and `abs` of them


def _exchanged(
    emitter: Emitter, row: Row, sources: Sources, neg: int, abs: int, reversed: str
) -> _Way | None:
    """The candidate with the first two sources exchanged; None if the op has none."""
    if len(sources) < 2:
        return None
    if Trait.COMMUTES not in row.traits:
        if not reversed:
            return None
        row = next(r for r in encodings(emitter.table, reversed) if r.encoding is row.encoding)
    return row, (sources[1], sources[0], *sources[2:]), _exchange(neg), _exchange(abs)


def _exchange(mask: int) -> int:
    """A mask over sources with the first two exchanged."""
    return mask & ~3 | (mask & 1) << 1 | (mask >> 1) & 1


def _preferred(
    emitter: Emitter, rows: list[Row], sources: Sources, neg: int, abs: int, reversed: str
) -> _Way:
    """The row and order that need the fewest copies: a literal or an SGPR first, if there is a short
    encoding."""
    options: list[_Way] = []
    for row in rows:
        options.append((row, sources, neg, abs))
        exchanged = _exchanged(emitter, row, sources, neg, abs, reversed)
        options += [exchanged] if exchanged is not None else []
    return min(options, key=lambda option: _misfits(emitter, option[0], option[1]))


def _misfits(emitter: Emitter, row: Row, sources: Sources) -> int:
    bus: set[Operand] = set()
    count = 0
    for check, source in zip(operand_checks(row)[len(row.defines) :], sources, strict=True):
        allowed, scalar = _allowed(emitter, check, source)
        if not allowed:
            count += 1
        elif scalar:
            bus.add(source)
    return count + max(0, len(bus) - row.constant_bus_limit)


def _allowed(emitter: Emitter, check: OperandCheck, source: Register | Immediate) -> tuple[bool, bool]:
    """Whether a source may be in an operand, and whether it takes the constant bus there."""
    if isinstance(source, Immediate):
        if check.kinds & INLINE and inline_spelling(source.bits, check.spec.type) is not None:
            return True, False
        return bool(check.kinds & LITERAL), True
    if emitter.is_vgpr(source):
        return bool(check.kinds & VGPR), False
    return bool(check.kinds & SGPR), True


def _moved(emitter: Emitter, row: Row, sources: Sources) -> Sources:
    """The sources, copied if the row does not take them; as many scalar values as the row reads stay on the
    constant bus."""
    checks = operand_checks(row)[len(row.defines) :]
    masks = [
        source for check, source in zip(checks, sources, strict=True) if check.spec.type in MASK_TYPES
    ]  # cannot move
    scalars = [
        source for check, source in zip(checks, sources, strict=True)
        if isinstance(source, Register) and emitter.is_scalar(source) and check.kinds & SGPR
    ]  # fmt: skip
    on_bus = list(dict.fromkeys([*masks, *scalars]))[: row.constant_bus_limit]
    result: list[Register | Immediate] = []
    for check, source in zip(checks, sources, strict=True):
        allowed, scalar = _allowed(emitter, check, source)
        has_room = len(on_bus) < row.constant_bus_limit
        if allowed and (not scalar or source in on_bus):
            result.append(source)
        elif allowed and has_room and not (isinstance(source, Immediate) and _has_literal(on_bus)):
            on_bus.append(source)
            result.append(source)
        elif isinstance(source, Immediate) and has_room and check.kinds & SGPR:
            on_bus.append(emitter.scalar_constant(source.bits))
            result.append(on_bus[-1])
        else:
            result.append(emitter.to_vgpr(source))
    return tuple(result)


def _has_literal(operands: list[Register | Immediate]) -> bool:
    return any(isinstance(operand, Immediate) for operand in operands)


def _source_modifiers(neg: int, abs: int) -> dict[str, ModifierValue]:
    modifiers: dict[str, ModifierValue] = {}
    if neg:
        modifiers["neg"] = neg
    if abs:
        modifiers["abs"] = abs
    return modifiers


def put_scalar(emitter: Emitter, name: str, destinations: tuple[Register, ...], sources: Sources) -> None:
    """Append the SALU instruction `name`; of two different literals the second is first moved to an SGPR."""
    row = emitter.table.row(name)
    operands = (*destinations, *sources)
    if not fits(emitter, row, operands):
        *kept, last = sources
        operands = (*destinations, *kept, emitter.to_sgpr(last))
    emitter.put(row, *operands)


def put_mask(
    emitter: Emitter, operation: MaskOperation, result: Register, *sources: Register | Immediate
) -> None:
    """Append an operation on lane masks."""
    put_scalar(emitter, emitter.masks.operations[operation], (result,), sources)


def with_sign(part: Register | Immediate, type_name: str, neg: bool, abs: bool) -> Immediate | None:
    """A float constant with its modifiers applied; None for a register."""
    if not isinstance(part, Immediate):
        return None
    assert type_name in FLOAT_TYPES
    sign = 1 << (constant_width(type_name) - 1)
    bits = part.bits & ~sign if abs else part.bits
    return Immediate(bits ^ sign if neg else bits)
