"""Regions whose blocks branch to each other."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.frontends.mlir.context import Lowering
from asmgen.frontends.mlir.lowered import Lowered
from asmgen.frontends.mlir.source import Region
from isa.diagnostics import InputError


def lower_blocks(lower: Lowering, region: Region, arguments: Sequence[Lowered]) -> tuple[Lowered, ...]:
    """`InputError` MLIR040: unstructured control flow is not lowered."""
    last = region.blocks[0].terminator
    raise InputError(last.place, "MLIR040", f"{last.name} ends a block, wanted scf.if, scf.for or scf.while")
