"""`kernel` on assembly, which it assembles, and on code objects."""

from __future__ import annotations

import argparse
from pathlib import Path

from asmgen.cli.outputs import write_stage
from asmgen.cli.reading import reference_of
from asmgen.cli.stages import not_reached
from asmgen.containers import object_with
from asmgen.emission.assemble import assemble, followed
from asmgen.runtime.run import read_program, target_of
from isa.diagnostics import InputError
from isa.emulator import load
from isa.emulator.program.assembly import without_descriptor
from isa.emulator.program.assembly_file import kernel_names, read_assembly
from isa.emulator.program.image import Image
from isa.objects.kernels import object_kernel_names
from isa.targets import parse_target


def execute_assembled(arguments: argparse.Namespace, emit: str | None) -> int:
    """Print a summary of the kernels of a file, or write the file as assembly or as a code object."""
    if arguments.verify and arguments.against is None:
        from asmgen.verification.verify import no_graph

        raise no_graph()
    program, name = read_program(Path(arguments.source), arguments.allow_include)
    target = parse_target(arguments.target)
    if isinstance(program, bytes):
        name, program = object_with(program, name, None, target)
    stated = target_of(program, name)
    if stated.target.name != target.target.name:
        raise InputError(
            name, "STG001", f"the file is for {stated}, --target is {target}", help=f"--target {stated}"
        )
    if isinstance(program, str):
        file = read_assembly(program, name)
        if not kernel_names(file):
            raise without_descriptor(file, None)
    if emit is None and not arguments.verify:
        for image in _images(
            followed(program, name, arguments.allow_include) if isinstance(program, str) else program, name
        ):
            _print_image(image)
    elif emit == "asm" and isinstance(program, str):
        write_stage(arguments.output, emit, program)
    elif emit == "obj":
        is_object = isinstance(program, bytes)
        allow, assembler = arguments.allow_include, arguments.assembler or ""
        made = (
            program
            if is_object
            else assemble(program, target, name, allow_include=allow, assembler=assembler)
        )
        write_stage(arguments.output, emit, made)
    elif emit is not None:
        raise not_reached(emit)
    return _prove(program, name, arguments) if arguments.verify else 0


def _prove(program: str | bytes, name: str, arguments: argparse.Namespace) -> int:
    from asmgen.cli.proof import prove_code_against

    reference = reference_of(arguments)
    assert reference is not None, "the caller checks that --against is given"
    return prove_code_against(program, name, reference, arguments)


def _images(program: str | bytes, name: str) -> list[Image]:
    """All kernels of an assembly file or a code object."""
    names = (
        object_kernel_names(program, name)
        if isinstance(program, bytes)
        else kernel_names(read_assembly(program, name))
    )
    return [load(program, kernel, name) for kernel in names]


def _print_image(image: Image) -> None:
    descriptor = image.descriptor
    print(f"{image.name} for {image.target}")
    for argument in image.arguments:
        print(f"  argument {argument.name}: {argument.kind}, {argument.size} bytes at {argument.offset}")
    print(f"  registers: {descriptor.vgprs} VGPRs and AGPRs")
    print(
        f"  memory: {descriptor.lds_bytes} bytes of LDS, {descriptor.scratch_bytes} bytes of "
        f"scratch per work-item"
    )
