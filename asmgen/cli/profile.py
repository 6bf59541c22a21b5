"""`profile`: the clocks of kernels by the model of their machine."""

from __future__ import annotations

import argparse
import os
import shutil
import sys

from asmgen.cli.outputs import Content, check_output, write_output
from asmgen.cli.parser import refuse_given
from asmgen.cli.progress import progress
from asmgen.cli.reading import catalogue_texts, source_of
from asmgen.cli.several import for_each
from asmgen.cli.terminal import collect_from_here
from asmgen.cli.values import launch_argument
from asmgen.compiler import compile_read
from asmgen.files import SOURCE_SUFFIXES
from asmgen.options import make_options
from asmgen.profile.result import Profile
from asmgen.profile.sources import LaunchOptions, profile_file, profile_program
from asmgen.report.sources import read_compiled
from asmgen.report.text import PLAIN, Style
from asmgen.verification.mlir.arguments import chosen_of
from isa.diagnostics import InputError
from isa.targets import parse_target

_CONTENT = {
    "text": Content.TEXT, "json": Content.JSON, "html": Content.HTML, "perfetto": Content.PERFETTO,
}  # fmt: skip
_FORMAT_OPTIONS = {content: f"--format {name}" for name, content in _CONTENT.items()}
DEFAULT_TARGET = "gfx942"


def execute(arguments: argparse.Namespace) -> int:
    """Profile every source, and return the largest exit status."""
    is_text = arguments.format == "text" and arguments.output in (None, "-")
    suffix = None if is_text else _CONTENT[arguments.format].suffixes[0]
    return for_each(arguments, _execute, SOURCE_SUFFIXES, suffix)


def _execute(arguments: argparse.Namespace) -> int:
    output = arguments.output or "-"
    if arguments.format == "perfetto" and output == "-":
        message = "a Perfetto trace is not text, wanted -o FILE as well"
        raise InputError("--format", "CLI002", message, help="-o trace.pftrace; ui.perfetto.dev opens it")
    check_output(output, _CONTENT[arguments.format], [arguments.source], arguments.force, _FORMAT_OPTIONS)
    collect_from_here()
    with progress("modelling clocks") as tell:
        profile = profile_of(arguments, launch_options(arguments), tell)
    write_output(output, _formatted(profile, arguments, output))
    return 0


def launch_options(arguments: argparse.Namespace) -> LaunchOptions:
    """The launch that the options describe."""
    values = [launch_argument(text, number) for number, text in enumerate(arguments.args)]
    for option, sizes in (("--grid", arguments.grid), ("--block", arguments.block)):
        if sizes and min(sizes) < 1:
            raise InputError(option, "LNC003", f"got {sizes}, wanted three sizes of at least 1: (x, y, z)")
    return LaunchOptions(
        arguments.kernel, arguments.grid, arguments.block, tuple(values), chosen_of(arguments.sizes),
        arguments.lds_bytes, arguments.max_steps,
    )  # fmt: skip


def profile_of(arguments: argparse.Namespace, options: LaunchOptions, tell: object = None) -> Profile:
    """The profile of the source that the arguments name."""
    compiled = read_compiled(arguments.source)
    if compiled is not None:
        refuse_given(
            arguments,
            ("--max-vgprs", "--waves-per-eu"),
            f"the registers of {arguments.source} are already allocated",
        )
        if arguments.settings:
            raise InputError(
                "--set",
                "CLI003",
                f"{arguments.source} is a file and has no parameters, wanted the name of a catalogue kernel",
            )
        target = arguments.target and parse_target(arguments.target)
        return profile_file(compiled, arguments.source, target, options, arguments.allow_include)
    source = source_of(arguments.source, arguments.settings)
    stated = None if arguments.target else source.target
    target = stated or parse_target(arguments.target or DEFAULT_TARGET)
    compile_options = make_options({"max_vgprs": arguments.max_vgprs, "waves_per_eu": arguments.waves_per_eu})
    return profile_program(compile_read(source, target, compile_options), arguments.source, options)


def _formatted(profile: Profile, arguments: argparse.Namespace, output: str) -> str | bytes:
    if arguments.format == "json":
        return profile.to_json()
    if arguments.format == "html":
        return profile.to_html(catalogue_texts(arguments.source, arguments.settings))
    if arguments.format == "perfetto":
        return profile.to_perfetto()
    return profile.to_text(_terminal_style() if output == "-" and sys.stdout.isatty() else PLAIN)


def _terminal_style() -> Style:
    return Style(max(60, shutil.get_terminal_size().columns), "NO_COLOR" not in os.environ)
