"""The graphs of compiled programs: the flow graph of a loop, the dependences of a block, the launches of a sum in two steps."""

from __future__ import annotations

import sys
from typing import Any

import networkx as nx
import pytest

import asmgen
from asmgen.compiled import CompiledProgram
from asmgen.kernels import build_kernel
from examples.by_hand.gemm_mfma import gemm
from examples.by_hand.saxpy import saxpy
from isa.diagnostics import InputError
from isa.program import Kernel
from isa.registers import Register, RegisterClass
from regalloc.liveness import compute_liveness


def machine(program: CompiledProgram) -> Kernel:
    (kernel,) = program.compilation.stages.machine
    return kernel


def texts(graph: Any) -> list[tuple[int, str]]:
    return [(number, str(node["text"])) for number, node in graph.nodes.items()]


def test_a_loop_is_a_circuit_of_the_flow_graph() -> None:
    program = gemm.compile("gfx942")
    graph = program.cfg()
    (circuit,) = nx.simple_cycles(graph)
    assert any("v_mfma_f32_16x16x16_f16" in line for label in circuit for line in graph.nodes[label]["instructions"])
    assert set(nx.descendants(graph, "entry")) | {"entry"} == set(graph.nodes)


def test_pressure_is_that_of_liveness() -> None:
    """By hand: the units that are live before some instruction of a block, and those that it writes."""
    program = saxpy.compile("gfx942")
    kernel, graph = machine(program), program.cfg()
    liveness = compute_liveness(kernel)
    live = [liveness.live_at("then", index) for index in range(len(kernel.block("then").instructions))]
    vgprs = [sum(kernel.register_class(Register(unit)) is RegisterClass.VGPR for unit in units) for units in live]
    assert graph.nodes["then"]["vgprs"] >= max(vgprs) >= 2
    assert graph.nodes["then"]["vgprs"] <= max(vgprs) + 1


def test_dependences_of_a_block() -> None:
    program = saxpy.compile("gfx942")
    graph = program.dependences("then")
    assert nx.is_directed_acyclic_graph(graph)
    loads = [number for number, text in texts(graph) if text.startswith("global_load")]
    (store,) = [number for number, text in texts(graph) if text.startswith("global_store")]
    (fma,) = [number for number, text in texts(graph) if text.startswith("v_fma")]
    assert all(graph.edges[load, fma]["reason"] == "reads its result" for load in loads)
    assert graph.edges[fma, store]["reason"] == "reads its result"
    assert not graph.has_edge(*loads)
    assert all(str(node["place"]).startswith(saxpy.place.file) for node in graph.nodes.values())


def test_launches_and_their_arrays() -> None:
    program = asmgen.compile(build_kernel("full_sum", [("n", "1000000")]), "gfx942")
    graph = program.launch_graph()
    kinds = dict(graph.nodes(data="kind"))
    launches = [node for node, kind in kinds.items() if kind == "kernel"]
    assert len(launches) == len(program.kernels) == 2
    assert nx.has_path(graph, launches[0], launches[1])
    assert all(kinds[one] != kinds[other] for one, other in graph.edges)


def test_an_unknown_block_or_kernel() -> None:
    program = saxpy.compile("gfx942")
    for ask in (lambda: program.dependences("loop"), lambda: program.cfg("saxp")):
        with pytest.raises(InputError) as caught:
            ask()
        assert caught.value.code in ("GRF001", "LNC001")


def test_without_networkx(monkeypatch: pytest.MonkeyPatch) -> None:
    program = saxpy.compile("gfx942")
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(InputError) as caught:
        program.cfg()
    assert caught.value.code == "GRF002"
