"""Schedules of launches that the user states: `--schedule "row[rows=1, lanes=64, ...]"`.

row[rows=1, lanes=64]           the schedule of the only launch
softmax_1=row[...]              the schedule of the launch softmax_1
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from asmgen.blockwise.schedules.choices import Choice, choice_text, read_choice
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.misfit import misfit
from asmgen.gridwise.lower import choice_faults
from asmgen.gridwise.program import Launch
from asmgen.ir.program import Module
from asmgen.text.cursor import Cursor
from asmgen.text.lexer import SourceText, TokenKind, tokenize
from isa.diagnostics import InputError, nearest_names
from isa.target import Target

OPTION = "--schedule"
Stated = Mapping[str, Choice]
"""The schedules by the names of their launches; the empty name is the only launch."""


def read_stated(texts: Sequence[str]) -> Stated:
    """The schedules that texts state. `InputError` SCH001 if two state the same launch, and as `read_choice`
    for a text that is not a schedule."""
    stated: dict[str, Choice] = {}
    for text in texts:
        source = SourceText(text, OPTION)
        cursor = Cursor(source, tokenize(source))
        name = ""
        if cursor.peek().kind is TokenKind.IDENTIFIER and cursor.peek(1).text == "=":
            name = cursor.next().text
            _ = cursor.next()
        choice = read_choice(cursor)
        if cursor.peek().kind is not TokenKind.END:
            end = cursor.peek()
            cursor.fail(end, "GEN002", f"got {end.text!r}, wanted the end of the schedule")
        if name in stated:
            raise InputError(OPTION, "SCH001", f"{name or 'the launch'} is stated twice, wanted once")
        stated[name] = choice
    return stated


def stated_for(graph: Graph, stated: Stated, target: Target) -> Choice | None:
    """The schedule that the user states for a launch; None if there is none. `InputError` SCH002 with the
    rule if it does not fit."""
    choice = stated.get(graph.module.name, stated.get(""))
    if choice is None:
        return None
    unfit = misfit(graph, choice, target) or _broken(graph.module, choice, target)
    if unfit:
        message = f"{choice_text(choice)} does not fit {graph.module.name}: {unfit}"
        help = "--trace schedules prints the schedule of each launch"
        raise InputError(OPTION, "SCH002", message, help=help)
    return choice


def _broken(body: Module, choice: Choice, target: Target) -> str:
    """The first fault of a choice by itself, in words."""
    launch = Launch(body.name, (), (), (), choice, body)
    fault = next(choice_faults(launch, target), None)
    return "" if fault is None else f"{fault.what} ({fault.rule.says})"


def require_launches(stated: Stated, names: Sequence[str]) -> None:
    """`InputError` SCH001 for a schedule of a launch that the program does not have."""
    wanted = partial(nearest_names, known=names)
    for name in stated:
        if not name and len(names) > 1:
            message = f"the program has the launches {', '.join(names)}, wanted LAUNCH=SCHEDULE"
            raise InputError(OPTION, "SCH001", message)
        if name and name not in names:
            raise InputError(OPTION, "SCH001", f"there is no launch {name}, wanted {wanted(name)}")
