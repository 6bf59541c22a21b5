"""Appending instructions to blocks: the current block, fresh registers, and constants that are made once.

A *scope* is a region of the program. A register that is made in a scope may be read in it and in the scopes
inside it. Constants that a loop needs are made in the block before the outermost loop around.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from contextlib import contextmanager
from typing import TypeGuard

from msgspec import Struct, field
from msgspec.structs import replace

from isa.build import build, ordered_modifiers
from isa.constants import inline_spelling, literal_bits
from isa.diagnostics import Place
from isa.footprint import Footprint
from isa.instruction import Immediate, Instr, Label, ModifierValue, Off, Operand, Origin, Row, has_phases
from isa.lane_masks import MaskOperation, lane_masks
from isa.moves import find_fill
from isa.named_tuple import NamedTuple
from isa.program import Block, Edge, Kernel
from isa.registers import Register, RegisterClass

# 32-bit registers that keep constants for later use, and those of them that are filled before a loop. A chain
# of 1,000 float functions makes each constant again for each use if they do not fit: with 32 SGPRs, the
# program that is selected for gfx942 has 3,358 s_mov_b32 instead of 62, and with 8 VGPRs 934 v_mov_b32
# instead of 20. Later passes must join them again. A chain with remainders and powers, which have constants
# of f64, has 979 s_mov_b32 at the end with 64 SGPRs and 51 with 88.
MOST_CONSTANTS = {RegisterClass.SGPR: 88, RegisterClass.VGPR: 24}
_MOST_HOISTED = {RegisterClass.SGPR: 64, RegisterClass.VGPR: 8}


_OPERANDS = frozenset[type]({Register, Immediate, Label, Off})


class _Scope(Struct):
    """The registers made in a region. If the region is the body of a loop, `preheader` is the block before
    the loop."""

    preheader: Block | None
    made: dict[Hashable, Register] = field(default_factory=dict)
    hoisted: dict[RegisterClass, int] = field(
        default_factory=dict
    )  # registers that constants of this loop take around it


class _Kept(Struct, frozen=True):
    """A constant that may be used again: its scope, and the registers it takes."""

    scope: _Scope
    register_class: RegisterClass
    count: int


class DirectForm(NamedTuple):
    """A row that takes operands as they are, perhaps with the first two sources exchanged, and its
    modifiers."""

    row: Row
    is_exchanged: bool
    modifiers: tuple[tuple[str, ModifierValue], ...]


def _of_phase(instr: Instr, phase: int) -> Instr:
    return replace(instr, phase=phase) if has_phases(instr.row) else instr


class Emitter:
    """Appends instructions to the current block. Every instruction takes the current origin."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.table = kernel.table
        self.target = kernel.table.target
        self.masks = lane_masks(self.target.wave_size)
        self.origin: Origin | None = None
        # vector operations by name, modifiers and the shapes of their operands; None if some are copied
        self.direct: dict[Hashable, DirectForm | None] = {}
        self._scopes = [_Scope(None)]
        self._kept: dict[Hashable, _Kept] = {}  # the least recently used first
        self._labels: dict[str, int] = {}
        self._phase = 0
        self.block = self.start(self.label("entry"))

    # Blocks and scopes

    def label(self, stem: str) -> str:
        """A label that no other block has."""
        number = self._labels.get(stem, 0)
        self._labels[stem] = number + 1
        return f"{stem}_{number}" if number else stem

    def start(
        self, label: str, scalars: tuple[Register, ...] = (), vectors: tuple[Register, ...] = ()
    ) -> Block:
        """Begin the next block in layout order, with its parameters."""
        self.block = Block(label, scalars, vectors)
        self.kernel.blocks.append(self.block)
        return self.block

    def end(self, linear: tuple[Edge, ...], logical: tuple[Edge, ...], branch: str = "") -> None:
        """Finish the current block; `branch` names a conditional branch to the first linear target."""
        block = self.block
        if branch:
            block.terminator = build(self.table.row(branch), Label(linear[0].target), origin=self.origin)
        block.linear, block.logical = linear, logical

    @contextmanager
    def scope(self, preheader: Block | None = None) -> Generator[None]:
        self._scopes.append(_Scope(preheader))
        try:
            yield
        finally:
            left = self._scopes.pop()
            self._kept = {key: kept for key, kept in self._kept.items() if kept.scope is not left}

    @contextmanager
    def before_loop(self, preheader: Block) -> Generator[None]:
        """Instructions put in here go to the end of the block before a loop around, and see only values made
        before the loop."""
        depth = next(i for i, scope in enumerate(self._scopes) if scope.preheader is preheader)
        inside, self._scopes = self._scopes[depth:], self._scopes[:depth]
        current, self.block = self.block, preheader
        try:
            yield
        finally:
            self._scopes += inside
            self.block = current

    # Registers

    def sgpr(self, count: int = 1, name: str = "") -> Register:
        return self.kernel.new_register(
            RegisterClass.SGPR, count, 4 if count > 2 else count, name, self._place()
        )

    def vgpr(self, count: int = 1, name: str = "") -> Register:
        return self.kernel.new_register(
            RegisterClass.VGPR, count, min(count, self.target.vgpr_alignment), name, self._place()
        )

    def mask(self, name: str = "") -> Register:
        """SGPRs for a lane mask."""
        return self.sgpr(self.masks.units, name)

    def _place(self) -> Place | None:
        return self.origin.place if self.origin else None

    def is_vgpr(self, operand: Operand) -> bool:
        return isinstance(operand, Register) and self.kernel.register_class(operand) is RegisterClass.VGPR

    def is_scalar(self, operand: Operand) -> bool:
        return isinstance(operand, Register) and self.kernel.register_class(operand) is not RegisterClass.VGPR

    # Instructions

    def put(self, instruction: Row | str, *operands: Operand | int, **modifiers: ModifierValue) -> None:
        """Append an instruction, given by its row or its operation's name; operands in the row's order, tied
        operands included."""
        self.append(self.instr(instruction, *operands, **modifiers))

    def append(self, instr: Instr) -> None:
        """Append an instruction, of the present phase of the program if it is of a kind that has phases."""
        self.block.instructions.append(_of_phase(instr, self._phase) if self._phase else instr)

    def next_phase(self) -> None:
        """Begin a phase of the program. Without any, instructions have none."""
        if not self._phase:
            self._phase = 1
            for block in self.kernel.blocks:
                block.instructions[:] = [_of_phase(instr, 1) for instr in block.instructions]
        self._phase += 1

    def put_access(
        self,
        touches: tuple[Footprint, ...],
        instruction: Row | str,
        *operands: Operand | int,
        **modifiers: ModifierValue,
    ) -> None:
        """Append an access of memory, as `put`, with the memory that it may touch."""
        made = self.instr(instruction, *operands, **modifiers)
        self.append(Instr(made.row, made.operands, made.modifiers, made.origin, touches=touches))

    def put_mask(self, operation: MaskOperation, *operands: Operand | int) -> None:
        """Append an operation on lane masks, the result first."""
        self.put(self.masks.operations[operation], *operands)

    def move(self, target: Register, source: Register | Immediate) -> None:
        """Append a copy: a single move if the target has a move of so many registers and it takes the
        constant, else a move for each register."""
        whole = find_fill(self.table, self.kernel.register_class(target), target.count)
        if whole is not None and (not isinstance(source, Immediate) or _stands(whole, source)):
            self.put(whole, target, source)
            return
        for i in range(target.count):
            part = (
                Immediate(source.bits >> 32 * i & 0xFFFFFFFF)
                if isinstance(source, Immediate)
                else source.part(i)
            )
            self.move(target.part(i), part)

    def instr(self, instruction: Row | str, *operands: Operand | int, **modifiers: ModifierValue) -> Instr:
        """An instruction with the current origin. Operands that need no conversion are taken unchecked: the
        verifier checks the selected program."""
        row = self.table.row(instruction) if isinstance(instruction, str) else instruction
        if _are_converted(operands):
            kept = ordered_modifiers(row, modifiers) if modifiers else ()
            return Instr(row, operands, kept, self.origin)
        return build(row, *operands, origin=self.origin, contract=False, comment="", touches=(), **modifiers)

    # Registers that are made once

    def shared(self, key: Hashable, make: Callable[[], Register]) -> Register:
        """The register that `make` fills with something of this region, made once in it."""
        register = self._find(key)
        if register is None:
            register = self._scopes[-1].made[key] = make()
        return register

    def constant(
        self, key: Hashable, register_class: RegisterClass, count: int, fill: Callable[[Register], None]
    ) -> Register:
        """A register that `fill` gives a value that depends on nothing; it is kept for later uses while there
        is room."""
        register = self._find(key)
        if register is not None:
            self._kept[key] = self._kept.pop(key)
            return register
        scope, place = self._constant_place(register_class, count)
        register = self.sgpr(count) if register_class is RegisterClass.SGPR else self.vgpr(count)
        current, self.block = self.block, place
        fill(register)
        self.block = current
        scope.made[key] = register
        self._keep(key, scope, register_class)
        return register

    def _constant_place(self, register_class: RegisterClass, count: int) -> tuple[_Scope, Block]:
        """Before the outermost loop around, while that has room for more constants; here otherwise."""
        for index, scope in enumerate(self._scopes):
            if scope.preheader is None:
                continue
            taken = scope.hoisted.get(register_class, 0) + count
            if taken > _MOST_HOISTED[register_class]:
                break
            scope.hoisted[register_class] = taken
            return self._scopes[index - 1], scope.preheader
        return self._scopes[-1], self.block

    def _keep(self, key: Hashable, scope: _Scope, register_class: RegisterClass) -> None:
        """Note a constant as the most recently used, and forget the least recently used if there are too
        many."""
        self._kept[key] = _Kept(scope, register_class, scope.made[key].count)
        while (
            sum(kept.count for kept in self._kept.values() if kept.register_class is register_class)
            > MOST_CONSTANTS[register_class]
        ):
            oldest = next(k for k, kept in self._kept.items() if kept.register_class is register_class)
            del self._kept.pop(oldest).scope.made[oldest]

    def is_made(self, key: Hashable) -> bool:
        """Whether something that is made once is there already."""
        return self._find(key) is not None

    def _find(self, key: Hashable) -> Register | None:
        for scope in reversed(self._scopes):
            if key in scope.made:
                return scope.made[key]
        return None

    def scalar_constant(self, bits: int) -> Register:
        """A 32-bit pattern in an SGPR."""
        if self._find(("s2", bits, 0)) is not None:
            return self.scalar_pair(bits, 0).part(0)
        return self.constant(
            ("s", bits), RegisterClass.SGPR, 1, lambda register: self.move(register, Immediate(bits))
        )

    def vector_constant(self, bits: int) -> Register:
        """A 32-bit pattern in a VGPR, the same in every lane."""
        return self.constant(
            ("v", bits), RegisterClass.VGPR, 1, lambda register: self.move(register, Immediate(bits))
        )

    def scalar_pair(self, low: int, high: int) -> Register:
        """An SGPR pair of two 32-bit patterns."""
        return self.constant(
            ("s2", low, high),
            RegisterClass.SGPR,
            2,
            lambda pair: self.move(pair, Immediate(low | high << 32)),
        )

    def scalar_mask(self, bits: int) -> Register:
        """A lane mask in SGPRs."""
        return (
            self.scalar_constant(bits)
            if self.masks.units == 1
            else self.scalar_pair(bits & 0xFFFFFFFF, bits >> 32)
        )

    def vector_pair(self, low: int, high: int) -> Register:
        """A VGPR pair of two 32-bit patterns."""
        return self.constant(
            ("v2", low, high),
            RegisterClass.VGPR,
            2,
            lambda pair: self.move(pair, Immediate(low | high << 32)),
        )

    # Copies between the files

    def to_vgpr(self, operand: Register | Immediate) -> Register:
        """The value in VGPRs, a 32-bit constant in a single VGPR: the operand itself, or a copy."""
        if isinstance(operand, Immediate):
            return self.vector_constant(operand.bits)
        if self.is_vgpr(operand):
            return operand

        def make() -> Register:
            register = self.vgpr(operand.count)
            self.move(register, operand)
            return register

        return self.shared(("copy", operand), make)

    def to_sgpr(self, operand: Register | Immediate) -> Register:
        """A scalar value in an SGPR: itself, or a constant's."""
        return self.scalar_constant(operand.bits) if isinstance(operand, Immediate) else operand


def _are_converted(operands: tuple[Operand | int, ...]) -> TypeGuard[tuple[Operand, ...]]:
    """Whether none of some operands is a Python number."""
    return _OPERANDS.issuperset(map(type, operands))


def _stands(row: Row, constant: Immediate) -> bool:
    """Whether a move takes a constant, inline or as a literal; a literal is zero-extended if it fills a
    pair."""
    type_name = row.operands[1].type
    return (
        inline_spelling(constant.bits, type_name) is not None
        or literal_bits(constant.bits, type_name) is not None
    )
