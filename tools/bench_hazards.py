"""`python -m tools.bench_hazards [--count 10000] [TARGET...]`: CPU time to insert waits and NOPs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from random import Random

from asmgen.passes.waits.hazards import insert_nops
from asmgen.passes.waits.waitcnt import insert_waits
from isa.instruction import Instr
from isa.program import Block, Edge, Kernel
from isa.table import table_named
from isa.targets import TARGETS, TargetId, parse_target, with_wave_size
from tools.cpu import timed
from tools.fuzz.programs import Pool

BLOCK = 100  # instructions
MACHINES = [
    str(TargetId(with_wave_size(target, lanes))) for target in TARGETS.values() for lanes in target.wave_sizes
]


def long_program(target: str, count: int) -> Kernel:
    """A random program of `count` instructions, as a sequence of blocks."""
    pool, random = Pool(parse_target(target), 1), Random(1)
    code: list[Instr] = []
    while len(code) < count:
        code += [instr for piece in pool.program(random) for instr in piece.instructions]
    kernel = Kernel("bench", parse_target(target))
    for first in range(0, count, BLOCK):
        following = (Edge(f"L{first + BLOCK}"),)
        kernel.blocks.append(
            Block(f"L{first}", instructions=code[first : first + BLOCK], linear=following, logical=following)
        )
    last = -(-count // BLOCK) * BLOCK
    kernel.blocks.append(Block(f"L{last}", terminator=Instr(table_named(target).row("s_endpgm"), ())))
    return kernel


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench_hazards",
        description="CPU time to insert waits and NOPs into a long random program.",
    )
    parser.add_argument("targets", nargs="*", default=MACHINES)
    parser.add_argument("--count", type=int, default=10000)
    options = parser.parse_args(arguments)
    for target in options.targets:
        kernel = long_program(target, options.count)
        waited, waits = timed(partial(insert_waits, kernel))
        _, hazards = timed(partial(insert_nops, waited))
        print(f"{target}: {options.count} instructions: waits {waits:.2f} s, hazards {hazards:.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
