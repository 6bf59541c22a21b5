"""Reads the forms of gen text: `@param:x -> f32, {4}` and `@literal{1, 2} -> f32, {2}`."""

from __future__ import annotations

from asmgen.gentext.names import Names
from asmgen.gentext.read_attributes import read_settings
from asmgen.graph.builder import GraphBuilder
from asmgen.graph.ops import FORMS, KERNEL_PARAM_SETTINGS, PARAM, PARAM_SETTINGS, RETURN
from asmgen.ir.header import TARGETED
from asmgen.ir.program import Stage, Value
from asmgen.ir.read_dims import NamedDims
from asmgen.ir.read_types import read_written_type
from asmgen.ir.types import U32, LaneType, TensorType, ValueType
from asmgen.text.cursor import Cursor, counted
from asmgen.text.lexer import Token
from isa.diagnostics import close_names

FORM_MARK = "@"
# the types of a parameter by value
SCALARS = ("bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "f32", "f64")


class FormReader:
    """Reads the forms of a module. `sizes` are the arguments that are u32 by value."""

    def __init__(self, cursor: Cursor, stage: Stage, names: Names, dims: NamedDims) -> None:
        self._cursor = cursor
        self._stage = stage
        self._names = names
        self._dims = dims
        self.sizes: set[str] = set()

    def read(self, names: list[Token], builder: GraphBuilder) -> None:
        """A form; its mark is the next token. GEN003, GEN010, GEN016 if it gives no value."""
        cursor = self._cursor
        mark = cursor.next()
        name = FORM_MARK + cursor.identifier("param, literal or return").text
        form = FORMS.get(name)
        if form is None:
            message = f"unknown form '{name}', wanted one of {', '.join(FORMS)}"
            cursor.fail(mark, "GEN003", message, close_names(name, FORMS))
        if form is RETURN:
            message = "got '@return', wanted an op: '@return' gives no value and ends a module"
            cursor.fail(mark, "GEN016", message)
        if len(names) != 1:
            given = f"'{form.name}' is given {counted(len(names), 'name')}"
            cursor.fail(mark, "GEN010", f"{given}, wanted 'NAME = {form.name}...'")
        read = self._param if form is PARAM else self._literal
        self._names.define(names, (read(names[0], mark, builder),))

    def _param(self, name: Token, mark: Token, builder: GraphBuilder) -> Value:
        cursor = self._cursor
        _ = cursor.expect(":", "':' and the argument's name")
        argument = cursor.identifier("the argument's name")
        self._names.define_argument(argument)
        specs = PARAM_SETTINGS if self._stage is Stage.GRAPH else KERNEL_PARAM_SETTINGS
        settings = read_settings(cursor, PARAM.name, specs, self._dims)
        type_ = self._written_type(defines=True)
        if self._stage is Stage.GRAPH and "result" in settings and settings.get("donated") is not True:
            cursor.fail(mark, "GEN009", "a result is named, wanted donated=true, too")
        most = settings.get("most", ())
        if isinstance(type_, TensorType) and isinstance(most, tuple) and most and len(most) != type_.rank:
            message = (
                f"most has {counted(len(most), 'number')}, wanted a number for each of the {type_.rank} axes"
            )
            cursor.fail(mark, "GEN013", message, "-1 is no bound")
        if isinstance(type_, TensorType) and isinstance(most, tuple):
            for dim, bound in zip(type_.dims, most, strict=False):
                if isinstance(dim, int) and isinstance(bound, int) and 0 <= bound < dim:
                    message = f"a dim is {dim}, wanted at most {bound}, as `most` says"
                    cursor.fail(mark, "GEN013", message, "-1 is no bound")
        if isinstance(type_, LaneType):
            self._check_scalar(type_, mark)
            self.sizes |= {argument.text} if type_.element is U32 else set()
        return builder.param(name.text, argument.text, type_, cursor.place(mark), settings)

    def _check_scalar(self, type_: LaneType, mark: Token) -> None:
        """A scalar by value is a parameter of a single number, from lanewise on."""
        if self._stage not in TARGETED:
            message = f"got the scalar {type_} as a parameter in {self._stage.value}"
            self._cursor.fail(mark, "GEN012", f"{message}, wanted a buffer: a type and dims")
        if type_.lanes != 1 or type_.element.name not in SCALARS:
            message = f"got a parameter of {type_}, wanted a buffer, or a scalar of {' '.join(SCALARS)}"
            self._cursor.fail(mark, "GEN012", message)

    def _literal(self, name: Token, mark: Token, builder: GraphBuilder) -> Value:
        from asmgen.ir.read_literal import literal_values, read_numbers  # few texts have literals

        cursor = self._cursor
        opening = cursor.peek()
        numbers = read_numbers(cursor)
        type_ = self._written_type()
        values = literal_values(cursor, opening, numbers, type_)
        return builder.literal(name.text, values, type_, cursor.place(mark))

    def _written_type(self, defines: bool = False) -> ValueType:
        written = read_written_type(self._cursor, self._dims, defines)
        if self._stage is Stage.GRAPH and isinstance(written.type, LaneType):
            element = written.element
            help = f"{element}, {{64}} is a tensor of 64 elements, and {element}, {{}} one of rank 0"
            message = f"got the lane value {written.token.text}, wanted a tensor: a type and dims"
            self._cursor.fail(written.token, "GEN012", message, help)
        return written.type
