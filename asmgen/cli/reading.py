"""What the command line names: a source, the options it is compiled with, and the program it is held
against."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from asmgen.compiler import compile_read
from asmgen.files import ASSEMBLY_SUFFIXES, MLIR_SUFFIXES, OBJECT_SUFFIXES
from asmgen.frontends.sources import Source, read_file
from asmgen.options import Options, make_options
from isa.diagnostics import InputError
from isa.targets import parse_target

if TYPE_CHECKING:
    from asmgen.compiled import CompiledProgram

Settings = list[tuple[str, str]]


def is_code(source: str) -> bool:
    """Whether a source is assembly or a code object: compiled already."""
    return os.path.splitext(source)[1] in (*ASSEMBLY_SUFFIXES, *OBJECT_SUFFIXES)


def is_mlir(source: str) -> bool:
    """Whether a source is a file of MLIR, whose kernels have their launch when they are launched."""
    return os.path.splitext(source)[1] in MLIR_SUFFIXES


def entry_of(source: Source, entry: str | None) -> Source:
    """The source with the kernel that --entry names alone; `InputError` CLI014 where it is no file of
    MLIR."""
    if entry is None:
        return source
    if source.mlir is None:
        message = f"{source.place} is no file of MLIR, so --entry would change nothing"
        raise InputError("--entry", "CLI014", message, help="leave --entry out")
    return source._replace(mlir=source.mlir.only(entry))


def source_of(text: str, settings: Settings) -> Source:
    """A catalogue kernel by its name; a file by its suffix, or because it is there."""
    from asmgen.kernels import build_kernel

    if not is_catalogue(text) and (os.path.splitext(text)[1] or os.path.isfile(text) or "/" in text):
        from pathlib import Path  # it takes 8 ms to load

        refuse_settings(text, settings)
        return read_file(Path(text))
    if os.path.isdir(text) and not is_catalogue(text):
        raise InputError(text, "SRC003", "this is a folder, wanted a file or the name of a catalogue kernel")
    program = build_kernel(text, settings)
    return Source(text, program.target, program)


def is_catalogue(text: str) -> bool:
    from asmgen.kernels import CATALOGUE

    return text in CATALOGUE


def refuse_catalogue(text: str) -> None:
    """`InputError` CLI019 for a catalogue name where only a file is read."""
    if is_catalogue(text) and not os.path.exists(text):
        help = f"`python -m asmgen kernel {text} --emit asm -o {text}.s` makes a file"
        raise InputError(text, "CLI019", f"{text} is a kernel of the catalogue, wanted a file", help=help)


def refuse_settings(text: str, settings: Settings) -> None:
    if settings:
        raise InputError(
            "--set", "CLI003", f"{text} is a file and has no parameters, wanted a catalogue name"
        )


def options_of(arguments: argparse.Namespace) -> Options:
    return make_options(
        {
            "fast_math": arguments.fast_math,
            "contract": not arguments.no_contract,
            "max_vgprs": arguments.max_vgprs,
            "waves_per_eu": arguments.waves_per_eu,
            "spill": not arguments.no_spill,
            "schedule": not arguments.no_schedule,
            "nan": arguments.nan,
            "assembler": arguments.assembler or "",
        }
    )


def settings_of_source(arguments: argparse.Namespace) -> Settings:
    """The parameters that --set gives the source; those of a file that is held against a program are the
    program's."""
    is_of_source = arguments.against is None or is_catalogue(arguments.source)
    return arguments.settings if is_of_source else Settings()


def check_against(arguments: argparse.Namespace) -> None:
    """--against, and a launch with it, belong to a proof; `InputError` CLI008 to CLI010 elsewhere."""
    if arguments.against is not None and not arguments.verify:
        raise InputError(
            "--against",
            "CLI008",
            "got --against without --verify, wanted both: the program says what is right",
        )
    is_launched = is_mlir(arguments.source) or (arguments.against is not None and is_code(arguments.source))
    if (arguments.grid or arguments.block) and not is_launched:
        option = "--grid" if arguments.grid else "--block"
        message = f"got {option} for a source that has a launch of its own, wanted none"
        help = f"leave {option} out; a kernel of MLIR takes it, and assembly or a code object with --against"
        raise InputError(option, "CLI009", message, help=help)
    for option, sizes in (("--grid", arguments.grid), ("--block", arguments.block)):
        if sizes and min(sizes) < 1:
            raise InputError(option, "LNC003", f"got {sizes}, wanted three sizes from 1 on: (x, y, z)")
    if arguments.sizes and not (arguments.verify and is_mlir(arguments.source) and not arguments.against):
        message = "got a size of an argument, wanted one only with --verify of a file of MLIR"
        way = "add --verify" if is_mlir(arguments.source) and not arguments.verify else "leave --size out"
        raise InputError("--size", "CLI009", message, help=way)
    if arguments.against is not None and arguments.device == "hip":
        message = "got hip with --against, which runs on the emulator alone"
        raise InputError(
            "--device", "CLI010", message, help="`python -m asmgen run FILE --device hip` runs code on a GPU"
        )


def reference_of(arguments: argparse.Namespace) -> CompiledProgram | None:
    """The program that --against names, compiled for the target and with the options of the source; None
    without it.

    Raises `InputError` VER014 where it is no graph.
    """
    if arguments.against is None:
        return None
    settings = Settings() if is_catalogue(arguments.source) else arguments.settings
    source = source_of(arguments.against, settings)
    reference = compile_read(source, parse_target(arguments.target), options_of(arguments))
    if reference.graph is None:
        message = f"{source.place} comes after the graph, wanted a tensor program, which says what is right"
        raise InputError(
            "--against", "VER014", message, help="a catalogue kernel, or a .gen file without a stage line"
        )
    return reference
