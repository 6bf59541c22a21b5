"""Reads gen text: the graph, and the stages after it (docs/gen-text.md). Every refusal is an `InputError` at
its place.

Codes: GEN001 characters, GEN002 syntax, GEN003 unknown op, GEN004 unknown name, GEN005 a name given twice,
GEN006 unknown attribute, GEN007 repeated attribute, GEN008 an attribute's value, GEN009 a missing attribute,
GEN010 names of results, GEN011 a result that disagrees with what is inferred, GEN012 unknown type, GEN013
dims and strides, GEN014 symbolic dims, GEN015 literals, GEN016 @return, GEN017 the stage line, GEN018 an op
out of its stage, GEN019 regions, GEN020 an op in an operand's place, GEN021 calls of modules; GEN3xx are
inference's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise

from asmgen.frontends.text.calls import CALLS, Call, inline
from asmgen.frontends.text.cursor import Cursor, counted
from asmgen.frontends.text.header import TARGETED, read_header
from asmgen.frontends.text.lexer import SourceText, Token, TokenKind, refuse_operators, tokenize
from asmgen.frontends.text.named_dims import NamedDims
from asmgen.frontends.text.read_attributes import read_attributes
from asmgen.frontends.text.read_literal import literal_values, read_numbers
from asmgen.frontends.text.read_types import read_agreed_results, read_written_type
from asmgen.graph.builder import GraphBuilder
from asmgen.graph.ops import FORMS, GRAPH_OPS, PARAM, RETURN
from asmgen.ir.named_dims import Ranges, ranges_of
from asmgen.ir.program import Module, Op, Program, Region, Stage, Statement, Value
from asmgen.ir.shapes import format_type
from asmgen.ir.types import BOOL, U32, LaneType, ValueType
from isa.diagnostics import InputError, Place, close_names

_NO_RANGES: Mapping[str, Ranges] = {}
_DEEPEST = 64  # regions in regions
SCALARS = (
    "bool",
    "i8",
    "u8",
    "i16",
    "u16",
    "i32",
    "u32",
    "i64",
    "u64",
    "f16",
    "f32",
    "f64",
)  # what a parameter by value may be
_FORM_MARK, _RETURN = "@", RETURN.name[1:]


def parse(text: str, file_name: str) -> Program:
    """Read a gen file; `file_name` is in messages, and its stem names the module of a file without module
    lines."""
    source = SourceText(text, file_name)
    stage, target, start = read_header(source)
    tokens = tokenize(source, start)
    refuse_operators(source, tokens)
    parser = ModuleParser(Cursor(source, tokens), stage)
    modules = parser.file()
    if parser.has_named_dims:  # their ranges follow from the whole module, and it is read again with them
        modules = ModuleParser(Cursor(source, tokens), stage, ranges_of(modules)).file()
    return Program(stage, modules, target)


@lru_cache(maxsize=2)
def _ops_by_name(is_graph: bool) -> dict[str, Op]:
    """The ops that a file may have; the stages' rows are loaded where a stage's file asks for them."""
    if is_graph:
        return GRAPH_OPS
    from asmgen.lanewise.ops import STAGE_OPS

    return GRAPH_OPS | STAGE_OPS


class ModuleParser:
    """One file. Names are looked up in `_scope`; `_defined` also holds those of regions that have ended.
    `ranges` are those of each module's named dims, where they are known.
    """

    def __init__(self, cursor: Cursor, stage: Stage, ranges: Mapping[str, Ranges] = _NO_RANGES) -> None:
        self._cursor = cursor
        self._stage = stage
        self._ops = _ops_by_name(stage is Stage.GRAPH)
        self._taken: set[str] = set()  # the names in the module that is being read
        self._builder = GraphBuilder()
        self._scope: dict[str, Value] = {}
        self._defined: dict[str, Place] = {}
        self._arguments: dict[str, Place] = {}
        self._sizes: set[str] = set()  # the arguments that are u32 by value
        self._depth = 0
        self._ranges = ranges
        self._dims = NamedDims({})
        self.has_named_dims = False
        self._modules: dict[str, Module] = {}  # those before the one that is being read
        self._called: set[str] = set()

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
            _ = cursor.expect("module", "'module' or the end of the file")
            _ = cursor.expect(_FORM_MARK)
            name = cursor.identifier("the module's name")
            self._define_once(names, name, "module")
            _ = cursor.expect("{")
            modules.append(self.module_body(name.text, "'}'"))
            self._modules[name.text] = modules[-1]
            _ = cursor.expect("}")
            cursor.end_of_statement()
        return tuple([module for module in modules if module.name not in self._called])

    def module_body(self, name: str, end: str, known: Ranges | None = None) -> Module:
        """The statements of a module from here up to its `@return`; `end` is how messages call what is wanted
        after it. `known` are the named dims that it may use, where it defines none."""
        cursor = self._cursor
        self._dims = NamedDims(known or self._ranges.get(name, {}), self._stage in TARGETED)
        self._taken = cursor.names_ahead()
        self._builder = GraphBuilder(self._taken)
        self._scope, self._defined, self._arguments, self._sizes = {}, {}, {}, set()
        cursor.skip_newlines()
        while not cursor.at(_FORM_MARK, _RETURN):
            if cursor.at_end() or cursor.at("}"):
                cursor.fail(
                    cursor.peek(),
                    "GEN016",
                    f"got {cursor.peek()}, wanted '@return(...)' as the last statement",
                )
            self._statement()
        place = cursor.place(cursor.peek())
        outputs = self._return()
        if not cursor.at_end() and not cursor.at("}"):
            cursor.fail(
                cursor.peek(),
                "GEN016",
                f"got {cursor.peek()} after '@return', wanted {end}: '@return' comes once, and last",
            )
        self._check_dims()
        return self._builder.finish(name, outputs, place)

    def _check_dims(self) -> None:
        """Refuse a named dim that has the name of an argument; of a lane program it is one, a u32."""
        for name in self._dims.names:
            self.has_named_dims = True
            argument = self._arguments.get(name)
            if self._stage in TARGETED:
                if name not in self._sizes:
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
            cursor.fail(opening, "GEN016", "'@return' names no value, wanted at least one")
        cursor.end_of_statement()
        return outputs

    def _define_once(self, defined: dict[str, Place], name: Token, what: str) -> None:
        place = self._cursor.place(name)
        if name.text in defined:
            message = f"{what} {name.text} is defined a second time, wanted a name of its own"
            raise InputError(place, "GEN005", message, (f"{name.text} is defined at {defined[name.text]}",))
        defined[name.text] = place

    def _define(self, names: list[Token], values: tuple[Value, ...]) -> None:
        for name, value in zip(names, values, strict=True):
            self._define_once(self._defined, name, "value")
            self._scope[name.text] = value

    def _operand(self) -> Value:
        if self._cursor.peek().kind is TokenKind.NUMBER:
            number = self._cursor.peek()
            help = (
                f"give it a name in a statement of its own: NAME = @literal{{{number.text}}} -> "
                f"f32, {{}}, then write NAME here"
            )
            self._cursor.fail(
                number,
                "GEN020",
                f"got the number {number.text} as an operand, wanted the name of a value",
                help,
            )
        name = self._cursor.identifier("the name of a value")
        value = self._scope.get(name.text)
        if value is None:
            self._refuse_nested(name)
            self._cursor.fail(
                name,
                "GEN004",
                f"{name.text} is not defined here, wanted a name defined before",
                self._why_undefined(name.text),
            )
        return value

    def _refuse_nested(self, name: Token) -> None:
        """Refuse an op in the place of an operand: an operand is the name of a value."""
        is_called = self._cursor.at("(") or self._cursor.at("[")
        if is_called and (name.text in self._ops or name.text not in self._defined):
            help = f"give it a name in a statement of its own: NAME = {name.text}(...), then write NAME here"
            self._cursor.fail(
                name,
                "GEN020",
                f"got the op {name.text} as an operand, wanted a name: a statement has one op",
                help,
            )

    def _why_undefined(self, name: str) -> str:
        if name in self._defined:
            return f"{name} is defined in a region that has ended; a region gives its values by yield"
        if any(token.text == name and after.text == "=" for token, after in pairwise(self._cursor.tokens)):
            return f"{name} is defined after its use or in another module"
        return close_names(name, self._scope)

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
        if cursor.at(_FORM_MARK):
            self._form(names)
        else:
            self._operation(first, names)
        cursor.end_of_statement()

    def _form(self, names: list[Token]) -> None:
        cursor = self._cursor
        mark = cursor.next()
        name = _FORM_MARK + cursor.identifier("param, literal or return").text
        form = FORMS.get(name)
        if form is None:
            cursor.fail(
                mark,
                "GEN003",
                f"unknown form '{name}', wanted one of {', '.join(FORMS)}",
                close_names(name, FORMS),
            )
        if form is RETURN:
            cursor.fail(
                mark, "GEN016", "got '@return', wanted an op: '@return' gives no value and ends a module"
            )
        if len(names) != 1:
            cursor.fail(
                mark,
                "GEN010",
                f"'{form.name}' is given {counted(len(names), 'name')}, wanted 'NAME = {form.name}...'",
            )
        value = self._param(names[0], mark) if form is PARAM else self._literal(names[0], mark)
        self._define(names, (value,))

    def _param(self, name: Token, mark: Token) -> Value:
        cursor = self._cursor
        _ = cursor.expect(":", "':' and the argument's name")
        argument = cursor.identifier("the argument's name")
        self._define_once(self._arguments, argument, "argument")
        type_ = self._written_type(defines=True)
        if isinstance(type_, LaneType):
            self._check_scalar(type_, mark)
            self._sizes |= {argument.text} if type_.element is U32 else set()
        return self._builder.param(name.text, argument.text, type_, cursor.place(mark))

    def _check_scalar(self, type_: LaneType, mark: Token) -> None:
        """A scalar by value is a parameter of one number, from lanewise on."""
        if self._stage not in TARGETED:
            self._cursor.fail(
                mark,
                "GEN012",
                f"got the scalar {type_} as a parameter in {self._stage.value}, wanted a "
                f"buffer: a type and dims",
            )
        if type_.lanes != 1 or type_.element.name not in SCALARS:
            self._cursor.fail(
                mark,
                "GEN012",
                f"got a parameter of {type_}, wanted a buffer, or a scalar of {' '.join(SCALARS)}",
            )

    def _literal(self, name: Token, mark: Token) -> Value:
        cursor = self._cursor
        opening = cursor.peek()
        numbers = read_numbers(cursor)
        type_ = self._written_type()
        return self._builder.literal(
            name.text, literal_values(cursor, opening, numbers, type_), type_, cursor.place(mark)
        )

    def _written_type(self, defines: bool = False) -> ValueType:
        written = read_written_type(self._cursor, self._dims, defines)
        if self._stage is Stage.GRAPH and isinstance(written.type, LaneType):
            help = f"{written.element}, {{}} is a tensor of rank 0"
            self._cursor.fail(
                written.token,
                "GEN012",
                f"got the lane value {written.token.text}, wanted a tensor: a type and dims",
                help,
            )
        return written.type

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
        if op.regions:
            regions, types = self._regions(op, operands, types)
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
        self._define(names, results)

    def _call(self, call: Call, names: list[Token], place: Place) -> None:
        """`y = op[module=NAME](x)`, or with the module's parameters and statements at its end."""
        cursor = self._cursor
        module = self._called_module() if cursor.at("[") else None
        operands = tuple(cursor.listed("(", ")", self._operand)) if cursor.at("(") else ()
        if module is None:
            module = self._body_of_call(call, operands)
        if not names:
            names = [Token(TokenKind.IDENTIFIER, call.name, 0)]
        values = inline(self._builder, call, module, operands, [name.text for name in names], place)
        read_agreed_results(cursor, call.name, tuple([value.type for value in values]), self._dims)
        self._define(names, values)

    def _called_module(self) -> Module:
        cursor = self._cursor
        _ = cursor.expect("["), cursor.expect("module"), cursor.expect("=")
        token = cursor.identifier("the name of a module")
        module = self._modules.get(token.text)
        if module is None:
            message = f"there is no module {token.text} before this, wanted the name of one"
            cursor.fail(token, "GEN021", message, close_names(token.text, self._modules))
        self._called.add(token.text)
        _ = cursor.expect("]")
        return module

    def _body_of_call(self, call: Call, operands: tuple[Value, ...]) -> Module:
        """The module at the end of a call, which sees its parameters alone."""
        cursor = self._cursor
        opening = cursor.peek()
        names = cursor.listed("(", ")", lambda: cursor.identifier("a parameter's name"))
        if len(names) != len(operands):
            cursor.fail(
                opening,
                "GEN021",
                f"{counted(len(names), 'parameter')} for {counted(len(operands), 'operand')}",
            )
        builder, scope = self._builder, self._scope
        self._builder, self._scope = GraphBuilder(self._taken), {}
        for name, operand in zip(names, operands, strict=True):
            value = self._builder.param(name.text, name.text, operand.type, cursor.place(name))
            self._define([name], (value,))
        _ = cursor.expect("{")
        cursor.skip_newlines()
        while not cursor.at(_FORM_MARK, _RETURN):
            if cursor.at_end() or cursor.at("}"):
                cursor.fail(
                    cursor.peek(),
                    "GEN016",
                    f"got {cursor.peek()}, wanted '@return(...)' as the last statement",
                )
            self._statement()
        module = self._builder.finish(call.name, self._return(), cursor.place(opening))
        _ = cursor.expect("}")
        self._builder, self._scope = builder, scope
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
                close_names(token.text, [*self._ops, *FORMS]),
            )
        if self._stage not in op.stages:
            stages = ", ".join(stage.value for stage in Stage if stage in op.stages)
            help = "the line 'stage NAME TARGET' at the head of a file says its stage"
            cursor.fail(token, "GEN018", f"got {op.name} in {self._stage.value}, wanted it in {stages}", help)
        return op

    def _regions(
        self, op: Op, operands: tuple[Value, ...], inferred: tuple[ValueType, ...]
    ) -> tuple[tuple[Region, ...], tuple[ValueType, ...]]:
        """The regions of a statement, and the types they yield: for a loop the inferred ones, else those of
        the first region."""
        cursor = self._cursor
        regions: list[Region] = []
        wanted = inferred
        while cursor.at("{") or cursor.at("("):
            opening = cursor.peek()
            if len(regions) == op.regions:
                cursor.fail(
                    opening, "GEN019", f"{op.name} has {counted(op.regions, 'region')}, wanted no more"
                )
            regions.append(self._region(op, operands))
            yielded = tuple([value.type for value in regions[-1].statements[-1].operands])
            if len(regions) == 1 and op.carried_from is None:
                wanted = yielded
            due = (LaneType(BOOL),) if op.tests_first and len(regions) == 1 else wanted
            if yielded != due:
                got, want = (", ".join(map(format_type, types)) or "nothing" for types in (yielded, due))
                cursor.fail(opening, "GEN019", f"the region yields {got}, wanted {want}")
        least = op.regions if wanted or op.tests_first else 1
        if len(regions) < least:
            cursor.fail(
                cursor.peek(),
                "GEN019",
                f"got {cursor.peek()} after {counted(len(regions), 'region')} of {op.name}, wanted {least}",
            )
        return tuple(regions), wanted

    def _region(self, op: Op, operands: tuple[Value, ...]) -> Region:
        cursor = self._cursor
        if self._depth == _DEEPEST:
            cursor.fail(
                cursor.peek(), "GEN019", f"regions are nested more than {_DEEPEST} deep, wanted fewer"
            )
        self._depth += 1
        outer_scope, self._scope = self._scope, dict(self._scope)
        outer_statements, self._builder.statements = self._builder.statements, []
        parameters = self._region_parameters(op, operands)
        _ = cursor.expect("{")
        cursor.skip_newlines()
        while not cursor.at("}"):
            if cursor.at_end() or cursor.at(_FORM_MARK, _RETURN):
                cursor.fail(
                    cursor.peek(), "GEN019", f"got {cursor.peek()}, wanted '}}' of the region of {op.name}"
                )
            self._statement()
        closing = cursor.next()
        statements = tuple(self._builder.statements)
        ends = [statement.op.ends_region for statement in statements]
        if not ends or not ends[-1] or any(ends[:-1]):
            cursor.fail(
                closing,
                "GEN019",
                f"the region of {op.name} does not end in its one yield, wanted 'yield(...)' "
                f"as the last statement",
            )
        self._scope, self._builder.statements = outer_scope, outer_statements
        self._depth -= 1
        return Region(parameters, statements)

    def _region_parameters(self, op: Op, operands: tuple[Value, ...]) -> tuple[Value, ...]:
        cursor = self._cursor
        opening = cursor.peek()
        names = (
            cursor.listed("(", ")", lambda: cursor.identifier("a parameter's name")) if cursor.at("(") else []
        )
        carried = operands if op.carried_from is None else operands[op.carried_from :]
        types = (
            ()
            if op.carried_from is None
            else tuple([value.type for value in (*operands[: op.has_counter], *carried)])
        )
        if len(names) != len(types):
            cursor.fail(
                opening, "GEN019", f"the region has {counted(len(names), 'parameter')}, wanted {len(types)}"
            )
        parameters = tuple([Value(name.text, type_) for name, type_ in zip(names, types, strict=True)])
        self._define(names, parameters)
        return parameters


def _module_name(file_name: str) -> str:
    """The stem of the file's name, as an identifier."""
    stem = re.sub(r"[^A-Za-z0-9_]", "_", os.path.splitext(os.path.basename(file_name))[0]) or "main"
    return f"_{stem}" if stem[0].isdigit() else stem
