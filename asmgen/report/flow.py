"""The flow graph of kernels with the pressure of each block, in the DOT language of Graphviz.

    python -m asmgen report SOURCE --format dot -o flow.dot
    dot -Tsvg flow.dot -o flow.svg

A block is the darker the more VGPRs are live in it. A dashed edge is an edge that the wave takes and no lane.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from asmgen.report.model import KernelReport, Point

_SHADES = 9  # of the colour scheme `blues9`
_DARK = 6  # from this shade on, the text is white


def to_dot(kernels: Sequence[KernelReport]) -> str:
    """A cluster for each kernel."""
    lines = [
        "digraph report {",
        '  node [shape=box, style=filled, fontname="monospace", colorscheme=blues9];',
    ]
    for number, kernel in enumerate(kernels):
        lines += _cluster(number, kernel)
    return "\n".join([*lines, "}"]) + "\n"


def _cluster(number: int, kernel: KernelReport) -> Iterator[str]:
    blocks: dict[str, list[Point]] = {name: [] for edge in kernel.edges for name in edge[:2]}
    for point in kernel.points:
        blocks.setdefault(point.block, []).append(point)
    most = max((point.pressure[0] for point in kernel.points), default=0)
    yield f"  subgraph cluster_{number} {{"
    yield f"    label={_quoted(f'{kernel.name} for {kernel.target}')};"
    for name, points in blocks.items():
        yield f"    {_node(number, name)} [{_style(name, points, most)}];"
    for source, target, is_of_lanes in kernel.edges:
        style = "" if is_of_lanes else " [style=dashed]"
        yield f"    {_node(number, source)} -> {_node(number, target)}{style};"
    yield "  }"


def _style(name: str, points: Sequence[Point], most: int) -> str:
    vgprs, agprs, sgprs = (max((point.pressure[file] for point in points), default=0) for file in range(3))
    live = f"{vgprs} VGPRs, {sgprs} SGPRs" + (f", {agprs} AGPRs" if agprs else "")
    count = sum(point.instr is not None for point in points)
    shade = 1 + (_SHADES - 2) * vgprs // most if most else 1
    label = _quoted(f"{name}\n{count} instructions\n{live}")
    return f"label={label}, fillcolor={shade}, fontcolor={'white' if shade >= _DARK else 'black'}"


def _node(number: int, name: str) -> str:
    return _quoted(f"{number}:{name}")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
