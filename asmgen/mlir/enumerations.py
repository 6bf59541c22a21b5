"""Enumerations as words in lower case: `xor` for `#gpu<shuffle_mode xor>`, `slt` for the 2 of arith.cmpi."""

from __future__ import annotations

import re

from iree.compiler.dialects import _llvm_enum_gen as llvm  # the dialect's ops take 50 ms to load
from iree.compiler.dialects import arith

from asmgen.mlir.source import Text

# Those that the parser keeps as numbers, by op and attribute.
_NUMBERED = {
    ("arith.cmpi", "predicate"): arith.CmpIPredicate,
    ("arith.cmpf", "predicate"): arith.CmpFPredicate,
    ("memref.atomic_rmw", "kind"): arith.AtomicRMWKind,
    ("llvm.icmp", "predicate"): llvm.ICmpPredicate,
    ("llvm.fcmp", "predicate"): llvm.FCmpPredicate,
    ("llvm.atomicrmw", "bin_op"): llvm.AtomicBinOp,
    ("affine.parallel", "reductions"): arith.AtomicRMWKind,
}
# `#gpu<dim x>`, `#gpu.dim<x>`, `#vector.kind<add>`, `#index<cmp_predicate(slt)>`
_PRINTED = re.compile(r"#[\w.]+<(?:\w+[ (])?(\w+)\)?>\Z")


def numbered(operation: str, attribute: str, number: int) -> Text | None:
    """The word of a number, None where the attribute is none that counts an enumeration."""
    kind = _NUMBERED.get((operation, attribute))
    return Text(kind(number).name.lower().removeprefix("_")) if kind is not None else None


def word_of(printed: str) -> str:
    """The word of an attribute as MLIR prints it; what is none of an enumeration stays as it is."""
    found = _PRINTED.match(printed)
    return found[1].lower() if found else printed
