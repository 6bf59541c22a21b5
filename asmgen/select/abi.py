"""The kernel's interface: the layout of the kernarg segment, and the registers that the hardware fills.

User SGPRs come first: the kernarg pointer, then preloaded arguments, which repeat the segment from offset 0.
`asmgen.emission.entry` places the workgroup's ids.

Source: LLVM's AMDGPUUsage, "Kernel Descriptor", "Initial Kernel Execution State" and "Preloaded Kernel
Arguments".
"""

from __future__ import annotations

from math import prod

from asmgen.emission.entry import PRELOAD, SYSTEM_ROLES, WORKITEM, system_places
from asmgen.graph.ops import LITERAL, PARAM
from asmgen.index.size import factor, least, most
from asmgen.ir.program import Module, Op, Statement, Value
from asmgen.ir.types import LaneType, TensorType
from asmgen.lanewise.atomic_ops import GLOBAL_ATOMICS
from asmgen.lanewise.ops import (
    LAUNCH,
    LOAD_TO_LDS,
    LOCAL_ID,
    STORE,
    VECTOR_STORE,
    WORKGROUP_COUNT,
    WORKGROUP_ID,
    WORKGROUP_SIZE,
)
from asmgen.lanewise.records import Grid, LaunchAttributes, axis_of
from isa.diagnostics import InternalError
from isa.named_tuple import NamedTuple
from isa.program import Abi, Argument
from isa.registers import DWORD, Register, sgpr, vgpr
from isa.target import Target, round_up

POINTER_BYTES = 8
POINTER_DWORDS = 2
KERNARG_POINTER = "kernarg_segment_ptr"
LOCAL_ID_BITS = 10  # of each axis in a packed v0
# The hidden arguments after the explicit arguments: kind, offset after them, size.
# (AMDGPUUsage, "Code Object V5 Metadata")
_HIDDEN = {
    WORKGROUP_COUNT: tuple((f"hidden_block_count_{axis}", 4 * i, 4) for i, axis in enumerate("xyz")),
    WORKGROUP_SIZE: tuple((f"hidden_group_size_{axis}", 12 + 2 * i, 2) for i, axis in enumerate("xyz")),
}


class Interface(NamedTuple):
    """A module's interface: its parameters, the buffers it writes, its arguments, ABI, grid and workgroup.
    `groups` are the workgroups of its launch, or the fewest of many, 0 if only the launch knows them.

    The parameters are the `@param`s in order, then the literals that lie in memory, which the runtime passes.
    Each has the argument of its number: a buffer its address, a scalar its value, at the next multiple of its
    size.
    """

    parameters: tuple[Value, ...]
    written: frozenset[Value]
    arguments: tuple[Argument, ...]
    abi: Abi
    grid: Grid
    workgroup: tuple[int, int, int]
    groups: int

    @property
    def buffers(self) -> tuple[Value, ...]:
        return tuple(value for value in self.parameters if isinstance(value.type, TensorType))

    @property
    def scalars(self) -> tuple[Value, ...]:
        return tuple(value for value in self.parameters if isinstance(value.type, LaneType))

    def offset(self, parameter: Value) -> int:
        """The offset of a parameter in the kernarg segment, in bytes."""
        return self.argument(parameter).offset

    def argument(self, parameter: Value) -> Argument:
        """The argument of a parameter."""
        return self.arguments[self.parameters.index(parameter)]

    def hidden(self, op: Op, axis: int) -> Argument:
        """The argument that the runtime passes for `workgroup_size` or `workgroup_count`."""
        kind = _HIDDEN[op][axis][0]
        return next(argument for argument in self.arguments if argument.kind == kind)

    def preloaded(self, parameter: Value) -> Register | None:
        """The SGPRs into which the hardware preloads a parameter; None if the kernel does not preload its
        arguments."""
        if not self.abi.preload_dwords:
            return None
        return self.abi.register(PRELOAD).part(self.offset(parameter) // DWORD, dwords_of(parameter))


def dwords_of(parameter: Value) -> int:
    """How many dwords of the kernarg segment a parameter has a part of."""
    return (
        POINTER_DWORDS if isinstance(parameter.type, TensorType) else -(-value_bytes(parameter.type) // DWORD)
    )


def value_bytes(type_: LaneType) -> int:
    """The size and alignment in bytes of a number or a vector as an argument: a power of two, as in C; a
    vector of 3 is as large as a vector of 4."""
    return type_.element.bytes * (1 << (type_.lanes - 1).bit_length())


def signature(module: Module, target: Target) -> Interface:
    """The interface of a module; `InternalError` if the module does not start with a launch statement."""
    if not module.statements or module.statements[0].op is not LAUNCH:
        raise InternalError("select", module.name, "the module does not start with a launch statement")
    launch = LaunchAttributes.of(module.statements[0])
    statements = tuple(module.walk())
    parameters = [s for s in statements if s.op is PARAM]
    parameters += [s for s in statements if s.op is LITERAL and isinstance(s.result.type, TensorType)]
    written = frozenset(
        s.operands[0] for s in statements if s.op in (STORE, VECTOR_STORE) or s.op in GLOBAL_ATOMICS
    )
    read = frozenset(s.operands[0] for s in statements if s.operands and (s.results or s.op is LOAD_TO_LDS))
    arguments: list[Argument] = []
    for statement in parameters:
        end = arguments[-1].offset + arguments[-1].size if arguments else 0
        arguments.append(_argument(statement, end, statement.result in read, statement.result in written))
    dwords = -(-(arguments[-1].offset + arguments[-1].size) // DWORD) if arguments else 0
    hidden = _hidden(statements, dwords * DWORD)
    abi = _abi(statements, dwords, bool(hidden), launch.has_any_block, target)
    return Interface(
        tuple(s.result for s in parameters), written, (*arguments, *hidden), abi, launch.grid, launch.block,
        0 if launch.has_any_grid else _groups(launch.grid, target),
    )  # fmt: skip


def _groups(grid: Grid, target: Target) -> int:
    """The workgroups of a grid that has some. If only the launch knows them, the fewest, if these are more
    than the units: they fill the units as well as more workgroups do."""
    fewest = prod([max(least(size), factor(size)) for size in grid])
    is_known = fewest == prod(map(most, grid))
    return fewest if is_known or fewest > target.units else 0


def _hidden(statements: tuple[Statement, ...], end: int) -> tuple[Argument, ...]:
    """The arguments that the runtime passes after the explicit arguments, which end at `end`."""
    asked = {_HIDDEN[s.op][axis_of(s)] for s in statements if s.op in _HIDDEN}
    first = round_up(end, POINTER_BYTES)
    return tuple(
        Argument(kind, first + offset, size, kind, "")
        for kind, offset, size in sorted(asked, key=lambda hidden: hidden[1])
    )


def _argument(parameter: Statement, end: int, read: bool, written: bool) -> Argument:
    """The argument of a parameter, after the arguments that end at `end`."""
    element = parameter.result.type.element
    name = str(parameter.attributes.get("name", parameter.result.name))
    if isinstance(parameter.result.type, LaneType):
        size = value_bytes(parameter.result.type)
        return Argument(name, round_up(end, size), size, "by_value", "", "", element.name)
    access = ("read_write" if read else "write_only") if written else "read_only"
    return Argument(name, round_up(end, POINTER_BYTES), POINTER_BYTES, access=access, type=element.name)


def _abi(
    statements: tuple[Statement, ...], dwords: int, has_hidden: bool, any_block: bool, target: Target
) -> Abi:
    """The ABI registers, for arguments of `dwords` in all. The kernarg pointer is enabled for any argument:
    older firmware loads preloaded arguments through it."""
    entry: list[tuple[str, Register]] = []
    used = preload = 0
    if dwords or has_hidden:
        entry.append((KERNARG_POINTER, sgpr(0, POINTER_DWORDS)))
        used = POINTER_DWORDS
        if dwords and target.preload and used + dwords <= target.user_sgprs:
            preload = dwords
            entry.append((PRELOAD, sgpr(used, preload)))
    axes = {axis_of(s) for s in statements if s.op is WORKGROUP_ID}
    ids = [role for axis, role in enumerate(SYSTEM_ROLES) if axis in axes]
    entry += system_places(target, used + preload, ids).items()
    if any(s.op is LOCAL_ID for s in statements):
        entry.append((WORKITEM, vgpr(0)))
    return Abi(tuple(entry), preload, any_block)
