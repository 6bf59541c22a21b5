"""The lines of `--trace schedules`: the schedule of each launch, its workgroups beside the target's compute
units, and why no more workgroups share the work.

    schedules: sums: {608,65536} over {1} by row[rows=1, ...]: 608 workgroups for 304 compute units; not in
    parts: a workgroup reads 262144 bytes, and up to 262144 take no longer alone

A matrix product also has a line for each tile that fits, from the fewest clocks, and why it was not chosen:

    schedules: gemm: contract[m=128, n=128, k=64, ...]: 307310 clocks: chosen, limited by products
    schedules: gemm: contract[m=64, n=64, k=64, ...]: 614620 clocks: 2.00 times the clocks, limited by LDS
"""

from __future__ import annotations

from collections.abc import Iterator

from asmgen.blockwise.schedules.choices import Contract, choice_text
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.gridwise.choose import share_wanted
from asmgen.gridwise.program import GridFile, Launch
from asmgen.ir.shapes import format_list
from isa.target import Target


def schedule_lines(file: GridFile) -> Iterator[str]:
    """The lines of each launch of a file."""
    for program in file.programs:
        for launch in program.launches:
            if launch.runs:
                yield f"{launch.name}: runs the kernel of {launch.runs}"
                continue
            yield _line(launch, file.target.target)
            yield from _candidates(launch, file.target.target)


def _line(launch: Launch, target: Target) -> str:
    graph = Graph(launch.body)
    counts = [size.text for size in launch.grid if size.text != "1"]
    known = f"{' by '.join(counts) or '1'} workgroups for {target.compute_units} compute units"
    if not graph.of_rows or graph.products:
        return f"{launch.name}: by {choice_text(launch.choice)}: {known}"
    work = f"{format_list(graph.dims)} over {format_list(graph.axes)} by {choice_text(launch.choice)}"
    share = share_wanted(graph, target)
    is_whole = launch.when is not None and (share.whole or share.rows)
    whole = "it runs for many results" if share.rows else "it runs for few elements"
    combines = whole if is_whole else "it combines the results of parts"
    why = share.why or combines
    return f"{launch.name}: {work}: {known}; not in parts: {why}"


def _candidates(launch: Launch, target: Target) -> Iterator[str]:
    """The tiles of a matrix product."""
    if not isinstance(launch.choice, Contract):
        return
    from asmgen.blockwise.matrix import rounds
    from asmgen.blockwise.schedules.choosing.contract import candidates_of

    graph = Graph(launch.body, rounds_factors=rounds(launch.choice.by, target))

    for choice, clocks, why in candidates_of(graph, target):
        yield f"{launch.name}: {choice_text(choice)}: {clocks:.0f} clocks: {why}"
