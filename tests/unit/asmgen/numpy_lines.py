"""One-liners of numpy's, and examples of numpy's documentation: a name, the function and its arguments.

Each is called by numpy and compiled, and the results are compared. Most sizes are tiny: the tests look at the
ops that a function becomes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Line = tuple[str, Callable[..., Any], tuple[Any, ...]]

_RANDOM = np.random.default_rng(24)
X = _RANDOM.normal(0, 2, (4, 6)).astype(np.float32)
Y = _RANDOM.normal(0, 2, (4, 6)).astype(np.float32)
V = _RANDOM.normal(0, 2, 6).astype(np.float32)
P = np.abs(X) + np.float32(0.5)
W = _RANDOM.integers(-9, 10, (4, 6)).astype(np.int32)
J = _RANDOM.integers(1, 9, (4, 6)).astype(np.int32)
K = np.array([2, 0, -1], np.int64)
B = X > 0
N = np.where(X > 1, np.float32(np.nan), X)
D = np.array([1.0, 2.0, 4.0, 7.0, 11.0, 16.0])
M = np.arange(9).reshape(3, 3)
S = np.arange(1, 4)
EVEN = np.linspace(-1.5, 2, 24)
MANY = np.sort(_RANDOM.normal(0, 2, 300))
ENDS = np.concatenate([X[0], EVEN, MANY[::30], [np.inf, -np.inf, np.nan, 1e30]]).astype(np.float32)

SLIDING = np.lib.stride_tricks.sliding_window_view
COUNTS = np.tile(np.arange(-1, 10, dtype=np.int8), 4)
WIDE = np.array([-(2**63), 2**63 - 1, -1, -7, -8, -9, 0, 7, 8, 9, 2**40 + 5, -(2**40) - 5])
BYTES = np.array([[3, 128, 255], [7, 0, 90]], np.uint8)
HALVES = np.array([[1, 0, 2], [0, 5, 3], [-3, 3, 1]], np.int64)


def _put(x: Any, i: Any) -> Any:
    x = x.copy()
    np.put(x, i, [7, 8])
    np.put(x, 99, -1, mode="clip")
    np.put_along_axis(x, np.argmin(x, axis=1, keepdims=True), 50, axis=1)
    return x


def _write_row(x: Any) -> Any:
    x = x.copy()
    x[1] = 0
    return x


def _write_slices(x: Any, y: Any) -> Any:
    x = x.copy()
    x[1:3, ::2] = y[:2, 1::2]
    x[-1, 1:] += 5
    return x


def _write_mask(x: Any) -> Any:
    x = x.copy()
    x[x < 0] = 0
    x[x > 1] *= 2
    return x


def _write_rows(x: Any, k: Any) -> Any:
    x = x.copy()
    x[k] = -1
    return x


def _one_hot(k: Any) -> Any:
    x = np.zeros((3, 4)) + k[:, None] * 0
    x[np.arange(3), k] = 1
    return x


def _augmented(x: Any, y: Any) -> Any:
    z = x + 0
    z += y
    z *= 2
    z -= 1
    z /= 3
    return z


def _views(x: Any) -> Any:
    x = x.copy()
    row, turned = x[0], x.T
    row *= 2
    turned[1] = 7
    x += 1
    return x, row, turned


def _loop(x: Any) -> Any:
    total = x[0] * 0
    for row in x:
        total = total * 2 + row
    return total


LINES: list[Line] = [
    # shapes, joins and moves
    ("cumsum", np.cumsum, (X,)),
    ("cumsum axis", lambda x: np.cumsum(x, axis=0), (W,)),
    ("pad", lambda x: np.pad(x, 1), (X,)),
    ("pad widths", lambda x: np.pad(x, ((1, 2), (0, 3)), constant_values=7), (W,)),
    ("pad edge", lambda x: np.pad(x, (2, 1), mode="edge"), (V,)),
    ("pad reflect", lambda x: (np.pad(x, 2, "reflect"), np.pad(x, 8, "reflect")), (V,)),
    ("pad edges", lambda x: (np.pad(x, ((0, 0), (2, 1)), "edge"), np.pad(x[:, :0], ((1, 0), (0, 0)), "edge")), (X,)),
    ("pad symmetric", lambda x: np.pad(x, 2, mode="symmetric"), (V,)),
    ("pad wrap", lambda x: np.pad(x, (2, 3), mode="wrap"), (V,)),
    ("stack", lambda x, y: np.stack([x, y]), (X, Y)),
    ("stack last", lambda x, y: np.stack((x, y), axis=-1), (X, Y)),
    ("hstack", lambda x, y: np.hstack([x, y]), (X, Y)),
    ("vstack", lambda x, v: np.vstack([x, v]), (X, V)),
    ("dstack", lambda x, y: np.dstack((x, y)), (X, Y)),
    ("column_stack", lambda v, w: np.column_stack((v, w)), (V, D.astype(np.float32))),
    ("concatenate none", lambda x, v: np.concatenate([x, v], axis=None), (X, V)),
    ("split", lambda x: tuple(np.split(x, 2)), (X,)),
    ("array_split", lambda x: tuple(np.array_split(x, 4, axis=1)), (X,)),
    ("hsplit", lambda x: tuple(np.hsplit(x, [2, 5])), (X,)),
    ("take", lambda x, k: np.take(x, k, axis=1), (X, K)),
    ("take flat", lambda x: np.take(x, [0, 5, -1]), (X,)),
    ("take_along_axis", lambda x, i: np.take_along_axis(x, i, axis=1), (X, np.argsort(X, 1)[:, :2])),
    ("roll", lambda x: np.roll(x, 2), (X,)),
    ("roll axis", lambda x: np.roll(x, -1, axis=1), (X,)),
    ("roll axes", lambda x: np.roll(x, (1, 2), axis=(0, 1)), (X,)),
    ("flip", np.flip, (X,)),
    ("reversed", lambda x: x[::-1], (X,)),
    ("reversed steps", lambda x: x[:, ::-2], (X,)),
    ("fliplr", np.fliplr, (X,)),
    ("rot90", np.rot90, (X,)),
    ("rot90 3", lambda x: np.rot90(x, 3), (X,)),
    ("repeat", lambda x: np.repeat(x, 2, axis=1), (X,)),
    ("repeat each", lambda v: np.repeat(v, [1, 0, 2, 1, 0, 1]), (V,)),
    ("tile", lambda x: np.tile(x, (2, 3)), (X,)),
    ("moveaxis", lambda x: np.moveaxis(x.reshape(2, 2, 6), 0, -1), (X,)),
    ("swapaxes", lambda x: np.swapaxes(x, 0, 1), (X,)),
    ("expand squeeze", lambda x: np.squeeze(np.expand_dims(x, (0, 2))), (X,)),
    ("broadcast_to", lambda v: np.broadcast_to(v, (3, 6)), (V,)),
    ("tril", lambda x: np.tril(x, -1), (X,)),
    ("triu", np.triu, (W,)),
    ("diag of vector", lambda v: np.diag(v, 1), (V,)),
    ("diag of matrix", np.diag, (X,)),
    ("trace", np.trace, (X,)),
    ("append", lambda v: np.append(v, 3.0), (V,)),
    ("insert", lambda v: np.insert(v, 2, 9), (V,)),
    ("delete", lambda x: np.delete(x, 1, axis=0), (X,)),
    ("meshgrid", lambda v, w: tuple(np.meshgrid(v, w)), (V, D[:3])),
    ("atleast_2d", np.atleast_2d, (V,)),
    ("outer", np.outer, (V, V[:3])),
    ("ravel F", lambda x: x.ravel(order="F"), (X,)),
    ("flatten", lambda x: x.T.flatten(), (X,)),
    # sorting and places
    ("sort", np.sort, (X,)),
    ("sort axis", lambda x: np.sort(x, axis=0), (W,)),
    ("sort nan", np.sort, (N,)),
    ("argsort", lambda x: np.argsort(x, axis=-1), (X,)),
    ("argsort stable", lambda x: np.argsort(x, kind="stable"), (J,)),
    ("median", np.median, (X,)),
    ("median axis", lambda x: np.median(x, axis=1), (W,)),
    ("percentile", lambda x: np.percentile(x, [25, 50, 75], axis=1), (X,)),
    ("searchsorted", lambda v: np.searchsorted(D, v), (np.array([0.0, 4.0, 5.0, 20.0]),)),
    ("digitize", lambda v: np.digitize(v, D), (np.array([0.0, 4.0, 5.0, 20.0]),)),
    ("argmax", np.argmax, (X,)),
    ("argmin axis", lambda x: x.argmin(axis=1), (X,)),
    ("isin", lambda x: np.isin(x, [1, 2, 3]), (W,)),
    # indices
    ("x[i]", lambda x, k: x[k], (X, K)),
    ("x[:, i]", lambda x, k: x[:, k], (X, K)),
    ("x[i, j]", lambda x, k: x[k, k + 1], (X, K)),
    ("a diagonal of no columns", lambda x, i: (np.diagonal(x), x[:, None][i, i * 0]), (X[:, :0], K)),
    ("x[list]", lambda x: x[[0, 2]], (X,)),
    ("x[..., i, None]", lambda x, k: x[..., k, None], (X, K)),
    ("x[known mask]", lambda v: v[np.array([True, False, True, True, False, False])], (V,)),
    ("x[mask].sum", lambda x: x[x > 0].sum(), (X,)),
    ("x[mask].mean", lambda x: x[x > 0].mean(), (X,)),
    ("x[mask].max", lambda x: x[x < 0].max(), (X,)),
    ("where", lambda x: np.where(x > 0, x, 0), (X,)),
    ("where numbers", lambda x: np.where(x > 0, 1.0, -1.0), (X,)),
    ("write row", _write_row, (X,)),
    ("write slices", _write_slices, (X, Y)),
    ("write mask", _write_mask, (X,)),
    ("write rows", _write_rows, (X, K)),
    ("one hot", _one_hot, (np.array([2, 0, 3]),)),
    ("augmented", _augmented, (X, Y)),
    ("views", _views, (X,)),
    # types
    ("i32 + f32", lambda i, x: i + x, (W, X)),
    ("i32 / i32", lambda i, j: i / j, (W, J)),
    ("i32 // i32", lambda i, j: i // j, (W, J)),
    ("f32 // f32", lambda x, y: x // y, (X, Y)),
    ("divmod", divmod, (W, J)),
    ("divmod number", lambda x: divmod(x, 0.75), (X,)),
    ("i32 % 3", lambda i: i % 3, (W,)),
    ("i32 << 2", lambda i: i << 2, (W,)),
    ("i32 >> 1", lambda i: i >> 1, (W,)),
    ("shifts", lambda i, j: (i << j, i >> j, j.astype(np.uint8) >> 1), (W, J)),
    ("bits", lambda i, j: (i & j, i | j, i ^ j, ~i), (W, J)),
    ("sum of i32", lambda i: i.sum(axis=0), (W,)),
    ("mean of i32", lambda i: i.mean(), (W,)),
    ("sqrt of i32", np.sqrt, (J,)),
    ("bool + bool", lambda b: b + ~b, (B,)),
    ("bool sum", lambda b: b.sum(1), (B,)),
    ("float64 scalar", lambda x: x * np.float64(2), (X,)),
    ("i32 * 0.5", lambda i: i * 0.5, (W,)),
    ("u8 + i8", lambda i: i.astype(np.uint8) + i.astype(np.int8), (W,)),
    ("round 2", lambda x: np.round(x, 2), (X,)),
    ("astype", lambda x: x.astype(int), (X,)),
    # statistics
    ("std ddof", lambda x: np.std(x, axis=0, ddof=1), (X,)),
    ("var", np.var, (X,)),
    ("ptp", lambda x: np.ptp(x, axis=1), (X,)),
    ("average", lambda x, w: np.average(x, axis=1, weights=w), (X, np.abs(V))),
    ("all any", lambda b: (np.all(b, axis=0), np.any(b, axis=1), np.count_nonzero(b)), (B,)),
    ("nansum", lambda x: (np.nansum(x), np.nanmax(x, axis=1), np.nanmean(x, axis=0)), (N,)),
    ("nan_to_num", lambda x: np.nan_to_num(x, nan=1.5), (N,)),
    ("isnan", lambda x: (np.isnan(x), np.isfinite(x), np.isinf(x)), (N,)),
    ("norm", lambda x: (np.linalg.norm(x), np.linalg.norm(x, axis=1), np.linalg.norm(x, 1, axis=0)), (X,)),
    ("diff", lambda x: (np.diff(x), np.diff(x, axis=0), np.diff(x, n=2)), (X,)),
    ("gradient", np.gradient, (V,)),
    ("trapezoid", lambda v: np.trapezoid(v, dx=0.5), (V,)),
    ("convolve", lambda v: (np.convolve(v, [1, 0, -1]), np.convolve(v, [1, 2, 1], "same")), (V,)),
    ("interp", lambda v: np.interp(v, [0.0, 1.0, 2.0], [3.0, 1.0, 5.0]), (D / 4,)),
    ("cumprod", lambda x: x.cumprod(axis=1), (X,)),
    ("accumulate of bools", lambda b, w: (np.maximum.accumulate(b, axis=1), np.logical_and.accumulate(w, axis=1)), (B, W)),
    ("maximum accumulate", lambda x: np.maximum.accumulate(x, axis=1), (X,)),
    ("add reduce", lambda x: np.add.reduce(x, axis=1), (X,)),
    ("multiply outer", lambda v: np.multiply.outer(v, v), (V,)),
    # functions
    ("exp2 log10", lambda p: (np.exp2(p), np.log10(p), np.log2(p), np.log1p(p), np.expm1(p)), (P,)),
    ("cbrt", np.cbrt, (X,)),
    ("hypot arctan2", lambda x, y: (np.hypot(x, y), np.arctan2(x, y)), (X, Y)),
    ("degrees", lambda x: (np.degrees(x), np.deg2rad(x)), (X,)),
    ("sinc", np.sinc, (X,)),
    ("heaviside", lambda x: np.heaviside(x, 0.5), (X,)),
    ("copysign", np.copysign, (X, Y)),
    ("trunc fix", lambda x: (np.trunc(x), np.rint(x)), (X,)),
    ("logaddexp", np.logaddexp, (X, Y)),
    ("ldexp of the ends", lambda x: np.ldexp(x, [999, -999, 250, -260, -3, 276]), (np.array([0, np.inf, 1e-38, 3e38, 1.7e-38, 1e-45], np.float32),)),
    ("ldexp of f16", np.ldexp, (np.array([6e-8, 60000, 1], np.float16), np.array([39, -38, -24], np.int32))),
    ("select", lambda x: np.select([x < -1, x > 1], [x, x * 2], 9), (X,)),
    ("piecewise", lambda x: np.piecewise(x, [x < 0, x >= 0], [lambda v: -v, lambda v: v * 2]), (X,)),
    ("clip", lambda x: np.clip(x, -1, 1), (W,)),
    ("isclose", lambda x: np.isclose(x, x + np.float32(1e-7)), (X,)),
    ("modf", np.modf, (X,)),
    ("signbit", np.signbit, (X,)),
    ("fmax", np.fmax, (N, Y)),
    ("maximum nan", np.maximum, (N, Y)),
    # products of rows, and what moves alone
    ("dot of vectors", lambda v: np.dot(v, v), (V,)),
    ("matrix times vector", lambda x, v: x @ v, (X, V)),
    ("inner", lambda v: np.inner(v, v), (V,)),
    ("einsum transpose", lambda x: np.einsum("ij->ji", x), (X,)),
    ("einsum diagonal", lambda m: np.einsum("ii->i", m), (M,)),
    ("einsum row sums", lambda x, v: np.einsum("ij,j->i", x, v), (X, V)),
    ("kron", lambda v: np.kron(v, np.ones(2)), (V[:3],)),
    ("cross", lambda s: np.cross(s, s[::-1]), (S,)),
    ("matvec", lambda x, v: (np.matvec(x, v), np.vecmat(v[:4], x)), (X, V)),
    ("linalg trace", lambda x: (np.linalg.trace(x), np.linalg.diagonal(x)), (X,)),
    ("array_equiv", lambda x: np.array_equiv(x, x[0]), (X,)),
    ("linspace", lambda v: np.linspace(v[0], v[1], 5), (D,)),
    ("loop", _loop, (X,)),
    ("softmax", lambda x: np.exp(x - x.max(-1, keepdims=True)) / np.exp(x - x.max(-1, keepdims=True)).sum(-1, keepdims=True), (X,)),
    ("shifts by counts", lambda x, n: (x << n, x >> n), (np.repeat(np.array([-128, -3, 77, 127], np.int8), 11), COUNTS)),
    ("shifts by u64", lambda n: (np.uint64(3) << n, np.uint64(2**63 + 9) >> n), (np.array([0, 1, 31, 32, 33, 62, 63, 64], np.uint64),)),
    ("bitwise_count", lambda w, b: (np.bitwise_count(w), np.bitwise_count(b), np.bitwise_count(w > 0)), (W, BYTES)),
    ("power 0", lambda n, w: (n**0, w**0), (N, W)),
    ("unwrap whole", lambda x: np.unwrap(x, period=5), (np.array([0, 3, 6, 1, 4, -2, 3, 1], np.int32),)),
    ("windows", lambda x: (SLIDING(x, 3, axis=1).mean(-1), SLIDING(x, (2, 3)), SLIDING(x[0], (2, 3), axis=(0, 0))), (X,)),
    ("searchsorted sorter", lambda d: np.searchsorted(d, [-1, 3.0, 99], sorter=np.argsort(d)), (D[::-1].copy(),)),
    ("lexsort", lambda a, b: np.lexsort((a, b)), (np.array([9, 4, 0, 4, 0, 2, 1]), np.array([1, 5, 1, 4, 3, 4, 4]))),
    ("histogram", lambda x: (*np.histogram(x, bins=4, range=(-2, 2)), np.histogram(x, [-1, 0, 0.5])[0]), (N,)),
    ("places among even edges", lambda v: (np.searchsorted(EVEN, v), np.digitize(v, EVEN), np.interp(v, EVEN, EVEN**2)), (ENDS,)),
    ("places among many edges", lambda v: (np.searchsorted(MANY, v), np.digitize(v, MANY)), (ENDS,)),
    ("places among falling edges", lambda v: (np.digitize(v, [2, -1, -1, -3]), np.digitize(v, [9, 2, 0], right=True)), (ENDS,)),
    ("places of bytes", lambda b: (np.digitize(b, [3, 9.5, 77]), np.digitize(b.view(np.int8), [50, 0, -7])), (BYTES,)),
    ("histograms", lambda v: (np.histogram(v, EVEN)[0], np.histogram(v, MANY)[0]), (ENDS,)),
    ("histogram of bytes", lambda b: np.histogram(b, bins=256, range=(0, 256)), (BYTES,)),
    ("put", _put, (W, np.array([3, -1]))),
    ("packbits", lambda b: (np.packbits(b & 1, axis=1), np.packbits(b > 9, bitorder="little"), np.packbits(b, axis=0)), (BYTES,)),
    ("unpackbits", lambda b: (np.unpackbits(b, axis=1, count=-3), np.unpackbits(b, axis=0, bitorder="little"), np.unpackbits(b, count=50)), (BYTES,)),
    ("std where", lambda x, b: (np.std(x, axis=1, where=b), x.var(where=b, ddof=1)), (X, B)),
    ("insert several", lambda h: (np.insert(h, [2, -1, 2], 9, axis=1), np.insert(h, [1], [7, 8]), np.insert(h, slice(2, 4), [5, 6])), (HALVES,)),
    ("interp period", lambda x: np.interp(x, [190, -190, 350, -350], [5, 10, 3, 4], period=360), (np.array([-180.0, 185, -5, 365]),)),
    ("gradient of coordinates", lambda m: np.gradient(m, 2.0, [1.0, 1.5, 3.5]), (M,)),
    ("quantiles of f32", lambda x: (np.percentile(x, [10, 90], axis=1), np.quantile(x, 0.3), np.quantile(x, np.float64(0.3))), (X,)),
    ("quantiles that are elements", lambda w: (np.quantile(w, [0.1, 0.7], method="lower"), np.percentile(w, 29, method="nearest")), (W,)),
    ("quantiles 0 and 1", lambda w: np.quantile(w, [0, 1]), (W,)),
    ("median of infinities", lambda x: np.median(x, 1), (np.array([[np.inf, np.inf, 1, np.inf], [-np.inf, 1, 2, -np.inf]], np.float32),)),
    ("choose of f32", lambda k, v: (np.choose(k, [v[:3], 1]), np.choose(k, [5, v[3:], v[:3]], mode="wrap")), (K % 2, V)),
    ("i64 by powers of 2", lambda x: (x // 8, x >> 3, x // 1, x // 2**62, x // -16, x >> 40, x % 32, x >> 63), (WIDE,)),
    ("u64 by powers of 2", lambda x: (x // 8, x >> 3, x // 1, x // 2**63, x >> 63, x % 32), (WIDE.astype(np.uint64),)),
]  # fmt: skip
