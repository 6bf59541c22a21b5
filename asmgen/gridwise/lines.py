"""The lines of `--trace schedules`: the schedule of each launch, its workgroups beside the target's compute
units, and why no more workgroups share the work.

    schedules: sums: {608,65536} over {1} by row[rows=1, ...]: 608 workgroups for 304 compute units; not in
    parts: a workgroup reads 262144 bytes, and up to 262144 take no longer alone
"""

from __future__ import annotations

from collections.abc import Iterator

from asmgen.blockwise.schedules.choices import choice_text
from asmgen.blockwise.schedules.work import Graph
from asmgen.gridwise.choose import share_wanted
from asmgen.gridwise.program import GridFile, Launch
from asmgen.ir.shapes import format_list
from isa.target import Target


def schedule_lines(file: GridFile) -> Iterator[str]:
    """A line for each launch of a file."""
    for program in file.programs:
        for launch in program.launches:
            yield _line(launch, file.target.target)


def _line(launch: Launch, target: Target) -> str:
    graph = Graph(launch.body)
    counts = [size.text for size in launch.grid if size.text != "1"]
    known = f"{' by '.join(counts) or '1'} workgroups for {target.compute_units} compute units"
    if not graph.of_rows:
        return f"{launch.name}: by {choice_text(launch.choice)}: {known}"
    work = f"{format_list(graph.dims)} over {format_list(graph.axes)} by {choice_text(launch.choice)}"
    why = share_wanted(graph, target).why or "it combines the results of parts"
    return f"{launch.name}: {work}: {known}; not in parts: {why}"
