"""Copies and constants moved into the instructions that use them, as far as the rows' operand limits allow.

If an operand is not legal in its place, the instruction's other encodings, its commuted form and the forms
with a literal are tried. The move itself dies with its last use.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from asmgen.passes.ssa import Rewriter, Site, is_copy
from isa.constants import constant_width, inline_spelling
from isa.instruction import Encoding, Immediate, Instr, Operand, OperandSpec, Row, Trait
from isa.operations import literal_forms
from isa.program import Edge, Kernel
from isa.registers import FIRST_VIRTUAL, Register, RegisterClass
from isa.table import Table
from isa.verify import reaches_every_register


class Copies:
    """For every unit that a copy defines: the unit it equals, or the constant."""

    def __init__(self, rewriter: Rewriter) -> None:
        self._rewriter = rewriter
        self._sources: dict[int, int] = {}
        self._constants: dict[int, int] = {}
        self._known: set[int] = set()  # the units of both

    def take(self, former: Copies) -> None:
        """Take over the facts of the same program in an earlier form."""
        self._sources.update(former._sources)
        self._constants.update(former._constants)
        self._known.update(former._known)

    def forget(self, instr: Instr) -> None:
        """Know nothing of the results of an instruction."""
        written = instr.units.written
        if not self._known.isdisjoint(written):
            self._known.difference_update(written)
            for unit in written:
                _ = self._sources.pop(unit, None), self._constants.pop(unit, None)

    def note(self, instr: Instr) -> None:
        if Trait.MOVE not in instr.row.traits or not is_copy(instr):
            return
        target, source = instr.operands
        if not isinstance(target, Register) or not target.is_virtual:
            return
        if isinstance(source, Immediate):
            if target.count == 1:
                self._constants[target.first] = source.bits
                self._known.add(target.first)
        elif isinstance(source, Register) and source.count == target.count and self._is_value(source):
            for mine, theirs in zip(target.units, source.units, strict=True):
                self._sources[mine] = self._sources.get(theirs, theirs)
                self._known.add(mine)
                if theirs in self._constants:
                    self._constants[mine] = self._constants[theirs]

    def _is_value(self, source: Register) -> bool:
        return source.is_virtual or self._rewriter.is_entry_value(source)

    def resolved(self, operand: Operand) -> Operand:
        """The known constant in an operand, or the operand."""
        bits = self.constant(operand) if isinstance(operand, Register) else None
        return operand if bits is None else Immediate(bits)

    def has(self, register: Register) -> bool:
        """Whether anything is known of the first unit of a register."""
        return register.first in self._known

    def may_change(self, instr: Instr) -> bool:
        """Whether a copy or a constant is known for any unit that an instruction reads."""
        return not self._known.isdisjoint(instr.units.read)

    def constant(self, register: Register) -> int | None:
        return self._constants.get(register.first) if register.count == 1 else None

    def source(self, register: Register) -> Register | None:
        """The register that all units of `register` are copied from in order, or None."""
        first = self._sources.get(register.first)
        if first is None:
            return None
        if any(self._sources.get(unit) != first + i for i, unit in enumerate(register.units)):
            return None
        return Register(first, register.count)


def propagated(instr: Instr, site: Site, copies: Copies, rewriter: Rewriter) -> Instr | None:
    """The instruction with every copy or constant that may be in its operands; None if there is none."""
    tied = [use for use, _ in instr.row.ties]
    changed = False
    for index in _places(rewriter.table, instr.row):
        register = instr.operands[index]
        if not isinstance(register, Register) or register.first < FIRST_VIRTUAL:
            continue
        if index in tied or not copies.has(register):
            continue
        for candidate in _candidates(register, instr, index, site, copies, rewriter):
            replaced = _with_operand(instr, index, candidate, rewriter)
            if replaced is not None:
                instr, changed = replaced, True
                break
    return instr if changed else None


@cache
def _places(table: Table, row: Row) -> tuple[int, ...]:
    """The operands that a row reads, in the order in which they are replaced. An instruction takes a single
    literal: that of a product and a sum is the addend, since the form with a literal addend takes a factor in
    an SGPR, and the form with a literal factor takes no addend in an SGPR."""
    return row.uses[::-1] if literal_forms(table, row) else row.uses


def _candidates(
    register: Register, instr: Instr, index: int, site: Site, copies: Copies, rewriter: Rewriter
) -> Iterator[Operand]:
    spec = instr.row.operands[index]
    bits = copies.constant(register)
    if bits is not None and spec.count == 1 and not _stays(instr, index, bits, rewriter):
        yield Immediate(bits & (1 << constant_width(spec.type)) - 1)
    source = copies.source(register)
    if (
        source is not None
        and _fits(source, spec, rewriter)
        and rewriter.may_read(source, instr.row, site.block)
    ):
        yield source


def _stays(instr: Instr, index: int, bits: int, rewriter: Rewriter) -> bool:
    """Whether a constant stays in its register."""
    register = instr.operands[index]
    assert isinstance(register, Register)
    return _is_spare_copy(instr, register, rewriter) or _is_common_factor(instr, register, bits, rewriter)


def _is_common_factor(instr: Instr, register: Register, bits: int, rewriter: Rewriter) -> bool:
    """Whether a constant in an SGPR is a factor that needs a literal, beside a constant addend, and has other
    readers: the short form then has the addend as its literal."""
    *_, addend = instr.operands
    return (
        isinstance(addend, Immediate)
        and bool(literal_forms(rewriter.table, instr.row))
        and rewriter.kernel.register_class(register) is RegisterClass.SGPR
        and not rewriter.is_used_once(register)
        and inline_spelling(bits, "f32") is None
    )


def _is_spare_copy(instr: Instr, source: Register, rewriter: Rewriter) -> bool:
    """Whether a copy within a class fills a register of its own: its uses take the constant themselves, and
    the copy dies."""
    target = instr.operands[0]
    if not is_copy(instr) or not isinstance(target, Register) or rewriter.is_part(target):
        return False
    return rewriter.kernel.register_class(target) is rewriter.kernel.register_class(source)


def _fits(source: Register, spec: OperandSpec, rewriter: Rewriter) -> bool:
    """A part of a tuple has to keep the alignment that the operand wants. Registers with consecutive numbers
    are not a tuple by that alone."""
    if source.count == 1:
        return True
    if not source.is_virtual:
        return source.first % spec.align == 0
    owner = rewriter.kernel.owner(source)
    same_place = owner.align % spec.align == 0 and (source.first - owner.first) % spec.align == 0
    return same_place and source.first + source.count <= owner.first + owner.count


def _with_operand(instr: Instr, index: int, candidate: Operand, rewriter: Rewriter) -> Instr | None:
    operands = tuple(candidate if i == index else operand for i, operand in enumerate(instr.operands))
    for form, order in _forms(rewriter.table, instr.row, bool(instr.modifiers)):
        reordered = tuple(operands[i] for i in order)
        if rewriter.is_legal(form, reordered):
            return instr.as_row(form, reordered, instr.modifiers)
    return None


@cache
def _forms(table: Table, target: Row, has_modifiers: bool) -> tuple[tuple[Row, tuple[int, ...]], ...]:
    """Rows that compute the same from these operands, each with the order of operands; the row itself
    first."""
    same = tuple(range(len(target.operands)))
    forms = [(target, same)]
    if has_modifiers or target.encoding not in (Encoding.E32, Encoding.E64):
        return tuple(forms)
    swapped = (0, 2, 1, *same[3:]) if Trait.COMMUTES in target.traits and len(target.defines) == 1 else None
    if swapped:
        forms.append((target, swapped))
    for other in table.named(target.name):
        if other is not target and _interchangeable(target, other):
            forms.append((other, same))
            if swapped:
                forms.append((other, swapped))
    return (*forms, *literal_forms(table, target))


def _interchangeable(row: Row, other: Row) -> bool:
    """Two encodings with the same operands and no required modifier, whatever registers they get."""
    if (
        other.encoding not in (Encoding.E32, Encoding.E64)
        or other.form != row.form
        or len(other.operands) != len(row.operands)
    ):
        return False
    same_fixed = all(
        a.fixed == b.fixed or b.fixed is None for a, b in zip(row.operands, other.operands, strict=True)
    )
    return (
        same_fixed
        and reaches_every_register(other)
        and other.traits == row.traits
        and not any(spec.required for spec in other.modifiers)
    )


def propagate_arguments(kernel: Kernel, copies: Copies) -> Kernel:
    """Replace edge arguments that are copies within a register class by the source of the copy."""

    def argument(register: Register | Immediate) -> Register | Immediate:
        if not isinstance(register, Register) or not register.is_virtual:
            return register
        source = copies.source(register)
        if (
            source is None
            or not source.is_virtual
            or kernel.register_class(source) is not kernel.register_class(register)
        ):
            return register
        if kernel.register_class(source) is RegisterClass.SGPR or source.count == 1:
            return source
        return register

    def edge(old: Edge) -> Edge:
        return Edge(old.target, tuple(argument(a) for a in old.arguments)) if old.arguments else old

    if not any(e.arguments for block in kernel.blocks for e in (*block.linear, *block.logical)):
        return kernel
    for block in kernel.blocks:
        block.linear = tuple(edge(e) for e in block.linear)
        block.logical = tuple(edge(e) for e in block.logical)
    return kernel
