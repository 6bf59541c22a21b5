"""MLIR's own parser reads and verifies a text, and its operations are copied into records."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, cast

from iree.compiler import ir

from asmgen.mlir.reading.attributes import attribute_named, numbered
from asmgen.mlir.reading.texts import (
    Columns,
    lengthened,
    of_other_language,
    refuse_deep_nesting,
    refuse_old_spellings,
    respelled,
    without_empty_locations,
)
from asmgen.mlir.reading.types import type_of
from asmgen.mlir.source import Attribute, Block, MlirModule, Operation, Region, Ssa
from asmgen.mlir.types import Type
from isa.diagnostics import InputError, Place

_OPS_AS_CALLS = "stablehlo."
_HERE = "-"  # the parser's name for the text
_DEFINES = re.compile(r"%([\w$.-]+)(?::\d+)?(?:\s*,\s*%[\w$.-]+(?::\d+)?)*\s*=\s*$")
_NAME = re.compile(r"%([\w$.-]+)")
_WAYS_OUT = (
    (
        re.compile(r"[Dd]ialect `\w+' not found|unregistered dialect"),
        "docs/mlir.md lists the dialects and ops that kernels may have",
    ),
    (
        re.compile(r"tensor<\*x"),
        "give the tensor a rank: tensor<?x?xf32> has two sizes that the launch knows",
    ),
    (
        re.compile("block with no terminator"),
        "`return` ends a func.func, `gpu.return` a gpu.func, and `stablehlo.return` a region of StableHLO",
    ),
    (
        re.compile("expected non-function type: -"),
        "write a tensor as tensor<4x?xf32>: each size is a number from 0 on, or ? for a size of the launch",
    ),
    (
        re.compile(r"expected non-function type: \w"),
        "a type is an element such as f32, bf16, i32 or i1, or a tensor or memref of it",
    ),
    (re.compile("gpu.container_module"), "begin the module with: module attributes {gpu.container_module} {"),
)
_TOLD = re.compile(r'loc\("(.*)":(\d+):(\d+)\)')
_DIALECT_NAME = re.compile(r"[#!]?[\w.]+")
_SHOWN_NOTES = 2
_NOT_SHOWN = ("Available dialects", "see current operation")  # a list of all; the op again, in generic form
_DEEPEST = 64  # nested regions


def parse(text: str, file: str) -> MlirModule:
    """The operations of a text. `InputError` MLIR002 or MLIR003 if the parser refuses it, MLIR008 if it is
    nested too deep."""
    refuse_deep_nesting(text, file)
    with _context():
        today, columns = lengthened(without_empty_locations(text))
        try:
            module = _parsed(today)
        except ir.MLIRError as error:
            refused = _refused(error, today, file)
            refuse_old_spellings(respelled(text), file, refused.place)
            if isinstance(refused.place, Place):
                refused.place = columns.before(refused.place)
            raise refused from None
        copy = _Copy(text, file, columns, _by_block(module.operation))
        return MlirModule(file, text, copy.operation(module.operation, Place(file)))


@cache
def _context() -> ir.Context:
    """The parser's context. Its dialects take 14 ms, so all texts share it. It has no threads, which a fork
    would lose."""
    context = ir.Context()
    cast("Any", context).enable_multithreading(False)  # its stub does not have it
    return context


def _parsed(text: str) -> ir.Module:
    """The module of a text. If the parser refuses the text, it is tried in the spelling of today."""
    try:
        return ir.Module.parse(text)
    except ir.MLIRError:
        today = respelled(text)
        if today == text:
            raise
        return ir.Module.parse(today)


def _refused(error: ir.MLIRError, text: str, file: str) -> InputError:
    """The first diagnostic of the parser, with its place."""
    diagnostics = list(error.error_diagnostics)
    if not diagnostics:
        return InputError(Place(file), "MLIR002", str(error))
    first, *others = diagnostics
    notes = [
        f"{_place_of(note.location, file, Place(file))}: {note.message}"
        for note in first.notes
        if not any(words in note.message for words in _NOT_SHOWN)
    ]
    notes += [f"{_place_of(other.location, file, Place(file))}: {other.message}" for other in others]
    place, message = _place_of(first.location, file, Place(file)), first.message.strip()
    said = f"{message}: {_rest_of_line(text, place)}"
    ways_out = [way_out for pattern, way_out in _WAYS_OUT if pattern.search(said)]
    help = of_other_language(text) or next(iter(ways_out), "")
    if "unregistered dialect" in message:
        name, place = _of_unknown_dialect(text, place)
        message = f"{name} is of an unknown dialect, wanted an op of a known dialect"
    return InputError(place, "MLIR002", message, tuple(notes[:_SHOWN_NOTES]), help)


def _of_unknown_dialect(text: str, place: Place) -> tuple[str, Place]:
    """The name of an op, attribute or type of an unknown dialect, and the place of the name. The parser gives
    the place after an op's name in quotes, and a place within the name of an attribute or a type."""
    line = text.splitlines()[place.line - 1]
    before = line[: place.column - 1]
    name = before.rpartition('"')[0].rpartition('"')[2] if before.endswith('"') else ""
    if name:
        return name, place._replace(column=place.column - len(name) - 2)
    words = _DIALECT_NAME.finditer(line)
    return next((word[0] for word in words if word.start() < place.column <= word.end()), "this"), place


def _rest_of_line(text: str, place: Place) -> str:
    """A line of the text from a place on."""
    lines = text.splitlines()
    return lines[place.line - 1][max(0, place.column - 1) :] if 0 < place.line <= len(lines) else ""


def _place_of(location: ir.Location, file: str, otherwise: Place) -> Place:
    """The file, line and column of a location. A fused or named location has those of its first part that has
    any."""
    if isinstance(location, ir.FileLineColLoc):
        name = location.filename
        named = file if name == _HERE else name
        return Place(named, location.start_line, location.start_col) if location.start_line else otherwise
    told = _TOLD.fullmatch(str(location))  # a diagnostic's location has no class of its own
    if told is not None:
        return Place(file if told[1] == _HERE else told[1], int(told[2]), int(told[3]))
    parts: Sequence[ir.Location] = ()
    if isinstance(location, ir.NameLoc):
        parts = (location.child_loc,)
    elif isinstance(location, ir.CallSiteLoc):
        parts = (location.callee,)
    elif isinstance(location, ir.FusedLoc):
        parts = location.locations
    for part in parts:
        place = _place_of(part, file, otherwise)
        if place is not otherwise:
            return place
    return otherwise


def _worded(operation: str, name: str, value: Attribute) -> Attribute:
    """A value; of an enumeration its word."""
    word = numbered(operation, name, value) if isinstance(value, int) else None
    return value if word is None else word


def _name_of(given: str, attributes: dict[str, Attribute]) -> str:
    """The op that an operation is: JAX writes ops that StableHLO lacks as calls of `@stablehlo.NAME`."""
    target = attributes.get("call_target_name", "")
    return target if isinstance(target, str) and target.startswith(_OPS_AS_CALLS) else given


def _by_block(module: ir.Operation) -> dict[ir.Block, list[ir.Operation]]:
    """The operations of each block. A block's own list looks for the Python module of an operation's dialect
    again and again if there is none, as of StableHLO: 18 ms for 1,000 operations."""
    inside: dict[ir.Block, list[ir.Operation]] = {}

    def note(operation: ir.Operation) -> ir.WalkResult:
        if operation != module:
            inside.setdefault(operation.block, []).append(operation)
        return ir.WalkResult.ADVANCE

    module.walk(note, ir.WalkOrder.PRE_ORDER)
    return inside


class _Copy:
    """Copies the operations of the parser, value by value. `inside` are those of each block."""

    def __init__(
        self, text: str, file: str, columns: Columns, inside: dict[ir.Block, list[ir.Operation]]
    ) -> None:
        self._columns = columns
        self._inside = inside
        self._lines = text.splitlines()
        self._file = file
        self._values: dict[ir.Value, Ssa] = {}
        self._types: dict[ir.Type, Type] = {}
        self._blocks: dict[ir.Block, Block] = {}
        self._depth = 0

    def operation(self, given: ir.Operation, around: Place) -> Operation:
        place = self._place(given.location, around)
        names = self._names_before(place)
        attributes = {each: self._attribute(given, each) for each in given.attributes}
        successors = tuple([self._blocks[block] for block in given.successors])
        operands = tuple([self._values[operand] for operand in given.operands])
        results = tuple(
            [
                Ssa(self._type_of(value), names[i] if i < len(names) else "", place)
                for i, value in enumerate(given.results)
            ]
        )
        made = Operation(
            _name_of(given.name, attributes), operands, attributes, place, results, (), successors
        )
        for value, result in zip(given.results, results, strict=True):
            result.owner = made
            self._values[value] = result
        made.regions = tuple([self._region(region, place) for region in given.regions])
        return made

    def _type_of(self, value: ir.Value) -> Type:
        """The type of a value. Most values of a module have one of few types."""
        given = value.type
        found = self._types.get(given)
        if found is None:
            found = self._types[given] = type_of(given)
        return found

    def _place(self, location: ir.Location, around: Place) -> Place:
        return self._columns.before(_place_of(location, self._file, around))

    @staticmethod
    def _attribute(given: ir.Operation, name: str) -> Attribute:
        value = attribute_named(given, name)
        if isinstance(value, tuple):
            return tuple([_worded(given.name, name, item) for item in value])
        return _worded(given.name, name, value)

    def _region(self, given: ir.Region, around: Place) -> Region:
        """Create all blocks first, since a branch may go to a later block. A value is defined before its uses
        in any order of the file except that of blocks."""
        if self._depth == _DEEPEST:
            raise InputError(
                around, "MLIR008", f"got more than {_DEEPEST} regions in each other, wanted fewer"
            )
        self._depth += 1
        region = Region()
        for number, block in enumerate(given.blocks):
            arguments = tuple([self._argument(argument, around) for argument in block.arguments])
            self._blocks[block] = made = Block(number, arguments)
            region.blocks.append(made)
        for block in given.blocks:
            made = self._blocks[block]
            made.operations = [self.operation(each, around) for each in self._inside.get(block, ())]
        self._depth -= 1
        return region

    def _argument(self, given: ir.BlockArgument, around: Place) -> Ssa:
        place = self._place(given.location, around)
        match = _NAME.match(self._line(place)[place.column - 1 :]) if place.column else None
        made = self._values[given] = Ssa(self._type_of(given), match[1] if match else "", place)
        return made

    def _names_before(self, place: Place) -> list[str]:
        """The names that the file gives to the results of the operation at a place: `%a, %b = op`."""
        match = _DEFINES.search(self._line(place)[: max(place.column - 1, 0)])
        return _NAME.findall(match[0]) if match else []

    def _line(self, place: Place) -> str:
        is_here = place.file == self._file and 0 < place.line <= len(self._lines)
        return self._lines[place.line - 1] if is_here else ""
