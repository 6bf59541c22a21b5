"""The program that a function of a kernel by hand writes: blocks of instructions on variables.

A *variable* is a virtual register that may be written several times; `ssa` gives each write a register of its
own afterwards. Every instruction keeps the line of Python that it is from.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Hashable
from contextlib import contextmanager
from types import CodeType, FrameType

from asmgen.select.emitter import Emitter
from isa.diagnostics import InputError, Place
from isa.instruction import Origin
from isa.program import Block, Edge, Kernel
from isa.registers import FIRST_VIRTUAL, Register, RegisterClass

_PACKAGE = __name__.rpartition(".")[0]
# Calls of a kernel's function that write instructions. Most kernels have fewer than 1,000; 30,000 are three
# times the instruction cache, and take three seconds.
MOST_CALLS = 30_000


class Recorder(Emitter):
    """Appends instructions to the current block, each with the line of the caller.

    Nothing is kept for later: a variable may have another value by then, and `passes.combine` shares equal
    instructions anyway.
    """

    def __init__(self, kernel: Kernel, function: CodeType) -> None:
        super().__init__(kernel)
        self._function = function
        self.read_only: set[int] = set()  # units of arguments and ids
        self._calls = 0
        self.is_ended = False  # the current block has its terminator: only a label may follow
        self.loops: list[Block] = []  # the block before each loop around, the innermost last

    def shared(self, key: Hashable, make: Callable[[], Register]) -> Register:
        """A register that `make` gives, made anew each time."""
        return make()

    def constant(
        self, key: Hashable, register_class: RegisterClass, count: int, fill: Callable[[Register], None]
    ) -> Register:
        """A register with a constant, each time anew."""
        register = self.sgpr(count) if register_class is RegisterClass.SGPR else self.vgpr(count)
        fill(register)
        return register

    # Places

    def place(self) -> Place:
        """The caller's position: the innermost frame that is not of this package."""
        frame: FrameType | None = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
        while frame is not None and frame.f_globals.get("__package__") == _PACKAGE:
            frame = frame.f_back
        return _place_of(frame) if frame is not None else Place(self._function.co_filename)

    def at(self, op: str) -> None:
        """Give the instructions to come the caller's line; `op` is the method that the caller calls.
        `InputError` HND052 if the function seems not to end."""
        self.origin = Origin(op, self.place())
        self._calls += 1
        if self._calls > MOST_CALLS:
            message = f"got more than {MOST_CALLS} statements of a kernel, wanted a function that ends"
            help = "a loop of Python writes its body each time; with k.loop(0, n) as i: writes it once"
            raise self.fault("HND052", message, help)

    def fault(self, code: str, message: str, help: str = "", notes: tuple[str, ...] = ()) -> InputError:
        """The error for the caller's line."""
        return InputError(self.place(), code, message, notes, help)

    # Blocks

    def require_open(self) -> None:
        """`InputError` HND012 if nothing leads here: an instruction after a branch or the end, without a
        label."""
        if self.is_ended:
            message = "got an instruction that nothing leads to, wanted a label first"
            raise self.fault("HND012", message, "k.label(name) begins the code that a branch goes to")

    def goes_to(self, label: str) -> None:
        """Finish the current block: its only successor is the block of a label."""
        edges = (Edge(label),)
        self.end(edges, edges)

    def follow(self, label: str) -> Block:
        """Finish the current block, and begin the block of a label after it."""
        if not self.is_ended:
            self.goes_to(label)
        self.is_ended = False
        return self.start(label)

    @contextmanager
    def before_loops(self, depth: int) -> Generator[None]:
        """Append scalar instructions before all loops around but the first `depth`."""
        current = self.block
        if depth < len(self.loops):
            self.block = self.loops[depth]
        yield
        self.block = current

    def require_writable(self, register: Register) -> None:
        """`InputError` HND009 for registers of an argument or an id, which other code reads later."""
        if not self.read_only.isdisjoint(register.units):
            message = f"got {register} as a result, which has an argument or an id, wanted a variable"
            raise self.fault("HND009", message, "k.variable(a) is a variable with the value of an argument")

    def end_program(self) -> None:
        """End the program of the wave in the current block."""
        self.block.terminator = self.instr("s_endpgm")
        self.is_ended = True

    def variables(self) -> int:
        """The unit that the next virtual register gets."""
        return FIRST_VIRTUAL + len(self.kernel.owners)


def _place_of(frame: FrameType) -> Place:
    column = 0
    if frame.f_lasti >= 0:
        positions = list(frame.f_code.co_positions())
        column = (positions[frame.f_lasti // 2][2] or -1) + 1
    return Place(frame.f_code.co_filename, frame.f_lineno, column)
