"""The rows and columns of a tile of a matrix product that each wave has."""

from __future__ import annotations

from asmgen.blockwise.matrix import Instruction
from asmgen.blockwise.schedules.choices import Contract


def waves_of(choice: Contract, by: Instruction) -> tuple[int, int]:
    """How many waves have rows of their own, and how many have columns (`product_layouts`)."""
    if choice.along:
        return 1, 1
    rows, columns = choice.m // by.sizes[0], choice.n // by.sizes[1]
    along = min(columns, 1 << (choice.waves.bit_length() - 1) // (1 if choice.apart else 2))
    along = max(along, min(columns, choice.waves // min(rows, choice.waves)))
    return min(rows, choice.waves // along), along


def of_wave(choice: Contract, by: Instruction | None) -> tuple[int, int]:
    """The rows and columns of a tile that each wave has next to each other. Those of outer products are
    dealt to waves in turn, and those of waves along k are shared."""
    if by is None or choice.along:
        return choice.m, choice.n
    across, along = waves_of(choice, by)
    return choice.m // across, choice.n // along
