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


_ROWS, _M = 4096, 1 << 20

EVERYDAY: tuple[Case, ...] = (
    _case("avg_pool_nhwc_f16", 8 * 112 * 112 * 64, _groups("lane", 784), _groups("row", 448, 448)),
    _case("avg_pool_nchw_f32", 8 * 64 * 112 * 112, _groups("four", 1568), _groups("two", 3136)),
    _case("rope_f16", 4 * _M, _groups("lane", 1024), _groups("token", 2048, 128), _groups("heads", 512)),
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
        replace(_groups("sum", 256), then=(_groups("scan", 256),), scratch=1024),
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
)
