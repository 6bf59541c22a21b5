"""A file of MLIR and its kernels.

MLIR's own parser reads the file. It comes with `iree-base-compiler` (the extra `mlir`) and takes half a
second to load, so it is loaded for a file of MLIR only.
"""

from __future__ import annotations

from importlib.util import find_spec

from asmgen.mlir.kernels import FUNCTIONS, MlirKernel, chosen, kernel_modules, kernels_of
from asmgen.mlir.source import MlirModule, Operation
from isa.diagnostics import InputError, Place
from isa.named_tuple import NamedTuple

PARSER = "iree-base-compiler"
HOW_TO_GET_PARSER = (
    f"`python -m pip install '.[mlir]'` in asmgen's checkout or `python -m pip install {PARSER}` installs it"
)


_RANKED = "make arguments and results ranked tensors such as tensor<8xf32>, or lower loops to gpu by mlir-opt"


class KernelFile(NamedTuple):
    """A file, and the kernels to compile: all of the file, or only `entry`."""

    module: MlirModule
    kernels: tuple[MlirKernel, ...]
    text: str
    entry: str | None = None

    def only(self, entry: str | None) -> KernelFile:
        """The file with the kernel `entry` alone; `InputError` MLIR006 if no kernel has that name."""
        kernels = chosen(self.kernels, entry, self.module.file)
        return self._replace(kernels=kernels, entry=entry or self.entry)


def read_kernels(text: str, file: str) -> KernelFile:
    """Read a file and find its kernels. `InputError` as `read_module` and `kernel_file` raise it."""
    return kernel_file(read_module(text, file))


def kernel_file(module: MlirModule) -> KernelFile:
    """The kernels of a file. `InputError` MLIR004 if the file has no kernel, MLIR005 for two kernels of the
    same name."""
    kernels = kernels_of(module)
    if not kernels:
        raise _without_kernels(module)
    return KernelFile(module, kernels, module.text)


def read_module(text: str, file: str) -> MlirModule:
    """The operations of a file. `InputError` MLIR001 if the parser is not installed, MLIR002 if the parser
    refuses the text, MLIR003 for an old spelling, MLIR008 for a text that is nested too deep."""
    if not _has_parser():
        message = f"{PARSER} is not installed, wanted it to read MLIR"
        raise InputError(Place(file), "MLIR001", message, help=HOW_TO_GET_PARSER)
    from asmgen.mlir.reading.parsing import parse

    return parse(text, file)


def _has_parser() -> bool:
    """Whether iree-base-compiler is installed; the packages of IREE share a namespace."""
    try:
        return find_spec("iree.compiler") is not None
    except ModuleNotFoundError:
        return False


def _without_kernels(module: MlirModule) -> InputError:
    """The error for a file without kernels: at the first operation of an unknown dialect, or at the first
    function of a `gpu.module` that is not marked as a kernel."""
    from asmgen.mlir.dialects.table import TABLE

    known = {"builtin", *[name.partition(".")[0] for name in TABLE]}
    message = (
        "the file has no kernel, wanted gpu.func @name(...) kernel, a gpu.launch, or a function of tensors"
    )
    operations = [inner for inner in module.operation.walk() if inner is not module.operation]
    foreign = next((inner for inner in operations if inner.dialect not in known), None)
    if foreign is not None:
        dialect = foreign.dialect
        message = f"{foreign.name}: {message}"
        help = f"lower {dialect} to loops and gpu first, by mlir-opt or iree-opt"
        return InputError(foreign.place, "MLIR004", message, help=help)
    help = "`kernel` comes after the arguments of a gpu.func and its attributions"
    function = next(iter(kernel_modules(module)), None)
    if function is not None and function.name in FUNCTIONS:
        if function.name != "gpu.func":
            help = f"attributes {{gpu.kernel}} makes a {function.name} a kernel"
        message = f"{function.name} @{function.text('sym_name')} is not marked: {message}"
        return InputError(function.place, "MLIR004", message, help=help)
    without_body = next((each for each in operations if _is_declared(each)), None)
    if without_body is not None:
        message = f"{without_body.name} @{without_body.text('sym_name')} has no body: {message}"
        return InputError(without_body.place, "MLIR004", message, help="write its body in braces")
    plain = next((each for each in operations if each.name == "func.func"), None)
    if plain is not None:
        message = f"func.func @{plain.text('sym_name')} is not a function of ranked tensors: {message}"
        return InputError(plain.place, "MLIR004", message, help=_RANKED)
    place = operations[0].place if operations else module.operation.place
    return InputError(place, "MLIR004", message, help=help)


def _is_declared(operation: Operation) -> bool:
    return operation.name in FUNCTIONS and not any(region.blocks for region in operation.regions)
