"""Launch plans: the kernels, buffers and launches of a program, for a host that runs it without asmgen.

    plan = program.launch_plan()          named dims stay open: "grid": ["(n + 63) floordiv 64", 1, 1]
    plan = program.launch_plan(n=1000)    "grid": [16, 1, 1]

docs/code-objects.md ("Launch plans") describes the fields, which are those of the JSON text too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count

import msgspec
from msgspec import Struct

from asmgen.artifact import Artifact, CompiledKernel
from asmgen.emission.descriptor import kernarg_size
from asmgen.graph.array_sizes import named_dims_of, sizes_given
from asmgen.graph.at_sizes import parameter_at
from asmgen.gridwise.arena import ALIGNMENT, Kept, place
from asmgen.index.size import Dim
from asmgen.ir.arrays import Array
from asmgen.ir.program import Statement, argument_name, tensor_type
from asmgen.ir.types import LaneType, TensorType
from asmgen.lanewise.records import NO_RESULT
from asmgen.runtime.calls import ProgramPart, Signature, Step, literal_buffers, parts, steps
from isa.diagnostics import InputError

Extent = int | str  # a number, or an expression of named dims as in the text of the stage gridwise


class PlannedArgument(Struct, frozen=True):
    """An argument of a kernel in its kernarg segment: a pointer (`global_buffer`), or a number
    (`by_value`)."""

    name: str
    kind: str
    type: str
    offset: int
    size: int


class PlannedKernel(Struct, frozen=True):
    """A kernel of the code object. `block` are the work-items of a workgroup along x, y and z."""

    name: str
    symbol: str
    block: tuple[int, int, int]
    kernarg_bytes: int
    arguments: list[PlannedArgument]


class NamedDim(Struct, frozen=True):
    """A size that only the launch knows, and its value in this plan, if that is given. Kernels take it as a
    u32. A plan without the value is for values from `least` to `most`."""

    name: str
    least: int
    most: int
    value: int | None


class PlannedScalar(Struct, frozen=True, tag_field="kind", tag="by_value"):
    """An argument of the program that its kernels take by value."""

    name: str
    type: str


class PlannedArray(Struct, frozen=True, tag_field="kind", tag="global_buffer"):
    """An argument or a result of the program. `strides` count elements. A result is in the memory of the
    argument `over`, unless that is empty."""

    name: str
    type: str
    shape: list[Extent]
    strides: list[Extent]
    bytes: Extent
    over: str = ""


class PlannedLiteral(Struct, frozen=True):
    """A constant array that kernels read from memory. JSON has its bytes in base64."""

    name: str
    type: str
    data: bytes


class PlannedTemporary(Struct, frozen=True):
    """A buffer between launches, at an offset in the memory for all of them. Launches write before they
    read."""

    name: str
    type: str
    bytes: Extent
    offset: Extent


class PlannedLaunch(Struct, frozen=True):
    """A launch: its kernel, the workgroups along x, y and z, and the name of the buffer, scalar or named dim
    for each argument of the kernel."""

    kernel: str
    grid: list[Extent]
    arguments: list[str]


class PlannedProgram(Struct, frozen=True):
    """A program of the source. A name means one buffer, scalar or dim in all its launches, which run in
    order."""

    dims: list[NamedDim]
    arguments: list[PlannedArray | PlannedScalar]
    results: list[PlannedArray]
    literals: list[PlannedLiteral]
    temporaries: list[PlannedTemporary]
    temporary_bytes: Extent
    launches: list[PlannedLaunch]


class LaunchPlan(Struct, frozen=True):
    """The kernels of a code object, and the programs that launch them."""

    target: str
    kernels: list[PlannedKernel]
    programs: list[PlannedProgram]

    def to_json(self) -> str:
        """The plan as JSON text."""
        return msgspec.json.format(msgspec.json.encode(self)).decode() + "\n"


def launch_plan(program: Artifact, sizes: Mapping[str, int]) -> LaunchPlan:
    """The plan for these values of the named dims, or with open sizes for none.

    Raises `InputError`: CALL005 for a source that states no launches, PRF001 and PRF002 for a dim without a
    value and for a value of no dim, CALL010 for a value that the program cannot have.
    """
    _refuse_without_grid(program.kernels)
    made = parts(program)
    if sizes:
        sizes = sizes_given([each for part in made for each in part.parameters], sizes)
    kernels = [
        PlannedKernel(kernel.name, f"{kernel.name}.kd", kernel.block, kernarg_size(machine), _formals(kernel))
        for kernel, machine in zip(program.kernels, program.compilation.stages.finished, strict=True)
    ]
    programs = [_planned(program.kernels, part, sizes) for part in made]
    return LaunchPlan(str(program.target), kernels, programs)


def _refuse_without_grid(kernels: Sequence[CompiledKernel]) -> None:
    for kernel in kernels:
        if kernel.grid is None:
            message = f"{kernel.name} states no grid, wanted a tensor program, which states its launches"
            way = "the note of the code object lists the arguments of each kernel: llvm-readelf --notes"
            raise InputError("program", "CALL005", message, help=way)


def _formals(kernel: CompiledKernel) -> list[PlannedArgument]:
    return [
        PlannedArgument(each.name, each.kind, each.type, each.offset, each.size) for each in kernel.arguments
    ]


def _planned(
    kernels: Sequence[CompiledKernel], part: ProgramPart, sizes: Mapping[str, int]
) -> PlannedProgram:
    dims, arguments = _dims(part, sizes), part.parameters
    if dims and not sizes:
        made = [Step(kernels[each.kernel], each, is_empty=False) for each in part.signatures]
    else:
        arguments = tuple([parameter_at(each, sizes) for each in arguments])
        made = list(steps(kernels, part, sizes))
    results = {
        number: _array(output, argument_name(output) if output in signature.over else "")
        for _, signature, _ in made
        for output, number in zip(signature.outputs, signature.results, strict=True)
        if number != NO_RESULT
    }
    own = {*map(argument_name, arguments), *[each.name for each in results.values()]}
    launched = [each for each in made if not each.is_empty]
    kept = _temporaries([each.signature for each in launched], own)
    literals = _Literals({*own, *kept, *[dim.name for dim in dims]})
    launches = [
        PlannedLaunch(kernel.name, _extents(kernel.grid or ()), literals.named(signature))
        for kernel, signature, _ in launched
    ]
    temporaries, total = _placed(kept)
    return PlannedProgram(
        dims,
        [_argument(each) for each in arguments],
        [results[number] for number in sorted(results)],
        literals.made,
        temporaries,
        _extent(total),
        launches,
    )


def _dims(part: ProgramPart, sizes: Mapping[str, int]) -> list[NamedDim]:
    least: dict[str, int] = {}
    for signature in part.signatures:
        for name, dim in named_dims_of(signature.parameters).items():
            least[name] = max(dim.low, least.get(name, 0))
    return [
        NamedDim(name, max(dim.low, least.get(name, 0)), dim.high, sizes.get(name))
        for name, dim in named_dims_of(part.parameters).items()
    ]


def _argument(parameter: Statement) -> PlannedArray | PlannedScalar:
    type_ = parameter.result.type
    if isinstance(type_, LaneType):
        return PlannedScalar(argument_name(parameter), str(type_))
    return _array(parameter)


def _array(parameter: Statement, over: str = "") -> PlannedArray:
    type_ = tensor_type(parameter.result)
    shape, strides = _extents(type_.dims), _extents(type_.strides)
    return PlannedArray(
        argument_name(parameter), str(type_.element), shape, strides, _extent(_bytes(type_)), over
    )


class _Life(Struct):
    """A temporary: its type, and the numbers of its first and its last launch."""

    type: TensorType
    first: int
    last: int


def _temporaries(signatures: Iterable[Signature], others: set[str]) -> dict[str, _Life]:
    """The buffers of the launches by name, but for the `others`."""
    lives: dict[str, _Life] = {}
    for number, signature in enumerate(signatures):
        for parameter in signature.buffers:
            name = argument_name(parameter)
            if name not in others:
                lives.setdefault(name, _Life(tensor_type(parameter.result), number, number)).last = number
    return lives


def _placed(lives: Mapping[str, _Life]) -> tuple[list[PlannedTemporary], Dim]:
    """The place of each temporary, and the bytes of all. Temporaries of known sizes share memory. The others
    come after them, each in memory of its own."""
    arena = place(
        [
            Kept(name, size, life.first, life.last)
            for name, life in lives.items()
            if isinstance(size := _bytes(life.type), int)
        ]
    )
    total: Dim = arena.size
    made: list[PlannedTemporary] = []
    for name, life in lives.items():
        offset: Dim = total
        if name in arena.offsets:
            offset = arena.offsets[name]
        else:
            total += -(-_bytes(life.type) // ALIGNMENT) * ALIGNMENT
        element, size = str(life.type.element), _extent(_bytes(life.type))
        made.append(PlannedTemporary(name, element, size, _extent(offset)))
    return made, total


class _Literals:
    """The literals of a program, each once. Their names differ from those in `taken`."""

    def __init__(self, taken: set[str]) -> None:
        self.made: list[PlannedLiteral] = []
        self._names: dict[tuple[str, bytes], str] = {}
        self._taken = taken

    def named(self, signature: Signature) -> list[str]:
        """The names of a launch's arguments: its parameters, and its literals after them."""
        arrays = zip(signature.literals, literal_buffers(signature), strict=True)
        literals = [self._name(literal, array) for literal, array in arrays]
        return [*map(argument_name, signature.parameters), *literals]

    def _name(self, literal: Statement, array: Array) -> str:
        element, data = str(tensor_type(literal.result).element), array.tobytes()
        if (element, data) not in self._names:
            names = (f"literal_{number}" for number in count(len(self.made)))
            name = next(name for name in names if name not in self._taken)
            self._taken.add(name)
            self._names[element, data] = name
            self.made.append(PlannedLiteral(name, element, data))
        return self._names[element, data]


def _bytes(type_: TensorType) -> Dim:
    return type_.span * type_.element.bytes


def _extents(sizes: Sequence[Dim]) -> list[Extent]:
    return [_extent(size) for size in sizes]


def _extent(size: Dim) -> Extent:
    return size if isinstance(size, int) else str(size)
