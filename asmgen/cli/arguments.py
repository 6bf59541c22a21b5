"""The grammar of the command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from asmgen.cli.parser import CommandParser, HelpfulParser, Version, output_name
from asmgen.options import ASSEMBLERS, EXACT, MATRIX_PRECISIONS, MAX_STEPS, NAN_MODES, ORDERS
from asmgen.trace import Channel

_PROGRAM = "python -m asmgen"
_DEVICES = ("auto", "emulator", "hip")


def make_parser() -> argparse.ArgumentParser:
    """The parser of the command line. It sets `command` to the MODULE:FUNCTION below `asmgen.cli` to run."""
    parser = HelpfulParser(
        prog=_PROGRAM,
        description="Compile tensor programs to AMDGPU code objects, and verify them on an emulator.",
    )
    parser.add_argument("--version", action=Version, nargs=0, help="show the version and exit")
    commands = parser.add_subparsers(
        prog=parser.prog, required=True, metavar="COMMAND", parser_class=CommandParser
    )
    for name, (help, add) in _COMMANDS.items():
        _fill(commands.add_parser(name, help=help), add)
    return parser


def make_command_parser(name: str) -> CommandParser | None:
    """The parser of the words after a command; None if there is no such command. The parsers of all commands
    take 2 % of a short command."""
    if name not in _COMMANDS:
        return None
    return _fill(CommandParser(prog=f"{_PROGRAM} {name}"), _COMMANDS[name][1])


def _fill(parser: CommandParser, add: Callable[[CommandParser], None]) -> CommandParser:
    add(parser)
    parser.set_option_names(_every_command)
    return parser


def _every_command() -> dict[str, CommandParser]:
    return {name: parser for name in _COMMANDS if (parser := make_command_parser(name)) is not None}


def _option(parser: argparse.ArgumentParser, name: str, metavar: str, help: str, **named: Any) -> None:
    parser.add_argument(name, metavar=metavar, help=help, **named)


def _repeated(parser: argparse.ArgumentParser, name: str, metavar: str, help: str, **named: Any) -> None:
    """An option that may be given several times."""
    parser.add_argument(name, metavar=metavar, help=help, action="append", default=[], **named)


def _flag(parser: argparse.ArgumentParser, name: str, help: str) -> None:
    parser.add_argument(name, action="store_true", help=help)


def _add_list(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command="listing:execute")
    parser.add_argument(
        "source",
        metavar="SOURCE",
        nargs="?",
        help="an MLIR file, assembly, a code object or a fat binary; default: the catalogue",
    )
    _add_target(parser, "gfx942", "of the results in the memory of donated arguments; default: gfx942")


def _add_kernel(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command="kernel:execute")
    parser.add_argument(
        "sources",
        metavar="SOURCE",
        nargs="+",
        help="a kernel of the catalogue, a file (.gen, .mlir, .mir, .s, a code object), or a folder",
    )
    _add_target(parser, "gfx942", "default: gfx942. Features may follow: gfx942:xnack-")
    _add_settings(parser)
    _add_batch(parser)
    _add_stages(parser)
    _add_verification(parser)
    _add_budget(parser)
    _flag(parser, "--no-spill", "report an error instead of spilling registers")
    _add_orders(parser)
    _add_numbers(parser)
    _add_tuned(parser)
    _add_lines(parser)
    parser.add_argument(
        "--assembler",
        choices=ASSEMBLERS,
        help="the assembler of the code object; default: clang if it is installed",
    )
    channels = ",".join([channel.value for channel in Channel])
    _option(parser, "--trace", "CHANNELS", f"print decisions of the compiler on standard error: {channels}")
    _add_allow_include(parser)


def _add_stages(parser: argparse.ArgumentParser) -> None:
    """What `kernel` prints and writes."""
    _option(
        parser,
        "--emit",
        "STAGE",
        "print a stage: graph gridwise blockwise lanewise final machine allocated asm obj; launches: a "
        "launch plan in JSON",
    )
    _option(
        parser,
        "--holders",
        "TILE",
        "with --emit blockwise: draw which lane has which element of TILE, or of `all` tiles",
    )
    _add_output(parser, None, f"{_SEVERAL}. Without --emit, -o writes a code object")
    _flag(parser, "--time", "add the clocks of each launch by the model to the summary, as `profile` does")


def _add_verification(parser: argparse.ArgumentParser) -> None:
    """`--verify`, and the launch that it runs."""
    _flag(parser, "--verify", "run the program and compare the results with a float64 reference")
    _option(
        parser,
        "--against",
        "PROGRAM",
        "with --verify: the tensor program that a source of a later stage must compute",
    )
    when = "with --against, or with --verify or --time of an MLIR kernel: "
    _add_launch(parser, is_required=False, when=when)
    _repeated(
        parser,
        "--size",
        "NAME=N[,N...]",
        "with --time or --emit launches: a named dim; with --time or --verify of an MLIR file: the dynamic "
        "dims, the bytes or the value of the argument NAME",
        type=_argument_size,
        dest="sizes",
    )
    _option(parser, "--entry", "NAME", "compile only this kernel of an MLIR file")
    _add_device(parser, "auto")


def _add_orders(parser: argparse.ArgumentParser) -> None:
    """Schedules of launches, and orders of instructions."""
    _repeated(
        parser,
        "--schedule",
        "[LAUNCH=]SCHEDULE",
        "the schedule of a launch, as `row[rows=1, lanes=64]`; `--trace schedules` prints the schedules",
        dest="schedules",
    )
    _flag(parser, "--no-schedule", "keep the order in which instructions were selected")
    parser.add_argument(
        "--order",
        choices=ORDERS,
        default=ORDERS[0],
        help="how orders of loops with overlapping trips are searched. exact prints the proof of each loop's "
        "least order instead of a summary, and -o FILE.order.json writes its certificate",
    )
    _option(
        parser,
        "--order-seconds",
        "N",
        "with --order exact: the most seconds for a loop (60)",
        type=float,
        default=60.0,
    )


def _add_numbers(parser: argparse.ArgumentParser) -> None:
    """The options that change results."""
    _flag(parser, "--fast-math", "give up the stated error bounds for speed")
    _flag(parser, "--no-contract", "do not contract a multiply and an add to an fma")
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


def _add_tuned(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--tuned",
        choices=("on", "off"),
        default="on",
        help="off: leave out the schedules that `tune` found for this source; default: on",
    )


def _add_budget(parser: argparse.ArgumentParser) -> None:
    _option(parser, "--max-vgprs", "N", "maximum VGPRs of a wave; AGPRs do not count", type=int)
    _option(
        parser,
        "--waves-per-eu",
        "N",
        "minimum waves per SIMD; limits the VGPRs. With --max-vgprs, the smaller limit applies",
        type=int,
    )


def _add_report(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command="report:execute")
    parser.add_argument(
        "sources",
        metavar="SOURCE",
        nargs="+",
        help="a kernel of the catalogue, a file (.gen, .mlir, .mir, assembly, a code object), or a folder",
    )
    _add_target(parser, None, "default: the target that the file names, otherwise gfx942")
    _add_settings(parser)
    _add_batch(parser)
    _add_budget(parser)
    _add_tuned(parser)
    parser.add_argument(
        "--format",
        choices=("text", "json", "html", "dot"),
        default="text",
        help="default: text; dot: the flow graph with the pressure of each block",
    )
    _add_output(parser, "-")
    _option(parser, "--fail-above", "N", "exit with 1 if a kernel uses more than N VGPRs", type=int)
    _repeated(
        parser, "--at", "PLACE", "also list the values live at a point: its number, a block, or FILE:LINE"
    )
    _add_allow_include(parser)


def _add_profile(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command="profile:execute")
    parser.add_argument(
        "sources",
        metavar="SOURCE",
        nargs="+",
        help="a kernel of the catalogue, a file (.gen, .mlir, .mir, assembly, a code object), or a folder",
    )
    _add_batch(parser)
    _add_launched(parser)
    _add_tuned(parser)
    parser.add_argument(
        "--format", choices=("text", "json", "html", "perfetto"), default="text", help="default: text"
    )
    _add_output(parser, "-", f"{_SEVERAL}. A Perfetto trace needs it")


def _add_tune(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command="tune:execute")
    parser.add_argument(
        "source", metavar="SOURCE", help="a kernel of the catalogue, or a tensor program (.gen, .mlir)"
    )
    _add_target(parser, "gfx942", "default: gfx942")
    _add_settings(parser)
    _add_budget(parser)
    _add_numbers(parser)
    _repeated(parser, "--size", "NAME=N", "a named dim", type=_argument_size, dest="sizes")
    _option(parser, "--candidates", "N", "try N candidates at most; default: 200", type=int, default=200)
    parser.add_argument(
        "--order",
        choices=ORDERS,
        default=ORDERS[0],
        help="exact: also try orders that a solver finds, as `kernel --order exact` does",
    )
    parser.add_argument(
        "--judge",
        choices=("auto", "model", "device"),
        default="auto",
        help="times of the clock model, or of the GPU of this machine; default: auto, the GPU if it matches "
        "the target, otherwise the model",
    )
    parser.add_argument(
        "--tuned",
        choices=("on", "off"),
        default="on",
        help="off: do not keep the result in the cache; default: later compiles use it",
    )
    _add_processes(parser)
    _add_ray(parser)
    _option(parser, "--results", "FILE", "write each answer to a new file, as a JSON line")
    _flag(parser, "--resume", "with --results: go on with the answers in the file")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    _add_output(parser, None, ", for gen text of the stage gridwise with the fastest schedules")


def _add_diff(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command="diff:execute")
    sources = "a kernel of the catalogue, or a file (.gen, .mlir, .mir, assembly, a code object)"
    parser.add_argument("before", metavar="A", help=sources)
    parser.add_argument("after", metavar="B", help="the same, launched as A if it is compiled code")
    _add_launched(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    _add_output(parser, "-", "")


def _add_launched(parser: argparse.ArgumentParser) -> None:
    """The options of commands that model launches."""
    _add_target(parser, None, "default: the target that the file names, otherwise gfx942")
    _add_settings(parser)
    _option(parser, "--kernel", "K", "only this kernel; needed for compiled code with several kernels")
    _add_launch(parser, is_required=False, when="of assembly, code objects and MLIR kernels: ")
    _repeated(
        parser,
        "--arg",
        "A",
        "an argument: a .npy file, TYPE:VALUE such as i32:5, TYPE[N,...] for an array with such dims, null, "
        "or argN+BYTES for an address in another argument",
        dest="args",
    )
    _repeated(
        parser,
        "--size",
        "NAME=N[,N...]",
        "a named dim; of an MLIR argument the dynamic dims, the bytes or the value",
        type=_argument_size,
        dest="sizes",
    )
    _add_lds(parser)
    _add_budget(parser)
    _option(parser, "--max-steps", "N", "stop the kernel after N instructions", type=int, default=MAX_STEPS)
    _add_allow_include(parser)


def _add_run(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command="run:execute")
    parser.add_argument(
        "sources",
        metavar="FILE",
        nargs="+",
        help="an assembly file (.s), a code object, a fat binary, a run file (.run), or a folder",
    )
    _option(
        parser,
        "--kernel",
        "K",
        "name of the kernel; with a run file: show what follows only for its launches",
    )
    _add_batch(parser, has_seconds=True)
    _add_target(parser, None, "selects the code object of a fat binary")
    _add_launch(parser, is_required=False)
    _add_arguments(parser)
    _add_device(parser, "emulator")
    _add_lines(parser)
    _option(parser, "--out-dir", "DIR", "write each array argument to DIR/argN.npy after the run")
    _repeated(
        parser,
        "--expect",
        "[N:]FILE",
        "a .npy file with the expected result: of argument N, or of the array that the run changes",
    )
    _option(parser, "--rtol", "R", "with --expect: maximum relative error of an element", type=_tolerance)
    parser.add_argument(
        "--no-sanitize", action="store_false", dest="sanitize", help="run without the sanitizer"
    )
    _option(parser, "--findings", "N", "go on after a finding of the sanitizer, up to the N-th", type=int)
    _option(parser, "--max-steps", "N", "stop the kernel after N instructions", type=int, default=MAX_STEPS)
    _add_lds(parser)
    _option(parser, "--max-seconds", "S", "stop the kernel after S seconds", type=float)
    _add_shown(parser)
    _add_allow_include(parser)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    _repeated(
        parser,
        "--arg",
        "A",
        "an argument: a .npy file; TYPE:VALUE, for example i32:5; null; or argN[+BYTES], an address in the "
        "array of argument N. An OpenCL __local pointer takes its size in bytes: i32:BYTES",
        dest="args",
    )


def _add_shown(parser: argparse.ArgumentParser) -> None:
    """The options that watch a run on the emulator."""
    _option(
        parser,
        "--trace",
        "FILE",
        "write each executed instruction with the registers that it writes, by wave; a .jsonl file has an "
        "object per line",
    )
    _option(parser, "--lines", "[FILE:]A-B", "with --trace: only these lines, or offsets 0xA-0xB")
    _option(parser, "--wave", "W", "with --trace, --break and --at: only these waves, for example 0-3,7")
    _option(parser, "--trace-limit", "N", "end the trace after N lines", type=int)
    _repeated(
        parser,
        "--break",
        "LINE[:N]",
        "stop the run when a wave comes to LINE for the N-th time, and show its registers. LINE is a line of "
        "the assembly, FILE:LINE, or an offset such as 0x1a0",
        dest="breaks",
    )
    _repeated(parser, "--at", "LINE[:N]", "as --break, but go on", dest="at")
    _option(
        parser,
        "--dump",
        "ITEMS",
        "with --break and --at: show these, for example v3,s[2:3],v4:f32,lds[0:64],mem[arg0+16:32]; brackets "
        "of lds and mem have a start and a number of bytes",
    )
    _option(
        parser,
        "--coverage",
        "FILE",
        "write how often each line ran, as text, JSON (.json) or lcov (.info); - is standard output",
    )
    _option(
        parser,
        "--counters",
        "FILE",
        "write the counters of each launch: instructions, idle lanes, bytes, transactions, conflicts of LDS; "
        "text or JSON (.json); - is standard output",
    )


def launch_line() -> CommandParser:
    """The parser of a launch in a run file: FILE and options of `run`."""
    parser = CommandParser(prog="launch", add_help=False)
    parser.add_argument("file", metavar="FILE")
    _option(parser, "--kernel", "K", "", required=True)
    _add_target(parser, None, "")
    _add_launch(parser, is_required=True)
    _add_arguments(parser)
    _add_lds(parser)
    return parser


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command="check:execute")
    parser.add_argument(
        "sources",
        metavar="FILE",
        nargs="+",
        help="assembly with directives, a plain list of instructions, a code object, or a folder",
    )
    _add_target(parser, None, "default: the target that the file names")
    _add_batch(parser)
    _flag(parser, "--fix", "insert the missing waits and NOPs and write the assembly to -o")
    _flag(parser, "--strip", "with --fix: first remove all waits and NOPs of the file")
    _flag(parser, "--notes", "also print notes on correct code: wasted waits, aligned loads")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    _add_output(parser, None)
    _add_allow_include(parser)


def _add_batch(parser: argparse.ArgumentParser, has_seconds: bool = False) -> None:
    """The options of several sources. `has_seconds`: the command has its own --max-seconds."""
    _add_processes(parser, has_seconds)
    _option(parser, "--results", "FILE", "write a JSON line for each source to a new file, as it ends")
    _add_ray(parser)
    _flag(parser, "--resume", "with --results: do only the sources that have no result in the file")


def _add_lines(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="json: a line for each source; default: text",
    )


def _add_processes(parser: argparse.ArgumentParser, has_seconds: bool = False) -> None:
    _option(parser, "--jobs", "N", "work in N processes; default: the cores", type=int)
    if not has_seconds:
        _option(parser, "--max-seconds", "S", "stop a piece of work after S seconds, and go on", type=float)
    _option(parser, "--max-memory", "BYTES", "memory of a process, such as 2G; a piece that needs more fails")


def _add_ray(parser: argparse.ArgumentParser) -> None:
    _option(parser, "--ray", "ADDRESS", "work on the nodes of a Ray cluster: HOST:PORT of its head, or auto")


def _add_target(parser: argparse.ArgumentParser, default: str | None, more: str) -> None:
    _option(parser, "--target", "TARGET", f"target id; {more}", default=default)


def _add_settings(parser: argparse.ArgumentParser) -> None:
    _repeated(
        parser, "--set", "NAME=VALUE", "set a parameter of a catalogue kernel", type=_setting, dest="settings"
    )


_SEVERAL = ". Several sources take a folder"


def _add_output(parser: argparse.ArgumentParser, default: str | None, more: str = _SEVERAL) -> None:
    _option(
        parser,
        "-o",
        "FILE",
        f"output file; - is standard output{more}",
        dest="output",
        type=output_name,
        default=default,
    )
    _flag(
        parser,
        "--force",
        "let -o overwrite the source, a protected file, or a file with the suffix of another format",
    )


def _add_launch(parser: argparse.ArgumentParser, is_required: bool, when: str = "") -> None:
    for name, what in (("--grid", "workgroups"), ("--block", "work-items per workgroup")):
        parser.add_argument(name, required=is_required, type=_sizes, metavar="X[,Y,Z]", help=f"{when}{what}")


def _add_lds(parser: argparse.ArgumentParser) -> None:
    _option(
        parser,
        "--lds",
        "BYTES",
        "dynamic LDS of a workgroup (extern __shared__), in addition to the kernel's own",
        type=int,
        default=0,
        dest="lds_bytes",
    )


def _add_device(parser: argparse.ArgumentParser, default: str) -> None:
    parser.add_argument(
        "--device",
        choices=_DEVICES,
        default=default,
        help="device to run on; auto: the GPU if it matches the target, otherwise the emulator",
    )


def _add_allow_include(parser: argparse.ArgumentParser) -> None:
    _flag(parser, "--allow-include", "let assembly include other files (.include, .incbin)")


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"got {text!r}, wanted NAME=VALUE")
    return name, value


def _argument_size(text: str) -> tuple[str, tuple[int, ...]]:
    name, _, values = text.partition("=")
    sizes = [int(part) for part in values.split(",") if part.isdecimal()]
    if not name or not sizes or ",".join(map(str, sizes)) != values:
        raise argparse.ArgumentTypeError(
            f"got {text!r}, wanted NAME=N or NAME=N,N with numbers of at least 0"
        )
    return name, tuple(sizes)


def _tolerance(text: str) -> float:
    """A finite number of at least 0."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise argparse.ArgumentTypeError(f"got {text!r}, wanted a number of at least 0")
    return number


def _sizes(text: str) -> tuple[int, int, int]:
    """`X`, `X,Y` or `X,Y,Z`; missing sizes are 1."""
    try:
        sizes = [int(part) for part in text.split(",")]
    except ValueError:
        sizes = []
    if not 1 <= len(sizes) <= 3:
        raise argparse.ArgumentTypeError(f"got {text!r}, wanted X, X,Y or X,Y,Z")
    x, y, z = (*sizes, 1, 1)[:3]
    return x, y, z


def _add_cache(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command="cache:execute")
    parser.add_argument(
        "action",
        choices=("show", "prune", "clear"),
        help="show the folder and its size; prune removes the longest unused entries; clear removes all",
    )
    _option(parser, "--max-size", "BYTES", "with prune: the size that remains, such as 500M; default: 1G")
    _option(
        parser, "--max-age", "AGE", "with prune: also remove entries that were not used for AGE, such as 30d"
    )


def _add_check_order(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command="orders:check")
    parser.add_argument("source", metavar="FILE", help="a certificate, .order.json")
    _option(parser, "--against", "SOURCE", "a program: its loops must be those of the certificate")
    _add_settings(parser)


def _add_targets(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command="listing:list_targets")


def _add_doctor(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command="doctor:execute")


_COMMANDS: dict[str, tuple[str, Callable[[CommandParser], None]]] = {
    "kernel": ("compile a kernel of the catalogue or a file", _add_kernel),
    "report": ("show register pressure: live registers by line, and the occupancy", _add_report),
    "profile": ("model the clocks of kernels: what limits them, by line, and what to try", _add_profile),
    "tune": ("search the schedules that are fastest by the clock model or on the GPU", _add_tune),
    "diff": ("compare two builds: clocks, registers, instructions, by line", _add_diff),
    "run": ("run a kernel of an assembly file or a code object", _add_run),
    "check": ("find missing and wasted waits and wait states in any assembly", _add_check),
    "check-order": ("verify the certificate of an order that `kernel --order exact` found", _add_check_order),
    "list": ("list the kernels of the catalogue or of a file", _add_list),
    "targets": ("list the targets", _add_targets),
    "cache": ("show, prune or clear the kept results of commands", _add_cache),
    "doctor": ("list the tools and packages that asmgen found, and how to get the others", _add_doctor),
}
