"""Rows in which ours may be worse than the best peer: by how much, and why they are left as they are."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct


class Left(Struct, frozen=True):
    """A row that is left. `figure` is `instructions`, `cycles` or `clocks`, and `most` the largest ratio of
    ours to the best peer's. It is for every target if `targets` is empty."""

    program: str
    figure: str
    most: float
    why: str
    targets: tuple[str, ...] = ()


_SHARED = (
    "a lane has several accesses that share addresses, in fewer instructions; all waves are there at once, "
    "so the path of a wave counts"
)
_SQUARES = "a lane has squares of 16-byte accesses on both sides, so there are fewer waves than the peer's"
_ORDER = "the same bits in each run take a second launch; the peer ends in atomic additions to zeros"
_TWO_ROWS = "the peer reads the weights once for two rows of a wave; ours has one row"
_RUNS = (
    "a lane's accesses are adjacent, in fewer instructions; so a load touches a line for each lane and uses "
    "a part of it, and the peer's loads touch whole lines"
)
_MORE_A_LANE = "a lane has two to four times the elements of the peer's lane, so there are fewer waves"
_LANES = (
    "a row belongs to one lane, in fewer instructions; the peer's lanes share rows, and its waves are shorter"
)
_SHARED_ROWS = (
    "a lane reads a single access of adjacent elements, so loads touch whole lines: fewer clocks, but each "
    "lane has the addresses of fewer results"
)
_PARTS = "a workgroup stores a single part, to which it branches"
_CDNA3 = ("gfx942", "gfx950")
_CDNA = ("gfx90a", *_CDNA3)
_RDNA = ("gfx1100", "gfx1201")

LEFT: tuple[Left, ...] = (
    Left("vecadd", "cycles", 1.02, _SHARED, ("gfx950",)),
    Left("relu", "cycles", 1.01, _SHARED, ("gfx950",)),
    Left("muladd", "cycles", 1.04, _SHARED, ("gfx950",)),
    Left("pad_add", "cycles", 1.02, _SHARED, ("gfx950",)),
    Left("reverse_add", "cycles", 1.03, _SHARED, ("gfx950",)),
    Left("gather_add", "cycles", 1.06, _SHARED, ("gfx90a", "gfx950")),
    Left("concat_add", "cycles", 1.08, _PARTS, ("gfx1100",)),
    Left("concat_add", "instructions", 1.23, _PARTS, ("gfx942",)),
    Left("layernorm", "instructions", 1.01, _TWO_ROWS, _CDNA3),
    Left("layernorm", "cycles", 1.02, _TWO_ROWS, ("gfx950",)),
    Left("rmsnorm", "instructions", 1.03, _TWO_ROWS, _CDNA3),
    Left("full_sum", "cycles", 1.81, _ORDER),
    Left("dot_product", "cycles", 1.84, _ORDER),
    Left("col_sum", "cycles", 3.48, _ORDER),
    Left("rope_f16", "cycles", 1.3, _SHARED, _CDNA),
    Left("embedding_f16", "cycles", 1.01, _SHARED, _CDNA3),
    Left("dequantise_f16", "cycles", 1.04, _SHARED, _CDNA3),
    Left("masked_fill_f16", "cycles", 1.03, _SHARED, ("gfx950",)),
    Left("split_heads_f16", "cycles", 1.04, _SHARED, _CDNA3),
    Left("concat_channels_f16", "cycles", 1.37, _SHARED),
    Left(
        "pad_image_f32",
        "instructions",
        1.05,
        "a mask for each lane; the peer's planes share theirs",
        ("gfx942",),
    ),
    Left("pad_image_f32", "cycles", 1.11, _SHARED, _CDNA3),
    Left("crop_f16", "cycles", 1.16, _SHARED, _CDNA3),
    Left("adam_f32", "cycles", 1.13, _SHARED, ("gfx950",)),
    Left("gelu", "cycles", 1.07, _SHARED, ("gfx950",)),
    Left("upsample_nhwc_f16", "cycles", 1.01, _SHARED),
    Left("transpose_f16", "cycles", 1.03, _SQUARES, _CDNA3),
    Left("nchw_to_nhwc_f16", "cycles", 1.03, _SQUARES, _CDNA),
    Left(
        "layernorm_wide_f32",
        "cycles",
        1.02,
        "32 elements a lane, in fewer instructions; Triton has 16",
        ("gfx942",),
    ),
    Left(
        "groupnorm_f32", "cycles", 1.02, "32 elements a lane, in fewer instructions; the peer has 16", _CDNA3
    ),
    Left("residual_rmsnorm_bf16", "instructions", 1.03, _TWO_ROWS, ("gfx950",)),
    Left("residual_rmsnorm_bf16", "cycles", 1.01, _TWO_ROWS, ("gfx950",)),
    Left("class_softmax_f32", "cycles", 1.23, _LANES, _CDNA),
    Left(
        "middle_sum_f32",
        "cycles",
        1.09,
        "sums of several waves are added in LDS, so that all units have work",
    ),
    Left(
        "cumsum_long_f32",
        "cycles",
        1.05,
        "a workgroup waits for what precedes its part; the peer reads twice",
        ("gfx1100",),
    ),
    Left("full_sum", "clocks", 1.31, _ORDER, _RDNA),
    Left("dot_product", "clocks", 1.19, _ORDER, ("gfx942", *_RDNA)),
    Left("col_sum", "clocks", 1.35, _ORDER, (*_CDNA3, *_RDNA)),
    Left("gate_softmax_f32", "instructions", 1.96, _SHARED_ROWS),
    Left("gate_softmax_f32", "cycles", 2.89, _SHARED_ROWS),
    Left("avg_pool_nchw_f32", "instructions", 1.28, _SHARED_ROWS),
    Left("avg_pool_nchw_f32", "cycles", 1.96, _SHARED_ROWS),
    Left("global_pool_f16", "instructions", 2.24, _SHARED_ROWS),
    Left("avg_pool_nhwc_f16", "clocks", 1.08, _RUNS, _RDNA),
    Left("reverse_sum", "clocks", 1.1, _RUNS, ("gfx90a", "gfx1100")),
    Left("pad_sum", "clocks", 1.07, _RUNS, ("gfx90a", "gfx1100")),
    Left("pad_add", "clocks", 1.03, _RUNS, _RDNA),
    Left("pad_image_f32", "clocks", 1.01, _RUNS, ("gfx1100",)),
    Left(
        "cosine_bf16",
        "clocks",
        1.03,
        "the same accesses and waves in half the instructions; the cause is unknown",
        ("gfx1201",),
    ),
    Left("middle_sum_f32", "clocks", 1.48, "stores of 4 bytes a lane; the peer's are of 16", ("gfx90a",)),
    Left("argmax_long_f32", "clocks", 1.04, _MORE_A_LANE, _RDNA),
    Left("logsumexp_long_f32", "clocks", 1.2, _MORE_A_LANE, _RDNA),
)


def left_of(target: str, program: str, figure: str, rows: Sequence[Left] = LEFT) -> Left | None:
    """The entry for a figure of a row, if there is any."""
    for row in rows:
        if (row.program, row.figure) == (program, figure) and target in (row.targets or (target,)):
            return row
    return None
