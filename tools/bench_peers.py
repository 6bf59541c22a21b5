"""`python -m tools.bench_peers [TARGET...]`: our kernels and other compilers' (tools/peers.json), measured
alike.

Every kernel of a target is against one row, the one with its contract: clang's with the fewest
instructions where there is no transcendental and under --fast-math, Triton's otherwise. VGPRs compare after
rounding up to the target's granule. Exits 1 where ours is worse in VGPRs, instructions or NOP states; row_sum
and row_max may have half of clang's states. Needs LLVM's own tools.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from asmgen.compiler import compile_read
from asmgen.frontends.sources import Source
from asmgen.kernels import build_kernel
from asmgen.options import Options
from isa.target import Target, round_up
from isa.targets import TARGETS, parse_target
from tools.asm_metrics import Metrics, measure

PEERS = Path(__file__).with_name("peers.json")


class Peer(Struct, frozen=True):
    """One row of peers.json: what `compiler` made of the kernel `peer` for a target, which has the contract
    of ours."""

    target: str
    kernel: str
    contract: str
    compiler: str
    peer: str
    vgpr: int
    sgpr: int
    instructions: int
    waits: int
    nop_states: int
    mca_once: float
    compile_ms: float
    nop_share: float  # of its NOP states, how many ours may have


def load_peers(targets: Sequence[str] = ()) -> list[Peer]:
    """The rows of some targets; of all where none is named."""
    peers = [Peer(**row) for row in json.loads(PEERS.read_text(encoding="utf-8"))]
    return [peer for peer in peers if not targets or peer.target in targets]


def measure_ours(target: str, kernel: str, contract: str) -> Metrics:
    """The figures of a catalogue kernel as we compile it for a target under a contract, `default` or `fast
    math`."""
    target_id = parse_target(target)
    program = compile_read(
        Source(kernel, program=build_kernel(kernel)), target_id, Options(fast_math=contract == "fast math")
    )
    return measure(program.kernels[0].code_object, target_id)


def worse_in(ours: Metrics, peer: Peer) -> list[str]:
    """The figures in which ours is worse."""
    target: Target = TARGETS[peer.target]
    granule = target.vgpr_granule
    compared = {
        "VGPRs": (round_up(ours.vgpr, granule), round_up(peer.vgpr, granule)),
        "instructions": (ours.instructions, peer.instructions),
        "NOP states": (ours.nop_states, int(peer.nop_states * peer.nop_share)),
    }
    return [name for name, (mine, theirs) in compared.items() if mine > theirs]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench_peers", description="Our kernels next to other compilers'."
    )
    _ = parser.add_argument(
        "targets", nargs="*", metavar="TARGET", help="all that have rows, where none is named"
    )
    targets = [parse_target(name).target.name for name in parser.parse_args(arguments).targets]
    row = "{:<8} {:<9} {:<10} {:<26} {:>5} {:>6} {:>6} {:>6} {:>7}  {}"
    print(row.format("target", "kernel", "contract", "compiler", "VGPR", "instr", "waits", "nop", "once", ""))
    worse = False
    for peer in load_peers(targets):
        ours = measure_ours(peer.target, peer.kernel, peer.contract)
        lost = worse_in(ours, peer)
        worse = worse or bool(lost)
        verdict = f"worse in {', '.join(lost)}" if lost else "no worse"
        figures = (ours.vgpr, ours.instructions, ours.waits, ours.nop_states, ours.mca_once or 0.0)
        print(row.format(peer.target, peer.kernel, peer.contract, "asmgen", *figures, verdict))
        theirs = (peer.vgpr, peer.instructions, peer.waits, peer.nop_states, peer.mca_once)
        print(row.format("", "", "", f"{peer.compiler} {peer.peer}", *theirs, ""))
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
