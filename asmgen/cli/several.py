"""Run a command on a single source in this process, or on several sources in processes of their own."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from asmgen.cli.expansion import Named, are_several, expanded, outputs_of
from asmgen.cli.grammar.parser import BATCH_OPTIONS, refuse_given
from asmgen.cli.task import Task, of_source


def for_each(arguments: argparse.Namespace, task: Task, suffixes: Sequence[str], suffix: str | None) -> int:
    """Run a task on each of `arguments.sources` and return the largest exit status.

    The task gets the arguments with `source`. If -o names a folder, it also gets `output`: the file in that
    folder with the name of the source and `suffix`. `suffix` is None if the command writes no files. A folder
    is searched for files with one of `suffixes`.

    Raises `InputError` CLI005 for --force without an output file, and as `expanded` and `outputs_of` do.
    """
    if arguments.output in (None, "-"):
        refuse_given(arguments, ("--force",), "the command writes no file")
    named: list[str] = arguments.sources
    if len(named) == 1 and not (are_several(named[0]) or _is_batch(arguments, task)):
        return _single(of_source(arguments, named[0], arguments.output), task)
    from asmgen.cli.batch.each import run_each

    sources = expanded(named, suffixes)
    outputs = _outputs(arguments, sources, suffix)
    pieces = [
        of_source(arguments, source, output) for (source, _), output in zip(sources, outputs, strict=True)
    ]
    return run_each(arguments, task, pieces)


def _is_batch(arguments: argparse.Namespace, task: Task) -> bool:
    """Whether a single source is done as several are."""
    is_limited = "--max-seconds" in arguments.given and not task.seconds_more
    prints_line = task.has_json_lines and not task.has_documents and arguments.format == "json"
    is_stated = not arguments.given.isdisjoint(BATCH_OPTIONS)
    return (arguments.output or "").endswith("/") or is_limited or prints_line or is_stated


def _outputs(
    arguments: argparse.Namespace, sources: Sequence[Named], suffix: str | None
) -> Sequence[str | None]:
    """The output of each source; -o names that of a single source, unless it is a folder."""
    named: list[str] = arguments.sources
    output = arguments.output or ""
    if len(named) == 1 and not are_several(named[0]) and not (output.endswith("/") or os.path.isdir(output)):
        return [arguments.output]
    return outputs_of(arguments.output, sources, suffix)


def _single(arguments: argparse.Namespace, task: Task) -> int:
    if task.check is not None:
        task.check(arguments)
    if task.keeper is None:
        return task.run(arguments)
    return task.keeper.answered(arguments, lambda: task.run(arguments))
