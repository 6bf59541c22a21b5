"""The flow graph of a report: the blocks and the edges of the program, and the pressure that the report has."""

from __future__ import annotations

import re

import asmgen
from asmgen.kernels import build_kernel
from examples.by_hand.gemm_mfma import gemm
from examples.by_hand.scan import scan
from tests.commands import run

_NODE = re.compile(r'^    "(\d+:[^"]+)" \[label="(.*?)", fillcolor=(\d), fontcolor=(black|white)\];$', re.MULTILINE)
_EDGE = re.compile(r'^    "\d+:([^"]+)" -> "\d+:([^"]+)"( \[style=dashed\])?;$', re.MULTILINE)


def test_blocks_and_edges_are_those_of_the_program() -> None:
    program = scan.compile("gfx1100")
    graph, text = program.cfg(), program.report().to_dot()
    assert {name.partition(":")[2] for name, *_ in _NODE.findall(text)} == set(graph.nodes)
    drawn = {(source, target): not dashed for source, target, dashed in _EDGE.findall(text)}
    assert drawn == {(source, target): data["logical"] for source, target, data in graph.edges(data=True) if data["linear"]}
    assert not all(drawn.values()), "the skip of a divergent part is an edge of the wave alone"


def test_the_darkest_block_has_the_pressure_of_the_report() -> None:
    program = gemm.compile("gfx942")
    report, text = program.report(), program.report().to_dot()
    most = max(point.pressure[0] for point in report.kernels[0].points)
    (darkest,) = {label for _, label, shade, _ in _NODE.findall(text) if shade == "8" and f"\\n{most} VGPRs" in label}
    assert "loop" in darkest


def test_every_kernel_has_its_cluster_and_files_have_the_suffix(tmp_path: object) -> None:
    program = asmgen.compile(build_kernel("full_sum", [("n", "1000000")]), "gfx942")
    assert program.report().to_dot().count("subgraph cluster_") == 2
    status, printed = run(f"python -m asmgen report softmax --format dot -o {tmp_path}/flow.dot")
    assert status == 0, printed
    status, printed = run(f"python -m asmgen report softmax --format dot -o {tmp_path}/flow.json")
    assert status == 1
    assert "flow.json" in printed
