"""The programs that people run: norms, gates, moves and losses in the types of models, with clang's kernels.

A program is a file of `everyday/` beside this file, and its kernels a file of tools/clang-kernels/everyday
with the same name. Each has several kernels, since the best division of the work differs between targets:
outputs for each lane, a row for each lane, wave or workgroup, several rows for each. All of them move 16
bytes a lane. Ours are compiled with fast math: clang's kernels use the hardware's exp2, log, rcp and rsq.
"""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from tools.scoreboard.cases import GROUP_LANES, Case, ClangKernel

_TEXTS = Path(__file__).parent / "everyday"


def _case(
    name: str, elements: int, *peers: ClangKernel, most: int = 0, positive: tuple[str, ...] = ()
) -> Case:
    kernels = tuple(_in_file(name, kernel) for kernel in peers)
    text = (_TEXTS / f"{name}.gen").read_text(encoding="utf-8")
    return Case(name, text, elements, kernels, fast_math=True, most=most, positive=positive)


def _in_file(name: str, kernel: ClangKernel) -> ClangKernel:
    then = tuple(_in_file(name, launch) for launch in kernel.then)
    return replace(kernel, source=f"everyday/{name}", then=then)


def _groups(kernel: str, groups: int, lanes: int = GROUP_LANES) -> ClangKernel:
    """A launch with a number of workgroups."""
    return ClangKernel("", (groups, 1, 1), kernel=kernel, lanes=lanes)


def _waves(kernel: str, waves: int, lanes: int = GROUP_LANES) -> ClangKernel:
    """A launch with a number of waves."""
    return ClangKernel("", (0, 0, 0), kernel=kernel, waves=waves, lanes=lanes)


def _two(
    first: str, groups: int, then: str, last: int, lanes: int, scratch: int, first_lanes: int = GROUP_LANES
) -> ClangKernel:
    """Two launches: the first leaves parts of the result in `scratch` bytes."""
    return replace(_groups(first, groups, first_lanes), then=(_groups(then, last, lanes),), scratch=scratch)


_ROWS, _M = 4096, 1 << 20

EVERYDAY: tuple[Case, ...] = (
    _case("avg_pool_nhwc_f16", 8 * 112 * 112 * 64, _groups("lane", 784), _groups("row", 448, 448)),
    _case("avg_pool_nchw_f32", 8 * 64 * 112 * 112, _groups("four", 1568), _groups("two", 3136)),
    _case(
        "rope_f16",
        4 * _M,
        _groups("lane", 1024),
        _groups("token", 2048, 128),
        _groups("heads", 512),
        _groups("packed", 1024),
        _groups("packed4", 256),
    ),
    _case("swiglu_f16", 4 * _M, _groups("lane", 2048), _groups("two", 1024)),
    _case(
        "embedding_f16",
        4 * _M,
        _groups("group", _ROWS, 128),
        _waves("wave", _ROWS),
        _waves("rows4", _ROWS // 4),
    ),
    _case(
        "dequantise_f16",
        4 * _M,
        _groups("sixteen", 1024),
        _groups("eight", 2048),
        _groups("row", _ROWS, 128),
        _groups("row16", _ROWS, 64),
    ),
    _case("cross_entropy_f32", 8 * _M, _groups("group", 1024), _groups("wide", 1024, 1024), most=8192),
    _case(
        "cumsum_long_f32",
        _M,
        _two("sum", 256, "scan", 256, GROUP_LANES, 1024),
    ),
    _case(
        "batchnorm_nchw_f32",
        16 * 64 * 56 * 56,
        _groups("lane", 3136),
        _groups("plane", 1024),
        _groups("half_plane", 2048, 448),
        positive=("variance",),
    ),
    _case(
        "rmsnorm_f16",
        4 * _M,
        _waves("wave", _ROWS),
        _groups("group", _ROWS, 128),
        _waves("rows2", _ROWS // 2),
    ),
    _case(
        "softmax_f16", 4 * _M, _waves("wave", _ROWS), _groups("group", _ROWS, 128), _waves("packed", _ROWS)
    ),
    _case("causal_softmax_f16", 8 * _M, _waves("wave", 8192), _groups("group", 8192, 128)),
    _case(
        "layernorm_f16",
        4 * _M,
        _waves("wave", _ROWS),
        _groups("group", _ROWS, 128),
        _waves("wave2", _ROWS // 2),
    ),
    _case(
        "layernorm_wide_f32",
        4 * _M,
        _groups("group", 1024),
        _groups("small", 1024, 128),
        _groups("large", 1024, 512),
        _groups("wave", 1024, 64),
    ),
    _case("residual_rmsnorm_bf16", 4 * _M, _waves("wave", _ROWS), _groups("group", _ROWS, 128)),
    _case("bias_gelu_f16", 4 * _M, _groups("lane", 2048), _groups("rows2", 1024)),
    _case("gelu_bf16", 4 * _M, _groups("lane", 2048), _groups("two", 1024)),
    _case("masked_fill_f16", 4 * _M, _groups("eight", 2048), _groups("sixteen", 1024), _groups("bits", 2048)),
    _case("transpose_f16", 4 * _M, _groups("tile", 1024), _groups("square", 1024, 64)),
    _case("nchw_to_nhwc_f16", 8 * 64 * 56 * 56, _groups("square", 98), _groups("tile", 392)),
    _case(
        "nhwc_to_nchw_f32",
        8 * 64 * 56 * 56,
        _groups("square", 392),
        _groups("pixels", 392),
        _groups("tile", 392),
    ),
    _case("split_heads_f16", 4 * _M, _groups("lane", 2048), _groups("four", 512), _groups("token", 2048)),
    _case("concat_channels_f16", 16 * 192 * 28 * 28, _groups("lane", 1176), _groups("copy", 16 * 21, 128)),
    _case("pad_image_f32", _M, _groups("lane", 1024), _groups("plane", 256)),
    _case("roll_f32", 4 * _M, _groups("lane", _ROWS), _groups("shifted", _ROWS)),
    _case("crop_f16", _ROWS * 1023, _groups("row", _ROWS, 128), _groups("lane", 2032)),
    _case("cumsum_rows_f32", 4 * _M, _groups("group", _ROWS), _waves("wave", _ROWS)),
    _case("argmax_long_f32", 4 * _M, _two("part", 1024, "last", 1, 64, 8192)),
    _case("logsumexp_long_f32", 4 * _M, _two("part", 1024, "last", 1, 64, 8192)),
    _case("quantise_rows_f16", 4 * _M, _waves("wave", _ROWS), _groups("group", _ROWS, 128)),
    _case(
        "column_sum_f16",
        4 * _M,
        _two("part", 256, "last", 64, GROUP_LANES, _M, first_lanes=128),
        _two("part32", 128, "last32", 64, GROUP_LANES, _M // 2, first_lanes=128),
    ),
    _case(
        "middle_sum_f32",
        4 * _M,
        _groups("one", 64, 1024),
        _two("part", 1024, "last", 4, GROUP_LANES, 1 << 18),
    ),
    _case("global_pool_f16", 32 * 512 * 49, _groups("two", 128), _groups("lane", 64)),
    _case("gate_softmax_f32", _M, _groups("lane", 256), _groups("four", 1024)),
    _case("adam_f32", _M, _groups("lane", 1024), _groups("two", 512), positive=("v",)),
    _case("groupnorm_f32", 2 * _M, _groups("group", 512), _groups("wave", 512, 64)),
    _case("upsample_nhwc_f16", 16 * 56 * 56 * 64, _groups("four", 392), _groups("lane", 1568)),
    _case("class_softmax_f32", 16 * 21 * 128 * 128, _groups("four", 256), _groups("two", 512)),
    _case("cosine_bf16", 4 * _M, _waves("wave", _ROWS), _groups("group", _ROWS, 128)),
    _case(
        "batchnorm_relu_nhwc_f16",
        16 * 56 * 56 * 64,
        _groups("one", 1568),
        _groups("four", 392),
        _groups("eight", 196),
        _groups("packed4", 392),
        _groups("packed8", 196),
        positive=("variance",),
    ),
)
