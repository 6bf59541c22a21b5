"""From a graph to a gridwise program: the algorithm of each reduction is chosen, then launches are cut, then
each gets its schedule.

The launches are the groups of `asmgen.graph.fuse`: reductions of the same dims over the same axes and what is
pointwise around them. A result of the program that later launches need is read where it is, and what else
they need is a temporary with the name of its value.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.graph.fuse import FusedKernel, Partition
from asmgen.graph.ops import PARAM, RETURN, check_supported
from asmgen.gridwise.choose import Parts, chosen, parts_wanted
from asmgen.gridwise.prepare import prepare
from asmgen.gridwise.program import Buffer, GridFile, Launch, Parameter, Program, Result, Shape, Temporary
from asmgen.gridwise.split import split
from asmgen.gridwise.verify import check
from asmgen.index import constant
from asmgen.ir.program import Module, Statement, Value
from asmgen.ir.program import Program as Graphs
from asmgen.ir.types import TensorType, row_major
from asmgen.lanewise.names import fresh_name
from asmgen.lanewise.reduction_ops import REDUCTIONS
from isa.targets import TargetId


def cut(
    graphs: Graphs, target: TargetId, propagates_nan: bool = False, parts: Parts = parts_wanted
) -> GridFile:
    """A program for each graph of a file. Raises `InputError` at the first op or type that is not lowered.

    `propagates_nan` is the rule of max and min; `parts` says how many workgroups share a reduction.
    """
    check_supported(graphs)
    return GridFile(
        str(target), tuple([_cut_module(module, target, propagates_nan, parts) for module in graphs.modules])
    )


def _cut_module(module: Module, target: TargetId, propagates_nan: bool, parts: Parts) -> Program:
    simple = prepare(module)
    kernels = Partition(simple, 0, 0).kernels()
    wanted: dict[Value, int] = {}
    for kernel in kernels:
        reduced = [statement.result for statement in kernel.module.statements if statement.op in REDUCTIONS]
        if reduced:
            wanted |= dict.fromkeys(reduced, parts(kernel.module, target.target))
    if max(wanted.values(), default=1) > 1:
        kernels = Partition(split(simple, wanted, propagates_nan), 0, 0).kernels()
    program = _Cutter(module, kernels, target).program()
    check(program)
    return program


class _Cutter:
    """Names the buffers between kernels, in the order in which they are made."""

    def __init__(self, module: Module, kernels: Sequence[FusedKernel], target: TargetId) -> None:
        self._module = module
        self._kernels = kernels
        self._target = target
        parameters = [statement for statement in module.statements if statement.op is PARAM]
        self._parameters = [
            Parameter(_argument(statement), shape_of(statement.result)) for statement in parameters
        ]
        self._taken = {parameter.name for parameter in self._parameters}
        self._results: dict[int, Result] = {}
        self._sent: dict[int, Buffer] = {}  # by the number that fuse gives what passes between kernels
        self._writer: dict[str, str] = {}  # of each temporary: the launch
        self._reader: dict[str, str] = {}  # the last one

    def program(self) -> Program:
        launches = tuple([self._launch(kernel) for kernel in self._kernels])
        kept = [self._kept(buffer) for buffer in self._sent.values() if not isinstance(buffer, Result)]
        results = [self._results[number] for number in sorted(self._results)]
        return Program(self._module.name, (), (*self._parameters, *kept, *results), launches)

    def _kept(self, buffer: Buffer) -> Temporary:
        return Temporary(
            buffer.name, buffer.shape, first=self._writer[buffer.name], last=self._reader[buffer.name]
        )

    def _launch(self, kernel: FusedKernel) -> Launch:
        *statements, return_ = kernel.module.statements
        name = kernel.module.name
        returned: list[Value] = []
        writes: list[str] = []
        by_value: dict[Value, Result] = {}
        for value, number in sorted(
            zip(return_.operands, kernel.results, strict=True), key=lambda pair: -pair[1]
        ):
            if number < 0 and value in by_value:
                self._sent[number] = by_value[value]
                continue
            buffer = self._buffer(value, number)
            if isinstance(buffer, Result):
                by_value[value] = buffer
            returned.append(value)
            writes.append(buffer.name)
            self._writer[buffer.name] = name
        body = Module(
            name,
            (*self._received(statements, return_), Statement(RETURN, tuple(returned), place=return_.place)),
        )
        reads = tuple([_argument(statement) for statement in body.statements if statement.op is PARAM])
        self._reader |= dict.fromkeys(reads, name)
        choice, grid = chosen(body, self._target.target)
        return Launch(name, reads, tuple(writes), tuple([constant(count) for count in grid]), choice, body)

    def _buffer(self, value: Value, number: int) -> Buffer:
        name, shape = fresh_name(value.name, self._taken), shape_of(value)
        if number >= 0:
            self._results[number] = Result(name, Shape(shape.element, shape.sizes))
            return self._results[number]
        self._sent[number] = Buffer(name, Shape(shape.element, shape.sizes))
        return self._sent[number]

    def _received(self, statements: Sequence[Statement], return_: Statement) -> list[Statement]:
        """The statements with the buffers' names, without the parameters that nothing reads."""
        used = {operand for statement in (*statements, return_) for operand in statement.operands}
        sent = {f"temporary_{-1 - number}": buffer.name for number, buffer in self._sent.items()}
        found: list[Statement] = []
        for statement in statements:
            if statement.op is not PARAM:
                found.append(statement)
            elif statement.result in used:
                name = _argument(statement)
                found.append(
                    Statement(
                        PARAM, (), statement.results, {"name": sent.get(name, name)}, (), statement.place
                    )
                )
        return found


def _argument(statement: Statement) -> str:
    return str(statement.attributes["name"])


def shape_of(value: Value) -> Shape:
    """The shape of a value whose sizes are numbers."""
    type_ = value.type
    assert isinstance(type_, TensorType), "a graph's values are tensors"
    strides = (
        None
        if type_.strides == row_major(type_.dims)
        else tuple([constant(stride) for stride in type_.strides])
    )
    return Shape(type_.element, tuple([constant(dim) for dim in type_.dims]), strides)
