"""A module of GPU Gen IR on tensors, of stage gridwise or blockwise, as a graph and its launch.

`copy(value, z)` stores `value` to the argument `z`, which is a result of the program:

    x = @param:x -> {256}                                     launch @m(x) -> (z) grid(1) by
    z = @param:z -> {1}                                         row[rows=1, lanes=64, waves=4, ...] {
    s = gridwise_reduce[op=sum, algo=block,                     s = reduce_sum[axes={0}](x)
      reduce_elements=256, block_size=256](x)                   @return(s)
    copy(s, z)                                                }

`algo` and `block_size` become the choices of the launch's schedule: with `lane`, `wave` and `block` a row
belongs to a lane, to a wave or to a workgroup. The LDS of a reduction must have an element for each of its
waves; the launch has LDS of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from msgspec.structs import replace

from asmgen.blockwise.schedules.choices import Choice, Column, Pointwise, Row
from asmgen.blockwise.schedules.choosing.parts import Share
from asmgen.blockwise.schedules.choosing.room import ceil_power
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.schedule import schedule
from asmgen.frontends.seed import rows
from asmgen.graph import ops
from asmgen.graph.builder import GraphBuilder
from asmgen.gridwise.cut import cut
from asmgen.gridwise.lower import choice_faults, grid_of
from asmgen.gridwise.program import GridFile, Launch, LaunchProgram, Result
from asmgen.gridwise.verify import check
from asmgen.index import constant
from asmgen.ir.program import Module, Op, Program, Stage, Statement, Value, argument_name, tensor_type
from asmgen.ir.types import TensorType
from isa.diagnostics import InputError
from isa.named_tuple import NamedTuple
from isa.target import Target
from isa.targets import TargetId

_REDUCTIONS = {
    "sum": ops.REDUCE_SUM, "product": ops.REDUCE_PROD, "prod": ops.REDUCE_PROD, "max": ops.REDUCE_MAX,
    "min": ops.REDUCE_MIN, "mean": ops.REDUCE_MEAN,
}  # fmt: skip
_MOST_REPEATED = 16  # accesses of a lane at a time


class Launched(NamedTuple):
    """The graph of a module, which defines the right results, and the launches that it asks for."""

    graph: Program
    launches: GridFile


def launched(modules: tuple[Module, ...], target: TargetId) -> Launched:
    """Raises `InputError` for a module that is not a single kernel, and for an algorithm that does not
    fit."""
    made = [_ModuleReader(module, target.target) for module in modules]
    graph = Program(Stage.GRAPH, tuple([each.graph for each in made]))
    programs = [each.program(target) for each in made]
    return Launched(graph, GridFile(target, tuple(programs)))


class _ModuleReader:
    def __init__(self, module: Module, target: Target) -> None:
        self._module = module
        self._target = target
        self._new: dict[Value, Value] = {}
        self._outputs: dict[Value, Value] = {}  # the argument of a result -> the value copied to it
        self._tiles: list[Statement] = []  # the tiles of workgroups that the module names
        self._reduces: Statement | None = None  # the first reduction; its algorithm decides the launch
        self.graph = self._graph()

    def _graph(self) -> Module:
        """The module without the ops that place results and distribute work."""
        written = {each.operands[1] for each in self._module.statements if each.op is rows.COPY}
        builder = GraphBuilder([value.name for each in self._module.statements for value in each.results])
        for statement in self._module.statements:
            if statement.op is ops.PARAM and statement.result in written:
                continue
            self._visit(statement, builder)
        return Module(self._module.name, tuple(builder.statements))

    def _visit(self, statement: Statement, builder: GraphBuilder) -> None:
        op = statement.op
        if op is ops.RETURN:
            outputs = tuple([self._value(value, statement) for value in statement.operands])
            if not self._outputs or set(outputs) != set(self._outputs.values()):
                raise _refused(statement, "a returned value is not a copy", "@return(copy) of copy(value, z)")
            builder.statements.append(
                Statement(op, tuple(self._outputs.values()), (), {}, (), statement.place)
            )
        elif op is rows.COPY:
            self._copy(statement)
        elif op is rows.TILE_REGION:
            self._new[statement.result] = self._value(statement.operands[0], statement)
            self._tiles.append(statement)
        elif op is rows.GRIDWISE_REDUCE:
            self._reduce(statement, builder)
        elif op is rows.WORKGROUP_ID or op is rows.LDS_ALLOCATE:
            pass  # a launch has its own
        else:
            operands = tuple([self._value(value, statement) for value in statement.operands])
            builder.statements.append(replace(statement, operands=operands))

    def _copy(self, statement: Statement) -> None:
        value, target = statement.operands
        have = self._value(value, statement)
        if tensor_type(have).shape != tensor_type(target).shape or have.type.element != target.type.element:
            raise _refused(
                statement, f"{value.name} is {have.type} and {target.name} {target.type}", "one type"
            )
        self._outputs[target] = have
        self._new[statement.result] = have

    def _reduce(self, statement: Statement, builder: GraphBuilder) -> None:
        given = statement.attributes
        operand = self._value(statement.operands[0], statement)
        axes, type_ = rows.reduced_axes(statement.op, operand.type, given, statement.place)
        if self._reduces is None:
            self._reduces = statement
        for name in ("algo", "block_size"):
            first = self._reduces.attributes[name]
            if given[name] != first:
                raise _refused(statement, f"{name} is {given[name]}", f"{first}, as the first reduction has")
        if len(statement.operands) > 1:
            self._check_lds(statement, statement.operands[1])
        result = Value(statement.result.name, type_)
        op: Op = _REDUCTIONS[str(given["op"])]
        builder.statements.append(Statement(op, (operand,), (result,), {"axes": axes}, (), statement.place))
        self._new[statement.result] = result

    def _check_lds(self, statement: Statement, lds: Value) -> None:
        wanted = _number(statement, "block_size") // self._target.wave_size
        have = prod(tensor_type(lds).shape) if isinstance(lds.type, TensorType) else 0
        if have < wanted:
            raise _refused(
                statement, f"{lds.name} has {have} elements", f"an element for each of {wanted} waves"
            )

    def _value(self, value: Value, user: Statement) -> Value:
        new = self._new.get(value, value)
        if not isinstance(new.type, TensorType):
            raise _refused(user, f"{value.name} is {new.type}", "a tensor")
        return new

    def program(self, target: TargetId) -> LaunchProgram:
        """The launch, by the algorithm of the first reduction."""
        (program,) = cut(
            Program(Stage.GRAPH, (self.graph,)), target, parts=lambda _graph, _target: Share(1)
        ).file.programs
        if len(program.launches) != 1:
            place = self._module.statements[-1].place or self._module.name
            message = f"the module is {len(program.launches)} kernels, wanted the work of a single launch"
            raise InputError(place, "GEN104", message, help="write it as a graph, without a stage line")
        names = {
            result.name: argument_name(self._definition(argument))
            for result, argument in zip(program.results, self._outputs, strict=True)
        }
        launch = program.launches[0]
        if self._reduces is not None:
            launch = self._scheduled(launch, self._reduces)
        for statement in self._tiles:
            _check_tile(statement, launch)
        whole = replace(
            program,
            buffers=tuple(
                [_renamed(each, names) if isinstance(each, Result) else each for each in program.buffers]
            ),
            launches=(replace(launch, writes=tuple([names[name] for name in launch.writes])),),
        )
        check(whole)
        return whole

    def _definition(self, value: Value) -> Statement:
        return next(each for each in self._module.statements if value in each.results)

    def _scheduled(self, launch: Launch, reduction: Statement) -> Launch:
        """The launch with the choices of an algorithm, and the grid that follows from them."""
        choice = _choice(launch, reduction, self._target)
        changed = replace(launch, choice=choice)
        broken = next(choice_faults(changed, self._target), None)
        if broken:
            broken.raise_(self._module.name)
        tiles = schedule(launch.body, choice, self._target, launch.writes)
        x, y, z = grid_of(tiles)
        grid = (x, y, z) if z != 1 else (x, y) if y != 1 else (x,)
        return replace(changed, grid=tuple([constant(count) for count in grid]))


def _check_tile(statement: Statement, launch: Launch) -> None:
    """The launch's schedule decides the elements of a workgroup; a given tile must agree with it."""
    tile = rows.integers_of(statement, "tile")
    if not tile:
        return
    groups = prod([each.constant for each in launch.grid])
    dims = tensor_type(statement.operands[0]).shape
    elements = prod(dims)
    wanted = (
        f"no tile, or one of {elements // groups} elements next to each other, as a workgroup has of {dims}"
    )
    is_row_major = len(tile) == len(dims) and all(
        0 < size <= dim and (size == dim or prod(tile[:axis]) == 1)
        for axis, (size, dim) in enumerate(zip(tile, dims, strict=True))
    )
    is_in_order = isinstance(launch.choice, Pointwise | Row)
    if not is_row_major or not is_in_order or prod(tile) * groups != elements:
        raise _refused(statement, f"tile is {tile}", wanted)


def _choice(launch: Launch, reduction: Statement, target: Target) -> Choice:
    """A row belongs to a lane, a wave or a workgroup of `block_size` lanes."""
    chosen, work = launch.choice, Graph(launch.body).work
    wave, block = target.wave_size, _number(reduction, "block_size")
    waves = block // wave
    if block % wave or waves & (waves - 1) or not wave <= block <= target.max_workgroup:
        raise _refused(
            reduction,
            f"block_size is {block}",
            f"{wave} times a power of two, and {target.max_workgroup} at most",
        )
    algorithm = reduction.attributes["algo"]
    lanes = 1 if algorithm == "lane" else wave
    shared, teams = (waves, 1) if algorithm == "block" else (1, waves)
    columns = work.planned[work.reduced[-1]]
    if isinstance(chosen, Column):
        across = wave if algorithm == "lane" else 1
        repeat = min(_MOST_REPEATED, -(-columns // (wave // across * shared)))
        return Column(1, 1, across, shared, teams, 1, repeat)
    vector = min(chosen.vector if isinstance(chosen, Row) else 1, ceil_power(-(-columns // (lanes * shared))))
    return Row(1, lanes, shared, teams, vector, min(_MOST_REPEATED, -(-columns // (lanes * shared * vector))))


def _renamed(buffer: Result, names: Mapping[str, str]) -> Result:
    return replace(buffer, name=names[buffer.name])


def _number(statement: Statement, name: str) -> int:
    value = statement.attributes[name]
    assert isinstance(value, int), "the row has checked it"
    return value


def _refused(statement: Statement, got: str, wanted: str) -> InputError:
    return InputError(
        statement.place or statement.op.name, "GEN104", f"{statement.op.name}: {got}, wanted {wanted}"
    )
