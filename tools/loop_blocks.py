"""`python -m tools.loop_blocks [TARGET...]`: the innermost loops of the catalogue's kernels by their blocks.

Trips overlap in loops of one block only (`asmgen/passes/schedule/modulo`). The tool compiles each kernel with
its own sizes, with all sizes 4,096 and 5,000, and with all sizes open. It counts the innermost loops of one
block and of several blocks before the trips overlap, and names those of several blocks with the instructions
of each block. A kernel that has no such sizes is left out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence

from asmgen.cli.progress import progress
from asmgen.cli.reading import source_of
from asmgen.compiler import start
from asmgen.kernels import CATALOGUE
from asmgen.loop_kernels import before_overlap
from asmgen.options import Options
from asmgen.passes.dependence.carried import back_edges
from asmgen.pipeline import advance
from isa.diagnostics import InputError
from isa.named_tuple import NamedTuple
from isa.program import Block, Kernel
from isa.targets import TARGETS, TargetId, parse_target
from regalloc.cfg import build_control_flow

SIZES = ("", "4096", "5000", "?")
_FEW = {"batch": "4"}  # sizes that are no length of a matrix
_GIVEN = frozenset({"group", "block"})  # sizes that a kernel divides others by


class BlockLoop(NamedTuple):
    """An innermost loop: its kernel, the label of its header, and the instructions of each of its blocks. A
    loop of one block may have further blocks without instructions."""

    kernel: str
    label: str
    instructions: Sequence[int]
    is_of_one_block: bool


def loops_by_blocks(kernel: Kernel) -> Iterator[BlockLoop]:
    """The innermost loops of a kernel on virtual registers."""
    loops = build_control_flow(kernel).linear.loops
    for loop in loops:
        if any(set(other.blocks) < set(loop.blocks) for other in loops):
            continue
        blocks = [kernel.blocks[number] for number in loop.blocks]
        code = [len(block.code) for block in blocks if block.code]
        is_of_one_block = any(_is_loop(kernel, block) for block in blocks)
        yield BlockLoop(kernel.name, kernel.blocks[loop.header].label, code, is_of_one_block)


def _is_loop(kernel: Kernel, block: Block) -> bool:
    return bool(block.code) and back_edges(kernel, block) is not None


def loops_of_kernel(name: str, size: str, target: TargetId) -> Iterator[BlockLoop]:
    """The innermost loops of a kernel of the catalogue; `size` of all dims, empty for the kernel's own."""
    parameters = CATALOGUE[name].parameters
    settings = [
        (each, _FEW.get(each, size) if size != "?" else size)
        for each, value in parameters.items()
        if size and isinstance(value, int) and each not in _GIVEN
    ]
    compilation = start(source_of(name, settings), target, Options())
    advance(compilation, "machine")
    for kernel in compilation.stages.machine:
        yield from loops_by_blocks(before_overlap(kernel, Options())[0])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.loop_blocks", description=__doc__)
    _ = parser.add_argument("targets", nargs="*", help="all by default")
    given = parser.parse_args(arguments).targets or list(TARGETS)
    cases = [(target, size, name) for target in given for size in SIZES for name in CATALOGUE]
    counts = {(target, size): [0, 0] for target in given for size in SIZES}
    several: list[str] = []
    with progress("compiling the catalogue") as tell:
        for done, (target, size, name) in enumerate(cases):
            tell(done, len(cases))
            try:
                loops = list(loops_of_kernel(name, size, parse_target(target)))
            except InputError:
                continue
            for loop in loops:
                counts[target, size][not loop.is_of_one_block] += 1
            several += [
                f"{target:<9}{size or 'own':<6}{loop.kernel}: {loop.label}: {len(loop.instructions)} blocks, "
                + " ".join(map(str, loop.instructions))
                for loop in loops
                if not loop.is_of_one_block
            ]
    print(f"{'target':<9}{'sizes':<6}{'one block':>10}{'several':>10}")
    for (target, size), (single, more) in counts.items():
        print(f"{target:<9}{size or 'own':<6}{single:>10}{more:>10}")
    print("\n".join(several))
    return 0


if __name__ == "__main__":
    sys.exit(main())
