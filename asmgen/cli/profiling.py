"""`profile` without a kept answer: the clocks of a kernel by the model of its machine."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Mapping, Sequence

from asmgen.cli.grammar.parser import refuse_given
from asmgen.cli.outputs import check_formatted, write_output
from asmgen.cli.progress import progress
from asmgen.cli.reading import catalogue_texts, refuse_settings, source_of
from asmgen.cli.runs.values import launch_argument
from asmgen.cli.terminal import collect_from_here
from asmgen.cli.tuned import with_tuned
from asmgen.compiler import compile_read
from asmgen.ir.stage import Stage
from asmgen.options import make_options
from asmgen.profile.launches import Launch, LaunchOptions
from asmgen.profile.result import Profile
from asmgen.profile.sources import launch_of_code, launches_of_source, profiled
from asmgen.report.sources import read_compiled
from asmgen.report.text import PLAIN, Style
from isa.diagnostics import InputError
from isa.targets import parse_target

DEFAULT_TARGET = "gfx942"


def execute(arguments: argparse.Namespace) -> int:
    """Profile a source, and write the profile. `InputError` CLI002 for a Perfetto trace without a file."""
    output = arguments.output or "-"
    if arguments.format == "perfetto" and output == "-":
        message = "a Perfetto trace is not text, wanted -o FILE as well"
        raise InputError("--format", "CLI002", message, help="-o trace.pftrace; ui.perfetto.dev opens it")
    check_formatted(arguments)
    collect_from_here()
    with progress("modelling clocks") as tell:
        launches = launches_of(arguments, arguments.source, launch_options(arguments))
        profile = profiled(launches, arguments.max_steps, tell)
    write_output(output, _formatted(profile, arguments, output))
    return 0


def launch_options(arguments: argparse.Namespace) -> LaunchOptions:
    """The launch that the options describe."""
    values = [launch_argument(text, number) for number, text in enumerate(arguments.args)]
    for option, sizes in (("--grid", arguments.grid), ("--block", arguments.block)):
        if sizes and min(sizes) < 1:
            raise InputError(option, "LNC003", f"got {sizes}, wanted three sizes of at least 1: (x, y, z)")
    return LaunchOptions(
        arguments.kernel, arguments.grid, arguments.block, tuple(values), sizes_by_name(arguments.sizes),
        arguments.lds_bytes,
    )  # fmt: skip


def sizes_by_name(sizes: Sequence[tuple[str, tuple[int, ...]]]) -> Mapping[str, tuple[int, ...]]:
    """The sizes of --size; `InputError` MLIR079 for two of the same name."""
    if not sizes:
        return {}
    from asmgen.verification.mlir.arguments import chosen_of  # loads all of verification

    return chosen_of(sizes)


def launches_of(arguments: argparse.Namespace, name: str, options: LaunchOptions) -> list[Launch]:
    """The launches of a source."""
    compiled = read_compiled(name)
    if compiled is not None:
        refuse_given(
            arguments, ("--max-vgprs", "--waves-per-eu"), f"the registers of {name} are already allocated"
        )
        refuse_settings(name, arguments.settings)
        target = arguments.target and parse_target(arguments.target)
        return [launch_of_code(compiled, name, target, options, arguments.allow_include)]
    source = source_of(name, arguments.settings)
    stated = None if arguments.target else source.target
    target = stated or parse_target(arguments.target or DEFAULT_TARGET)
    compile_options = make_options({"max_vgprs": arguments.max_vgprs, "waves_per_eu": arguments.waves_per_eu})
    if Stage.GRAPH in source.stages.programs:
        compile_options = with_tuned(compile_options, arguments)
    return launches_of_source(compile_read(source, target, compile_options), name, options)


def _formatted(profile: Profile, arguments: argparse.Namespace, output: str) -> str | bytes:
    if arguments.format == "json":
        return profile.to_json()
    if arguments.format == "html":
        return profile.to_html(catalogue_texts(arguments.source, arguments.settings))
    if arguments.format == "perfetto":
        return profile.to_perfetto()
    return profile.to_text(terminal_style(output))


def terminal_style(output: str) -> Style:
    """The style of text for a file or for standard output."""
    if output != "-" or not sys.stdout.isatty():
        return PLAIN
    return Style(max(60, shutil.get_terminal_size().columns), "NO_COLOR" not in os.environ)
