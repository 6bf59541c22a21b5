"""The compared programs, each with other compilers' kernels for the same task.

Both sides of a row have the same contract: the same error bound, the same checks of indices, the same sizes.
clang's kernels use the hardware's exp2, rcp and rsq, so they are compared with ours under fast math. Triton's
kernels guard exp and divide exactly, as ours do by default; tools/peers.json has their figures by the title
of a case. gelu and gelu_erf are compared with both, since ours are exact enough without a guard.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from asmgen.kernels import CATALOGUE

_ROWS = 4096  # of 1024 elements, with a workgroup of 256 lanes for each
GROUP_LANES = 256  # of clang's kernels
_MILLION = 1 << 20  # elements, four for each lane


class ClangKernel(Struct, frozen=True):
    """A kernel of a file of tools/clang-kernels, and its launch.

    `groups`: the workgroups. `waves`, if not 0: the number of waves instead, in workgroups of `lanes` lanes
    for any wave size. `offsets`: use 32-bit offsets from a scalar base (-DOFF32), as an expert writes;
    without them clang sometimes makes less code. `scalars`: arguments after the buffers. `kernel`: its name
    in the file, by default the file's. `then`: launches that follow. `scratch`: the bytes of a buffer after
    the others, for results that a launch leaves to the next."""

    source: str
    groups: tuple[int, int, int]
    offsets: bool = True
    scalars: tuple[float, ...] = ()
    waves: int = 0
    kernel: str = ""
    lanes: int = GROUP_LANES
    then: tuple[ClangKernel, ...] = ()
    scratch: int = 0

    def grid(self, wave_size: int) -> tuple[int, int, int]:
        """The workgroups of its launch."""
        return (self.waves * wave_size // self.lanes, 1, 1) if self.waves else self.groups

    @property
    def entry(self) -> str:
        """The kernel's name in the code object."""
        return self.kernel or self.source

    @property
    def name(self) -> str:
        shown = f"clang {self.kernel or self.source}" + "".join(f", {kernel.entry}" for kernel in self.then)
        return shown + ("" if self.offsets else " (64-bit)")


class Case(Struct, frozen=True):
    """A program as gen text, and clang's kernels for it. `elements` is the size of its largest tensor.
    `reduces` is true for the reductions, norms, pads, concats, reversals and transposes, which enter the
    geometric mean.
    `most`, if not 0: the number of values that an argument of i32 has, which are indices from 0. `positive`:
    the parameters without negative numbers."""

    name: str
    text: str
    elements: int
    peers: tuple[ClangKernel, ...]
    fast_math: bool = False
    reduces: bool = True
    large: bool = False
    most: int = 0
    positive: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Its name in the table: a program that is compared with and without fast math has two rows."""
        return f"{self.name}, fast math" if self.fast_math and self.name in CATALOGUE else self.name


def _of_catalogue(name: str) -> str:
    kernel = CATALOGUE[name]
    return kernel.text(kernel.settings(()))


def _vectors(
    source: str, groups: int = _MILLION // 1024, scalars: tuple[float, ...] = ()
) -> tuple[ClangKernel, ClangKernel]:
    """A kernel with both kinds of addresses."""
    first = ClangKernel(source, (groups, 1, 1), scalars=scalars)
    return first, replace(first, offsets=False)


def _waves(source: str) -> tuple[ClangKernel, ClangKernel]:
    """A kernel with a wave for each row."""
    first = ClangKernel(source, (0, 0, 0), waves=_ROWS)
    return first, replace(first, offsets=False)


def _rows(source: str) -> tuple[ClangKernel, ClangKernel]:
    return _vectors(source, _ROWS)


def _pointwise(name: str, clang: tuple[ClangKernel, ...]) -> Case:
    return Case(name, _of_catalogue(name), _MILLION, clang, reduces=False)


_N, _MATRIX = f"{{{_MILLION}}}", f"f32, {{{_ROWS},1024}}"
_PAD = f"""
    x = @param:x -> f32, {{{_MILLION - 1000}}}
    y = @param:y -> f32, {_N}
    p = pad[pads={{300,700}}](x)
    o = add(p, y)
    @return(o)
"""
_CONCAT = f"""
    a = @param:a -> f32, {{600000}}
    b = @param:b -> f32, {{{_MILLION - 600000}}}
    c = @param:c -> f32, {_N}
    both = concat[axis=0](a, b)
    o = add(both, c)
    @return(o)
"""
_TRANSPOSE = """
    x = @param:x -> f32, {4096,4096}
    o = transpose[permutation={1,0}](x)
    @return(o)
"""
_LONG_COLUMNS = """
    x = @param:x -> f16, {8192,50257}
    wide = convert[target_type=f32](x)
    o = reduce_sum[axes=0](wide)
    @return(o)
"""
_MEAN_VARIANCE = f"""
    x = @param:x -> {_MATRIX}
    m = reduce_mean[axes=1](x)
    d = sub(x, m)
    dd = mul(d, d)
    v = reduce_mean[axes=1](dd)
    @return(m, v)
"""
_REVERSE_SUM = f"""
    x = @param:x -> {_MATRIX}
    y = @param:y -> {_MATRIX}
    r = reverse[axes=1](x)
    s = add(r, y)
    o = reduce_sum[axes=1](s)
    @return(o)
"""
_PAD_SUM = f"""
    x = @param:x -> f32, {{{_ROWS},1016}}
    y = @param:y -> {_MATRIX}
    p = pad[pads={{0,4,0,4}}](x)
    s = mul(p, y)
    o = reduce_sum[axes=1](s)
    @return(o)
"""
_CONCAT_SUM = f"""
    a = @param:a -> f32, {{{_ROWS},512}}
    b = @param:b -> f32, {{{_ROWS},512}}
    c = concat[axis=1](a, b)
    o = reduce_sum[axes=1](c)
    @return(o)
"""
_ROW_ELEMENTS = _ROWS * 1024


def _of_rows(name: str, peers: tuple[ClangKernel, ...], fast_math: bool = False, text: str = "") -> Case:
    return Case(name, text or _of_catalogue(name), _ROW_ELEMENTS, peers, fast_math)


CASES: tuple[Case, ...] = (
    _pointwise("vecadd", _vectors("vecadd_v4")),
    _pointwise("relu", _vectors("relu_v4")),
    _pointwise("muladd", _vectors("muladd_v4", scalars=(2.0, 4.0))),
    _pointwise("gelu", _vectors("gelu_tanh_v4")),
    _pointwise("gelu_erf", _vectors("gelu_erf")),
    _of_rows("row_sum", (*_rows("row_sum"), *_waves("row_sum_wave"))),
    _of_rows("row_max", _rows("row_max")),
    _of_rows("argmax", _rows("argmax")),
    _of_rows("mean_variance", _rows("row_mean_variance"), text=_MEAN_VARIANCE),
    _of_rows("softmax", ()),
    _of_rows("softmax", _rows("softmax"), True),
    _of_rows("log_softmax", _rows("log_softmax"), True),
    _of_rows("layernorm", ()),
    _of_rows("layernorm", _rows("layernorm"), True),
    _of_rows("rmsnorm", ()),
    _of_rows("rmsnorm", _rows("rmsnorm"), True),
    _of_rows("reverse_sum", _rows("reverse_row_sum"), text=_REVERSE_SUM),
    _of_rows("pad_sum", _rows("pad_row_sum"), text=_PAD_SUM),
    _of_rows("concat_sum", _rows("concat_row_sum"), text=_CONCAT_SUM),
    Case("full_sum", _of_catalogue("full_sum"), _MILLION, _vectors("full_sum", 256)),
    Case("dot_product", _of_catalogue("dot_product"), _MILLION, _vectors("dot", 256)),
    Case("col_sum", _of_catalogue("col_sum"), _ROW_ELEMENTS, _vectors("col_sum_v4", _ROWS // 16)),
    Case(
        "col_sum f16",
        _LONG_COLUMNS,
        8192 * 50257,
        (ClangKernel("col_sum", (197, 32, 1), False),),
        large=True,
    ),
    Case(
        "transpose",
        _TRANSPOSE,
        1 << 24,
        (*_vectors("transpose_v4", 4096), *_vectors("transpose", 16384)),
    ),
    Case("pad_add", _PAD, _MILLION, _vectors("pad_add_v4")),
    Case("concat_add", _CONCAT, _MILLION, _vectors("concat_add_v4")),
    Case(
        "reverse_add",
        _of_catalogue("reverse_add"),
        _MILLION,
        _vectors("reverse_add_v4"),
    ),
    Case("gather_add", _of_catalogue("gather_add"), _MILLION, _vectors("gather_add_bounded"), reduces=False),
)
