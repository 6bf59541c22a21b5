"""The grammar of the command line."""

from __future__ import annotations

import argparse

from asmgen.cli.once import CommandParser, HelpfulParser, Version, output_name
from asmgen.options import ASSEMBLERS, MAX_STEPS, NAN_MODES
from asmgen.trace import Channel

_DEVICES = ("auto", "emulator", "hip")


def make_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line; a subcommand's `module` is the file of `asmgen.cli` that executes
    it."""
    parser = HelpfulParser(
        prog="python -m asmgen",
        description="Tensor programs to AMDGPU code objects, proven on an emulator.",
    )
    parser.add_argument("--version", action=Version, nargs=0, help="show the version and exit")
    commands = parser.add_subparsers(
        prog=parser.prog, required=True, metavar="COMMAND", parser_class=CommandParser
    )
    _add_kernel(commands.add_parser("kernel", help="compile a catalogue kernel or a file"))
    _add_report(
        commands.add_parser("report", help="register pressure: what is live where, and what it costs")
    )
    _add_run(commands.add_parser("run", help="run a kernel of assembly text or a code object"))
    _add_check(
        commands.add_parser(
            "check", help="waits and hazards of anyone's assembly: what is missing, what is wasted"
        )
    )
    _add_list(commands.add_parser("list", help="the catalogue's kernels, or those of a file"))
    commands.add_parser("targets", help="the known targets").set_defaults(module="targets")
    commands.add_parser("doctor", help="what was found, what is missing, how to get it").set_defaults(
        module="doctor"
    )
    for command in commands.choices.values():
        command.set_option_names(commands.choices)
    return parser


def _add_list(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(module="listing")
    parser.add_argument(
        "source",
        metavar="SOURCE",
        nargs="?",
        help="a file of MLIR, assembly, a code object or a fat binary; the catalogue if it is left out",
    )


def _add_kernel(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(module="kernel")
    parser.add_argument(
        "sources",
        metavar="SOURCE",
        nargs="+",
        help="a catalogue name, a file (.gen, .mlir, .mir, .s, a code object), or a folder",
    )
    _add_target(parser, "gfx942", "gfx942, or another, with its features if need be (gfx942:xnack-)")
    _add_settings(parser)
    parser.add_argument(
        "--emit",
        metavar="STAGE",
        help="print a stage: graph gridwise blockwise lanewise final machine allocated asm obj",
    )
    parser.add_argument(
        "--holders",
        metavar="TILE",
        help="with --emit blockwise: draw which lane holds what of a tile, or of all",
    )
    _add_output(parser, None, "; obj unless --emit says otherwise")
    parser.add_argument("--verify", action="store_true", help="run it and compare with a float64 reference")
    parser.add_argument(
        "--against",
        metavar="PROGRAM",
        help="with --verify: the tensor program that a source below the graph is to compute",
    )
    _add_launch(parser, is_required=False, when="with --against, or of a kernel of MLIR that is verified: ")
    parser.add_argument(
        "--size",
        action="append",
        default=[],
        type=_argument_size,
        metavar="NAME=N[,N...]",
        dest="sizes",
        help="of an argument of MLIR that is verified: dynamic dims, bytes of a pointer, or an integer",
    )
    parser.add_argument("--entry", metavar="NAME", help="of a file of MLIR: this kernel alone")
    _add_device(parser, "auto")
    _add_budget(parser)
    parser.add_argument(
        "--no-spill", action="store_true", help="an error where the registers do not suffice, not a spill"
    )
    parser.add_argument(
        "--no-schedule", action="store_true", help="instructions keep the order in which they were selected"
    )
    parser.add_argument("--fast-math", action="store_true", help="trade the stated error bounds for speed")
    parser.add_argument(
        "--no-contract", action="store_true", help="never make one fma of a multiply and an add"
    )
    parser.add_argument("--nan", choices=NAN_MODES, default="ieee", help="what max and min make of a NaN")
    parser.add_argument(
        "--assembler", choices=ASSEMBLERS, help="what makes the code object; clang where there is one"
    )
    parser.add_argument(
        "--trace",
        metavar="CHANNELS",
        help=f"what was decided, on standard error: {','.join(c.value for c in Channel)}",
    )
    _add_allow_include(parser)


def _add_budget(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--max-vgprs", type=int, metavar="N", help="most VGPRs that a wave may use; AGPRs do not count"
    )
    parser.add_argument(
        "--waves-per-eu",
        type=int,
        metavar="N",
        help="waves that fit on a SIMD at once; limits the VGPRs. With --max-vgprs the smaller limit holds",
    )


def _add_report(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(module="report")
    parser.add_argument(
        "sources",
        metavar="SOURCE",
        nargs="+",
        help="a catalogue name, a file (.gen, .mlir, .mir, any assembly or code object) or a folder of those",
    )
    _add_target(parser, None, "gfx942, or the one that the file names")
    _add_settings(parser)
    _add_budget(parser)
    parser.add_argument(
        "--format", choices=("text", "json", "html"), default="text", help="text unless said otherwise"
    )
    _add_output(parser, "-")
    parser.add_argument(
        "--fail-above", type=int, metavar="N", help="exit 1 where a kernel uses more than N VGPRs"
    )
    _add_allow_include(parser)


def _add_run(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(module="run")
    parser.add_argument("file", metavar="FILE", help="assembly text (.s), a code object or a fat binary")
    parser.add_argument("--kernel", required=True, metavar="K", help="the kernel's name")
    _add_target(parser, None, "of a fat binary, the code object to run")
    _add_launch(parser, is_required=True)
    parser.add_argument(
        "--arg",
        action="append",
        default=[],
        metavar="A",
        dest="args",
        help="an argument: a .npy file, or TYPE:VALUE such as i32:5; for an OpenCL __local pointer, its "
        "size in bytes as i32:BYTES",
    )
    _add_device(parser, "emulator")
    parser.add_argument(
        "--out-dir", metavar="DIR", help="write each array argument after the run as argN.npy"
    )
    parser.add_argument(
        "--expect", action="append", default=[], metavar="[N:]FILE",
        help="a .npy file with what the array that the run changes, or argument N, is to hold afterwards",
    )  # fmt: skip
    parser.add_argument(
        "--rtol",
        type=_tolerance,
        metavar="R",
        help="what --expect lets an element be off, relative to itself",
    )
    parser.add_argument(
        "--no-sanitize", action="store_false", dest="sanitize", help="do not look for faults of the program"
    )
    parser.add_argument(
        "--max-steps",
        type=int,
        default=MAX_STEPS,
        metavar="N",
        help="instructions after which a kernel counts as endless",
    )
    parser.add_argument(
        "--lds",
        type=int,
        default=0,
        dest="lds_bytes",
        metavar="BYTES",
        help="LDS of a workgroup besides what the kernel declares (extern __shared__)",
    )
    parser.add_argument(
        "--max-seconds", type=float, metavar="S", help="seconds after which a kernel counts as endless"
    )
    _add_allow_include(parser)


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(module="check")
    parser.add_argument(
        "sources",
        metavar="FILE",
        nargs="+",
        help="assembly with its directives, a bare list of instructions, a code object, or a folder of those",
    )
    _add_target(parser, None, "the one that the file names")
    parser.add_argument("--fix", action="store_true", help="write the assembly with what is missing put in")
    parser.add_argument(
        "--strip", action="store_true", help="take out the waits and NOPs that are there already"
    )
    parser.add_argument(
        "--notes",
        action="store_true",
        help="show the notes on code that is right too: wasted waits, aligned loads",
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="text unless said otherwise"
    )
    _add_output(parser, None)
    _add_allow_include(parser)


def _add_target(parser: argparse.ArgumentParser, default: str | None, more: str) -> None:
    parser.add_argument("--target", metavar="TARGET", default=default, help=f"a target id; {more}")


def _add_settings(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        type=_setting,
        metavar="NAME=VALUE",
        dest="settings",
        help="a parameter of the kernel",
    )


def _add_output(parser: argparse.ArgumentParser, default: str | None, more: str = "") -> None:
    parser.add_argument(
        "-o",
        metavar="FILE",
        dest="output",
        type=output_name,
        default=default,
        help=f"where to; - is standard output; a folder for several sources{more}",
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help="let -o overwrite the source, a write-protected file, or a file whose suffix says otherwise",
    )


def _add_launch(parser: argparse.ArgumentParser, is_required: bool, when: str = "") -> None:
    for name, what in (("--grid", "workgroups"), ("--block", "work-items a workgroup")):
        parser.add_argument(name, required=is_required, type=_sizes, metavar="X[,Y,Z]", help=f"{when}{what}")


def _add_device(parser: argparse.ArgumentParser, default: str) -> None:
    parser.add_argument("--device", choices=_DEVICES, default=default, help="where to run")


def _add_allow_include(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--allow-include", action="store_true", help="let assembly text read other files (.include, .incbin)"
    )


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"got {text!r}, wanted NAME=VALUE")
    return name, value


def _argument_size(text: str) -> tuple[str, tuple[int, ...]]:
    name, _, values = text.partition("=")
    sizes = [int(part) for part in values.split(",") if part.isdecimal()]
    if not name or not sizes or ",".join(map(str, sizes)) != values:
        raise argparse.ArgumentTypeError(f"got {text!r}, wanted NAME=N or NAME=N,N with numbers from 0 on")
    return name, tuple(sizes)


def _tolerance(text: str) -> float:
    """A number from 0 on."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise argparse.ArgumentTypeError(f"got {text!r}, wanted a number from 0 on")
    return number


def _sizes(text: str) -> tuple[int, int, int]:
    """`X`, `X,Y` or `X,Y,Z`; what is left out is 1."""
    try:
        sizes = [int(part) for part in text.split(",")]
    except ValueError:
        sizes = []
    if not 1 <= len(sizes) <= 3:
        raise argparse.ArgumentTypeError(f"got {text!r}, wanted X, X,Y or X,Y,Z")
    x, y, z = (*sizes, 1, 1)[:3]
    return x, y, z
