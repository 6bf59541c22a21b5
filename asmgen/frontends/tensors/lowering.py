"""Functions of tensors as modules of a graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from asmgen.frontends.tensors.counting import known_result
from asmgen.frontends.tensors.extents import (
    READS_SHAPES,
    SIZES_OF,
    Extents,
    extents_of,
    is_assertion,
    size_of_axis,
)
from asmgen.frontends.tensors.folding import FOLDS, kept_operand
from asmgen.frontends.tensors.known_tables import with_known_tables
from asmgen.frontends.tensors.means import mean_of
from asmgen.frontends.tensors.op_call import Definitions, Item, NotOfElements, OpCall, Part, Results
from asmgen.frontends.tensors.quotients import quotients_of
from asmgen.frontends.tensors.recursions import Recursion, recursions
from asmgen.frontends.tensors.size_numbers import numbers_of_sizes
from asmgen.frontends.tensors.stablehlo.scans import Along, is_scanned, scanned
from asmgen.frontends.tensors.stablehlo.single_element import single_element
from asmgen.frontends.tensors.stablehlo.turned import JOINS, check_whole
from asmgen.frontends.tensors.table import TABLE, check_static, refuse_unknown
from asmgen.frontends.tensors.types import element_of, graph_type
from asmgen.frontends.traced import numpy_calls
from asmgen.frontends.traced.array import Array, Tracer, apply, identifier
from asmgen.frontends.traced.trace import ranged
from asmgen.graph.builder import GraphBuilder
from asmgen.graph.donations import check_donations
from asmgen.graph.needed import needed
from asmgen.graph.rewritings.equal import merge_equal
from asmgen.index.size import Dim, Size, named_dim
from asmgen.ir.constants import Number
from asmgen.ir.named_dims import PROVISIONAL, PROVISIONAL_LOW
from asmgen.ir.program import Module, Program, Stage, Value
from asmgen.ir.shapes import format_type
from asmgen.ir.types import ElementType, tensor
from asmgen.mlir.donated import attributes_of_arguments, donated_by
from asmgen.mlir.source import Attribute, Block, MlirModule, Operation, Ssa, Symbol
from asmgen.mlir.tensor_functions import body_of, entries, name_of, tensor_functions
from asmgen.mlir.types import OtherType, TensorType
from isa.diagnostics import InputError, InternalError, Place

_COMPARE = "stablehlo.compare"
_DEEPEST = 64  # calls in each other
_CALLS = {"func.call": "callee", "stablehlo.composite": "decomposition"}
"""The ops that call a function, with the attribute that names it."""


def graph_of(module: MlirModule, entry: str | None = None) -> Program:
    """The graph of a file: a module for each entry.

    `InputError` TNS001 for an op without a rule, TNS002 and TNS003 for types, TNS004 for a form of an op that
    the graph does not have, MLIR006 for an unknown entry.
    """
    functions = tensor_functions(module)
    modules = [_module(functions, each) for each in entries(module, entry)]
    return Program(Stage.GRAPH, tuple([ranged(each, is_clamped=False) for each in modules]))


def _module(functions: dict[str, Operation], function: Operation) -> Module:
    """The module of an entry. If two of its dims must be equal, it begins again with the same name."""
    equal: dict[str, Dim] = {}
    while True:
        try:
            return _Function(functions, equal).module(function)
        except EqualDims as found:
            name, dim = found.name, found.dim
            renamed = {each: dim if _is_named(size, name) else size for each, size in equal.items()}
            equal = renamed | {name: dim}


class EqualDims(Exception):
    """A dim of an argument must be equal to another dim."""

    def __init__(self, name: str, dim: Dim) -> None:
        super().__init__(name)
        self.name = name
        self.dim = dim


def _is_named(dim: Dim, name: str) -> bool:
    return isinstance(dim, Size) and dim == _named(name)


def _named(name: str) -> Dim:
    """A dim as large as slices need it: those of MLIR are never clamped."""
    return named_dim(name, PROVISIONAL_LOW, PROVISIONAL)


class _Function:
    """The translation of an entry, with all functions that it calls. `equal` gives dims by their names."""

    def __init__(self, functions: dict[str, Operation], equal: dict[str, Dim]) -> None:
        self._functions = functions
        self._equal = equal
        self._names: list[str] = []
        self._builder = GraphBuilder()
        self._tracer = Tracer(self._builder, numpy_calls, propagates_nan=True)
        self._definitions = Definitions(self._builder)
        self._items: dict[Ssa, Item] = {}
        self._readers: dict[Ssa, list[Operation]] = {}
        self._depth = 0
        self._is_element = False  # whether a block for single elements is computed for arrays of them
        self._is_single = False  # whether a block of arrays is computed for a single element
        self.read: list[Operation] = []  # operations that a single element computes in a way of its own

    def module(self, function: Operation) -> Module:
        body = _only_block(function)
        attributes = attributes_of_arguments(function)
        given = [
            self._parameter(argument, number, attributes[number])
            for number, argument in enumerate(body.arguments)
        ]
        results = _flat(self._with_numbers(body.terminator, self._block(body, given)), body.terminator.place)
        if not results:
            raise InputError(function.place, "TNS004", "the function returns nothing, wanted a tensor")
        name = identifier(name_of(function))
        module = self._builder.finish(name, results, body.terminator.place)
        module = needed(with_known_tables(merge_equal(module)))
        check_donations(module)
        return module

    def _parameter(self, argument: Ssa, number: int, attributes: Mapping[str, Attribute]) -> Array:
        name = identifier(argument.name)
        name = self._builder.fresh(name if name.isidentifier() else f"arg{number}")
        element = element_of(argument.type, argument.place)
        dims, bounds = (
            (argument.type.dims, argument.type.bounds) if isinstance(argument.type, TensorType) else ((), ())
        )
        type_ = tensor(element, tuple([self._dim(name, axis, dim) for axis, dim in enumerate(dims)]))
        settings = donated_by(attributes)
        if bounds:
            settings["most"] = tuple([-1 if most is None else most for most in bounds])
        return Array(self._builder.param(name, name, type_, argument.place, settings), self._tracer)

    def _dim(self, argument: str, axis: int, dim: int | None) -> Dim:
        """A dim of an argument; a dynamic dim has a name."""
        if dim is not None:
            return dim
        name = f"{argument}_{axis}"
        self._names.append(name)
        return self._equal.get(name, _named(name))

    def _same(self, first: Dim, second: Dim) -> None:
        """State that two dims are equal. Raises `EqualDims` for the later of two names."""
        if first == second:
            return
        for name in reversed(self._names):
            for dim, other in ((first, second), (second, first)):
                if _is_named(dim, name):
                    raise EqualDims(name, other)

    def _block(self, block: Block, given: Sequence[Item]) -> tuple[Item, ...]:
        """Compute a block; the operands of its last operation."""
        self._items.update(zip(block.arguments, given, strict=True))
        known = recursions(block, is_scanned)
        for operation in block.operations[:-1]:
            if operation in known.unneeded:
                continue
            if operation in known.found:
                self._items[operation.result] = self._scanned(operation, known.found[operation])
                continue
            with self._builder.origin(operation.place, operation.name):
                results = self._results(operation)
            self._items.update(zip(operation.results, results, strict=True))
        return tuple([self._items[operand] for operand in block.terminator.operands])

    def _scanned(self, operation: Operation, recursion: Recursion) -> Item:
        """The scan that a recursion computes."""
        given = [item for array in recursion.inputs if isinstance(item := self._items[array], Array)]
        body, along = recursion.body(operation), Along(recursion.axis, recursion.is_reverse)
        assert body is not None, "a recursion is found by its body"
        with self._builder.origin(operation.place, operation.name):
            return _typed(
                scanned(self._call(operation, ()), body, given, recursion.number, along), operation.result
            )

    def _call(self, operation: Operation, given: tuple[Item, ...]) -> OpCall:
        return OpCall(
            operation=operation,
            items=given,
            tracer=self._tracer,
            definitions=self._definitions,
            inline=self._for_elements,
            block=self._block,
            same=self._same,
            function=lambda name: self._body_of(operation, name),
            sizes=lambda value: self._sizes(self._items[value]),
            item=self._items.__getitem__,
            compute=self._computed,
            known_item=self._items.get,
            readers=self._readers_of,
            apart=self._apart,
        )

    def _apart(self) -> SingleElements:
        return SingleElements(self._functions, self._equal)

    def _readers_of(self, value: Ssa) -> Sequence[Operation]:
        """The operations that read a value."""
        if not self._readers:
            for function in self._functions.values():
                for operation in function.walk():
                    for operand in operation.operands:
                        self._readers.setdefault(operand, []).append(operation)
        return self._readers.get(value, ())

    def _computed(
        self, operation: Operation, given: Mapping[Ssa, Item], is_element: bool = False
    ) -> list[Item]:
        """The results of an operation for values of its operands, single elements or arrays of them."""
        self._items.update(given)
        before, self._is_element = self._is_element, is_element
        with self._builder.origin(operation.place, operation.name):
            results = self._results(operation)
        self._is_element = before
        self._items.update(zip(operation.results, results, strict=True))
        return results

    def _results(self, operation: Operation) -> list[Item]:
        given = tuple([self._items[operand] for operand in operation.operands])
        if operation.name in _CALLS:
            return list(self._called(operation, given, operation.symbol(_CALLS[operation.name])))
        mean = mean_of(self._definitions, operation, given)
        if mean is not None:
            return [mean]
        extents = self._extents(operation, given)
        if extents is not None:
            return extents
        given = self._with_numbers(operation, given)
        rule = TABLE.get(operation.name)
        if rule is None:
            refuse_unknown(operation)
        single = single_element(operation, given, self._tracer) if self._is_single else None
        if single is not None:
            self.read.append(operation)
            return [single]
        check_static(operation, given)
        known = self._known(operation, given)
        known = self._kept(operation, given) if known is None else known
        if known is not None:
            return [known]
        try:
            results = _listed(rule(self._call(operation, given)))
        except InputError as error:
            is_ours = isinstance(error.place, Place) and error.place.file == operation.place.file
            if is_ours and (error.place != operation.place or operation.name in error.message):
                raise
            message = f"{operation.name}: {error.message}"
            raise InputError(operation.place, error.code, message, error.notes, error.help) from error
        if self._is_element:
            return results
        return [_typed(item, ssa) for item, ssa in zip(results, operation.results, strict=True)]

    def _extents(self, operation: Operation, given: Sequence[Item]) -> list[Item] | None:
        """The results of an op that makes sizes of the launch; None for any other op."""
        if operation.name in SIZES_OF and isinstance(given[0], Array):
            axis = self._sizes(given[-1]) if len(given) > 1 else None
            size = size_of_axis(operation, given[0].type.dims, axis)
            return None if size is None else [size]
        if is_assertion(operation):
            self._assert_equal(operation.operands[0].owner)
            return []
        if not any(isinstance(item, Extents) for item in given) or operation.name in READS_SHAPES:
            return None
        made = extents_of(operation, [self._sizes(item) for item in given])
        return None if made is None else list(made)

    def _assert_equal(self, test: Operation | None) -> None:
        """Dims that an assertion compares are equal."""
        if test is None or test.name != _COMPARE or test.text("comparison_direction") != "eq":
            return
        sizes = [self._sizes(self._items[operand]) for operand in test.operands]
        first, second = [each.sizes[0] if each is not None else None for each in sizes]
        if first is not None and second is not None:
            self._same(first, second)

    def _with_numbers(self, operation: Operation, given: Sequence[Item]) -> tuple[Item, ...]:
        """Operands with sizes as numbers, but for the shapes that the operation reads."""
        first = READS_SHAPES.get(operation.name, len(given))
        if operation.name not in JOINS:
            check_whole(given)
        return tuple(
            [
                numbers_of_sizes(item, ssa, self._tracer)
                if isinstance(item, Extents) and number < first
                else item
                for number, (item, ssa) in enumerate(zip(given, operation.operands, strict=True))
            ]
        )

    def _sizes(self, item: Item) -> Extents | None:
        """Sizes, also those that are constants; None for any other operand."""
        if not isinstance(item, Array):
            return item if isinstance(item, Extents) else None
        numbers = self._definitions.numbers(item)
        computed = self._definitions.computed(item) if numbers is None else None
        numbers = computed.reshape(-1).tolist() if computed is not None else numbers
        if numbers is None or not all(float(each).is_integer() for each in numbers):
            return None
        return Extents(tuple([int(each) for each in numbers]))

    def _known(self, operation: Operation, given: Sequence[Item]) -> Item | None:
        """The literal of a result of rank 0 that is known now; None for any other result."""
        if len(operation.results) != 1 or operation.regions or not given:
            return None
        type_ = operation.results[0].type
        if not isinstance(type_, TensorType) or type_.dims or isinstance(type_.element, OtherType):
            return None
        numbers: list[Number] = []
        for item in given:
            number = self._definitions.number(item.value) if isinstance(item, Array) else None
            if number is None:
                return None
            numbers.append(number)
        result = known_result(operation, numbers, type_.element)
        if result is None:
            return None
        return Array(self._tracer.number(result, type_.element, operation.place), self._tracer)

    def _kept(self, operation: Operation, given: Sequence[Item]) -> Item | None:
        """The operand that is the result of an operation; None for an operation that computes."""
        if operation.name not in FOLDS:
            return None
        arrays = [item for item in given if isinstance(item, Array)]
        numbers = [self._definitions.number(each.value) for each in arrays]
        element = element_of(operation.result.type, operation.place)
        kept = kept_operand(operation.name, numbers, element)
        if kept is None:
            return None
        if self._is_element:
            is_whole = arrays[kept].type.rank == max(each.type.rank for each in arrays)
            return arrays[kept] if is_whole else None
        return _typed(arrays[kept], operation.result)

    def _for_elements(self, block: Block, given: Sequence[Item]) -> tuple[Item, ...]:
        """Compute a block, which is written for single elements, for all elements of arrays."""
        before, self._is_element = self._is_element, True
        results = self._block(block, given)
        self._is_element = before
        return results

    def _called(self, operation: Operation, given: Sequence[Item], symbol: Symbol) -> tuple[Item, ...]:
        body = self._body_of(operation, symbol.path[-1])
        quotients = quotients_of(body, [self._sizes(item) for item in given], self._functions)
        if quotients is not None:
            return quotients
        if self._depth == _DEEPEST:
            message = f"{operation.name}: more than {_DEEPEST} calls in each other, wanted no recursion"
            raise InputError(operation.place, "TNS004", message)
        self._depth += 1
        results = self._block(body, given)
        self._depth -= 1
        return results

    def _body_of(self, operation: Operation, name: str) -> Block:
        """The block of a function. `InputError` TNS004 if it has none."""
        function = self._functions.get(name)
        if function is None:
            message = f"{operation.name}: @{name} has no body, wanted a function of tensors"
            raise InputError(operation.place, "TNS004", message)
        return _only_block(function)


class SingleElements(_Function):
    """Blocks of a loop as a module of single elements: each value of any dims is a number of rank 0."""

    def __init__(self, functions: dict[str, Operation], equal: dict[str, Dim]) -> None:
        super().__init__(functions, equal)
        self._is_element = self._is_single = True

    @property
    def builder(self) -> GraphBuilder:
        return self._builder

    def argument(self, value: Ssa, element: ElementType) -> Value:
        name = self._builder.fresh(identifier(value.name) if value.name.isidentifier() else "x")
        made = self._builder.param(name, name, tensor(element, ()), value.place)
        self._items[value] = Array(made, self._tracer)
        return made

    def number(self, value: Ssa, number: Number, element: ElementType) -> None:
        self._items[value] = Array(self._tracer.number(number, element, value.place), self._tracer)

    def block(self, block: Block, given: Sequence[Value]) -> tuple[Value, ...]:
        made = self._block(block, [Array(each, self._tracer) for each in given])
        return tuple([self._value(each) for each in made])

    def known(self, value: Ssa) -> Value:
        return self._value(self._items[value])

    def _value(self, item: Item) -> Value:
        if not isinstance(item, Array) or item.type.rank:
            raise NotOfElements
        return item.value


def _only_block(function: Operation) -> Block:
    """The body of a function. `InputError` TNS004 at the first branch of a body with several blocks."""
    body = body_of(function)
    assert body is not None, "a tensor function has a body"
    if len(function.regions[0].blocks) > 1:
        message = f"{body.terminator.name} goes to another block, wanted a function of a single block"
        help = "stablehlo.if, case and while have their code in regions"
        raise InputError(body.terminator.place, "TNS004", message, help=help)
    return body


def _listed(results: Results) -> list[Item]:
    return [results] if isinstance(results, Array) else list(results)


def _flat(items: Sequence[Item], place: Place) -> tuple[Value, ...]:
    values: list[Value] = []
    for item in items:
        assert not isinstance(item, Extents | Part), "the results are numbers, and whole"
        values += [item.value] if isinstance(item, Array) else _flat(item, place)
    return tuple(values)


def _typed(item: Item, result: Ssa) -> Item:
    """A result in the dims that the file states: a number may be broadcast to them."""
    if not isinstance(item, Array):
        return item
    if isinstance(result.type, TensorType) and None in result.type.dims:
        return item  # the array has the dims that are known
    wanted = graph_type(result.type, result.place)
    if not item.type.rank and wanted.rank:
        item = apply("multibroadcast", item, out_lens=wanted.dims)
    if item.type.element is not wanted.element or item.type.dims != wanted.dims:
        got = format_type(item.type)
        if any(isinstance(dim, Size) for dim in item.type.dims):
            message = f"the operands give {got}, wanted {format_type(wanted)} as the file states"
            raise InputError(result.place, "TNS003", message, help="write the dim as ? in the result, too")
        message = f"a rule gave {got}, wanted {format_type(wanted)}"
        raise InternalError("tensors", str(result.place), message)
    return item
