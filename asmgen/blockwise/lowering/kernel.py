"""Lowers a kernel on tiles to a module of lanes, statement by statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from asmgen.blockwise import actions as ops
from asmgen.blockwise.lowering.addresses.indices import IndexValues
from asmgen.blockwise.lowering.addresses.places import Places
from asmgen.blockwise.lowering.context import Context
from asmgen.blockwise.lowering.guard import GuardedPart, parts, placed
from asmgen.blockwise.lowering.ops import copies, lds, pointwise
from asmgen.blockwise.lowering.ops.exchange import everywhere
from asmgen.blockwise.lowering.ops.first_index import Found
from asmgen.blockwise.lowering.ops.global_memory import load, store
from asmgen.blockwise.lowering.ops.loops import loop, vector_form
from asmgen.blockwise.lowering.ops.reduction import Partial, across_waves, within_waves
from asmgen.blockwise.lowering.tile import Bits, Tile, of_vectors, vectors
from asmgen.blockwise.op_table import row_of
from asmgen.blockwise.program import Kernel, TileRegion, TileStatement, TileValue
from asmgen.blockwise.types import LdsType, TileType
from asmgen.graph.ops import LITERAL, PARAM, RETURN
from asmgen.ir.program import Attribute, Module, Region, Statement, Value, walk
from asmgen.ir.types import U32, LaneType, TensorType
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.ops import LAUNCH
from asmgen.lanewise.records import NO_RESULT
from isa.diagnostics import InternalError, Place
from isa.targets import Target


def lower_kernel(kernel: Kernel, target: Target, outputs: Mapping[str, int]) -> Module:
    """The module of a lane. `outputs` are the buffers that the kernel writes, in the order of its parameters,
    each with its number among the program's results, as the launch states it.
    """
    return _Lowering(kernel, target).module(outputs)


# Ops that a lane computes from its own elements, so the elements of the last lane suffice.
_OF_ANY_LANE = (ops.TileStore, ops.Pointwise, ops.Convert, ops.BitCast)


class _Lowering:
    def __init__(self, kernel: Kernel, target: Target) -> None:
        self._kernel = kernel
        self._builder = LaneBuilder()
        places = Places((kernel.lanes * kernel.waves).bit_length() - 1)
        indices = IndexValues(self._builder, kernel, places)
        self._context = Context(self._builder, kernel, target, places, indices)
        self._tiles: dict[TileValue, Tile] = {}
        self._passed: dict[TileValue, Tile] = {}  # those that the last lanes alone had, passed on to all
        self._memory: dict[TileValue, Value] = {}
        # The parameter of a loop, by the value that the loop yields for it:
        self._carried: dict[TileValue, TileValue] = {}
        self._made = {value: one for one in kernel.walk() for value in one.results}
        self._found = Found(self._context, kernel)
        self._pending_loads = copies.pending_loads(kernel)
        self._read = {one.operands[0] for one in kernel.walk() if isinstance(one.op, ops.TileLoad)}
        self._stored = {one.operands[1] for one in kernel.walk() if isinstance(one.op, ops.TileStore)}

    def module(self, outputs: Mapping[str, int]) -> Module:
        numbers = tuple(outputs.values())
        in_order = numbers == tuple(range(len(numbers)))
        parameters = self._parameters()
        written = [each.result for each in parameters if each.attributes.get("name") in outputs]
        head = [self._launch(() if in_order else numbers), *parameters, *self._dims()]
        self._body()
        return_ = Statement(RETURN, tuple(written), (), {}, (), self._kernel.place)
        code = self._builder.statements
        if self._context.grown:
            code = [_renamed(statement, self._context.grown) for statement in code]
        whole = (*head, *self._context.buffers, *code, return_)
        return Module(self._kernel.name, whole)

    def _body(self) -> None:
        """All statements."""
        context = self._context
        copies.prepare(context, self._kernel)
        if self._kernel.passes_on:
            from asmgen.blockwise.lowering.ops.over_workgroups import number_workgroups

            number_workgroups(context, self._memory[self._kernel.passes_on[0].operands[2]])
        self._in_parts(self._kernel.statements)

    def _in_parts(self, statements: tuple[TileStatement, ...]) -> None:
        """Lower statements that give no value to others. Those that lanes need only under a condition are in
        a branch (`guard`)."""
        context = self._context
        found = parts(context, statements)
        reached = [placed(context, statement) for part in found for statement in part.statements]
        context.indices.expect([place.address for one in reached if one is not None for place in one.places])
        for part in found:

            def body(part: GuardedPart = part) -> None:
                with context.indices.nested(part.conditions):
                    _ = self._statements(part.statements)

            context.guarded(context.holds(part.conditions), body)

    def _launch(self, results: tuple[int, ...]) -> Statement:
        x, y, z = [*self._kernel.workgroups, 1, 1, 1][:3]
        block = (self._kernel.waves * self._kernel.lanes, 1, 1)
        attributes: dict[str, Attribute] = {
            "grid": (x, y, z),
            "block": block,
            "results": results,
            "open": "none",
        }
        return Statement(LAUNCH, (), (), attributes, (), self._kernel.place)

    def _dims(self) -> list[Statement]:
        """The named dims, each an argument by value after the buffers."""
        found: list[Statement] = []
        for dim in self._kernel.dims:
            made = Value(self._builder.fresh(dim.name), LaneType(U32))
            self._context.indices.define(dim, made)
            found.append(Statement(PARAM, (), (made,), {"name": dim.name}, (), self._kernel.place))
        return found

    def _parameters(self) -> list[Statement]:
        found: list[Statement] = []
        for statement in self._kernel.statements:
            if isinstance(statement.op, ops.Parameter):
                value, name = statement.result, statement.op.name
                assert isinstance(value.type, TensorType)
                made = Value(self._builder.fresh(value.name), value.type)
                self._memory[value] = made
                over = {} if statement.op.result == NO_RESULT else {"result": statement.op.result}
                found.append(Statement(PARAM, (), (made,), {"name": name, **over}, (), statement.place))
            elif isinstance(statement.op, ops.Literal):
                found.append(self._literal(statement, statement.op))
        return found

    def _literal(self, statement: TileStatement, action: ops.Literal) -> Statement:
        value = statement.result
        assert isinstance(value.type, TensorType)
        made = self._memory[value] = Value(self._builder.fresh(value.name), value.type)
        return Statement(LITERAL, (), (made,), {"values": action.values}, (), statement.place)

    def _statements(self, statements: Sequence[TileStatement]) -> Sequence[Tile]:
        """Lower a region's statements; gives the tiles that it yields."""
        pending: list[tuple[TileStatement, Partial]] = []
        for number, statement in enumerate(statements):
            if pending and not _joins(statement, pending):
                self._finish(pending)
                pending = []
            with self._builder.origin(statement.place, _hint(statement)):
                if isinstance(statement.op, ops.Reduce):
                    pending.append((statement, self._within_waves(statement, statement.op)))
                elif isinstance(statement.op, ops.Yield):
                    return self._operands(statement)
                elif isinstance(statement.op, ops.SumParts):
                    self._sum_parts(statement, statement.op, statements[number + 1 :])
                    return ()
                else:
                    self._statement(statement)
        self._finish(pending)
        return ()

    def _within_waves(self, statement: TileStatement, action: ops.Reduce) -> Partial:
        index = self._found.index(statement, self._everywhere)
        if index is not None:
            return index
        (tile,) = self._operands(statement)
        return within_waves(self._context, action, tile, self._found.own(statement, self._everywhere))

    def _finish(self, pending: Sequence[tuple[TileStatement, Partial]]) -> None:
        """Finish reductions that follow each other. All of them take their steps within waves first, so that
        the steps of a reduction fill the wait states of the others.
        """
        for statement, partial in pending:
            with self._builder.origin(statement.place, _hint(statement)):
                self._tiles[statement.result] = across_waves(self._context, partial, _type(statement.result))

    def _operands(self, statement: TileStatement) -> list[Tile]:
        """The tiles of the operands. A value that only the last lanes have is moved to every lane, unless the
        op works on the last lanes alone."""
        operands = [operand for operand in statement.operands if operand in self._tiles]
        if isinstance(statement.op, _OF_ANY_LANE):
            return [self._tiles[operand] for operand in operands]
        return [self._everywhere(operand) for operand in operands]

    def _everywhere(self, value: TileValue) -> Tile:
        """A tile with its elements in every lane that is to have them."""
        if value not in self._passed:
            self._passed[value] = everywhere(self._context, self._tiles[value])
        return self._passed[value]

    def _statement(self, statement: TileStatement) -> None:
        """Lower a statement that is part of no group, as a reduction is. Its results are tiles or memory."""
        tiles, action, context = self._operands(statement), statement.op, self._context
        match action:
            case ops.Parameter() | ops.Literal():
                pass
            case ops.For():
                self._loop(statement, action, tiles)
            case ops.Waves():
                self._in_waves(statement, action)
            case ops.Barrier():
                self._builder.barrier()
            case ops.Priority(level=level):
                self._builder.priority(level)
            case ops.Order():
                self._builder.order()
            case ops.TileStore():
                self._store(statement, action, tiles)
            case ops.LdsAllocate():
                memory, name = _lds(statement.result), statement.result.name
                elements = memory.slots * memory.placement.elements
                self._memory[statement.result] = context.lds(memory.element, elements, name, memory.slots)
            case ops.LdsStore():
                target = statement.operands[1]
                lds.store(context, tiles[0], self._memory[target], _lds(target), action)
            case ops.AsyncCopy():
                source, target = (self._memory[operand] for operand in statement.operands)
                copies.copy(
                    context, action, source, target, _lds(statement.operands[1]), self._where(statement)
                )
            case ops.AsyncWait():
                loads = self._pending_loads[statement]
                if loads is not None:
                    self._builder.async_wait(loads)
            case ops.Scan() | ops.Iterate() | ops.BinSum() | ops.Sort():
                made = self._several(statement, action, tiles)
                self._tiles.update(zip(statement.results, made, strict=True))
            case _:
                self._tiles[statement.result] = self._tile(statement, tiles)

    def _where(self, statement: TileStatement) -> Place | str:
        """The place for errors: that of a statement, or the kernel if the statement has none."""
        return statement.place or self._kernel.name

    def _store(self, statement: TileStatement, action: ops.TileStore, tiles: Sequence[Tile]) -> None:
        to = statement.operands[1]
        if not action.adds:
            store(self._context, action, tiles[0], self._memory[to], tiles[1:], to in self._read)
            return
        from asmgen.blockwise.lowering.ops.adding import add

        add(self._context, action, tiles[0], self._memory[to], tiles[1:])

    def _several(
        self,
        statement: TileStatement,
        action: ops.Scan | ops.Iterate | ops.BinSum | ops.Sort,
        tiles: Sequence[Tile],
    ) -> Sequence[Tile]:
        """The tiles of an op that may have several results."""
        context, types = self._context, tuple([_type(value) for value in statement.results])
        match action:
            case ops.Scan():
                from asmgen.blockwise.lowering.ops.scan import ScanState

                elements, (before, *_) = tiles[: action.op.parts], (*tiles[action.op.parts :], None)
                words = self._memory[statement.operands[-1]] if action.over else None
                return ScanState(context, action, elements, before, words).run(self._where(statement))
            case ops.Iterate():
                from asmgen.blockwise.lowering.ops.iterations import iterated

                return iterated(context, action, tiles)
            case ops.BinSum():
                from asmgen.blockwise.lowering.ops.adding import bin_sum

                return [bin_sum(context, tiles[0], tiles[1], types[0])]
            case ops.Sort():
                from asmgen.blockwise.lowering.ops.sort import sort

                return sort(context, action, tiles, types)

    def _tile(self, statement: TileStatement, tiles: Sequence[Tile]) -> Tile:
        context, type_ = self._context, _type(statement.result)
        index = self._found.settled(statement)
        if index is not None:
            return self._tiles[index]
        match action := statement.op:
            case ops.TileLoad():
                buffer = statement.operands[0]
                return load(context, type_, action, self._memory[buffer], tiles, buffer in self._stored)
            case ops.Fill():
                return pointwise.fill(context, action.value, type_)
            case ops.Positions():
                return pointwise.positions(context, action.at[0], type_)
            case ops.Mask():
                return pointwise.mask(context, action, tiles[0], tiles[1:])
            case ops.Pointwise():
                return pointwise.pointwise(context, action.op, tiles, type_)
            case ops.Convert():
                return pointwise.convert(context, tiles[0], type_)
            case ops.BitCast():
                return pointwise.bit_cast(context, tiles[0], type_)
            case ops.Unpack():
                from asmgen.blockwise.lowering.ops.unpack import unpacked

                return unpacked(context, action, tiles[0], type_, tiles[1:])
            case ops.LdsLoad():
                source = statement.operands[0]
                return lds.load(context, type_, self._memory[source], _lds(source), action)
            case ops.Relayout():
                from asmgen.blockwise.lowering.ops import relayout

                return relayout.changed(context, tiles[0], type_)
            case ops.Contract(by=""):
                from asmgen.blockwise.lowering.ops.product import contract

                return contract(context, tiles[0], tiles[1], tiles[2], type_)
            case ops.Contract():
                from asmgen.blockwise.lowering.ops.product import by_instruction

                return by_instruction(context, action.by, tiles[0], tiles[1], tiles[2], type_, tiles[3:])
            case ops.Reshape():
                return tiles[0]._replace(type=type_)
            case ops.Broadcast():
                return pointwise.broadcast(tiles[0], type_)
            case _:
                raise InternalError("blockwise", str(self._where(statement)), row_of(action).name)

    def _sum_parts(
        self, statement: TileStatement, action: ops.SumParts, after: Sequence[TileStatement]
    ) -> None:
        """The sums of tiles over workgroups, and the statements after it in a branch of the last waves."""
        from asmgen.blockwise.lowering.ops.sum_parts import sum_parts

        *_, sums, arrived = statement.operands

        def rest(totals: Sequence[Tile]) -> None:
            self._tiles.update(zip(statement.results, totals, strict=True))
            _ = self._statements(after)

        buffers = self._memory[sums], self._memory[arrived]
        sum_parts(self._context, action, self._operands(statement), buffers, rest)

    def _in_waves(self, statement: TileStatement, action: ops.Waves) -> None:
        """A region of some waves. The other waves do not read its results. There a result is the
        parameter of the loop that carries it, so no register is written."""
        (region,), context, builder = statement.regions, self._context, self._builder
        types = [_type(value) for value in statement.results]
        bits: list[Bits] = []

        def body() -> list[Value]:
            tiles = self._statements(region.statements)
            bits.extend([vector_form(tile) for tile in tiles])
            return [
                value for tile, own in zip(tiles, bits, strict=True) for value in vectors(builder, tile, own)
            ]

        def otherwise() -> list[Value]:
            tiles = [self._carried.get(value) for value in statement.results]
            idle = [
                self._tiles[tile] if tile is not None else pointwise.fill(context, 0, type_)
                for tile, type_ in zip(tiles, types, strict=True)
            ]
            return [
                value for tile, own in zip(idle, bits, strict=True) for value in vectors(builder, tile, own)
            ]

        values = list(context.in_waves(action, body, otherwise if types else None))
        for result, type_, own in zip(statement.results, types, bits, strict=True):
            count = type_.layout.register_count >> len(own)
            self._tiles[result] = of_vectors(type_, own, values[:count])
            values = values[count:]

    def _loop(self, statement: TileStatement, action: ops.For, tiles: Sequence[Tile]) -> None:
        (region,) = statement.regions
        for value in {operand: None for inner in walk((statement,)) for operand in inner.operands}:
            if value in self._tiles:  # values of the loop's body are not known after the loop
                _ = self._everywhere(value)

        self._carried |= zip(region.yielded, region.parameters, strict=True)

        def body(carried: Sequence[Tile]) -> Sequence[Tile]:
            if not carried:
                self._in_parts(region.statements)
                return ()
            self._tiles.update(zip(region.parameters, carried, strict=True))
            return self._statements(region.statements)

        wanted = [self._vector_bits(region, parameter) for parameter in region.parameters]
        copies = [self._copies(*pair) for pair in zip(statement.operands, region.yielded, strict=True)]
        results = loop(self._context, action, tiles, wanted, copies, body)
        self._tiles.update(zip(statement.results, results, strict=True))

    def _copies(self, first: TileValue, following: TileValue) -> Bits:
        """The register bits that make no difference to a carried tile: both its first value and that of the
        next trip are read at the same element."""
        of_first, of_following = [self._same_reads(value) for value in (first, following)]
        return tuple([bit for bit in of_first if bit in of_following])

    def _same_reads(self, value: TileValue) -> Bits:
        statement = self._made.get(value)
        if statement is None or not isinstance(statement.op, ops.TileLoad):
            return ()
        layout, action = _type(value).layout, statement.op
        sides = (*action.at, *(side for condition in action.where for side in condition))
        if len(statement.operands) > 1 or not sides:
            return ()
        found = list(zip(*[self._context.places.of_registers(side, layout) for side in sides], strict=True))
        return tuple(
            [
                bit
                for bit in range(len(layout.registers))
                if all(found[register] == found[register ^ 1 << bit] for register in range(len(found)))
            ]
        )

    def _vector_bits(self, region: TileRegion, parameter: TileValue) -> Bits:
        """The register bits of the vectors that carry a parameter of the region; empty if any vectors
        serve."""
        for statement in region.statements:
            action = statement.op
            if isinstance(action, ops.Contract) and parameter in statement.operands[:3]:
                from asmgen.blockwise.lowering.ops.product import operand_bits

                number = statement.operands.index(parameter)
                return operand_bits(self._context, action.by, number, _type(parameter).layout)
        return ()


def _joins(statement: TileStatement, pending: Sequence[tuple[TileStatement, Partial]]) -> bool:
    """Whether a statement is a reduction that needs none of those before it."""
    made = [earlier.result for earlier, _ in pending]
    return isinstance(statement.op, ops.Reduce) and statement.operands[0] not in made


def _hint(statement: TileStatement) -> str:
    return statement.results[0].name if statement.results else row_of(statement.op).name


def _lds(value: TileValue) -> LdsType:
    assert isinstance(value.type, LdsType), value
    return value.type


def _type(value: TileValue) -> TileType:
    assert isinstance(value.type, TileType), value
    return value.type


def _renamed(statement: Statement, replaced: Mapping[Value, Value]) -> Statement:
    """A statement with other operands, also inside."""
    operands = tuple([replaced.get(operand, operand) for operand in statement.operands])
    regions = tuple(
        [
            Region(region.parameters, tuple([_renamed(each, replaced) for each in region.statements]))
            for region in statement.regions
        ]
    )
    return Statement(
        statement.op, operands, statement.results, statement.attributes, regions, statement.place
    )
