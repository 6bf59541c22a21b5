"""`cf`: branches between blocks (`asmgen.mlir.graph` lowers them), and assertions."""

from __future__ import annotations

from asmgen.mlir.context import rows

ROWS = rows({}, ends=("cf.br", "cf.cond_br", "cf.switch"))
