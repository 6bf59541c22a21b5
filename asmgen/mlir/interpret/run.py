"""The threads of the interpreter. Each runs until a barrier or an exchange, and waits there for the
others."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from msgspec import Struct, field

from asmgen.ir.program import Scope
from asmgen.mlir.interpret.numbers import ELEMENTWISE, element, rounded, wrapped
from asmgen.mlir.interpret.places import Number, Place, allocated, place_of_array, pointer_to
from asmgen.mlir.kernels import MlirKernel
from asmgen.mlir.source import Block, Dense, MlirModule, Operation, Region, Ssa
from asmgen.mlir.types import FloatType, IndexType, IntegerType, MemrefType, PointerType, Type, VectorType
from isa.diagnostics import InputError
from isa.named_tuple import NamedTuple

Sizes = tuple[int, int, int]
MOST_BLOCKS = 1 << 19  # that a thread runs, in 2 seconds


class Meeting(Struct, frozen=True):
    """The operation at which a thread waits, for its wave or its workgroup, and the values it brings. `meet`
    computes a result for each thread from the values of all of them."""

    operation: Operation
    scope: Scope
    values: tuple[Number, ...]
    meet: Callable[[list[Thread], list[tuple[Number, ...]]], list[Number]]


Steps = Generator[Meeting, Number, Any]
Plain = Callable[["Thread", Operation], Sequence[Number]]
Controlled = Callable[["Thread", Operation], Steps]


class Tables(NamedTuple):
    """The functions that run ops: at once, or in steps between which other threads run."""

    plain: Mapping[str, Plain]
    controlled: Mapping[str, Controlled]


class Launch(Struct, frozen=True):
    """The data that all threads of a launch share."""

    module: MlirModule
    grid: Sizes
    block: Sizes
    wave: int
    tables: Tables


class Thread(Struct, eq=False):
    """A work-item: its place in the launch, and its values."""

    launch: Launch
    group: Sizes
    item: Sizes
    number: int  # in the workgroup
    shared: dict[object, Number]  # workgroup memory that operations allocate
    values: dict[Ssa, Number] = field(default_factory=dict)
    blocks: int = 0  # that it has run

    @property
    def lane(self) -> int:
        return self.number % self.launch.wave

    def operands(self, operation: Operation) -> list[Number]:
        return [self.value(operand) for operand in operation.operands]

    def value(self, ssa: Ssa) -> Number:
        """A value. A constant outside of a `gpu.launch` is made at its first use."""
        if ssa not in self.values and ssa.owner is not None:
            self.values[ssa] = constant_of(ssa.owner)
        return self.values[ssa]

    def region(self, region: Region, arguments: Sequence[Number]) -> Steps:
        """Run a region from its first block; gives the operands of the operation that ends it."""
        block = region.blocks[0]
        given = list(arguments)
        while True:
            self.blocks += 1
            if self.blocks > MOST_BLOCKS:
                raise self.endless(block.terminator)
            self.values.update(zip(block.arguments, given, strict=True))
            for operation in block.operations[:-1]:
                yield from self.step(operation)
            last = block.terminator
            if not last.successors:
                return self.operands(last)
            block, given = self.branch(last)

    def endless(self, last: Operation) -> InputError:
        """The error MLIR095: the thread does not end, as far as it was run."""
        message = f"thread {self.number} has run {MOST_BLOCKS:,} blocks, wanted a kernel that ends"
        return InputError(last.place, "MLIR095", message, help="--size NAME=N chooses smaller sizes")

    def branch(self, last: Operation) -> tuple[Block, list[Number]]:
        """The block to which a branch goes, and its arguments."""
        if len(last.successors) == 1:
            return last.successors[0], self.operands(last)
        if "case_values" in last.attributes:
            return _switch(self, last)
        condition, first, second = last.segments()
        taken = 0 if self.value(condition[0]) else 1
        return last.successors[taken], [self.value(number) for number in (first, second)[taken]]

    def step(self, operation: Operation) -> Generator[Meeting, Number, None]:
        """Run an operation, and note its results."""
        tables = self.launch.tables
        plain = tables.plain.get(operation.name)
        if plain is not None:
            results: Sequence[Number] = plain(self, operation)
        elif operation.name in ELEMENTWISE:
            results = (elementwise(operation, self.operands(operation)),)
        elif operation.name in tables.controlled:
            results = yield from tables.controlled[operation.name](self, operation)
        else:
            message = f"{operation.name} cannot run here"
            raise InputError(operation.place, "MLIR091", f"{message}, wanted an op that docs/mlir.md lists")
        self.values.update(zip(operation.results, results, strict=True))


def _switch(thread: Thread, last: Operation) -> tuple[Block, list[Number]]:
    """`cf.switch`: the matching case, or the default."""
    flag, default, *cases = [*last.segments()[:2], last.operands]
    values = last.integers("case_values")
    sizes = last.integers("case_operand_segments")
    number = thread.value(flag[0])
    mask = (1 << 64) - 1
    first = 1 + len(default)
    for position, value in enumerate(values):
        if (value ^ number) & mask & ((1 << 32) - 1) == 0:
            start = first + sum(sizes[:position])
            given = cases[0][start : start + sizes[position]]
            return last.successors[1 + position], [thread.value(operand) for operand in given]
    return last.successors[0], [thread.value(operand) for operand in default]


def elementwise(operation: Operation, values: list[Number]) -> Number:
    """The result for numbers, or for vectors element by element. `InputError` MLIR093 for a division by
    zero."""
    return elementwise_of(operation.name, operation, values)


def elementwise_of(name: str, operation: Operation, values: list[Number]) -> Number:
    """The result of another op on the same numbers."""
    run = ELEMENTWISE[name]
    try:
        if isinstance(operation.result.type, VectorType):
            return [run(operation, list(parts)) for parts in zip(*values, strict=True)]
        return run(operation, values)
    except ZeroDivisionError:
        raise InputError(
            operation.place, "MLIR093", f"{operation.name} divides by zero, wanted another divisor"
        ) from None


def run_launch(launch: Launch, kernel: MlirKernel, arguments: Sequence[Any]) -> None:
    """Run a launch of a kernel. Places and arrays are written in place. `InputError` if a thread leaves a
    buffer or does not end, or if threads wait for each other at different operations."""
    given = [argument_of(value, ssa.type) for ssa, value in zip(kernel.arguments, arguments, strict=True)]
    for group in _places(launch.grid):
        _run_group(launch, kernel, group, given)


def argument_of(value: Any, type_: Type) -> Number:
    """A place, an array or a number in the form of its argument type."""
    if isinstance(type_, MemrefType):
        return value if isinstance(value, Place) else place_of_array(value, type_)
    if isinstance(type_, PointerType):
        return pointer_to(value.memory if isinstance(value, Place) else value)
    if isinstance(type_, VectorType):
        return [argument_of(part, type_.element) for part in np.atleast_1d(value)]
    if isinstance(type_, IntegerType | IndexType):
        return wrapped(int(value), type_)
    return np.asarray(value)[()]


def _places(sizes: Sizes) -> list[Sizes]:
    x, y, z = sizes
    return [(i, j, k) for k in range(z) for j in range(y) for i in range(x)]


def _run_group(launch: Launch, kernel: MlirKernel, group: Sizes, arguments: list[Number]) -> None:
    shared = [_buffer(buffer) for buffer in kernel.workgroup]
    own_memory: dict[object, Number] = {}
    threads = [Thread(launch, group, item, i, own_memory) for i, item in enumerate(_places(launch.block))]
    running: list[Generator[Meeting, Number, Any]] = []
    for thread in threads:
        own = [*shared, *[_buffer(buffer) for buffer in kernel.private]]
        given = [*arguments, *own]
        if kernel.launch is not None:
            thread.values.update(zip(kernel.arguments, arguments, strict=True))
            given = [*thread.group, *thread.item, *launch.grid, *launch.block, *own]
        running.append(thread.region(kernel.body, given))
    _run_together(threads, running, launch)


def _buffer(ssa: Ssa) -> Place:
    return allocated(ssa.memref)


def _run_together(
    threads: list[Thread], running: list[Generator[Meeting, Number, Any]], launch: Launch
) -> None:
    """Run each thread until it waits; threads that have met go on."""
    waiting: dict[int, Meeting] = {}
    for number in range(len(threads)):
        _advance(running, waiting, number, None)
    while waiting:
        met = _met(waiting, launch)
        if not met:
            raise _divergent(waiting)
        given = waiting[met[0]].meet([threads[i] for i in met], [waiting[i].values for i in met])
        for number, value in zip(met, given, strict=True):
            del waiting[number]
            _advance(running, waiting, number, value)


def _advance(
    running: list[Generator[Meeting, Number, Any]], waiting: dict[int, Meeting], number: int, value: Number
) -> None:
    try:
        waiting[number] = running[number].send(value)
    except StopIteration:
        return


def _met(waiting: dict[int, Meeting], launch: Launch) -> list[int]:
    """The threads that have all reached the same operation: those of a wave, or all."""
    waves: dict[int, list[int]] = {}
    for number in waiting:
        waves.setdefault(number // launch.wave, []).append(number)
    for members in waves.values():
        first = waiting[members[0]]
        if first.scope is Scope.WAVE and all(
            waiting[member].operation is first.operation for member in members
        ):
            return sorted(members)
    numbers = sorted(waiting)
    first = waiting[numbers[0]]
    is_whole = len(numbers) == prod(launch.block) or first.scope is Scope.WAVE
    return (
        numbers
        if is_whole and all(waiting[waiter].operation is first.operation for waiter in numbers)
        else []
    )


def _divergent(waiting: dict[int, Meeting]) -> InputError:
    """The error MLIR092: threads wait for others that do not arrive."""
    number, first = min(waiting.items())
    others = [meeting for meeting in waiting.values() if meeting.operation is not first.operation]
    notes = (f"another thread waits at {others[0].operation.place}",) if others else ()
    message = f"{first.operation.name}: thread {number} waits for threads that do not reach it"
    return InputError(
        first.operation.place, "MLIR092", f"{message}, wanted all threads of the group to reach it", notes
    )


def constant_of(operation: Operation) -> Number:
    """The number, or the vector, of an `arith.constant`."""
    value, type_ = operation.attributes["value"], operation.result.type
    if isinstance(type_, VectorType):
        assert isinstance(value, Dense)
        numbers = value.values * type_.elements if len(value.values) == 1 else value.values
        return [number_of(number, type_.element) for number in numbers]
    assert isinstance(value, int | float)
    return number_of(value, type_)


def number_of(value: float | int, type_: Type) -> Number:
    """A number in the form that ops of its type take."""
    return rounded(value, type_) if isinstance(element(type_), FloatType) else wrapped(int(value), type_)


def meet(thread: Thread, operation: Operation) -> Steps:
    """A barrier of the workgroup."""
    yield Meeting(operation, Scope.WORKGROUP, (), lambda threads, values: [None] * len(threads))
    return ()


def chosen(thread: Thread, operation: Operation) -> Sequence[Number]:
    """The second operand if the first is true, otherwise the third; element by element of vectors."""
    condition, a, b = thread.operands(operation)
    if isinstance(operation.operands[0].type, VectorType):
        return ([x if c else y for c, x, y in zip(condition, a, b, strict=True)],)
    return (a if condition else b,)
