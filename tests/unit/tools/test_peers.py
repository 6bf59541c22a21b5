"""Our kernels beside other compilers', and the measure that compares them."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from asmgen.emission.assemble import assemble
from isa.targets import parse_target
from tools.asm_metrics import measure
from tools.bench_peers import Peer, load_peers, measure_ours, worse_in
from tools.clang_peer import compile_to_assembly

pytestmark = pytest.mark.broad

PEERS = load_peers()
TARGETS = sorted({peer.target for peer in PEERS})
PROMISED = ("gfx942", "gfx950", "gfx1100", "gfx1201")  # on gfx90a rmsnorm has one instruction more, for want of an fma with a literal
NEEDED = ("llvm-objdump-22", "llvm-mca-22")


@pytest.mark.needs_llvm(*NEEDED)
@pytest.mark.parametrize(
    "peer", [peer for peer in PEERS if peer.target in PROMISED], ids=lambda peer: f"{peer.target}-{peer.kernel}-{peer.contract.replace(' ', '-')}"
)
def test_ours_is_no_worse_than_its_reference(peer: Peer) -> None:
    assert worse_in(measure_ours(peer.target, peer.kernel, peer.contract), peer) == []


@pytest.mark.needs_llvm("clang-22", *NEEDED)
@pytest.mark.parametrize("name", TARGETS)
def test_the_measure_is_the_one_the_peers_were_taken_with(name: str, tmp_path: Path) -> None:
    """clang's own vecadd, compiled and measured here, gives the figures that peers.json states."""
    path = tmp_path / "vecadd.s"
    compile_to_assembly("vecadd", str(path), name)
    target = parse_target(name)
    found = measure(assemble(path.read_text(encoding="utf-8"), target), target, "vecadd_v4")
    peer = next(peer for peer in PEERS if peer.peer == "vecadd_v4.off32" and peer.target == name)
    wanted = (peer.vgpr, peer.sgpr, peer.instructions, peer.waits, peer.nop_states, peer.mca_once)
    assert (found.vgpr, found.sgpr, found.instructions, found.waits, found.nop_states, found.mca_once) == wanted


@pytest.mark.needs_llvm(*NEEDED)
def test_every_figure_that_is_worse_is_named() -> None:
    ours = measure_ours("gfx942", "vecadd", "default")
    peer = next(peer for peer in PEERS if (peer.target, peer.kernel) == ("gfx942", "vecadd"))
    assert worse_in(replace(ours, vgpr=17), peer) == ["VGPRs"]
    assert worse_in(replace(ours, vgpr=16), peer) == []  # 16 and 9 round up to the same granule
    assert worse_in(replace(ours, instructions=13, nop_states=1), peer) == ["instructions", "NOP states"]
