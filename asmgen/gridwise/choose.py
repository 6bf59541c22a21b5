"""What is chosen for a launch where nobody has: its schedule, its grid, and the parts of its reductions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from asmgen.blockwise.schedules.choices import Choice, Column, Row
from asmgen.blockwise.schedules.choose import choose
from asmgen.blockwise.schedules.pages import schedule
from asmgen.blockwise.schedules.work import Graph, work_of
from asmgen.gridwise.lower import grid_of
from asmgen.ir.program import Module
from isa.target import Target

Parts = Callable[[Module, Target], int]


def parts_wanted(body: Module, target: Target) -> int:
    """How many workgroups should share what one has of a reduction."""
    choice = choose(work_of(Graph(body)), target)
    return choice.split if isinstance(choice, Row | Column) else 1


def chosen(body: Module, target: Target) -> tuple[Choice, tuple[int, ...]]:
    """The schedule of a body in one launch, and its grid as far as there is more than one workgroup."""
    choice = choose(work_of(Graph(body)), target)
    if isinstance(choice, Row | Column):
        choice = replace(choice, split=1)
    x, y, z = grid_of(schedule(body, choice, target))
    return choice, (x, y, z) if z > 1 else (x, y) if y > 1 else (x,)
