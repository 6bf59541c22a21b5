"""The loop of tests/filecheck/passes/pipeline.mir, with changes: it loads a number a trip and adds it."""

from __future__ import annotations

from pathlib import Path

from asmgen.passes.schedule.modulo.pipeline import pipeline_loops
from asmgen.passes.schedule.modulo.rotate import headed_loops, rotated
from asmgen.passes.schedule.modulo.shape import Shape, shape_of
from isa.mir.parser import parse_kernel
from isa.program import Kernel
from regalloc.verify import verify

TEXT = (Path(__file__).parents[2] / "filecheck" / "passes" / "pipeline.mir").read_text(encoding="utf-8")
LOAD, ADD = "  global_load_dword %x", "  v_add_u32_e32 %new, %sum, %x\n"


def kernel(old: str = "", new: str = "", registers: str = "") -> Kernel:
    """The loop of the file, with a line replaced and with more registers."""
    assert old in TEXT
    text = TEXT.replace(old, new, 1) if old else TEXT
    return parse_kernel(text.replace("block entry\n", registers + "block entry\n", 1), "test.mir")


def overlaps(kernel: Kernel, vgprs: int = 64) -> bool:
    found, loops, _ = pipeline_loops(kernel, vgprs)
    assert bool(loops) is (found is not kernel)
    verify(found)
    return bool(loops)


def as_one_block(made: Kernel) -> tuple[Kernel, Shape]:
    """The kernel with its loop in one block, and the shape of the loop."""
    made = rotated(made, next(headed_loops(made)))
    shape = shape_of(made, next(at for at, block in enumerate(made.blocks) if block.label == "body"))
    assert shape is not None
    return made, shape
