"""asmgen: tensor programs to AMDGPU code objects, and an emulator to prove them on.

    program = asmgen.compile(source, target="gfx942")
    outputs = program(*arrays, device="auto")

Nothing heavy is imported before it is needed: `import asmgen` does not load numpy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from isa.diagnostics import InputError, InputWarning, InternalError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import numpy as np

    from asmgen.compiled import CompiledProgram
    from asmgen.frontends.traced.spec import Spec
    from asmgen.ir.program import Program
    from isa.emulator.launching.arguments import Pointer

__all__ = ["InputError", "InputWarning", "InternalError", "compile", "pointer", "run", "spec"]


def compile(
    source: str | Path | Program | Callable[..., object],
    target: str = "gfx942",
    inputs: Sequence[object] | None = None,
    *,
    tuned: str = "on",
    **options: object,
) -> CompiledProgram:
    """Compile a path, gen text, a graph, or a function that is traced with `inputs` (specs or example
    arrays).

    `options` are the fields of `asmgen.options.Options`. In max and min of a traced function a NaN wins, as
    in numpy, unless `nan="ieee"` is given. The schedules that `asmgen tune` has kept for the same program,
    target and options are used, unless options state others or `tuned` is "off". Raises `InputError` for
    whatever cannot be accepted.
    """
    from asmgen.compiler import compile_source
    from asmgen.options import PROPAGATE, make_options
    from asmgen.tuning.kept import OFF, ON, for_program

    if tuned not in (ON, OFF):
        raise InputError("tuned", "OPT014", f"got {tuned!r}, wanted {ON} or {OFF}")

    if callable(source):
        options = {"nan": PROPAGATE, **options}
    choose = for_program if tuned == ON else None
    return compile_source(source, target, make_options(options), inputs, choose)


def run(
    source: str | bytes | Path,
    *,
    kernel: str | None = None,
    grid: tuple[int, int, int],
    block: tuple[int, int, int],
    args: Sequence[object],
    device: str = "emulator",
    allow_include: bool = False,
    max_steps: int | None = None,
    max_seconds: float | None = None,
    lds_bytes: int = 0,
    sanitize: bool = True,
    target: str | None = None,
) -> list[np.ndarray[Any, Any]]:
    """Run one kernel of a code object, of assembly text, or of a file with either: the kernel of a name, or
    without a name the only kernel. `grid` counts workgroups.

    `args` are numbers and arrays: numpy arrays, or arrays by DLPack or the buffer protocol; None is a null
    pointer, and `pointer(N)` the array of argument N. Returns the array arguments as they are afterwards, in
    order; the given arrays do not change. `allow_include` lets assembly text read other files (.include,
    .incbin).

    The emulator stops a kernel as endless after `max_steps` instructions, by default after the number that
    takes some seconds, and after `max_seconds`; it stops at once if no wave can continue. A workgroup has
    `lds_bytes` of LDS in addition to the kernel's own (`extern __shared__`); the argument of a `local`
    pointer of OpenCL is its number of bytes. The sanitizer looks for faults of the program
    (docs/sanitizer.md) unless `sanitize` is False. `target` chooses among the code objects of a fat binary or
    of a host program.

    Raises `InputError` for a program that cannot run and for a finding of the sanitizer.
    """
    from asmgen.runtime.run import run as run_kernel

    return run_kernel(
        source, kernel, grid, block, args, device, allow_include=allow_include, max_steps=max_steps,
        max_seconds=max_seconds,
        lds_bytes=lds_bytes, sanitize=sanitize, target=target,
    )  # fmt: skip


def pointer(argument: int, offset: int = 0) -> Pointer:
    """An argument of `run`: the address of byte `offset` in the array of the argument at a position."""
    from isa.emulator.launching.arguments import Pointer

    return Pointer(argument, offset)


def spec(
    element: object, dims: tuple[int | str, ...] | int | str, strides: tuple[int, ...] | int | None = None
) -> Spec:
    """The type, the shape and the strides of an argument of a traced function; strides count elements.

    The type is gen's name ("f32"), numpy's name, or a numpy dtype. A dim that only the launch knows is a
    name. Raises `InputError` for an unknown type or an invalid shape.
    """
    from asmgen.frontends.traced.spec import spec as make_spec

    return make_spec(element, dims, strides)
