"""The input of `check`: the functions of a file, and each instruction with its line."""

from __future__ import annotations

from bisect import bisect_left

from msgspec import Struct, field

from isa.diagnostics import InputError, Place
from isa.emulator.program.blocks import block_ranges, blocks_of
from isa.emulator.program.code import Code
from isa.hazards import RuleSet, rules_of_text, touches_a0
from isa.instruction import Instr, Trait
from isa.named_tuple import NamedTuple
from isa.program import Kernel
from isa.registers import Register
from isa.targets import TargetId


class Encoded(NamedTuple):
    """The address of an instruction of a code object, and its bytes."""

    address: int
    bytes: bytes


class ListedFunction(Struct):
    """The instructions of a function in order, with the place and the line number, from 1, of each.

    A code object has no lines: they are 0, and the places are addresses. `vgprs` is the number in the
    function's descriptor, without AGPRs; 0 if it has none. `calls_touch_a0` says whether a function that it
    calls may touch AGPR 0.
    """

    name: str
    code: Code
    places: list[Place]
    vgprs: int = 0
    calls_touch_a0: bool = True
    encoded: list[Encoded] = field(default_factory=list)  # of each instruction of a code object
    instructions: list[Instr] = field(default_factory=list)  # the instructions of `code`, collected once
    _indices: dict[int, int] = field(default_factory=dict)  # by the identity of an instruction

    def __post_init__(self) -> None:
        self.instructions = self.code.instructions
        self._indices = {id(instr): index for index, instr in enumerate(self.instructions)}

    def line(self, index: int) -> int:
        return self.places[index].line

    def kernel(self, target: TargetId) -> Kernel:
        """The function as the passes take it."""
        return Kernel(self.name, target, blocks=blocks_of(self.code))

    def rules(self, target: TargetId) -> RuleSet:
        """The hazard rules for the function."""
        return rules_of_text(target, self.instructions, self.calls_touch_a0)

    def block_ranges(self) -> list[tuple[int, int]]:
        """The first instruction of each block, and the first after it, in the order of `kernel`'s blocks."""
        return block_ranges(self.code)

    def without(self, indices: frozenset[int]) -> ListedFunction:
        """The function with some instructions left out."""
        kept = [i for i in range(len(self.instructions)) if i not in indices]
        labels = {name: bisect_left(kept, index) for name, index in self.code.labels.items()}
        code = Code(self.code.name, [self.instructions[i] for i in kept], labels)
        places = [self.places[i] for i in kept]
        encoded = [self.encoded[i] for i in kept] if self.encoded else []
        return ListedFunction(self.name, code, places, self.vgprs, self.calls_touch_a0, encoded)

    def index_of(self, instr: Instr) -> int:
        """The index of an instruction object of the function."""
        return self._indices[id(instr)]


class Listing(Struct):
    """A file: its lines (none for a code object), and its functions in the order of the text.

    `expanded` says that LLVM's assembler has expanded the text, so that a line may be several instructions.
    `refused` are functions of a code object that cannot be read, with the reason.
    """

    name: str
    target: TargetId
    lines: list[str]
    functions: list[ListedFunction] = field(default_factory=list)
    expanded: bool = False
    refused: dict[str, InputError] = field(default_factory=dict[str, InputError])

    def settle_calls(self) -> None:
        """Note in each function whether any function of the file touches AGPR 0, once all are known. LLVM
        looks into the functions that are called in the same way."""
        touches = any(touches_a0(instr) for function in self.functions for instr in function.instructions)
        for function in self.functions:
            function.calls_touch_a0 = touches or bool(self.refused)


def without_padding(function: ListedFunction) -> ListedFunction:
    """The function without the NOPs that nothing runs into: after an instruction that leaves, up to the next
    label or other code."""
    entered = {*function.code.labels.values(), function.code.entry, function.code.preload_entry}
    padding: set[int] = set()
    left = False
    for index, instr in enumerate(function.instructions):
        if left and index not in entered and Trait.NOP in instr.row.traits:
            padding.add(index)
        else:
            left = _leaves(instr)
    return function.without(frozenset(padding)) if padding else function


def _leaves(instr: Instr) -> bool:
    """Whether the next instruction can only be reached by a label: after the end, and after a jump that is
    not a call."""
    traits = instr.row.traits
    return Trait.END in traits or (
        Trait.BRANCH in traits and Trait.CONDITIONAL_BRANCH not in traits and not instr.row.defines
    )


def returns(instr: Instr) -> bool:
    """Whether an instruction jumps to a register's value, as a return does, and is no call."""
    return _leaves(instr) and Trait.BRANCH in instr.row.traits and isinstance(instr.operands[-1], Register)
