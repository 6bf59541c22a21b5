"""Options that several commands share. Each function adds options to the parser of a command."""

from __future__ import annotations

import argparse
from typing import Any

from asmgen.cli.grammar.values import argument_size, launch_sizes, output_name, setting
from asmgen.options import EXACT, MATRIX_PRECISIONS, MAX_STEPS, NAN_MODES

SEVERAL = ". Several sources take a folder"

_DEVICES = ("auto", "emulator", "hip")


def option(parser: argparse.ArgumentParser, name: str, metavar: str, help: str, **named: Any) -> None:
    parser.add_argument(name, metavar=metavar, help=help, **named)


def repeated(parser: argparse.ArgumentParser, name: str, metavar: str, help: str, **named: Any) -> None:
    """An option that may be given several times."""
    parser.add_argument(name, metavar=metavar, help=help, action="append", default=[], **named)


def flag(parser: argparse.ArgumentParser, name: str, help: str) -> None:
    parser.add_argument(name, action="store_true", help=help)


def add_numbers(parser: argparse.ArgumentParser) -> None:
    """The options that change results."""
    flag(parser, "--fast-math", "give up the stated error bounds for speed")
    flag(parser, "--no-contract", "do not contract a multiply and an add to an fma")
    parser.add_argument(
        "--nan",
        choices=NAN_MODES,
        default="",
        help="NaN operands of max and min: ignore them (ieee) or return NaN (propagate, the default for "
        "tensor programs of MLIR)",
    )
    parser.add_argument(
        "--matrix-precision",
        choices=MATRIX_PRECISIONS,
        default=EXACT,
        help="f32 factors of matrix products: exactly (f32), rounded to 11 bits (tf32), or by 1, 3 or 6 "
        "products of bf16 parts",
    )


def add_tuned(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--tuned",
        choices=("on", "off"),
        default="on",
        help="off: leave out the schedules that `tune` found for this source; default: on",
    )


def add_budget(parser: argparse.ArgumentParser) -> None:
    option(parser, "--max-vgprs", "N", "maximum VGPRs of a wave; AGPRs do not count", type=int)
    option(
        parser,
        "--waves-per-eu",
        "N",
        "minimum waves per SIMD; limits the VGPRs. With --max-vgprs, the smaller limit applies",
        type=int,
    )


def add_launched(parser: argparse.ArgumentParser) -> None:
    """The options of commands that model launches."""
    add_target(parser, None, "default: the target that the file names, otherwise gfx942")
    add_settings(parser)
    option(parser, "--kernel", "K", "only this kernel; needed for compiled code with several kernels")
    add_launch(parser, is_required=False, when="of assembly, code objects and MLIR kernels: ")
    repeated(
        parser,
        "--arg",
        "A",
        "an argument: a .npy file, TYPE:VALUE such as i32:5, TYPE[N,...] for an array with such dims, null, "
        "or argN+BYTES for an address in another argument",
        dest="args",
    )
    repeated(
        parser,
        "--size",
        "NAME=N[,N...]",
        "a named dim; of an MLIR argument the dynamic dims, the bytes or the value",
        type=argument_size,
        dest="sizes",
    )
    add_lds(parser)
    add_budget(parser)
    add_max_steps(parser)
    add_allow_include(parser)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    repeated(
        parser,
        "--arg",
        "A",
        "an argument: a .npy file; TYPE:VALUE, for example i32:5; null; or argN[+BYTES], an address in the "
        "array of argument N. An OpenCL __local pointer takes its size in bytes: i32:BYTES",
        dest="args",
    )


def add_batch(parser: argparse.ArgumentParser, has_seconds: bool = False) -> None:
    """The options of several sources. `has_seconds`: the command has its own --max-seconds."""
    add_processes(parser, has_seconds)
    option(parser, "--results", "FILE", "write a JSON line for each source to a new file, as it ends")
    add_ray(parser)
    flag(parser, "--resume", "with --results: do only the sources that have no result in the file")


def add_format(
    parser: argparse.ArgumentParser, formats: tuple[str, ...], more: str = "default: text"
) -> None:
    """The format of the output; the first is the default."""
    parser.add_argument("--format", choices=formats, default=formats[0], help=more)


def add_lines(parser: argparse.ArgumentParser) -> None:
    add_format(parser, ("text", "json"), "json: a line for each source; default: text")


def add_max_steps(parser: argparse.ArgumentParser) -> None:
    option(parser, "--max-steps", "N", "stop the kernel after N instructions", type=int, default=MAX_STEPS)


def add_processes(parser: argparse.ArgumentParser, has_seconds: bool = False) -> None:
    option(parser, "--jobs", "N", "work in N processes; default: the cores", type=int)
    if not has_seconds:
        option(parser, "--max-seconds", "S", "stop a piece of work after S seconds, and go on", type=float)
    option(parser, "--max-memory", "BYTES", "memory of a process, such as 2G; a piece that needs more fails")


def add_ray(parser: argparse.ArgumentParser) -> None:
    option(parser, "--ray", "ADDRESS", "work on the nodes of a Ray cluster: HOST:PORT of its head, or auto")


def add_target(parser: argparse.ArgumentParser, default: str | None, more: str) -> None:
    option(parser, "--target", "TARGET", f"target id; {more}", default=default)


def add_settings(parser: argparse.ArgumentParser) -> None:
    repeated(
        parser, "--set", "NAME=VALUE", "set a parameter of a catalogue kernel", type=setting, dest="settings"
    )


def add_output(parser: argparse.ArgumentParser, default: str | None, more: str = SEVERAL) -> None:
    option(
        parser,
        "-o",
        "FILE",
        f"output file; - is standard output{more}",
        dest="output",
        type=output_name,
        default=default,
    )
    flag(
        parser,
        "--force",
        "let -o overwrite the source, a protected file, or a file with the suffix of another format",
    )


def add_launch(parser: argparse.ArgumentParser, is_required: bool, when: str = "") -> None:
    for name, what in (("--grid", "workgroups"), ("--block", "work-items per workgroup")):
        parser.add_argument(
            name, required=is_required, type=launch_sizes, metavar="X[,Y,Z]", help=f"{when}{what}"
        )


def add_lds(parser: argparse.ArgumentParser) -> None:
    option(
        parser,
        "--lds",
        "BYTES",
        "dynamic LDS of a workgroup (extern __shared__), in addition to the kernel's own",
        type=int,
        default=0,
        dest="lds_bytes",
    )


def add_device(parser: argparse.ArgumentParser, default: str) -> None:
    parser.add_argument(
        "--device",
        choices=_DEVICES,
        default=default,
        help="device to run on; auto: the GPU if it matches the target, otherwise the emulator",
    )


def add_allow_include(parser: argparse.ArgumentParser) -> None:
    flag(parser, "--allow-include", "let assembly include other files (.include, .incbin)")
