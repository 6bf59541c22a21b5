"""`kernel`: compile sources; print a summary or a stage, or verify the programs. An answer that is kept loads
no compiler."""

from __future__ import annotations

import argparse

from asmgen.cli.grammar.parser import refuse_given
from asmgen.cli.kept import Keeper
from asmgen.cli.outputs import EMIT_OPTIONS, check_output, content_of_stage
from asmgen.cli.several import for_each
from asmgen.cli.task import Task
from asmgen.files import GEN_SUFFIXES, MACHINE_SUFFIXES, MLIR_SUFFIXES, ORDER_SUFFIX
from asmgen.ir.stage import LAUNCHES, STAGES, Stage
from asmgen.options import EXACT_ORDER
from isa.diagnostics import InputError, close_names

_IN_FOLDERS = (*GEN_SUFFIXES, *MLIR_SUFFIXES, *MACHINE_SUFFIXES)


def execute(arguments: argparse.Namespace) -> int:
    """Compile every source and return the largest exit status; 1 if --verify finds a broken bound."""
    if arguments.order != EXACT_ORDER:
        refuse_given(arguments, ("--order-seconds",), "without --order exact nothing is searched")
    elif _wants_proofs(arguments):
        return for_each(arguments, Task(run_source), _IN_FOLDERS, None)
    _check_emit(arguments.emit, arguments.output)
    emit = _emitted(arguments)
    task = Task(
        run_source, lambda of_source: _check(of_source, emit), Keeper(), has_json_lines=True,
        has_documents=False,
    )  # fmt: skip
    return for_each(arguments, task, _IN_FOLDERS, content_of_stage(emit).suffixes[0] if emit else None)


def run_source(arguments: argparse.Namespace) -> int:
    """The exit status of the command on a source."""
    if arguments.order == EXACT_ORDER and _wants_proofs(arguments):
        from asmgen.cli.orders import search

        return search(arguments)
    from asmgen.cli.compiling import execute

    return execute(arguments, _emitted(arguments))


def _wants_proofs(arguments: argparse.Namespace) -> bool:
    """Whether orders are to be proven, and no code is made."""
    makes_code = arguments.emit or arguments.output or arguments.verify or arguments.time
    return not makes_code or (arguments.output or "").endswith(ORDER_SUFFIX)


def _emitted(arguments: argparse.Namespace) -> str | None:
    """The stage to write, or None."""
    return arguments.emit if arguments.emit is not None else "obj" if arguments.output else None


def _check(arguments: argparse.Namespace, emit: str | None) -> None:
    """Refuse options that change nothing, and an output that may not be written."""
    if arguments.time and (emit is not None or arguments.verify):
        refuse_given(arguments, ("--time",), "without a summary it has no line")
    if emit is not None:
        files = [arguments.source, arguments.against or arguments.source]
        check_output(arguments.output, content_of_stage(emit), files, arguments.force, EMIT_OPTIONS)
    if emit != Stage.BLOCKWISE.value:
        refuse_given(arguments, ("--holders",), "only --emit blockwise prints tiles")


def _check_emit(emit: str | None, output: str | None) -> None:
    emitted = (*STAGES, LAUNCHES)
    if emit is not None and emit not in emitted:
        raise InputError(
            "--emit",
            "CLI001",
            f"unknown stage {emit!r}, wanted one of {' '.join(emitted)}",
            help=close_names(emit, emitted),
        )
    if emit == "obj" and output is None:
        raise InputError(
            "--emit",
            "CLI002",
            "a code object is not text, wanted -o FILE as well",
            help="-o - writes it to standard output",
        )
