"""Running a kernel on the emulator, or on a GPU through HIP."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard, cast

import numpy as np

from asmgen.artifact import CompiledKernel
from asmgen.containers import object_with
from asmgen.emission.assemble import followed
from asmgen.emission.includes import refuse_includes
from asmgen.files import (
    ASSEMBLY_SUFFIXES,
    GEN_SUFFIXES,
    MACHINE_SUFFIXES,
    MLIR_SUFFIXES,
    bytes_of,
    refuse_foreign,
    text_of,
    whole_text,
)
from asmgen.ir.arrays import as_numbers, as_numpy
from asmgen.options import MAX_STEPS
from asmgen.runtime.hip import HOW_TO_GET_HIP, hip_status, serves
from isa.diagnostics import InputError
from isa.emulator.launching.arguments import ArgumentValue, KernelCall, Pointer
from isa.targets import TargetId, parse_target

if TYPE_CHECKING:
    from asmgen.runtime.watching.findings import Findings
    from asmgen.runtime.watching.watching import Watching

Array = np.ndarray[Any, Any]
Sizes = tuple[int, int, int]
DEVICES = ("auto", "emulator", "hip")


def run(
    source: str | bytes | Path, kernel: str | None, grid: Sizes, block: Sizes, args: Sequence[object],
    device: str, progress: Callable[[int, int], None] | None = None, allow_include: bool = False,
    max_steps: int | None = None, sanitize: bool = True, max_seconds: float | None = None,
    lds_bytes: int = 0, target: str | None = None, watching: Watching | None = None,
    findings: Findings | None = None,
) -> list[Array]:  # fmt: skip
    """Run a kernel of a code object (bytes), of assembly text, or of a file with either; without a name, the
    only kernel. `grid` counts workgroups; `progress` receives the number of workgroups that the emulator has
    finished, and their total. `allow_include` lets assembly text read other files. A kernel counts as endless
    after `max_steps` instructions of all waves together, and after `max_seconds` on the emulator. A workgroup
    has `lds_bytes` of LDS in addition to the kernel's own. With `sanitize` the emulator looks for faults of
    the program (docs/sanitizer.md). `target` chooses among the code objects of a fat binary; any other file
    must be for this target. `watching` shows what happens on the emulator, and `findings` takes the
    sanitizer's findings (docs/running.md).

    An argument is a number, an array, None for a null pointer, or a `Pointer` into another array. Returns the
    array arguments as they are afterwards, in order; the given arrays do not change. Raises
    `InputError` for a program that cannot be read or run: an unknown kernel or device, arguments that do not
    fit the kernel, a truncated ELF.
    """
    _check_source(source)
    for option, sizes in (("grid", grid), ("block", block)):
        _check_sizes(option, sizes)
    _check_names(kernel, args)
    if not isinstance(cast("object", sanitize), bool):
        raise InputError("sanitize", "RUN026", f"got {sanitize!r}, wanted True or False")
    _check_limits(max_steps, max_seconds, lds_bytes)
    program, name = program_for(source, kernel, target, allow_include)
    given = [_argument(argument, position) for position, argument in enumerate(args)]
    call = KernelCall(grid, block, tuple(given), lds_bytes=lds_bytes)
    if device == "emulator" or resolve_device(device, target_of(program, name)) == "emulator":
        from asmgen.runtime.emulation import Launch, Limits, emulate

        readable = followed(program, name, allow_include) if isinstance(program, str) else program
        launch = Launch(readable, name, kernel, call)
        limits = Limits(max_steps or MAX_STEPS, max_seconds, sanitize, progress)
        return emulate(launch, limits, watching, findings).arrays
    if watching is not None or findings is not None:
        message = "a GPU shows no traces, breakpoints, coverage, counters and findings"
        raise InputError("device", "RUN030", message, help="--device emulator")
    from asmgen.emission.assemble import assemble
    from asmgen.runtime.hip import run_on_gpu

    is_object = isinstance(program, bytes)
    code_object = (
        program
        if is_object
        else assemble(program, target_of(program, name), name, allow_include=allow_include)
    )
    return run_on_gpu(code_object, kernel, call, name)


def program_for(
    source: str | bytes | Path, kernel: str | None, target: str | None, allow_include: bool
) -> tuple[str | bytes, str]:
    """Assembly text, or the code object with a kernel, and its name in messages. Without a kernel, the file
    has a single code object. `target` chooses among several code objects; InputError RUN028 if the program is
    for another target."""
    wanted = None if target is None else parse_target(target)
    program, name = read_program(source, allow_include)
    if isinstance(program, bytes):
        name, program = object_with(program, name, kernel, wanted)
    if wanted is not None and wanted.target.name != (stated := target_of(program, name)).target.name:
        message = f"the file is for {stated}, --target is {target}"
        raise InputError(name, "RUN028", message, help=f"--target {stated}, or none")
    return program, name


def _argument(given: object, position: int) -> ArgumentValue:
    """Numbers and pointers unchanged; anything else as a numpy array."""
    place = f"args[{position}]"
    if given is None or isinstance(given, np.generic | int | float | Pointer):
        return cast("ArgumentValue", given)
    wanted = "a number or a numpy array, or an array by DLPack or the buffer protocol"
    return as_numbers(as_numpy(given, place, "RUN011", wanted), place, "RUN021")


def _check_source(source: object) -> None:
    if not isinstance(source, str | bytes | Path):
        raise InputError(
            "source", "RUN019", f"got {type(source).__name__}, wanted a code object, assembly text or a path"
        )


def _check_names(kernel: object, args: object) -> None:
    if kernel is not None and not isinstance(kernel, str):
        message = f"got {kernel!r}, wanted the kernel's name, or None for the only kernel"
        raise InputError("kernel", "RUN023", message)
    if not isinstance(args, Sequence) or isinstance(args, str | bytes):
        raise InputError("args", "RUN024", f"got {type(args).__name__}, wanted a list of arrays and numbers")


def _check_limits(max_steps: object, max_seconds: object, lds_bytes: object) -> None:
    if max_steps is not None and not (_is_number(max_steps, int) and max_steps >= 1):
        message = f"got {max_steps!r}, wanted a number of instructions from 1 on"
        raise InputError("max_steps", "RUN025", message)
    if max_seconds is not None and not (_is_number(max_seconds, int, float) and max_seconds > 0):
        raise InputError("max_seconds", "RUN027", f"got {max_seconds!r}, wanted a number of seconds above 0")
    if not (_is_number(lds_bytes, int) and lds_bytes >= 0):
        raise InputError("lds_bytes", "RUN005", f"got {lds_bytes!r}, wanted a number of bytes from 0 on")


def _is_number(given: object, *kinds: type[int] | type[float]) -> TypeGuard[float]:
    """Whether it is a number of one of the types; True and False are none."""
    return isinstance(given, kinds) and not isinstance(given, bool)


def _check_sizes(option: str, sizes: object) -> None:
    given = cast("Sequence[object]", sizes) if isinstance(sizes, tuple | list) else ()
    if len(given) != 3 or not all(isinstance(size, int) for size in given):
        raise InputError(option, "RUN018", f"got {sizes!r}, wanted three integers (x, y, z)")


def target_of(program: str | bytes, name: str) -> TargetId:
    """The target that assembly text or a code object states."""
    if isinstance(program, bytes):
        from isa.objects.kernels import object_target

        return object_target(program, name)
    from isa.emulator.program.assembly import assembly_target

    return assembly_target(program, name)


def read_program(source: str | bytes | Path, allow_include: bool = False) -> tuple[str | bytes, str]:
    """Assembly text or a code object, and its name in messages. A string without a line break is a path.

    `InputError` ASM010 for text that makes an assembler read other files, unless `allow_include` allows it.
    """
    if isinstance(source, bytes):
        return source, "<code object>"
    if isinstance(source, str) and "\n" in source:
        program, name = whole_text(source, "<assembly>"), "<assembly>"
    else:
        path = Path(source)
        _refuse_source_text(path)
        refuse_foreign(path)
        program, name = text_of(path) if path.suffix in ASSEMBLY_SUFFIXES else bytes_of(path), str(path)
    if isinstance(program, str) and not allow_include:
        refuse_includes(program, name)
    return program, name


def _refuse_source_text(path: Path) -> None:
    if path.suffix in (*GEN_SUFFIXES, *MLIR_SUFFIXES, *MACHINE_SUFFIXES):
        help = (
            f"`python -m asmgen kernel {path} -o {path.stem}.hsaco` compiles it; in Python "
            f"asmgen.compile({str(path)!r})(...) runs it"
        )
        raise InputError(
            str(path),
            "RUN022",
            f"{path.suffix} is a source to compile, wanted assembly text (.s) or a code object",
            help=help,
        )


def launch(kernel: CompiledKernel, arrays: Sequence[Array], device: str) -> list[Array]:
    """Run a compiled kernel on flat buffers, a buffer for each argument, on a resolved device; returns the
    buffers as they are afterwards."""
    assert kernel.grid is not None, "a kernel of a graph has a grid"
    if 0 in kernel.workgroups:
        return list(arrays)
    if device == "emulator":
        from isa.emulator import run as emulate

        return emulate(kernel.assembly, kernel.name, kernel.workgroups, kernel.block, arrays)
    from asmgen.runtime.hip import run_on_gpu

    call = KernelCall(kernel.workgroups, kernel.block, tuple(arrays))
    return run_on_gpu(kernel.code_object, kernel.name, call)


def resolve_device(device: str, target: TargetId) -> str:
    """`emulator` or `hip`; `auto` is hip if a GPU of the target is present. `InputError` if hip is requested
    and absent."""
    if device not in DEVICES:
        raise InputError("device", "DEV001", f"got {device!r}, wanted one of {', '.join(DEVICES)}")
    if device == "emulator":
        return device
    status = hip_status()
    if status.device and serves(status.device, target):
        return "hip"
    if device == "auto":
        return "emulator"
    if status.device:
        message = f"hip cannot run code of {target}: the GPU is {status.device}"
        raise InputError(
            "device",
            "DEV002",
            message,
            help=f"compile for target {status.device.partition(':')[0]}, or choose the device emulator",
        )
    message = f"hip cannot run code of {target}: {status.problem}"
    raise InputError("device", "DEV002", message, help=f"{HOW_TO_GET_HIP}; the device emulator needs neither")
