"""The launch of a kernel of an assembly file or a code object."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.containers import object_with
from asmgen.emission.assemble import followed
from asmgen.emission.includes import refuse_includes
from asmgen.profile.launches import Launch, LaunchOptions
from asmgen.runtime.run import target_of
from isa.diagnostics import InputError
from isa.emulator import load
from isa.emulator.launching.arguments import KernelCall, check_count, explicit_arguments
from isa.emulator.program.image import Image
from isa.emulator.program.source_lines import with_source_lines
from isa.program import Argument
from isa.targets import TargetId


def launch_of_file(
    program: str | bytes,
    name: str,
    target: TargetId | None,
    options: LaunchOptions,
    allow_include: bool = False,
) -> Launch:
    """The launch of the kernel that the options name, or of the only kernel. `target` chooses among the code
    objects of a fat binary; any other file must be for it.

    Raises `InputError` PRF003 for a missing grid, block or argument, and as `run` does.
    """
    kernel, grid, block, given = options.kernel, options.grid, options.block, options.arguments
    if isinstance(program, str):
        if not allow_include:
            refuse_includes(program, name)
        program = followed(program, name, allow_include)
    else:
        name, program = object_with(program, name, kernel, target)
    if target is not None and target_of(program, name).target.name != target.target.name:
        message = f"the file is for {target_of(program, name)}, --target is {target}"
        raise InputError(name, "RUN028", message, help=f"--target {target_of(program, name)}, or none")
    image = load(program, kernel, name)
    if isinstance(program, bytes):
        image = with_source_lines(image, program)
    missing = [option for option, sizes in (("--grid", grid), ("--block", block)) if sizes is None]
    wanted = explicit_arguments(image)
    missing += [f"--arg for {_described(argument)}" for argument in wanted[len(given) :]]
    if missing:
        message = f"the launch of {image.name} is not known, wanted {', '.join(missing)}"
        raise InputError(image.place, "PRF003", message, help=_example(image, wanted))
    check_count(wanted, len(given), image.name)
    assert grid is not None and block is not None, "missing sizes are refused"
    return Launch(image, KernelCall(grid, block, given, lds_bytes=options.lds_bytes), name)


def _described(argument: Argument) -> str:
    kind = argument.type or ("array" if argument.is_buffer else f"{argument.size} bytes")
    return f"{argument.name or f'the argument at {argument.offset}'} ({kind})"


def _example(image: Image, wanted: Sequence[Argument]) -> str:
    """Options that launch the kernel."""
    arguments = [
        f"--arg '{_element(argument)}[4096]'" if argument.is_buffer else f"--arg {_element(argument)}:4096"
        for argument in wanted
    ]
    x, y, z = image.required or (min(image.largest_workgroup, 256), 1, 1)
    return f"for example {' '.join(['--grid 64', f'--block {x},{y},{z}', *arguments])}"


def _element(argument: Argument) -> str:
    """A type name of gen text for an argument."""
    name = argument.type.rstrip("*")
    name = _OPENCL.get(name, name)
    if name in _NAMES:
        return name
    return "f32" if argument.is_buffer else f"i{8 * argument.size}"


_NAMES = frozenset({"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "bf16", "f32", "f64"})
_OPENCL = {
    "char": "i8", "uchar": "u8", "short": "i16", "ushort": "u16", "int": "i32", "uint": "u32", "long": "i64",
    "ulong": "u64", "half": "f16", "float": "f32", "double": "f64",
}  # fmt: skip
"""The names that clang writes."""
