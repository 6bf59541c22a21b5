"""Read the sources, the compile options and the reference program that the command line names."""

from __future__ import annotations

import argparse
import os
import re
from typing import TYPE_CHECKING

from asmgen.compilation import Source
from asmgen.compiler import compile_read
from asmgen.files import ASSEMBLY_SUFFIXES, MLIR_SUFFIXES, OBJECT_SUFFIXES
from asmgen.ir.stage import LAUNCHES
from asmgen.options import Options, make_options
from isa.diagnostics import InputError
from isa.targets import parse_target

if TYPE_CHECKING:
    from asmgen.compiled import CompiledProgram

_PYTHON = re.compile(r"\.py:\w+\Z", re.ASCII)
Settings = list[tuple[str, str]]


def is_code(source: str) -> bool:
    """Whether a source is assembly or a code object."""
    return os.path.splitext(source)[1] in (*ASSEMBLY_SUFFIXES, *OBJECT_SUFFIXES)


def is_mlir(source: str) -> bool:
    """Whether a source is an MLIR file."""
    return os.path.splitext(source)[1] in MLIR_SUFFIXES


def source_of(text: str, settings: Settings, entry: str | None = None) -> Source:
    """The source of a catalogue name, of a kernel in a Python file (`file.py:name`), or of a file: a name
    with a suffix or a slash, or an existing file. `entry` is the kernel or function of an MLIR file to
    compile; `InputError` CLI014 if the source is not an MLIR file."""
    from asmgen.kernels import build_kernel

    if entry is not None and not is_mlir(text):
        message = f"{text} is not an MLIR file, so --entry would change nothing"
        raise InputError("--entry", "CLI014", message, help="leave --entry out")
    if _PYTHON.search(text):
        from asmgen.assembly.load import source_of_kernel

        refuse_settings(text, settings)
        return source_of_kernel(text)
    if not is_catalogue(text) and (os.path.splitext(text)[1] or os.path.isfile(text) or "/" in text):
        from pathlib import Path  # it takes 8 ms to load

        from asmgen.frontends.sources import read_file

        refuse_settings(text, settings)
        return read_file(Path(text), entry)
    if os.path.isdir(text) and not is_catalogue(text):
        message = "this is a folder, wanted a file or the name of a catalogue kernel"
        raise InputError(text, "SRC003", message, help=f"`ls {text}` shows the files in it")
    program = build_kernel(text, settings)
    return Source.of_program(text, program)


def catalogue_texts(text: str, settings: Settings) -> dict[str, str]:
    """The text of a catalogue kernel by the name of its source; empty for a file."""
    from asmgen.kernels import CATALOGUE

    kernel = CATALOGUE.get(text)
    return {} if kernel is None else {text: kernel.text(kernel.settings(settings))}


def is_catalogue(text: str) -> bool:
    from asmgen.kernels import CATALOGUE

    return text in CATALOGUE


def refuse_catalogue(text: str) -> None:
    """`InputError` CLI019 for a catalogue name that is not a file, in a command that reads files only."""
    if is_catalogue(text) and not os.path.exists(text):
        help = f"`python -m asmgen kernel {text} --emit asm -o {text}.s` writes a file"
        raise InputError(text, "CLI019", f"{text} is a kernel of the catalogue, wanted a file", help=help)


def refuse_settings(text: str, settings: Settings) -> None:
    if settings:
        raise InputError(
            "--set",
            "CLI003",
            f"{text} is a file and has no parameters, wanted the name of a catalogue kernel",
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
            "order": arguments.order,
            "order_seconds": arguments.order_seconds,
            "schedules": tuple(arguments.schedules),
            "nan": arguments.nan,
            "matrix_precision": arguments.matrix_precision,
            "assembler": arguments.assembler or "",
        }
    )


def settings_of_source(arguments: argparse.Namespace) -> Settings:
    """The parameters of --set for the source. With --against and a file, they belong to the reference."""
    is_of_source = arguments.against is None or is_catalogue(arguments.source)
    return arguments.settings if is_of_source else Settings()


def takes_dims(arguments: argparse.Namespace) -> bool:
    """Whether --size gives the named dims of the source."""
    return arguments.time or arguments.emit == LAUNCHES


def check_against(arguments: argparse.Namespace) -> None:
    """`InputError` CLI008 to CLI010 for --against, a launch or --size in a command that does not use it."""
    if arguments.against is not None and not arguments.verify:
        raise InputError(
            "--against",
            "CLI008",
            "got --against without --verify, wanted both: --against is the reference of --verify",
        )
    is_launched = is_mlir(arguments.source) or (arguments.against is not None and is_code(arguments.source))
    if (arguments.grid or arguments.block) and not is_launched:
        option = "--grid" if arguments.grid else "--block"
        message = f"got {option} for a source that states its own launch, wanted none"
        help = f"leave {option} out; MLIR kernels take it, and assembly or a code object with --against"
        raise InputError(option, "CLI009", message, help=help)
    for option, sizes in (("--grid", arguments.grid), ("--block", arguments.block)):
        if sizes and min(sizes) < 1:
            raise InputError(option, "LNC003", f"got {sizes}, wanted three sizes of at least 1: (x, y, z)")
    is_verified = arguments.verify and is_mlir(arguments.source) and not arguments.against
    if arguments.sizes and not (is_verified or takes_dims(arguments)):
        message = "got --size, which applies only to --verify of an MLIR file, --time and --emit launches"
        way = "add --verify" if is_mlir(arguments.source) and not arguments.verify else "leave --size out"
        raise InputError("--size", "CLI009", message, help=way)
    if arguments.against is not None and arguments.device == "hip":
        message = "got hip with --against, which runs on the emulator only"
        raise InputError(
            "--device", "CLI010", message, help="`python -m asmgen run FILE --device hip` runs code on a GPU"
        )


def reference_of(arguments: argparse.Namespace) -> CompiledProgram | None:
    """The program of --against, compiled for the target and options of the source; None without --against.

    Raises `InputError` VER014 if it has no graph.
    """
    if arguments.against is None:
        return None
    settings = Settings() if is_catalogue(arguments.source) else arguments.settings
    source = source_of(arguments.against, settings)
    reference = compile_read(source, parse_target(arguments.target), options_of(arguments))
    if reference.graph is None:
        message = f"{source.place} is of a stage after the graph, wanted a tensor program as the reference"
        raise InputError(
            "--against", "VER014", message, help="use a catalogue kernel, or a .gen file without a stage line"
        )
    return reference
