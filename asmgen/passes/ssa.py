"""Rewriting a machine program in SSA: the definition of each unit, the number of its uses, and the legal
moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import chain

from isa.instruction import Encoding, ExecMode, Immediate, Instr, Operand, Row, Trait
from isa.named_tuple import NamedTuple
from isa.program import Kernel
from isa.registers import FIRST_VIRTUAL, Register, RegisterClass, units_among
from isa.verify import takes
from regalloc.cfg import ControlFlow, build_control_flow


class Site(NamedTuple):
    """The place of an instruction: block number and position."""

    block: int
    position: int


_COPY_ENCODINGS = frozenset({Encoding.PLAIN, Encoding.E32, Encoding.E64})


def is_copy(instr: Instr) -> bool:
    """Whether the instruction returns its only source unchanged: no lane control, no sub-dword select, no
    modifier."""
    return Trait.MOVE in instr.row.traits and not instr.modifiers and gives_source(instr.row)


def gives_source(row: Row) -> bool:
    """Whether instructions of a row without modifiers are copies."""
    return Trait.MOVE in row.traits and row.encoding in _COPY_ENCODINGS and len(row.operands) == 2


class Rewriter:
    """The instructions of a kernel, replaced in place: a replacement defines the same registers at the same
    site."""

    def __init__(
        self, kernel: Kernel, reads: Mapping[int, int] | None = None, former: Rewriter | None = None
    ) -> None:
        """`reads` is the number of reads of each unit by instructions, if it is known. `former` rewrote the
        kernel before, with no fewer instructions in any block."""
        self.kernel = kernel
        self.table = kernel.table
        self.code: list[list[Instr]] = [list(block.instructions) for block in kernel.blocks]
        self.definitions: dict[int, Site] = {}
        self._reads = reads
        self.made: list[Instr] = []  # the replacements
        self.replaced: set[int] = set()  # the units that replaced instructions and their replacements name
        self._results: dict[Callable[[Row], bool], set[int]] = {}
        self._flow: ControlFlow | None = None
        self._loops: list[frozenset[int]] | None = None
        self._entry_units = {unit for _, register in kernel.abi.entry for unit in register.units}
        self._sites = _sites(self.code) if former is None else former._sites
        self._note_definitions()

    @cached_property
    def use_counts(self) -> dict[int, int]:
        """How many instructions and arguments of edges read each unit."""
        counts = Counter[int]()
        if self._reads is not None:
            counts.update(self._reads)
        else:
            code = [*chain.from_iterable(self.code), *self._terminators()]
            counts.update(chain.from_iterable([instr.units.tracked_read for instr in code]))
        for block in self.kernel.blocks:
            for edge in (*block.linear, *block.logical):
                counts.update(units_among(edge.arguments))
        return dict(counts)

    def _terminators(self) -> list[Instr]:
        return [block.terminator for block in self.kernel.blocks if block.terminator is not None]

    def _note_definitions(self) -> None:
        definitions, physical = self.definitions, set[int]()
        for site, instr in self.sites():
            for unit in instr.units.written:
                if unit >= FIRST_VIRTUAL:
                    definitions[unit] = site
                else:
                    physical.add(unit)
        self._entry_units -= physical

    def sites(self) -> Iterator[tuple[Site, Instr]]:
        """Every instruction but the terminators, with its site."""
        for sites, code in zip(self._sites, self.code, strict=True):
            yield from zip(sites, code, strict=False)

    def at(self, site: Site) -> Instr:
        return self.code[site.block][site.position]

    def replace(self, site: Site, instr: Instr) -> None:
        """Replace the instruction at `site` by `instr`, which defines the same registers."""
        for changed, step in ((self.at(site), -1), (instr, 1)):
            self._count(changed, step)
            self.replaced.update(changed.units.read, changed.units.written)
        self.code[site.block][site.position] = instr
        self.made.append(instr)
        for asked, units in self._results.items():
            if asked(instr.row):
                units.update(instr.units.written)

    def results_of(self, asked: Callable[[Row], bool]) -> set[int]:
        """The units that instructions of some rows write, or wrote before they were replaced."""
        known = self._results.get(asked)
        if known is None:
            made = [instr.units.written for code in self.code for instr in code if asked(instr.row)]
            known = self._results[asked] = set(chain.from_iterable(made))
        return known

    @property
    def changed(self) -> bool:
        """Whether any instruction was replaced."""
        return bool(self.made)

    def definition(self, register: Register) -> tuple[Site, Instr] | None:
        """The instruction that defines all of a virtual register, or None (a parameter, a physical register,
        parts)."""
        if not register.is_virtual:
            return None
        site = self.definitions.get(register.first)
        if site is None:
            return None
        instr = self.at(site)
        is_whole = register in [instr.operands[i] for i in instr.row.defines]
        return (site, instr) if is_whole else None

    def is_part(self, register: Register) -> bool:
        """Whether a register is a part of a virtual tuple."""
        return register.is_virtual and self.kernel.owner(register).count != register.count

    def is_used_once(self, register: Register) -> bool:
        return all(self.use_counts.get(unit, 0) == 1 for unit in register.units)

    def is_legal(self, row: Row, operands: tuple[Operand, ...]) -> bool:
        return takes(row, operands, self.kernel.register_class)

    def may_read(self, register: Register, reader: Row, block: int) -> bool:
        """Whether an instruction of row `reader` in `block`, dominated by all uses so far, may read
        `register` itself.

        After a loop, a scalar register of the loop has the wave's last value; a lane that left earlier needs
        an earlier value, which only a vector register keeps. And a physical register may have another value
        by then.
        """
        if not register.is_virtual:
            return self.is_entry_value(register)
        if (
            reader.exec_mode is ExecMode.SCALAR
            or self.kernel.register_class(register) is not RegisterClass.SGPR
        ):
            return True
        return block in self._innermost_loop(self._defining_block(register))

    def is_entry_value(self, register: Register) -> bool:
        """Whether the hardware fills a physical register before the first instruction, and nothing writes it
        later."""
        return all(unit in self._entry_units for unit in register.units)

    def _defining_block(self, register: Register) -> int:
        site = self.definitions.get(register.first)
        if site is not None:
            return site.block
        for number, block in enumerate(self.kernel.blocks):
            if any(register.overlaps(parameter) for parameter in block.scalar_parameters):
                return number
        return 0

    def _innermost_loop(self, block: int) -> frozenset[int]:
        """The blocks of the innermost loop around `block`, or all blocks if there is none."""
        if self._loops is None:
            everything = frozenset(range(len(self.code)))
            self._loops = [everything] * len(self.code)
            for loop in self.flow.linear.loops:  # outer loops come first
                blocks = frozenset(loop.blocks)
                for inside in blocks:
                    self._loops[inside] = blocks
        return self._loops[block]

    @property
    def flow(self) -> ControlFlow:
        if self._flow is None:
            self._flow = build_control_flow(self.kernel)
        return self._flow

    def finish(self) -> Kernel:
        """The kernel with the rewritten instructions."""
        return self.kernel.with_blocks(
            [block.with_instructions(code) for block, code in zip(self.kernel.blocks, self.code, strict=True)]
        )

    def _count(self, instr: Instr, step: int) -> None:
        counts = self.use_counts
        for unit in instr.units.tracked_read:
            counts[unit] = counts.get(unit, 0) + step


def _sites(blocks: Sequence[Sequence[Instr]]) -> list[list[Site]]:
    return [[Site(number, position) for position in range(len(code))] for number, code in enumerate(blocks)]


def names_any(instr: Instr, units: Set[int]) -> bool:
    """Whether an instruction reads or writes any of some units."""
    touched = instr.units
    return not (units.isdisjoint(touched.read) and units.isdisjoint(touched.written))


def constant(operand: Operand) -> int | None:
    """The bits of an immediate operand, or None."""
    return operand.bits if isinstance(operand, Immediate) else None
