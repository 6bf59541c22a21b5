"""The functions of a file that run on the host."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from asmgen.mlir.host.ops import ENDINGS, LAUNCHES, NAMES, Launcher, host_tables
from asmgen.mlir.interpret.places import Number
from asmgen.mlir.interpret.run import Launch, Thread, argument_of
from asmgen.mlir.kernels import MlirKernel, is_kernel
from asmgen.mlir.source import MlirModule, Operation, Ssa, Symbol
from asmgen.mlir.types import FunctionType, Type
from isa.diagnostics import InputError, InternalError, close_names

_TOKEN = "!gpu.async.token"
_HELP = {
    "gpu.printf": "the arrays come back from the run; print them there",
}


class HostFunction(Struct, frozen=True):
    """A function of the host. `called` are the functions that it calls, directly or not. `launches` are the
    launches in all of them."""

    operation: Operation
    called: tuple[str, ...]
    launches: tuple[Operation, ...]

    @property
    def name(self) -> str:
        return self.operation.text("sym_name")

    @property
    def arguments(self) -> tuple[Ssa, ...]:
        return self.operation.regions[0].blocks[0].arguments

    @property
    def results(self) -> tuple[Type, ...]:
        """The types of the results."""
        type_ = self.operation.attributes["function_type"]
        assert isinstance(type_, FunctionType), type_
        return type_.results


def host_functions(module: MlirModule) -> tuple[HostFunction, ...]:
    """The functions that launch a kernel, in the order of the file."""
    functions = _functions(module)
    launching: list[HostFunction] = []
    for function in functions.values():
        reached = _reached(function, functions)
        launches = [inner for each in reached for inner in _operations(each) if inner.name in LAUNCHES]
        if launches:
            called = tuple([callee.text("sym_name") for callee in reached[1:]])
            launching.append(HostFunction(function, called, tuple(launches)))
    return tuple(launching)


def host_function(module: MlirModule, name: str) -> HostFunction:
    """The function of this name. `InputError` MLIR070 if no function of the name launches a kernel, MLIR071
    to MLIR073 at an operation that cannot run on the host."""
    by_name = {function.name: function for function in host_functions(module)}
    if name not in by_name:
        known = ", ".join(by_name) or "none: the file has no function that launches a kernel"
        message = f"{module.file} has no host function {name!r}, wanted one of {known}"
        raise InputError("host", "MLIR070", message, help=close_names(str(name), list(by_name)))
    check_function(module, name)
    return by_name[name]


def check_function(module: MlirModule, name: str) -> None:
    """Refuse operations that cannot run on the host, in a function and in those that it calls."""
    functions = _functions(module)
    for function in _reached(functions[name], functions):
        for operation in _operations(function):
            _check_operation(operation, functions)


def _functions(module: MlirModule) -> dict[str, Operation]:
    """Functions outside of a `gpu.module` that are not kernels, by name."""
    functions: dict[str, Operation] = {}
    stack = [module.operation]
    while stack:
        operation = stack.pop()
        if operation.name == "func.func" and operation.regions[0].blocks and not is_kernel(operation):
            functions[operation.text("sym_name")] = operation
        elif operation.name == "builtin.module":
            stack.extend(reversed(operation.body.operations))
    return functions


def _reached(function: Operation, functions: dict[str, Operation]) -> Sequence[Operation]:
    """A function and those that it calls. `InputError` MLIR072 for recursion."""
    reached: dict[str, Operation] = {}
    calling: list[str] = []

    def visit(operation: Operation) -> None:
        name = operation.text("sym_name")
        reached[name] = operation
        calling.append(name)
        for call in _operations(operation):
            called = _called(call)
            if called in calling:
                message = f"{called} calls itself, wanted a loop"
                raise InputError(call.place, "MLIR072", message, help="scf.for, scf.while or cf.br")
            if called in functions and called not in reached:
                visit(functions[called])
        _ = calling.pop()

    visit(function)
    return tuple(reached.values())


def _called(operation: Operation) -> str:
    callee = operation.attributes.get("callee")
    return callee.path[-1] if operation.name == "func.call" and isinstance(callee, Symbol) else ""


def _operations(operation: Operation) -> Iterator[Operation]:
    """The operations in the regions of an operation that run on the host, so none of a kernel."""
    for region in operation.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield inner
                if inner.name != "gpu.launch":
                    yield from _operations(inner)


def _check_operation(operation: Operation, functions: dict[str, Operation]) -> None:
    if any(str(number.type) == _TOKEN for number in (*operation.operands, *operation.results)):
        message = f"{operation.name} has an asynchronous token, wanted it without"
        help = "leave out `async` and the tokens in brackets: operations run in order"
        raise InputError(operation.place, "MLIR071", message, help=help)
    if operation.name not in NAMES and operation.name not in ENDINGS:
        message = f"{operation.name} cannot run on the host, wanted another op"
        help = _HELP.get(operation.name, "docs/mlir.md lists the ops that functions of the host may have")
        raise InputError(operation.place, "MLIR071", message, help=help)
    called = _called(operation)
    if called and called not in functions:
        message = f"{called} has no body, wanted a function with a body in this file"
        help = "print or check the arrays that the run returns"
        raise InputError(operation.place, "MLIR073", message, help=help)


_ONE = (1, 1, 1)


def run_function(
    module: MlirModule,
    kernels: Sequence[MlirKernel],
    function: HostFunction,
    arguments: Sequence[Any],
    launcher: Launcher,
) -> list[Number]:
    """Run a function on places in memory and numbers; gives its results. `launcher` runs each launch.
    `InputError` if the function leaves a buffer, uses a freed buffer, or divides by zero."""
    tables = host_tables(kernels, launcher)
    thread = Thread(Launch(module, _ONE, _ONE, 1, tables), (0, 0, 0), (0, 0, 0), 0, {})
    given = [argument_of(value, ssa.type) for ssa, value in zip(function.arguments, arguments, strict=True)]
    steps = thread.region(function.operation.regions[0], given)
    try:
        meeting = next(steps)
    except StopIteration as done:
        return list(done.value)
    raise InternalError("mlir", str(meeting.operation.place), "the host waits for other threads")
