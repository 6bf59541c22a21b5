"""Matrix multiplication over a whole wave, by the lane layouts AMD publishes (CDNA3 ISA, chapter 7)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from isa.semantics.mode import Array


@dataclass(frozen=True, slots=True)
class MatrixMultiply:
    """D[b] = A[b] B[b] + C[b] for `blocks` blocks of `size` x `size`, inner length `inner`.

    Lane l holds, of A, row l mod size and, per element j of its `packed` ones, inner index packed * (l / size mod groups) + j
    of block l / (size * groups); of B the same with columns for rows.
    """

    size: int
    inner: int
    blocks: int
    packed: int

    @property
    def groups(self) -> int:
        return self.inner // self.packed

    def call(self, a: Array, b: Array, c: Array) -> Array:
        """a, b: [wave, lane, packed]; c and the result: [wave, lane, element], f32. The sum is f64, rounded once."""
        waves = a.shape[0]
        shape = (waves, self.blocks, self.groups, self.size, self.packed)
        left = a.astype(np.float64).reshape(shape).transpose(0, 1, 3, 2, 4).reshape(waves, self.blocks, self.size, self.inner)
        right = b.astype(np.float64).reshape(shape).transpose(0, 1, 2, 4, 3).reshape(waves, self.blocks, self.inner, self.size)
        block, row, column = self.places()
        product = (left @ right)[:, block, row, column]
        return (product + c.astype(np.float64)).astype(np.float32)

    def places(self) -> tuple[Array, Array, Array]:
        """Block, row and column of each [lane, element] of C and D."""
        elements = self.size * self.size * self.blocks // 64
        lane, element = np.meshgrid(np.arange(64), np.arange(elements), indexing="ij")
        column = lane % self.size
        group = lane // self.size
        if self.size == 4:
            return group, element, column
        across = 64 // self.size  # lane groups side by side, each with four rows
        per_block = elements // self.blocks
        within = element % per_block
        return element // per_block, 4 * across * (within // 4) + 4 * group + within % 4, column


MATRICES: dict[str, MatrixMultiply] = {
    "v_mfma_f32_32x32x8_f16": MatrixMultiply(32, 8, 1, 4),
    "v_mfma_f32_16x16x16_f16": MatrixMultiply(16, 16, 1, 4),
    "v_mfma_f32_4x4x4_16b_f16": MatrixMultiply(4, 4, 16, 4),
    "v_mfma_f32_32x32x4_2b_f16": MatrixMultiply(32, 4, 2, 4),
    "v_mfma_f32_32x32x2_f32": MatrixMultiply(32, 2, 1, 1),
    "v_mfma_f32_16x16x4_f32": MatrixMultiply(16, 4, 1, 1),
    "v_mfma_f32_4x4x1_16b_f32": MatrixMultiply(4, 1, 16, 1),
}
