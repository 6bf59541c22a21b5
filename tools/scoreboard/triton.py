"""Triton's figures, from tools/peers.json, which `python -m tools.triton_peers` writes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from tools.scoreboard.figures import Figures

PEERS = Path(__file__).parents[1] / "peers.json"


class TritonRow(Struct, frozen=True):
    """The figures of a Triton kernel for a target, on the emulator. `choice` has its elements or rows for
    each workgroup, and its warps; no other choice of the kernel has fewer instructions or fewer cycles."""

    target: str
    program: str
    choice: str
    figures: Figures


@cache
def read_rows() -> tuple[TritonRow, ...]:
    """Every row of the file."""
    return msgspec.json.decode(PEERS.read_bytes(), type=tuple[TritonRow, ...])


def triton_rows(target: str, program: str) -> list[TritonRow]:
    """The rows of a program for a target, none if the file has no kernel for it."""
    return [row for row in read_rows() if (row.target, row.program) == (target, program)]
