"""Faults of the rules that read modules of tensors. The graph and the code agree with each other then; the interpreter of the MLIR does not."""

from __future__ import annotations

from tests.mutants.planting import fault

FAULTS = (
    fault(
        "reductions.combined", "x if is_neutral else computed(kind.ufunc, x, first)", "x",
        "a reduction forgets the number that it begins with", "tensors linalg.reduce: a sum onto the destination",
    ),
    fault(
        "reductions._finds", "(not is_last) if a == b else (a > b) == is_max", "is_last if a == b else (a > b) == is_max",
        "of equal numbers the wrong one is found", "tensors linalg.generic: the least and its place",
    ),
    fault(
        "stablehlo.reductions._extreme", "list(found if is_neutral else call.inline(body, [*first, *found]))", "list(found)",
        "an argmax forgets the number that it begins with", "tensors stablehlo.reduce: an argmax from a start",
    ),
    fault(
        "sorts.sorted_by", "reversed(keys)", "keys",
        "the least significant key sorts last", "tensors stablehlo.sort: i32, then f32 descending",
    ),
    fault(
        "windows._reach", "pads == ends", "False",
        "a scan from the end begins at the start", "tensors stablehlo.reduce_window: a cumulative sum from the end",
    ),
    fault(
        "indexing._rows_updated", "'reduce_max'", "'reduce_min'",
        "updates are lost", "tensors stablehlo.scatter: replaces unique rows",
    ),
    fault(
        "arith._compare_integers", "(unsigned(a), unsigned(b))", "(a, b)",
        "a comparison without a sign has it", "tensors arith.cmpi: unsigned",
    ),
    fault(
        "folding.kept_operand", "1 if numbers[0] else 2", "2 if numbers[0] else 1",
        "a known choice takes the other operand", "tensors stablehlo.select: a known choice",
    ),
    fault(
        "shapes._reverse", "call.operation.integers('dimensions')", "(0,)",
        "another axis is reversed", "tensors stablehlo.reverse: (1, 2)",
    ),
)  # fmt: skip
