"""The tensor functions of a file: those that asmgen compiles through the graph, and not as kernels."""

from __future__ import annotations

from asmgen.mlir.buffers import is_of_buffers, of_tensors
from asmgen.mlir.kernels import is_kernel, kernel_modules, unknown_entry
from asmgen.mlir.source import Block, Dense, MlirModule, Operation
from asmgen.mlir.types import FunctionType, TensorType
from isa.named_tuple import NamedTuple

_NAME = "sym_name"
_VISIBILITY = "sym_visibility"


class TensorText(NamedTuple):
    """A file of tensor functions: its text, its name, and the function to compile (None: all entries)."""

    text: str
    file: str
    entry: str | None = None


def tensor_functions(module: MlirModule) -> dict[str, Operation]:
    """The functions with a body that take or return tensors, by their names, in the order of the file.
    Functions of linalg on buffers become such functions. `InputError` TNS002 for a buffer that is not a
    tensor.
    """
    in_kernels = kernel_modules(module)
    functions: dict[str, Operation] = {}
    for operation in module.operation.walk():
        if operation.name != "func.func" or is_kernel(operation) or operation in in_kernels:
            continue
        if _is_of_tensors(operation):
            functions[name_of(operation)] = operation
        elif body_of(operation) is not None and is_of_buffers(operation):
            functions[name_of(operation)] = of_tensors(operation, _constants(module))
    return functions


def _constants(module: MlirModule) -> dict[str, Dense]:
    """The elements of the buffers of the file that no function writes, by their names."""
    constants: dict[str, Dense] = {}
    for each in module.operation.walk():
        elements = each.attributes.get("initial_value")
        if each.name == "memref.global" and "constant" in each.attributes and isinstance(elements, Dense):
            constants[name_of(each)] = elements
    return constants


def name_of(function: Operation) -> str:
    return function.text(_NAME)


def body_of(function: Operation) -> Block | None:
    """The body of a function; None for a declaration."""
    blocks = function.regions[0].blocks if function.regions else []
    return blocks[0] if blocks else None


def _is_of_tensors(function: Operation) -> bool:
    type_ = function.attributes.get("function_type")
    if body_of(function) is None or not isinstance(type_, FunctionType):
        return False
    return any(isinstance(each, TensorType) for each in (*type_.inputs, *type_.results))


def entries(module: MlirModule, entry: str | None = None) -> list[Operation]:
    """The functions to compile: `entry`, or `main`, or all public functions that no other function calls.

    `InputError` MLIR006 if no function has the name `entry`.
    """
    functions = tensor_functions(module)
    if entry is not None:
        if entry not in functions:
            raise unknown_entry(module.file, entry, list(functions))
        return [functions[entry]]
    if "main" in functions:
        return [functions["main"]]
    called = {
        each.symbol("callee").path[-1] for each in module.operation.walk() if "callee" in each.attributes
    }
    open_ = [each for each in functions.values() if each.text(_VISIBILITY, "public") == "public"]
    return [each for each in open_ if name_of(each) not in called] or list(functions.values())
