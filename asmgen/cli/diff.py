"""`diff`: two builds of a program by the model: clocks, registers and instructions, by line."""

from __future__ import annotations

import argparse

from asmgen.cli.outputs import Content, check_output, write_output
from asmgen.cli.profiling import launch_options, launches_of, terminal_style
from asmgen.cli.progress import progress
from asmgen.cli.terminal import collect_from_here
from asmgen.profile.compare import compare
from asmgen.profile.compare_text import render, to_json
from asmgen.profile.launches import Launch
from asmgen.profile.sources import launched_as, profiled
from asmgen.report.sources import read_compiled

_CONTENT = {"text": Content.TEXT, "json": Content.JSON}
_FORMAT_OPTIONS = {content: f"--format {name}" for name, content in _CONTENT.items()}


def execute(arguments: argparse.Namespace) -> int:
    """Profile both builds and print what changed. A file of compiled code without a launch is launched as the
    other build is."""
    output = arguments.output or "-"
    sources = [arguments.before, arguments.after]
    check_output(output, _CONTENT[arguments.format], sources, arguments.force, _FORMAT_OPTIONS)
    collect_from_here()
    with progress("modelling clocks"):
        before, after = (profiled(launches, arguments.max_steps) for launches in _pair(arguments))
    made = compare(before, after)
    text = to_json(made) if arguments.format == "json" else render(made, terminal_style(output))
    write_output(output, text)
    return 0


def _pair(arguments: argparse.Namespace) -> tuple[list[Launch], list[Launch]]:
    """The launches of both builds."""
    options = launch_options(arguments)
    code = [read_compiled(source) is not None for source in (arguments.before, arguments.after)]
    unlaunched = arguments.grid is None and arguments.block is None and not arguments.args
    if unlaunched and code == [False, True]:
        before = launches_of(arguments, arguments.before, options)
        return before, _as(arguments, arguments.after, before)
    if unlaunched and code == [True, False]:
        after = launches_of(arguments, arguments.after, options)
        return _as(arguments, arguments.before, after), after
    before = launches_of(arguments, arguments.before, options)
    return before, launches_of(arguments, arguments.after, options)


def _as(arguments: argparse.Namespace, source: str, launches: list[Launch]) -> list[Launch]:
    compiled = read_compiled(source)
    assert compiled is not None, "the caller checks"
    return launched_as(compiled, source, launches, arguments.allow_include)
