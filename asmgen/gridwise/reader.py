"""Reads gridwise programs, as `asmgen.gridwise.printer` prints them. Every refusal is an `InputError` at its
place.

Codes: GEN0xx as in gen text (`asmgen.gentext.parser`), BLK002 for an index that is none, GRW0xx for a
rule of `asmgen.gridwise.rules` that is broken.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from asmgen.blockwise.schedules.choices import read_choice
from asmgen.gentext.parser import ModuleParser
from asmgen.gridwise.buffer_kinds import BY_WORD, BufferKind
from asmgen.gridwise.program import (
    Buffer,
    Dim,
    GridFile,
    Launch,
    LaunchProgram,
    Result,
    Shape,
    Sizes,
    Temporary,
)
from asmgen.gridwise.sharing import renamed
from asmgen.gridwise.verify import check
from asmgen.index import Index, symbol
from asmgen.index.text import read_index
from asmgen.ir.header import read_header
from asmgen.ir.numbers import read_number
from asmgen.ir.program import Stage
from asmgen.ir.read_dims import check_range, inner_cursor
from asmgen.ir.read_types import read_element
from asmgen.text.cursor import Cursor
from asmgen.text.lexer import GRID_TOKENS, SourceText, Token, TokenKind, tokenize
from isa.diagnostics import InputError, Place, close_names

_LARGEST_DIM = (1 << 32) - 1


def read_file(text: str, file_name: str) -> GridFile:
    """Read a file of stage gridwise; each program keeps the rules of `asmgen.gridwise.verify`."""
    source = SourceText(text, file_name)
    stage, target, start = read_header(source)
    if stage is not Stage.GRIDWISE or not target:
        raise InputError(source.place(0), "GEN017", "wanted 'stage gridwise TARGET' as the first line")
    cursor = Cursor(source, tokenize(source, start, GRID_TOKENS))
    bodies = ModuleParser(cursor, Stage.GRAPH)
    cursor.skip_newlines()
    programs: list[LaunchProgram] = []
    while not cursor.at_end():
        programs.append(_ProgramReader(cursor, bodies).program())
        check(programs[-1])
        if programs[-1].name in [program.name for program in programs[:-1]]:
            raise InputError(
                programs[-1].place or file_name,
                "GEN005",
                f"program {programs[-1].name} is defined a second time, wanted another name",
            )
    if not any(program.launches for program in programs):
        message = "got the end of the file, wanted a program with a launch"
        help = "launch @NAME(x) -> (y) grid(N) by SCHEDULE {...}, as `--emit gridwise` prints it"
        cursor.fail(cursor.peek(), "GEN016", message, help)
    return GridFile(target, tuple(programs))


class _ProgramReader:
    """A program: its dims, then buffers and launches."""

    def __init__(self, cursor: Cursor, bodies: ModuleParser) -> None:
        self._cursor = cursor
        self._bodies = bodies
        self._dims: list[Dim] = []
        self._buffers: list[Buffer] = []
        self._launches: list[Launch] = []

    def program(self) -> LaunchProgram:
        cursor = self._cursor
        place = cursor.place(cursor.expect("program", "'program' or the end of the file"))
        name = self._name("the program's name")
        _ = cursor.expect("{")
        cursor.skip_newlines()
        while not cursor.at("}"):
            self._declaration()
            cursor.end_of_statement()
        _ = cursor.next()
        cursor.end_of_statement()
        return LaunchProgram(name, tuple(self._dims), tuple(self._buffers), tuple(self._launches), place)

    def _declaration(self) -> None:
        cursor = self._cursor
        if cursor.at("launch") and cursor.peek(1).text != "=":
            self._launches.append(self._launch())
        elif cursor.at("dim") and cursor.peek(1).text != "=":
            self._dims.append(self._dim())
        else:
            self._buffers.append(self._buffer())

    def _name(self, wanted: str) -> str:
        _ = self._cursor.expect("@")
        return self._cursor.identifier(wanted).text

    def _dim(self) -> Dim:
        cursor = self._cursor
        place = cursor.place(cursor.next())
        name = cursor.identifier("the dim's name").text
        _ = cursor.expect("=")
        value = self._dim_value(name)
        if not cursor.at("to"):
            return Dim(name, value, place)
        _ = cursor.next()
        token = cursor.peek()
        most = self._dim_value(name)
        check_range(cursor, token, value, most)
        return Dim(name, most, place, value)

    def _dim_value(self, name: str) -> int:
        token = self._cursor.next()
        value = read_number(token.text) if token.kind is TokenKind.NUMBER else None
        if not isinstance(value, int) or not 0 <= value <= _LARGEST_DIM:
            self._cursor.fail(
                token, "GEN013", f"the dim {name} is {token}, wanted an integer from 0 to 2^32 - 1"
            )
        return value

    def _buffer(self) -> Buffer:
        cursor = self._cursor
        name = cursor.identifier(f"'launch', 'dim', or the name of a buffer: NAME = {' | '.join(BY_WORD)}")
        _ = cursor.expect("=")
        word = cursor.identifier(f"one of {', '.join(BY_WORD)}")
        row = BY_WORD.get(word.text)
        if row is None:
            message = f"{word.text} is not a kind of buffer, wanted one of {', '.join(BY_WORD)}"
            cursor.fail(word, "GEN003", message, close_names(word.text, BY_WORD))
        lifetime = self._lifetime(word) if row.is_kept else ("", "")
        over = self._over() if row.record is Result else ""
        if cursor.peek().kind is not TokenKind.ARROW:
            cursor.fail(
                cursor.peek(), "GEN002", f"got {cursor.peek()}, wanted '->' and the contents of {name.text}"
            )
        _ = cursor.next()
        shape = self._shape(row)
        if row.is_kept:
            return Temporary(name.text, shape, cursor.place(name), first=lifetime[0], last=lifetime[1])
        if row.record is Result:
            return Result(name.text, shape, cursor.place(name), over=over)
        return row.record(name.text, shape, cursor.place(name))

    def _over(self) -> str:
        """`[over=x]`: the parameter with the memory of a result; empty if it has memory of its own."""
        cursor = self._cursor
        if not cursor.at("["):
            return ""
        _ = cursor.next()
        _ = cursor.expect("over", "over=PARAMETER")
        _ = cursor.expect("=")
        name = cursor.identifier("the name of a parameter").text
        _ = cursor.expect("]")
        return name

    def _lifetime(self, word: Token) -> tuple[str, str]:
        cursor = self._cursor
        given: dict[str, str] = {}

        def one() -> None:
            name = cursor.identifier("first or last")
            if name.text not in ("first", "last") or name.text in given:
                cursor.fail(name, "GEN006", f"got {name.text}, wanted first and last, each once")
            _ = cursor.expect("=")
            given[name.text] = cursor.identifier("the name of a launch").text

        if cursor.at("["):
            _ = cursor.listed("[", "]", one)
        if len(given) < 2:
            cursor.fail(
                word, "GEN009", "a temporary lacks its lifetime, wanted temporary[first=LAUNCH, last=LAUNCH]"
            )
        return given["first"], given["last"]

    def _shape(self, row: BufferKind) -> Shape:
        cursor = self._cursor
        element = read_element(cursor, cursor.identifier("an element type"))
        if row.by_value:
            return Shape(element, ())
        _ = cursor.expect(",", "',' and the sizes")
        names = {dim.name: dim.size for dim in self._dims}
        sizes = self._indices("{", "}", names)
        if not cursor.at(",", "{"):
            return Shape(element, sizes)
        _ = cursor.next()
        opening = cursor.peek()
        strides = self._indices("{", "}", names)
        if len(strides) != len(sizes):
            cursor.fail(
                opening, "GEN013", f"{len(strides)} strides for {len(sizes)} dims, wanted a size for each dim"
            )
        return Shape(element, sizes, strides)

    def _indices(self, opening: str, closing: str, names: Mapping[str, Index]) -> Sizes:
        """`{n, 3*m}`: the text in the braces has operators, which other lines lack."""
        inner = inner_cursor(self._cursor, opening, closing)
        return tuple(inner.listed(opening, closing, lambda: read_index(inner, names)))

    def _launch(self) -> Launch:
        cursor = self._cursor
        place = cursor.place(cursor.next())
        name = self._name("the launch's name")
        reads = self._names("a buffer that the launch reads")
        if cursor.peek().kind is not TokenKind.ARROW:
            cursor.fail(
                cursor.peek(), "GEN002", f"got {cursor.peek()}, wanted '->' and the buffers that are written"
            )
        _ = cursor.next()
        writes = self._names("a buffer that the launch writes")
        if cursor.at("runs"):
            return self._relaunch(name, reads, writes, place)
        _ = cursor.expect("grid", "'grid', or 'runs' and an earlier launch")
        # a buffer in a grid is read here, and `verify` reports its fault
        known = {buffer.name: symbol(buffer.name) for buffer in self._buffers}
        known |= {dim.name: dim.size for dim in self._dims}
        grid, when = self._indices("(", ")", known), self._when(known)
        _ = cursor.expect("by", "'by' and the schedule")
        choice = read_choice(cursor)
        _ = cursor.expect("{", "'{' and the body")
        body = self._bodies.module_body(
            name, "'}'", {dim.name: dim.size for dim in self._dims if not dim.is_known}
        )
        _ = cursor.expect("}")
        return Launch(name, reads, writes, grid, choice, body, place, when=when)

    def _when(self, names: Mapping[str, Index]) -> Index | None:
        """`when(min(n floordiv 256, 1))`: the condition of a launch; None if it has none."""
        cursor = self._cursor
        if not cursor.at("when"):
            return None
        word = cursor.next()
        conditions = self._indices("(", ")", names)
        if len(conditions) != 1:
            cursor.fail(
                word, "GEN002", f"got {len(conditions)} conditions of a launch, wanted a single condition"
            )
        return conditions[0]

    def _relaunch(self, name: str, reads: tuple[str, ...], writes: tuple[str, ...], place: Place) -> Launch:
        """A launch of the kernel of an earlier launch: its buffers are in the order of that launch's."""
        cursor = self._cursor
        word = cursor.next()
        _ = cursor.expect("@")
        runs = cursor.identifier("the name of an earlier launch")
        known = {launch.name: launch for launch in self._launches if not launch.runs}
        if runs.text not in known:
            wanted = f"one of {', '.join(known)}" if known else "a schedule and a body"
            cursor.fail(
                runs, "GEN004", f"no launch with a body before {name} is {runs.text}, wanted {wanted}"
            )
        first = known[runs.text]
        if (len(reads), len(writes)) != (len(first.reads), len(first.writes)):
            message = (
                f"{name} reads {len(reads)} buffers and writes {len(writes)}, wanted {len(first.reads)} and "
                f"{len(first.writes)} as {first.name} does"
            )
            cursor.fail(word, "GEN002", message)
        body = renamed(first.body, dict(zip(first.reads, reads, strict=True)))
        return replace(first, name=name, reads=reads, writes=writes, body=body, place=place, runs=first.name)

    def _names(self, wanted: str) -> tuple[str, ...]:
        return tuple(
            self._cursor.listed("(", ")", lambda: self._cursor.identifier(f"the name of {wanted}").text)
        )
