"""A module of GPU Gen IR's stage lanewise as our module, which states its launch and names each access.

    z = @param:z_output -> {16}                launch[grid={1,1,1}, block={256,1,1}]
    i = gpu::gen::global_id                    i = local_id
    a = gpu::gen::load(x, i) -> scalar         within = less(i, c)              # c = @literal{16}
    store = gpu::gen::store(z, i, a)           if(within) { a = load(x, i) ... store(z, i, a) yield }

The launch is that of GPU Gen IR:

- a lane for each element of the results, in workgroups of 256;
- if lanes exchange values: a lane for each element of the inputs, in whole waves;
- if waves exchange values: a workgroup for each element of the results, with a wave for each element of LDS.

Lanes without an element take no part unless lanes exchange values. If they do, an index past a buffer's
end reads its last element, and writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from math import prod

from asmgen.frontends.seed import rows
from asmgen.frontends.seed.indices import MovedIndices
from asmgen.graph import ops as graph
from asmgen.ir.identities import identity
from asmgen.ir.program import Module, Op, Program, Stage, Statement, Value, tensor_type
from asmgen.ir.types import U32, LaneType
from asmgen.lanewise import reduction_ops
from asmgen.lanewise.builder import LaneBuilder
from isa.diagnostics import InputError
from isa.targets import TargetId

_LANES = 256  # of a workgroup, if its waves do not exchange values
_STORES = (rows.STORE, rows.VECTOR_STORE, rows.STRIDED_STORE)
_ACROSS = (rows.DPP_REDUCE, rows.REDUCE_WAVES)
_KINDS = {"product": "prod"}  # of a reduction with another name


def lane_program(modules: tuple[Module, ...], target: TargetId) -> Program:
    """Our lanewise program of some modules."""
    return Program(Stage.LANEWISE, tuple([_Lowering(module, target).module() for module in modules]), target)


class _Lowering:
    def __init__(self, module: Module, target: TargetId) -> None:
        self._module = module
        self._wave = target.target.wave_size
        self._params = [each for each in module.statements if each.op is graph.PARAM]
        self._builder = LaneBuilder([each.result.name for each in self._params])
        self._indices = MovedIndices(self._builder)
        self._new: dict[Value, Value] = {each.result: each.result for each in self._params}
        self._numbers: dict[Value, float] = {}
        self._stored = self._written()
        self._elements = 0  # of the inputs, a lane for each, if lanes exchange values and waves do not
        self._exchanges = any(each.op in _ACROSS for each in module.statements)
        self._grid, self._block = self._launch()

    def _written(self) -> list[Value]:
        """The arguments that are stored to, in the order of the parameters."""
        stored = {each.operands[0] for each in self._module.statements if each.op in _STORES}
        written = [each.result for each in self._params if each.result in stored]
        if not written:
            place = self._module.statements[-1].place or self._module.name
            raise InputError(place, "GEN104", "the module stores nothing, wanted a store to a parameter")
        return written

    def _launch(self) -> tuple[int, int]:
        """Workgroups, and lanes of each."""
        results = max([tensor_type(value).size for value in self._stored])
        lds = [each for each in self._module.statements if each.op is rows.REDUCE_WAVES]
        if lds:
            return max(results, 1), tensor_type(lds[0].operands[1]).size * self._wave
        elements = results
        if self._exchanges or any(each.op is rows.LANE_REDUCE for each in self._module.statements):
            inputs = [each.result for each in self._params if each.result not in self._stored]
            elements = max([results, *[tensor_type(value).size for value in inputs]])
        block = min(_LANES, max(1, -(-elements // self._wave)) * self._wave)
        self._elements = elements
        return max(1, -(-elements // block)), block

    def module(self) -> Module:
        builder = self._builder
        builder.launch((self._grid, 1, 1), (self._block, 1, 1))
        for statement in self._params:
            builder.append(statement)
        elements = max([tensor_type(value).size for value in self._stored])
        sizes = {tensor_type(value).size for value in self._stored}
        if self._exchanges or len(sizes) > 1 or elements in (0, self._grid * self._block):
            self._body()
        else:
            self._indices.bounds[self._id] = elements
            _ = builder.if_(builder.less(self._id, builder.constant(elements, U32)), self._body)
        return_ = Statement(graph.RETURN, tuple(self._stored), (), {}, (), self._module.statements[-1].place)
        builder.append(return_)
        return builder.module(self._module.name)

    def _body(self) -> tuple[Value, ...]:
        """The statements; a branch of them yields nothing."""
        for statement in self._module.statements:
            if statement.op in (graph.PARAM, graph.RETURN):
                continue
            with self._builder.at(statement):
                made = _LOWERED.get(statement.op, _Lowering.pointwise)(self, statement)
                self._new[statement.result] = made
        return ()

    def _value(self, value: Value) -> Value:
        return self._new[value]

    def _values(self, statement: Statement) -> list[Value]:
        return [self._new[value] for value in statement.operands]

    # Places

    @cached_property
    def _lane(self) -> Value:
        return self._bounded(self._builder.local_id(), self._block)

    @cached_property
    def _id(self) -> Value:
        builder, grid = self._builder, self._grid
        if grid == 1:
            return self._lane
        first = builder.mul(builder.workgroup_id(), builder.constant(self._block, U32))
        return self._bounded(builder.add(first, self._lane), grid * self._block)

    def _bounded(self, value: Value, count: int) -> Value:
        self._indices.bounds[value] = count
        return value

    def global_id(self, _statement: Statement) -> Value:
        return self._id

    def local_id(self, _statement: Statement) -> Value:
        return self._lane

    def workgroup_id(self, _statement: Statement) -> Value:
        return self._bounded(self._builder.workgroup_id(), self._grid)

    def workgroup_size(self, _statement: Statement) -> Value:
        return self._builder.constant(self._block, U32)

    def lane_id(self, _statement: Statement) -> Value:
        lane = self._builder.bitwise_and(self._lane, self._builder.constant(self._wave - 1, U32))
        return self._bounded(lane, self._wave)

    # Memory

    def load(self, statement: Statement) -> Value:
        buffer, index = self._values(statement)
        size = _number(statement, "size", 1)
        if statement.op is not rows.STRIDED_LOAD:
            return self._builder.load(buffer, self._indices.inside(buffer, index, size), size)
        stride = _number(statement, "stride", 1)
        parts = [
            self._builder.load(
                buffer, self._indices.inside(buffer, self._indices.moved(index, stride * number), 1)
            )
            for number in range(size)
        ]
        return self._builder.pack(*parts)

    def store(self, statement: Statement) -> Value:
        buffer, index, value = self._values(statement)
        size = _number(statement, "size", 1)
        if statement.op is not rows.STRIDED_STORE:
            self._store_inside(buffer, index, value, size)
            return value
        stride = _number(statement, "stride", 1)
        for number in range(size):
            part = self._builder.extract(value, number) if size > 1 else value
            self._store_inside(buffer, self._indices.moved(index, stride * number), part, 1)
        return value

    def _store_inside(self, buffer: Value, index: Value, value: Value, size: int) -> None:
        """Store if the index is within the buffer."""
        builder = self._builder
        if self._indices.is_surely_inside(buffer, index, size):
            builder.store(buffer, index, value)
            return
        place = self._indices.unsigned(index)
        condition = self._indices.is_inside(buffer, place, size)

        def store() -> tuple[Value, ...]:
            builder.store(buffer, place, value)
            return ()

        _ = builder.if_(condition, store)

    def conditional_load(self, statement: Statement) -> Value:
        """The element if the index is within the buffer, else the third operand."""
        builder = self._builder
        buffer, index = self._values(statement)[:2]
        fill = self._fill(statement)
        element = builder.load(buffer, self._indices.inside(buffer, index, 1))
        return builder.where(self._indices.is_inside(buffer, self._indices.unsigned(index), 1), element, fill)

    def _fill(self, statement: Statement) -> Value:
        value, element = statement.operands[2], tensor_type(statement.operands[0]).element
        if value in self._numbers:
            number = self._numbers[value]
            return self._builder.constant(number if element.is_float else int(number), element)
        return self._value(value)

    def lds(self, statement: Statement) -> Value:
        type_ = tensor_type(statement.result)
        return self._builder.lds_allocate(type_.element, prod(type_.shape))

    # Reductions

    def lane_reduce(self, statement: Statement) -> Value:
        (value,) = self._values(statement)
        assert isinstance(value.type, LaneType)
        if value.type.lanes == 1:
            return value
        return self._across(reduction_ops.LANE_REDUCE, (value,), statement)

    def dpp_reduce(self, statement: Statement) -> Value:
        """Every lane of the wave has the result; ours leaves it in the last lane."""
        builder = self._builder
        value = self._of_some(self._values(statement)[0], statement)
        last = self._across(reduction_ops.DPP_REDUCE, (value,), statement, lanes=self._wave, keeps_nan=False)
        return builder.lane_shuffle(last, builder.constant(self._wave - 1, U32))

    def _of_some(self, value: Value, statement: Statement) -> Value:
        """A lane without an element has the number that changes no result."""
        builder = self._builder
        if self._elements % self._wave == 0:
            return value
        kind, element = str(statement.attributes["op"]), value.type.element
        number = identity(_KINDS.get(kind, kind), element)
        within = builder.less(self._id, builder.constant(self._elements, U32))
        return builder.where(within, value, builder.constant(number, element))

    def reduce_waves(self, statement: Statement) -> Value:
        value, lds = self._values(statement)
        waves = self._block // self._wave
        if waves == 1:
            return value
        return self._across(reduction_ops.REDUCE_WAVES, (value, lds), statement, waves=waves)

    def _across(self, op: Op, operands: tuple[Value, ...], statement: Statement, **counts: int) -> Value:
        kind = str(statement.attributes["op"])
        (result,) = self._builder.apply(op, operands, {"op": _KINDS.get(kind, kind), **counts})
        return result

    # MovedIndices

    def pad_index(self, statement: Statement) -> Value:
        (index,) = self._values(statement)
        pads = rows.integers_of(statement, "pads")
        dims = _shape(statement)
        if len(pads) != 2 * len(dims):
            raise _refused(statement, f"{len(pads)} pads for {len(dims)} dims, wanted two of each")
        return self._indices.of_some(index, self._indices.padded(index, dims, pads))

    def gather_index(self, statement: Statement) -> Value:
        buffer, index = self._values(statement)
        dims, axis = _shape(statement), _number(statement, "axis", 0)
        if not -len(dims) <= axis < len(dims):
            raise _refused(statement, f"axis is {axis}, wanted one of {len(dims)} dims")
        return self._indices.of_some(index, self._indices.gathered(index, dims, axis % len(dims), buffer))

    def reverse_index(self, statement: Statement) -> Value:
        (index,) = self._values(statement)
        dims = _shape(statement)
        axes = rows.integers_of(statement, "axes")
        if not all(-len(dims) <= axis < len(dims) for axis in axes):
            raise _refused(statement, f"axes are {axes}, wanted axes of {len(dims)} dims")
        turned = {axis % len(dims) for axis in axes}
        return self._indices.of_some(index, self._indices.reversed(index, dims, turned))

    # What lanes have of their own

    def literal(self, statement: Statement) -> Value:
        values = statement.attributes["values"]
        assert isinstance(values, tuple)
        if len(values) == 1 and isinstance(values[0], int | float):
            self._numbers[statement.result] = values[0]
        self._builder.append(
            Statement(
                graph.LITERAL, (), (self._renamed(statement),), statement.attributes, (), statement.place
            )
        )
        return self._builder.statements[-1].result

    def _renamed(self, statement: Statement) -> Value:
        return Value(self._builder.fresh(statement.result.name), statement.result.type)

    def pointwise(self, statement: Statement) -> Value:
        (result,) = self._builder.apply(statement.op, tuple(self._values(statement)), statement.attributes)
        return result


_LOWERED: Mapping[Op, Callable[[_Lowering, Statement], Value]] = {
    rows.GLOBAL_ID: _Lowering.global_id,
    rows.LOCAL_ID: _Lowering.local_id,
    rows.WORKGROUP_ID: _Lowering.workgroup_id,
    rows.WORKGROUP_SIZE: _Lowering.workgroup_size,
    rows.LANE_ID: _Lowering.lane_id,
    rows.LOAD: _Lowering.load,
    rows.VECTOR_LOAD: _Lowering.load,
    rows.STRIDED_LOAD: _Lowering.load,
    rows.STORE: _Lowering.store,
    rows.VECTOR_STORE: _Lowering.store,
    rows.STRIDED_STORE: _Lowering.store,
    rows.CONDITIONAL_LOAD: _Lowering.conditional_load,
    rows.LDS_ALLOCATE: _Lowering.lds,
    rows.LANE_REDUCE: _Lowering.lane_reduce,
    rows.DPP_REDUCE: _Lowering.dpp_reduce,
    rows.REDUCE_WAVES: _Lowering.reduce_waves,
    rows.PAD_INDEX: _Lowering.pad_index,
    rows.GATHER_INDEX: _Lowering.gather_index,
    rows.REVERSE_INDEX: _Lowering.reverse_index,
    graph.LITERAL: _Lowering.literal,
}


def _number(statement: Statement, name: str, default: int) -> int:
    value = statement.attributes.get(name, default)
    assert isinstance(value, int), "the row has checked it"
    return value


def _shape(statement: Statement) -> tuple[int, ...]:
    """The dims of `input_shape`."""
    return rows.integers_of(statement, "input_shape")


def _refused(statement: Statement, message: str) -> InputError:
    return InputError(statement.place or statement.op.name, "GEN104", f"{statement.op.name}: {message}")
