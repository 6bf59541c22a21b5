"""The stages of a compile by their names."""

from __future__ import annotations

from enum import Enum


class Stage(Enum):
    """The stages that print as gen text, in order; the value is the name that `--emit` takes."""

    GRAPH = "graph"
    GRIDWISE = "gridwise"
    BLOCKWISE = "blockwise"
    LANEWISE = "lanewise"
    FINAL = "final"

    __hash__ = object.__hash__  # as of `isa.registers.RegisterClass`


STAGES = (*(stage.value for stage in Stage), "machine", "allocated", "asm", "obj")
LAUNCHES = "launches"  # no stage, but `--emit` takes it: the launch plan
