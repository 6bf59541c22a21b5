"""Spellings of LLVM 22 and before that LLVM 23 changed: rewritten at equal length, so that places stay."""

from __future__ import annotations

import re

_ALIGNED = r"\{alignment = (?P<bytes>\d+) : i64\}"
_ELEVEN = r"0(?:, [01]){6}(?:, 0){4}"  # the groups of operands of a launch without clusters
# The old spelling as a pattern, and today's as a template of its groups.
_SPELLINGS: tuple[tuple[str, str], ...] = (
    # #gpu<dim x>, as --mlir-print-op-generic prints the attributes of the GPU dialect
    (
        r"#gpu<(?P<kind>dim|all_reduce_op|shuffle_mode|address_space) (?P<word>\w+)>",
        r"#gpu.\g<kind><\g<word>>",
    ),
    # llvm.mlir.constant(0 : index) : i64
    (r"(?P<constant>llvm\.mlir\.constant\(-?\d+ : )index(?=\) : i64\b)", r"\g<constant>i64"),
    # llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> f32
    (
        rf"(?P<access>\bllvm\.(?:load|store)\b[^\n{{}}]*){_ALIGNED}",
        r"\g<access><alignment = \g<bytes>>",
    ),
    # memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    (rf"(?P<made>\bmemref\.alloca?\([^\n{{}}]*){_ALIGNED}", r"\g<made>alignment = \g<bytes>"),
    # "gpu.launch", whose attributions come after twelve groups of operands, and came after eleven
    (
        rf'(?P<launch>"gpu\.launch"\([^\n]*)operandSegmentSizes = array<i32: (?P<groups>{_ELEVEN})>',
        r"\g<launch>operandSegmentSizes=array<i32:\g<groups>,0>",
    ),
    # rocdl.mfma.f32.16x16x16f16 %a, %b, %c, 0, 0, 0 : (...), whose last number is blgp
    (r"(?P<product>\brocdl\.mfma\.[\w.]+ [^\n:]*), 0, 0, 0 :", r"\g<product>,0,0,none:"),
)


def respelled(text: str) -> str:
    """The text in today's spelling."""
    for pattern, today in _SPELLINGS:
        text = re.sub(pattern, lambda found, today=today: found.expand(today).ljust(len(found[0])), text)
    return text
