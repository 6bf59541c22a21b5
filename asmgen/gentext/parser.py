"""Reads gen text: the graph, and the stages after it (docs/gen-text.md). Every refusal is an `InputError` at
its place.

Codes: GEN001 characters, GEN002 syntax, GEN003 unknown op, GEN004 unknown name, GEN005 a name given twice,
GEN006 unknown attribute, GEN007 repeated attribute, GEN008 an attribute's value, GEN009 a missing attribute,
GEN010 names of results, GEN011 a result that disagrees with its inferred type, GEN012 unknown type, GEN013
dims and strides, GEN014 symbolic dims, GEN015 literals, GEN016 @return, GEN017 the stage line, GEN018 an op
out of its stage, GEN019 regions, GEN020 an op as an operand, GEN021 calls of modules; GEN3xx are inference's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from asmgen.gentext.calls import CALLS, Call, inline
from asmgen.gentext.forms import FORM_MARK, FormReader
from asmgen.gentext.names import Names, define_once
from asmgen.gentext.read_attributes import read_attributes
from asmgen.gentext.regions import RegionReader
from asmgen.graph.block_dots import BLOCK_DOT
from asmgen.graph.builder import GraphBuilder
from asmgen.graph.needed import needed
from asmgen.graph.ops import FORMS, GRAPH_OPS, RETURN
from asmgen.graph.rounded import ROUNDED_OPS
from asmgen.ir.header import TARGETED, read_header
from asmgen.ir.named_dims import PROVISIONAL_LOW, Ranges, ranges_of
from asmgen.ir.program import Body, Module, Op, Program, Region, Relaunch, Stage, Statement, Value
from asmgen.ir.read_dims import NamedDims
from asmgen.ir.read_types import read_agreed_results
from asmgen.ir.types import ElementType, ValueType, tensor
from asmgen.text.cursor import Cursor, counted
from asmgen.text.lexer import SourceText, Token, TokenKind, refuse_operators, tokenize
from isa.diagnostics import InputError, Place, close_names

# Words of other languages, and the words of gen text for the same.
_OF_OTHER_LANGUAGES = {
    "sum": "did you mean reduce_sum?",
    "mean": "did you mean reduce_mean?",
    "cast": "did you mean convert?",
    "matmul": "did you mean dot?",
    "module": "a module begins with module @NAME {",
}
_NO_RANGES: Mapping[str, Ranges] = {}
_RETURN = RETURN.name[1:]


def parse(text: str, file_name: str) -> Program:
    """Read a gen file; `file_name` is in messages, and its stem names the module of a file without module
    lines."""
    source = SourceText(text, file_name)
    stage, target, start = read_header(source)
    tokens = tokenize(source, start)
    refuse_operators(source, tokens)
    parser = ModuleParser(Cursor(source, tokens), stage)
    try:
        modules = parser.file()
        if parser.has_named_dims:  # their ranges follow from the whole module, and it is read again with them
            graphs = [needed(module) for module in modules] if stage is Stage.GRAPH else modules
            modules = ModuleParser(Cursor(source, tokens), stage, ranges_of(graphs)).file()
    except InputError:
        if not parser.has_named_dims or stage is not Stage.GRAPH:
            raise
        modules = _without_clamps(source, tokens)
    return Program(stage, modules, target, tuple(parser.relaunches))


def _without_clamps(source: SourceText, tokens: list[Token]) -> tuple[Module, ...]:
    """The modules of a graph in which a slice must not be clamped: named dims are at least as large as the
    slices need."""
    large = ModuleParser(Cursor(source, tokens), Stage.GRAPH, low=PROVISIONAL_LOW).file()
    return ModuleParser(Cursor(source, tokens), Stage.GRAPH, ranges_of(large, is_clamped=False)).file()


@lru_cache(maxsize=2)
def _ops_by_name(is_graph: bool) -> dict[str, Op]:
    """The ops that a file may have; the rows of later stages are loaded only for a file of such a stage."""
    if is_graph:
        return GRAPH_OPS | ROUNDED_OPS | {BLOCK_DOT.name: BLOCK_DOT}
    from asmgen.lanewise.ops import STAGE_OPS

    return GRAPH_OPS | ROUNDED_OPS | {BLOCK_DOT.name: BLOCK_DOT} | STAGE_OPS


class ModuleParser:
    """Parses a file. `ranges` are the known ranges of each module's named dims; modules that are called have
    those of their callers. An unknown range begins at `low`."""

    def __init__(
        self, cursor: Cursor, stage: Stage, ranges: Mapping[str, Ranges] = _NO_RANGES, low: int = 0
    ) -> None:
        self._cursor = cursor
        self._stage = stage
        self._ops = _ops_by_name(stage is Stage.GRAPH)
        self._regions = RegionReader(cursor, self._statement)
        self._ranges, self._low = ranges, low
        self._ranges_of_callers = {name: own for known in ranges.values() for name, own in known.items()}
        self._all_dims: list[NamedDims] = []
        self._begin(NamedDims({}), set())
        self._modules: dict[str, Module] = {}  # the modules before the current module
        self._called: set[str] = set()
        self.relaunches: list[Relaunch] = []

    def _begin(self, dims: NamedDims, taken: set[str]) -> None:
        """A new module; `taken` are all names in it."""
        self._dims, self._taken = dims, taken
        self._builder = GraphBuilder(taken)
        self._names = Names(self._cursor, self._ops)
        self._forms = FormReader(self._cursor, self._stage, self._names, dims)

    @property
    def has_named_dims(self) -> bool:
        """Whether the statements so far have sizes that the launch knows."""
        return any(dims.names for dims in self._all_dims)

    def know(self, modules: Mapping[str, Module]) -> None:
        """Modules that statements may call, by their names."""
        self._modules.update(modules)

    def file(self) -> tuple[Module, ...]:
        cursor = self._cursor
        cursor.skip_newlines()
        if not cursor.at("module", "@"):
            return (self.module_body(_module_name(cursor.source.file_name), "the end of the file"),)
        modules: list[Module] = []
        names: dict[str, Place] = {}
        while not cursor.at_end():
            if self._stage in TARGETED and cursor.at("relaunch"):
                from asmgen.ir.relaunches import read_relaunch

                self.relaunches.append(read_relaunch(cursor, [*names]))
                continue
            _ = cursor.expect("module", "'module' or the end of the file")
            _ = cursor.expect(FORM_MARK)
            name = cursor.identifier("the module's name")
            define_once(cursor, names, name, "module")
            _ = cursor.expect("{")
            modules.append(self.module_body(name.text, "'}'"))
            self._modules[name.text] = modules[-1]
            _ = cursor.expect("}")
            cursor.end_of_statement()
        return tuple([module for module in modules if module.name not in self._called])

    def module_body(self, name: str, end: str, known: Ranges | None = None) -> Module:
        """The statements of a module from here to its `@return`. `end` is the name in messages of the token
        that must follow. `known` are the named dims that a module may use if it defines none."""
        cursor = self._cursor
        ranges = self._ranges.get(name, self._ranges_of_callers)
        dims = NamedDims(known or ranges, self._stage in TARGETED, self._low)
        self._all_dims.append(dims)
        self._begin(dims, cursor.names_ahead())
        self._statements()
        place = cursor.place(cursor.peek())
        outputs = self._return()
        if not cursor.at_end() and not cursor.at("}"):
            cursor.fail(
                cursor.peek(),
                "GEN016",
                f"got {cursor.peek()} after '@return', wanted {end}: '@return' comes once, and last",
            )
        self._check_dims()
        module = self._builder.finish(name, outputs, place)
        if any("donated" in statement.attributes for statement in module.statements):
            from asmgen.graph.donations import check_donations

            check_donations(module)
        return module

    def _check_dims(self) -> None:
        """Refuse a named dim with the name of an argument; a lane program needs an argument, a u32."""
        for name in self._dims.names:
            argument = self._names.arguments.get(name)
            if self._stage in TARGETED:
                if name not in self._forms.sizes:
                    message = f"{name} is the name of a dim and no argument"
                    wanted = f"wanted {name} = @param:{name} -> u32"
                    self._cursor.fail(self._cursor.peek(), "GEN014", f"{message}, {wanted}")
            elif argument is not None:
                raise InputError(
                    argument,
                    "GEN005",
                    f"{name} is the name of an argument and of a dim, wanted a name of its own",
                )

    def _return(self) -> tuple[Value, ...]:
        cursor = self._cursor
        _ = cursor.next(), cursor.next()
        opening = cursor.peek()
        outputs = tuple(cursor.listed("(", ")", self._operand))
        if not outputs and self._stage is Stage.GRAPH:
            cursor.fail(opening, "GEN016", "'@return' names no value, wanted at least one value")
        cursor.end_of_statement()
        return outputs

    def _operand(self) -> Value:
        return self._names.value()

    def _statements(self) -> None:
        """The statements up to `@return`, which is required."""
        cursor = self._cursor
        cursor.skip_newlines()
        while not cursor.at(FORM_MARK, _RETURN):
            if cursor.at_end() or cursor.at("}"):
                cursor.fail(
                    cursor.peek(),
                    "GEN016",
                    f"got {cursor.peek()}, wanted '@return(...)' as the last statement",
                )
            self._statement()

    def _statement(self) -> None:
        cursor = self._cursor
        names: list[Token] = []
        first = cursor.peek()
        if first.kind is TokenKind.IDENTIFIER and cursor.peek(1).text in ("=", ","):
            names.append(cursor.next())
            while cursor.at(","):
                _ = cursor.next()
                names.append(cursor.identifier("a name"))
            _ = cursor.expect("=")
        if cursor.at(FORM_MARK):
            self._forms.read(names, self._builder)
        else:
            self._operation(first, names)
        cursor.end_of_statement()

    def _operation(self, first: Token, names: list[Token]) -> None:
        cursor = self._cursor
        place = cursor.place(first)
        if self._stage is Stage.GRAPH and cursor.peek().text in CALLS:
            self._call(CALLS[cursor.next().text], names, place)
            return
        op = self._op()
        attributes = read_attributes(cursor, op, self._dims)
        operands = tuple(cursor.listed("(", ")", self._operand)) if cursor.at("(") else ()
        operands, types = self._builder.infer(op, operands, attributes, place)
        regions: tuple[Region, ...] = ()
        if op.has_body:
            attributes["body"] = self.body(op, [operand.type.element for operand in operands], place)
        if op.regions:
            regions, types = self._regions.read(op, operands, types, self._names, self._builder)
        read_agreed_results(cursor, op.name, types, self._dims)
        if not names and len(types) == 1:
            names = [Token(TokenKind.IDENTIFIER, op.name, first.offset)]
        if len(names) != len(types):
            cursor.fail(
                first,
                "GEN010",
                f"{op.name} gives {counted(len(types), 'result')}, wanted as many names and not {len(names)}",
            )
        results = tuple([Value(name.text, type_) for name, type_ in zip(names, types, strict=True)])
        self._builder.statements.append(Statement(op, operands, results, attributes, regions, place))
        self._names.define(names, results)

    def _call(self, call: Call, names: list[Token], place: Place) -> None:
        """`y = op[module=NAME](x)`, or with the module's parameters and statements at its end."""
        cursor = self._cursor
        module = self._called_module() if cursor.at("[") else None
        operands = tuple(cursor.listed("(", ")", self._operand)) if cursor.at("(") else ()
        if module is None:
            module = self._body(call.name, [operand.type for operand in operands])
        if not names:
            names = [Token(TokenKind.IDENTIFIER, call.name, 0)]
        values = inline(self._builder, call, module, operands, [name.text for name in names], place)
        read_agreed_results(cursor, call.name, tuple([value.type for value in values]), self._dims)
        self._names.define(names, values)

    def _called_module(self) -> Module:
        cursor = self._cursor
        _ = cursor.expect("["), cursor.expect("module"), cursor.expect("=")
        token = cursor.identifier("the name of a module")
        module = self._modules.get(token.text)
        if module is None:
            message = (
                f"there is no module {token.text} before this line, wanted the name of an earlier module"
            )
            cursor.fail(token, "GEN021", message, close_names(token.text, self._modules))
        self._called.add(token.text)
        _ = cursor.expect("]")
        return module

    def body(self, op: Op, elements: Sequence[ElementType], place: Place) -> Body:
        """The body of a loop over values of these types."""
        from asmgen.graph.bodies import body_of, check_trip

        names, forms = self._names, self._forms
        self._names = Names(self._cursor, self._ops)  # a loop's body has names of its own
        self._forms = FormReader(self._cursor, self._stage, self._names, self._dims)
        body = body_of(self._body(op.name, [tensor(element, ()) for element in elements]))
        self._names, self._forms = names, forms
        check_trip(op, body, elements, place)
        return body

    def _body(self, name: str, types: Sequence[ValueType]) -> Module:
        """The module at the end of a statement, which sees its parameters alone."""
        cursor = self._cursor
        opening = cursor.peek()
        names = cursor.listed("(", ")", lambda: cursor.identifier("a parameter's name"))
        if len(names) != len(types):
            wanted = f"wanted as many as the {counted(len(types), 'operand')}"
            cursor.fail(opening, "GEN021", f"got {counted(len(names), 'parameter')}, {wanted}")
        builder, scope = self._builder, self._names.scope
        self._builder, self._names.scope = GraphBuilder(self._taken), {}
        for token, type_ in zip(names, types, strict=True):
            value = self._builder.param(token.text, token.text, type_, cursor.place(token))
            self._names.define([token], (value,))
        _ = cursor.expect("{")
        self._statements()
        module = self._builder.finish(name, self._return(), cursor.place(opening))
        _ = cursor.expect("}")
        self._builder, self._names.scope = builder, scope
        return module

    def _op(self) -> Op:
        cursor = self._cursor
        token = cursor.next()
        if token.kind not in (TokenKind.IDENTIFIER, TokenKind.OP_NAME):
            cursor.fail(token, "GEN002", f"got {token}, wanted an op or '@param', '@literal', '@return'")
        op = self._ops.get(token.text) or _ops_by_name(False).get(token.text)
        if op is None:
            cursor.fail(
                token,
                "GEN003",
                f"unknown op {token.text}, wanted an op of gen text",
                _OF_OTHER_LANGUAGES.get(token.text) or close_names(token.text, [*self._ops, *FORMS]),
            )
        if self._stage not in op.stages:
            stages = ", ".join(stage.value for stage in Stage if stage in op.stages)
            help = "the line 'stage NAME TARGET' at the head of a file says its stage"
            cursor.fail(token, "GEN018", f"got {op.name} in {self._stage.value}, wanted it in {stages}", help)
        return op


def _module_name(file_name: str) -> str:
    """The stem of the file's name, as an identifier."""
    stem = re.sub(r"[^A-Za-z0-9_]", "_", os.path.splitext(os.path.basename(file_name))[0]) or "main"
    return f"_{stem}" if stem[0].isdigit() else stem
