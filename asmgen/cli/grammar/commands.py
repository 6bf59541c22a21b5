"""The commands, and the words and options of each."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from asmgen.cli.grammar.options import (
    SEVERAL,
    add_allow_include,
    add_arguments,
    add_batch,
    add_budget,
    add_device,
    add_format,
    add_launch,
    add_launched,
    add_lds,
    add_lines,
    add_max_steps,
    add_numbers,
    add_output,
    add_processes,
    add_ray,
    add_settings,
    add_target,
    add_tuned,
    flag,
    option,
    repeated,
)
from asmgen.cli.grammar.parser import CommandParser, HelpfulParser, Version
from asmgen.cli.grammar.values import argument_size, tolerance
from asmgen.options import ASSEMBLERS, ORDERS
from asmgen.trace import Channel

_PROGRAM = "python -m asmgen"


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


def _add_list(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command="listing:execute")
    parser.add_argument(
        "source",
        metavar="SOURCE",
        nargs="?",
        help="an MLIR file, assembly, a code object or a fat binary; default: the catalogue",
    )
    add_target(parser, "gfx942", "of the results in the memory of donated arguments; default: gfx942")


def _add_kernel(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command="kernel:execute")
    parser.add_argument(
        "sources",
        metavar="SOURCE",
        nargs="+",
        help="a kernel of the catalogue, a file (.gen, .mlir, .mir, .s, a code object), or a folder",
    )
    add_target(parser, "gfx942", "default: gfx942. Features may follow: gfx942:xnack-")
    add_settings(parser)
    add_batch(parser)
    _add_stages(parser)
    _add_verification(parser)
    add_budget(parser)
    flag(parser, "--no-spill", "report an error instead of spilling registers")
    _add_orders(parser)
    add_numbers(parser)
    add_tuned(parser)
    add_lines(parser)
    parser.add_argument(
        "--assembler",
        choices=ASSEMBLERS,
        help="the assembler of the code object; default: clang if it is installed",
    )
    channels = ",".join([channel.value for channel in Channel])
    option(parser, "--trace", "CHANNELS", f"print decisions of the compiler on standard error: {channels}")
    add_allow_include(parser)


def _add_stages(parser: argparse.ArgumentParser) -> None:
    """The options for the output of `kernel`."""
    option(
        parser,
        "--emit",
        "STAGE",
        "print a stage: graph gridwise blockwise lanewise final machine allocated asm obj; launches: a "
        "launch plan in JSON",
    )
    option(
        parser,
        "--holders",
        "TILE",
        "with --emit blockwise: draw which lane has which element of TILE, or of `all` tiles",
    )
    add_output(parser, None, f"{SEVERAL}. Without --emit, -o writes a code object")
    flag(parser, "--time", "add the clocks of each launch by the model to the summary, as `profile` does")


def _add_verification(parser: argparse.ArgumentParser) -> None:
    """`--verify`, and the launch that it runs."""
    flag(parser, "--verify", "run the program and compare the results with a float64 reference")
    option(
        parser,
        "--against",
        "PROGRAM",
        "with --verify: the tensor program that a source of a later stage must compute",
    )
    when = "with --against, or with --verify or --time of an MLIR kernel: "
    add_launch(parser, is_required=False, when=when)
    repeated(
        parser,
        "--size",
        "NAME=N[,N...]",
        "with --time or --emit launches: a named dim; with --time or --verify of an MLIR file: the dynamic "
        "dims, the bytes or the value of the argument NAME",
        type=argument_size,
        dest="sizes",
    )
    option(parser, "--entry", "NAME", "compile only this kernel of an MLIR file")
    add_device(parser, "auto")


def _add_orders(parser: argparse.ArgumentParser) -> None:
    """Schedules of launches, and orders of instructions."""
    repeated(
        parser,
        "--schedule",
        "[LAUNCH=]SCHEDULE",
        "the schedule of a launch, as `row[rows=1, lanes=64]`; `--trace schedules` prints the schedules",
        dest="schedules",
    )
    flag(parser, "--no-schedule", "keep the order in which instructions were selected")
    parser.add_argument(
        "--order",
        choices=ORDERS,
        default=ORDERS[0],
        help="how orders of loops with overlapping trips are searched. exact prints the proof of each loop's "
        "least order instead of a summary, and -o FILE.order.json writes its certificate",
    )
    option(
        parser,
        "--order-seconds",
        "N",
        "with --order exact: the most seconds for a loop (60)",
        type=float,
        default=60.0,
    )


def _add_report(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command="report:execute")
    parser.add_argument(
        "sources",
        metavar="SOURCE",
        nargs="+",
        help="a kernel of the catalogue, a file (.gen, .mlir, .mir, assembly, a code object), or a folder",
    )
    add_target(parser, None, "default: the target that the file names, otherwise gfx942")
    add_settings(parser)
    add_batch(parser)
    add_budget(parser)
    add_tuned(parser)
    add_format(
        parser,
        ("text", "json", "html", "dot"),
        "default: text; dot: the flow graph with the pressure of each block",
    )
    add_output(parser, "-")
    option(parser, "--fail-above", "N", "exit with 1 if a kernel uses more than N VGPRs", type=int)
    repeated(
        parser, "--at", "PLACE", "also list the values live at a point: its number, a block, or FILE:LINE"
    )
    add_allow_include(parser)


def _add_profile(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command="profile:execute")
    parser.add_argument(
        "sources",
        metavar="SOURCE",
        nargs="+",
        help="a kernel of the catalogue, a file (.gen, .mlir, .mir, assembly, a code object), or a folder",
    )
    add_batch(parser)
    add_launched(parser)
    add_tuned(parser)
    add_format(parser, ("text", "json", "html", "perfetto"))
    add_output(parser, "-", f"{SEVERAL}. A Perfetto trace needs it")


def _add_tune(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command="tune:execute")
    parser.add_argument(
        "source", metavar="SOURCE", help="a kernel of the catalogue, or a tensor program (.gen, .mlir)"
    )
    add_target(parser, "gfx942", "default: gfx942")
    add_settings(parser)
    add_budget(parser)
    add_numbers(parser)
    repeated(parser, "--size", "NAME=N", "a named dim", type=argument_size, dest="sizes")
    option(parser, "--candidates", "N", "try N candidates at most; default: 200", type=int, default=200)
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
    add_processes(parser)
    add_ray(parser)
    option(parser, "--results", "FILE", "write each answer to a new file, as a JSON line")
    flag(parser, "--resume", "with --results: go on with the answers in the file")
    add_format(parser, ("text", "json"))
    add_output(parser, None, ", for gen text of the stage gridwise with the fastest schedules")


def _add_diff(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command="diff:execute")
    sources = "a kernel of the catalogue, or a file (.gen, .mlir, .mir, assembly, a code object)"
    parser.add_argument("before", metavar="A", help=sources)
    parser.add_argument("after", metavar="B", help="the same, launched as A if it is compiled code")
    add_launched(parser)
    add_format(parser, ("text", "json"))
    add_output(parser, "-", "")


def _add_run(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command="run:execute")
    parser.add_argument(
        "sources",
        metavar="FILE",
        nargs="+",
        help="an assembly file (.s), a code object, a fat binary, a run file (.run), or a folder",
    )
    option(
        parser,
        "--kernel",
        "K",
        "name of the kernel, needed if the file has several; with a run file: show what follows only for its "
        "launches",
    )
    add_batch(parser, has_seconds=True)
    add_target(parser, None, "selects the code object of a fat binary")
    add_launch(parser, is_required=False)
    add_arguments(parser)
    add_device(parser, "emulator")
    add_lines(parser)
    option(parser, "--out-dir", "DIR", "write each array argument to DIR/argN.npy after the run")
    repeated(
        parser,
        "--expect",
        "[N:]FILE",
        "a .npy file with the expected result: of argument N, or of the array that the run changes",
    )
    option(parser, "--rtol", "R", "with --expect: maximum relative error of an element", type=tolerance)
    parser.add_argument(
        "--no-sanitize", action="store_false", dest="sanitize", help="run without the sanitizer"
    )
    option(parser, "--findings", "N", "go on after a finding of the sanitizer, up to the N-th", type=int)
    add_max_steps(parser)
    add_lds(parser)
    option(parser, "--max-seconds", "S", "stop the kernel after S seconds", type=float)
    _add_shown(parser)
    add_allow_include(parser)


def _add_shown(parser: argparse.ArgumentParser) -> None:
    """The options that watch a run on the emulator."""
    option(
        parser,
        "--trace",
        "FILE",
        "write each executed instruction with the registers that it writes, by wave; a .jsonl file has an "
        "object per line",
    )
    option(parser, "--lines", "[FILE:]A-B", "with --trace: only these lines, or offsets 0xA-0xB")
    option(parser, "--wave", "W", "with --trace, --break and --at: only these waves, for example 0-3,7")
    option(parser, "--trace-limit", "N", "end the trace after N lines", type=int)
    repeated(
        parser,
        "--break",
        "LINE[:N]",
        "stop the run when a wave comes to LINE for the N-th time, and show its registers. LINE is a line of "
        "the assembly, FILE:LINE, or an offset such as 0x1a0",
        dest="breaks",
    )
    repeated(parser, "--at", "LINE[:N]", "as --break, but go on", dest="at")
    option(
        parser,
        "--dump",
        "ITEMS",
        "with --break and --at: show these, for example v3,s[2:3],v4:f32,lds[0:64],mem[arg0+16:32]; brackets "
        "of lds and mem have a start and a number of bytes",
    )
    option(
        parser,
        "--coverage",
        "FILE",
        "write how often each line ran, as text, JSON (.json) or lcov (.info); - is standard output",
    )
    option(
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
    option(parser, "--kernel", "K", "", required=True)
    add_target(parser, None, "")
    add_launch(parser, is_required=True)
    add_arguments(parser)
    add_lds(parser)
    return parser


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command="check:execute")
    parser.add_argument(
        "sources",
        metavar="FILE",
        nargs="+",
        help="assembly with directives, a plain list of instructions, a code object, or a folder",
    )
    add_target(parser, None, "default: the target that the file names")
    add_batch(parser)
    flag(parser, "--fix", "insert the missing waits and NOPs and write the assembly to -o")
    flag(parser, "--strip", "with --fix: first remove all waits and NOPs of the file")
    flag(parser, "--notes", "also print notes on correct code: wasted waits, aligned loads")
    add_format(parser, ("text", "json"))
    add_output(parser, None)
    add_allow_include(parser)


def _add_cache(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command="cache:execute")
    parser.add_argument(
        "action",
        choices=("show", "prune", "clear"),
        help="show the folder and its size; prune removes the longest unused entries; clear removes all",
    )
    option(parser, "--max-size", "BYTES", "with prune: the size that remains, such as 500M; default: 1G")
    option(
        parser, "--max-age", "AGE", "with prune: also remove entries that were not used for AGE, such as 30d"
    )


def _add_check_order(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command="orders:check")
    parser.add_argument("source", metavar="FILE", help="a certificate, .order.json")
    option(parser, "--against", "SOURCE", "a program: its loops must be those of the certificate")
    add_settings(parser)


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
