"""The records of programs: values, statements and regions of all levels, modules of the graph and of lanes.

A name is defined once, before use. Values are compared by identity. Statements are never changed in place: a
pass builds a new module. An op's row defines the op (`asmgen.graph.ops`, `asmgen.lanewise.ops`); no code
tests its name. A statement on tiles has a record of the op with its attributes in place of the row
(`asmgen.blockwise.actions`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Generic

from msgspec import Struct, field
from msgspec.structs import replace

from asmgen.index.nodes import Index
from asmgen.index.size import Size, Sizes
from asmgen.ir.constants import Constants, Numbers
from asmgen.ir.stage import Stage
from asmgen.ir.types import LaneType, TensorType, ValueType
from isa.diagnostics import Place
from isa.named_tuple import NamedTuple
from isa.targets import TargetId


class Body(Struct, frozen=True, eq=False):
    """The trip of a loop, as an attribute: a module on single elements. Bodies of equal `text`, which does
    not depend on the names of values, compute the same."""

    module: Module
    text: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Body) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Body({self.text})"


Attribute = int | float | bool | str | Index | tuple["Attribute | Size", ...] | Constants | Body


class AttributeKind(Enum):
    """The kind of an attribute's value; a LIST may be a single number. SHAPE is `{4}` or `{float, {4}}`,
    the name of an element type and dims. An INDEX is an index expression (`asmgen.index`)."""

    INTEGER = "integer"
    FLOAT = "float"
    BOOL = "bool"
    WORD = "word"
    TYPE = "type"
    LIST = "list"
    SHAPE = "shape"
    INDEX = "index"


class Scope(IntEnum):
    """The lanes that have something in common: each alone, those of a wave, or those of a workgroup."""

    LANE = 0
    WAVE = 1
    WORKGROUP = 2


class AttributeSpec(NamedTuple):
    """An attribute; without a default it is required. `words` lists the values of a WORD.

    `holds_sizes` means that its numbers are sizes of dims, which change with the shapes of the program. A
    FLOAT is at least `least`, and may be infinite or NaN only if it is not `finite`.
    """

    name: str
    kind: AttributeKind
    default: Attribute | None = None
    words: tuple[str, ...] = ()
    holds_sizes: bool = False
    least: float = -math.inf
    finite: bool = True


Attributes = dict[str, Attribute]
InferResult = Callable[["Op", tuple[ValueType, ...], Attributes, Place | None], tuple[ValueType, ...]]
Needs = Callable[["Op", tuple[ValueType, ...], Attributes], Sizes]


class Op(Struct, frozen=True, eq=False):
    """An op: its name in gen text, its stages, and how its result types follow from its operands.

    `infer` raises `InputError` at the statement's place if types or shapes do not fit. `maximum` is None for
    any number of operands. `pointwise` ops act element by element, on tensors (broadcast) and on lane values
    alike. `modular` counts the first operands of an op on integers with upper bits that do not matter for the
    lower bits of its result: both of a sum, none of a quotient. `commutes` means that the first two operands
    may be exchanged. `effects` marks statements that must stay although nothing reads their results.

    `types` names the element types of operands (empty: any). `ulps` bounds the error of a float result, in
    ULP of f32: f16 is computed in f32 and rounded once; 0.5 means correctly rounded (docs/numerics.md). The
    results of an op with regions are the yields of its regions; `infer` then only checks the operands.

    `together` are the lanes that must reach the op together (`asmgen.lanewise.verify.convergence`): the
    wave for an exchange between lanes, the workgroup for a barrier. The results are the same in the lanes
    in which every operand is the same, but in no more lanes than `most` and at least in `least`.
    """

    name: str
    stages: frozenset[Stage]
    minimum: int
    maximum: int | None
    infer: InferResult
    attributes: tuple[AttributeSpec, ...] = ()
    pointwise: bool = False
    modular: int = 0
    commutes: bool = False
    chooses: bool = False  # an element of the result is an element of an operand, unchanged
    moves_elements: bool = False  # an element of the result may depend on an element at another place
    masks: int = 0  # conditions that it keeps for each element at once
    issues: int = 1  # about how many instructions an element of f32 takes, each at the full rate
    keeps_nan: bool = False  # a NaN among the operands makes the result a NaN
    keeps_order: bool = False  # the result has the operand's elements in the same row-major order
    needs_elements: bool = False  # of no elements there is no result: of a maximum, not of a sum
    needs: Needs | None = (
        None  # numbers that no dim may make negative, such as the elements beyond a mirrored border
    )
    unclamped: Needs | None = None  # numbers that are not negative if no end of a slice is clamped
    finds_places: bool = False  # the result is a place along `axis`, which is an i32 on the way
    effects: bool = False
    regions: int = 0
    types: frozenset[str] = frozenset()
    ulps: float = 0.5
    ends_region: bool = False  # `yield`: its operands are the yields of the region
    carried_from: int | None = (
        None  # of a loop: its regions take the operands from here on, and yield the next values
    )
    has_counter: bool = False  # of a loop: its region takes a counter of operand 0's type before them
    tests_first: bool = False  # of a loop: its first region yields whether there is another trip
    has_body: bool = False  # the attribute `body` is a `Body`, which the text has after the operands
    together: Scope = Scope.LANE
    least: Scope = Scope.LANE
    most: Scope = Scope.WORKGROUP

    def __repr__(self) -> str:
        return f"Op({self.name})"


if TYPE_CHECKING:
    from typing_extensions import TypeVar

    What = TypeVar("What", default=Op, covariant=True)
    Type = TypeVar("Type", default=ValueType, covariant=True)
else:
    from typing import TypeVar

    What, Type = TypeVar("What"), TypeVar("Type")


class Value(Struct, Generic[Type], frozen=True, eq=False):
    """A named value; its definition is a statement's result or a region's parameter."""

    name: str
    type: Type

    def __repr__(self) -> str:
        return f"Value({self.name})"


class Statement(Struct, Generic[What, Type], frozen=True, eq=False):
    """`results = op[attributes](operands) regions`. `attributes` has every attribute of the op's row,
    defaults included."""

    op: What
    operands: tuple[Value[Type], ...] = ()
    results: tuple[Value[Type], ...] = ()
    attributes: dict[str, Attribute] = field(default_factory=dict)
    regions: tuple[Region[What, Type], ...] = ()
    place: Place | None = None

    @property
    def result(self) -> Value[Type]:
        """The only result; `ValueError` if there are none or several."""
        results = self.results
        if len(results) == 1:
            return results[0]
        raise ValueError(f"{self.op} has {len(results)} results")


class Region(Struct, Generic[What, Type], frozen=True, eq=False):
    """A body of `for`, `while` or `if`: its parameters and statements; the last statement is a `yield`."""

    parameters: tuple[Value[Type], ...] = ()
    statements: tuple[Statement[What, Type], ...] = ()

    @property
    def yielded(self) -> tuple[Value[Type], ...]:
        """The operands of the `yield`."""
        return self.statements[-1].operands


def walk(statements: Sequence[Statement[What, Type]]) -> Iterator[Statement[What, Type]]:
    """Statements and those of their regions, each after the statement that has the region."""
    stack = [iter(statements)]
    while stack:
        for statement in stack[-1]:
            yield statement
            if statement.regions:
                stack += [iter(region.statements) for region in reversed(statement.regions)]
                break
        else:
            _ = stack.pop()


def with_regions(
    statement: Statement[What, Type],
    rewritten: Callable[[tuple[Statement[What, Type], ...]], Iterable[Statement[What, Type]]],
) -> Statement[What, Type]:
    """The statement with the statements of each of its regions rewritten; itself if it has no region."""
    if not statement.regions:
        return statement
    regions = [Region(region.parameters, tuple(rewritten(region.statements))) for region in statement.regions]
    return replace(statement, regions=tuple(regions))


def with_others(
    statements: Sequence[Statement[What, Type]],
    instead: Mapping[int, Sequence[Statement[What, Type]]],
    rest: Callable[[Statement[What, Type]], Statement[What, Type]],
) -> tuple[Statement[What, Type], ...]:
    """The statements of a region: others at the places of `instead`, and by `rest` at all other places."""
    result: list[Statement[What, Type]] = []
    for place, statement in enumerate(statements):
        result += instead[place] if place in instead else (rest(statement),)
    return tuple(result)


class Module(Struct, frozen=True, eq=False):
    """A kernel, or a graph.

    `@param` and `@literal` are statements too, and `@return` is the last statement. From gridwise on the
    first statement is `launch`, with the grid (in workgroups) and the workgroup (in work-items).
    """

    name: str
    statements: tuple[Statement, ...]

    def walk(self) -> Iterator[Statement]:
        """Every statement, those of a region after the statement that has the region."""
        return walk(self.statements)


class Relaunch(NamedTuple):
    """A further launch of a kernel of the file, after the first `after` kernels of the file.

    `buffers` has the buffer for each parameter of the kernel that has another in this launch. `results` are
    the buffers that are results of the program, each with its number.
    """

    kernel: str
    after: int
    buffers: tuple[tuple[str, str], ...]
    results: tuple[tuple[str, int], ...] = ()
    place: Place | None = None

    def buffer(self, parameter: str) -> str:
        """The buffer of a parameter of the kernel."""
        return dict(self.buffers).get(parameter, parameter)


class Program(Struct, frozen=True, eq=False):
    """A file: its stage, its target from `gridwise` on, and its modules in the order of their first launches.
    `relaunches` are the other launches of kernels, in order."""

    stage: Stage
    modules: tuple[Module, ...]
    target: TargetId | None = None
    relaunches: tuple[Relaunch, ...] = ()


def target_of(program: Program) -> TargetId:
    """The target of a program that is after the graph; `ValueError` for a graph, which is for any."""
    if program.target is None:
        raise ValueError(f"a program of stage {program.stage.value} has no target")
    return program.target


def literal_numbers(literal: Statement) -> Numbers:
    """The numbers of a `@literal`, row-major."""
    values = literal.attributes["values"]
    if isinstance(values, Constants):
        return values
    assert isinstance(values, tuple)
    return tuple([number for number in values if isinstance(number, int | float)])


def argument_name(parameter: Statement) -> str:
    """The argument that a `@param` statement takes."""
    return str(parameter.attributes["name"])


def definitions(module: Module) -> dict[Value, Statement]:
    """The statement that defines each value, those of regions apart."""
    return {result: statement for statement in module.statements for result in statement.results}


def is_made_of(values: Iterable[Value], others: Set[Value], defined: Mapping[Value, Statement]) -> bool:
    """Whether some of `values`, or values that they are made of, are among `others`."""
    pending, reached = [*values], set[Value]()
    while pending:
        value = pending.pop()
        if value in others:
            return True
        if value not in reached:
            reached.add(value)
            pending.extend(defined[value].operands)
    return False


def lane_type(value: Value) -> LaneType:
    """The type of a lane value."""
    assert isinstance(value.type, LaneType), value
    return value.type


def tensor_type(value: Value) -> TensorType:
    """The type of a tensor value; `ValueError` for a lane value."""
    if not isinstance(value.type, TensorType):
        raise ValueError(f"{value.name} is a lane value")
    return value.type
