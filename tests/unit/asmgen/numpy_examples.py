"""Examples of numpy's documentation, and functions of a first hour with it: a name, the function and its
arguments."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.unit.asmgen.numpy_lines import Line

A = np.array
X = np.arange(12.0).reshape(3, 4)
XF = X.astype(np.float32) - 5


def in_place(x: Any) -> Any:
    x = x.copy()
    x += 1
    x[:, 0] = 0
    x[0] *= 2
    return x


def into_out(x: Any) -> Any:
    y = np.empty_like(x)
    np.add(x, 1, out=y)
    return y


def where_and_out(x: Any) -> Any:
    y = np.zeros_like(x)
    np.log(x, out=y, where=x > 0)
    return y


def swap_rows(x: Any) -> Any:
    x = x.copy()
    x[[0, 2]] = x[[2, 0]]
    return x


def fill_inside(x: Any) -> Any:
    y = np.ones_like(x)
    y[1:-1, 1:-1] = 0
    return y


def fill_diagonal(x: Any) -> Any:
    x = x.copy()
    np.fill_diagonal(x, 5)
    return x


def neighbours(x: Any) -> Any:
    n = np.zeros(x.shape, int)
    n = n + 0 * x
    n[1:] += x[:-1]
    n[:-1] += x[1:]
    return n


EXAMPLES: list[Line] = [
    ("abs", np.absolute, (A([-1.2, 1.2]),)),
    ("add doc", np.add, (np.arange(9.0).reshape(3, 3), np.arange(3.0))),
    ("sub", np.subtract, (np.arange(9.0).reshape(3, 3), np.arange(3.0))),
    ("mod neg", lambda x: np.remainder(x, 3), (A([-3, -2, -1, 1, 2, 3]),)),
    ("remainder", lambda x: np.remainder(x, [2, 3]), (A([4, 7]),)),
    ("fmod", lambda x: np.fmod(x, 2), (A([-3, -2, -1, 1, 2, 3]),)),
    ("divmod doc", lambda x: np.divmod(x, 3), (np.arange(5),)),
    ("floordiv", lambda x: np.floor_divide(x, 2.5), (A([1.0, 2.0, 3.0, 4.0]),)),
    ("power", lambda x: np.power(x, 3), (np.arange(6),)),
    ("power f", lambda x: np.power(x, [1.0, 2.0, 3.0, 3.0, 2.0, 1.0]), (np.arange(6),)),
    ("float_power", lambda x: np.float_power(x, 3), (np.arange(6),)),
    ("fmax doc", lambda x: np.fmax(x, [1, 5, 2]), (A([2, 3, 4]),)),
    ("maximum nan", lambda x: np.maximum(x, [0, np.nan, np.nan]), (A([np.nan, 0, np.nan]),)),
    ("fmin nan", lambda x: np.fmin(x, [0, np.nan, np.nan]), (A([np.nan, 0, np.nan]),)),
    ("max nan", np.max, (A([0.0, np.nan, 2.0]),)),
    ("argmax nan", np.argmax, (A([0.0, np.nan, 2.0]),)),
    ("nanargmin", lambda x: np.nanargmin(x, axis=0), (A([[np.nan, 4], [2, 3]]),)),
    ("sign", np.sign, (A([-5.0, 4.5, 0.0]),)),
    ("heav", lambda x: np.heaviside(x, 0.5), (A([-1.5, 0, 2.0]),)),
    ("bitand", lambda x: np.bitwise_and(x, [13, 17]), (A([11, 7]),)),
    ("bitor", lambda x: np.bitwise_or(x, A([4, 4, 4, 2147483647], dtype=np.int32)), (A([2, 5, 255, 2147483647], dtype=np.int32),)),
    ("xor", lambda x: np.bitwise_xor(x, 5), (A([31, 3]),)),
    ("invert u8", np.invert, (A([13], dtype=np.uint8),)),
    ("lshift", lambda x: np.left_shift(5, x), (A([1, 2, 3]),)),
    ("rshift", lambda x: np.right_shift(10, x), (A([1, 2, 3]),)),
    ("logical", lambda x: np.logical_and(x > 1, x < 4), (np.arange(5),)),
    ("logical num", lambda x: np.logical_or(x, [0, 1, 0, 0, 0]), (np.arange(5),)),
    ("not num", np.logical_not, (np.arange(5),)),
    ("isfinite", np.isfinite, (A([np.log(2), np.nan, -np.inf]),)),
    ("ldexp", lambda x: np.ldexp(5.0, x), (np.arange(4),)),
    ("nextafter", np.trunc, (A([-1.7, -1.5, -0.2, 0.2, 1.5, 1.7, 2.0]),)),
    ("rint", np.rint, (A([-1.7, -1.5, -0.2, 0.2, 1.5, 1.7, 2.0]),)),
    ("ceil", np.ceil, (A([-1.7, -1.5, -0.2, 0.2, 1.5, 1.7, 2.0]),)),
    ("round doc", lambda x: np.round(x, decimals=1), (A([0.37, 1.64]),)),
    ("round int", lambda x: np.round(x, decimals=-1), (A([1, 2, 3, 11]),)),
    ("hypot", lambda x: np.hypot(x, [4, 4, 4]), (3 * np.ones((3, 3)),)),
    ("arctan2", lambda x, y: np.arctan2(y, x) * 180 / np.pi, (A([-1, +1, +1, -1]), A([-1, -1, +1, +1]))),
    ("sinh", np.sinh, (A([0.1, 1, -2]),)),
    ("tan", np.tan, (A([-np.pi, np.pi / 2, np.pi / 3]),)),
    ("deg", np.rad2deg, (A([np.pi / 2]),)),
    ("logaddexp2", lambda x: np.logaddexp2(x, np.log2(2.5e-50)), (A([np.log2(1e-50)]),)),
    ("sum doc", lambda x: np.sum(x, axis=1), (A([[0, 1], [0, 5]]),)),
    ("sum where", lambda x: np.sum(x, where=[False, True], axis=1), (A([[0, 1], [np.nan, 5]]),)),
    ("sum initial", lambda x: np.sum(x, initial=5), (A([10]),)),
    ("prod", lambda x: np.prod(x, axis=1), (A([[1.0, 2.0], [3.0, 4.0]]),)),
    ("cumsum", lambda x: np.cumsum(x, axis=1), (A([[1, 2, 3], [4, 5, 6]]),)),
    ("diff", lambda x: np.diff(x, n=2), (A([1, 2, 4, 7, 0]),)),
    ("diff pre", lambda x: np.diff(x, prepend=0), (A([1, 2, 4, 7, 0]),)),
    ("ediff1d", lambda x: np.ediff1d(x, to_begin=-99, to_end=A([88, 99])), (A([1, 2, 4, 7, 0]),)),
    ("gradient", lambda x: np.gradient(x, 2), (A([1, 2, 4, 7, 11, 16], dtype=float),)),
    ("gradient2", np.gradient, (A([[1, 2, 6], [3, 4, 5]], dtype=float),)),
    ("cross", lambda x: np.cross(x, [4, 5, 6]), (A([1, 2, 3]),)),
    ("trapz", lambda y: np.trapezoid(y, x=[4, 6, 8]), (A([1, 2, 3]),)),
    ("convolve", lambda x: np.convolve(x, [0, 1, 0.5]), (A([1, 2, 3]),)),
    ("correlate", lambda x: np.correlate(x, [0, 1, 0.5], "full"), (A([1, 2, 3]),)),
    ("clip doc", lambda x: np.clip(x, [3, 4, 1, 1, 1, 4, 4, 4, 4, 4], 8), (np.arange(10),)),
    ("interp", lambda x: np.interp(x, [1, 2, 3], [3, 2, 0]), (A([0, 1, 1.5, 2.72, 3.14]),)),
    ("nan_to_num", np.nan_to_num, (A([np.inf, -np.inf, np.nan, -128, 128]),)),
    ("percentile", lambda x: np.percentile(x, 50, axis=0), (A([[10, 7, 4], [3, 2, 1]]),)),
    ("quantile kd", lambda x: np.quantile(x, 0.5, axis=1, keepdims=True), (A([[10, 7, 4], [3, 2, 1]]),)),
    ("median", lambda x: np.median(x, axis=1), (A([[10, 7, 4], [3, 2, 1]]),)),
    ("average", lambda x: np.average(x, axis=1, weights=[1.0 / 4, 3.0 / 4]), (np.arange(6).reshape(3, 2),)),
    ("average2", lambda x: np.average(x, weights=np.arange(10, 0, -1)), (np.arange(1, 11),)),
    ("std", lambda x: np.std(x, axis=0), (A([[1, 2], [3, 4]]),)),
    ("var", lambda x: np.var(x, axis=1), (A([[1, 2], [3, 4]]),)),
    ("nanstd", lambda x: np.nanstd(x, axis=0), (A([[1, np.nan], [3, 4]]),)),
    ("nanvar", np.nanvar, (A([[1, np.nan], [3, 4]]),)),
    ("ptp", lambda x: np.ptp(x, axis=1), (A([[4, 9, 2, 10], [6, 9, 7, 12]]),)),
    ("count_nonzero", lambda x: np.count_nonzero(x, axis=1, keepdims=True), (A([[0, 1, 7, 0], [3, 0, 2, 19]]),)),
    ("where doc", lambda x: np.where(x < 4, x, -1), (A([[0, 1, 2], [0, 2, 4], [0, 3, 6]]),)),
    ("where list", lambda c: np.where(c, [[1, 2], [3, 4]], [[9, 8], [7, 6]]), (A([[True, False], [True, True]]),)),
    ("where3", lambda x: np.where(x < 5, x, 10 * x), (np.arange(10),)),
    ("select", lambda x: np.select([x < 3, x > 3], [x, x**2], 42), (np.arange(6),)),
    ("choose", lambda x: np.choose(x, [[0, 1, 2, 3], [10, 11, 12, 13], [20, 21, 22, 23], [30, 31, 32, 33]]), (A([2, 3, 1, 0]),)),
    ("piecewise", lambda x: np.piecewise(x, [x < 0, x >= 0], [lambda v: v * 0 - 1, lambda v: v * 0 + 1]), (np.linspace(-2.5, 2.5, 6),)),
    ("take", lambda a: np.take(a, [0, 1, 4]), (A([4, 3, 5, 7, 6, 8]),)),
    ("take2", lambda a: np.take(a, [[0, 1], [2, 3]]), (A([4, 3, 5, 7, 6, 8]),)),
    ("tala", lambda a: np.take_along_axis(a, np.argsort(a, axis=1), axis=1), (A([[10, 30, 20], [60, 40, 50]]),)),
    ("argsort0", lambda a: np.argsort(a, axis=0), (A([[0, 3], [2, 2]]),)),
    ("sort none", lambda a: np.sort(a, axis=None), (A([[1, 4], [3, 1]]),)),
    ("partition", lambda a: np.partition(a, 4)[4], (A([7, 1, 7, 7, 1, 5, 7, 2, 3, 2, 6, 2, 3, 0]),)),
    ("searchsorted", lambda a: np.searchsorted(a, [-10, 20, 12, 13]), (A([11, 12, 13, 14, 15]),)),
    ("searchs right", lambda a: np.searchsorted(a, 13, side="right"), (A([11, 12, 13, 14, 15]),)),
    ("digitize", lambda x: np.digitize(x, A([0.0, 1.0, 2.5, 4.0, 10.0])), (A([0.2, 6.4, 3.0, 1.6]),)),
    ("roll2", lambda x: np.roll(x, (1, 1), axis=(1, 0)), (np.arange(10).reshape(2, 5),)),
    ("rot90", lambda x: np.rot90(x, 1, (1, 2)), (np.arange(8).reshape(2, 2, 2),)),
    ("tile", lambda a: np.tile(a, (2, 1, 2)), (A([0, 1, 2]),)),
    ("repeat", lambda x: np.repeat(x, [1, 2], axis=0), (A([[1, 2], [3, 4]]),)),
    ("pad doc", lambda a: np.pad(a, (2, 3), "constant", constant_values=(4, 6)), (A([1, 2, 3, 4, 5]),)),
    ("pad max", lambda a: np.pad(a, (2,), "maximum"), (A([1, 2, 3, 4, 5]),)),
    ("pad mean", lambda a: np.pad(a, (2,), "mean"), (A([1, 2, 3, 4, 5]),)),
    ("pad sym", lambda a: np.pad(a, (2, 3), "symmetric"), (A([1, 2, 3, 4, 5]),)),
    ("stack", lambda a, b: np.stack((a, b), axis=-1), (A([1, 2, 3]), A([4, 5, 6]))),
    ("vstack", lambda a, b: np.vstack((a, b)), (A([[1], [2], [3]]), A([[4], [5], [6]]))),
    ("concat T", lambda a, b: np.concatenate((a, b.T), axis=1), (A([[1, 2], [3, 4]]), A([[5, 6]]))),
    ("block", lambda a, b: np.block([[a, np.zeros((2, 3))], [np.ones((3, 2)), b]]), (np.eye(2) * 2, np.eye(3) * 3)),
    ("append", lambda a: np.append(a, [[7, 8, 9]], axis=0), (A([[1, 2, 3], [4, 5, 6]]),)),
    ("insert", lambda a: np.insert(a, 1, 5, axis=1), (A([[1, 1], [2, 2], [3, 3]]),)),
    ("delete", lambda a: np.delete(a, np.s_[::2], 1), (np.arange(1, 13).reshape(3, 4),)),
    ("split", lambda x: np.split(x, [3, 5, 6, 10]), (np.arange(8.0),)),
    ("array_split", lambda x: np.array_split(x, 3), (np.arange(8.0),)),
    ("hsplit", lambda x: np.hsplit(x, 2), (np.arange(16.0).reshape(4, 4),)),
    ("dsplit", lambda x: np.dsplit(x, 2), (np.arange(16.0).reshape(2, 2, 4),)),
    ("moveaxis", lambda x: np.moveaxis(x, [0, 1], [-1, -2]), (np.zeros((3, 4, 5)),)),
    ("rollaxis", lambda x: np.rollaxis(x, 3, 1), (np.ones((2, 3, 2, 2)),)),
    ("tril", lambda x: np.tril(x, -1), (np.arange(1, 13).reshape(4, 3),)),
    ("triu", lambda x: np.triu(x, -1), (np.arange(1, 13).reshape(4, 3),)),
    ("vander", lambda x: np.vander(x, 3), (A([1, 2, 3, 5]),)),
    ("diagflat", np.diagflat, (A([[1, 2], [3, 4]]),)),
    ("outer", lambda x: np.outer(np.ones((5,)), x), (np.linspace(-2, 2, 5),)),
    ("trace", np.trace, (np.arange(8).reshape(2, 2, 2),)),
    ("kron", lambda a: np.kron(a, [5, 6, 7]), (A([1, 10, 100]),)),
    ("vdot", np.vdot, (A([[1, 4], [5, 6]]), A([[4, 1], [2, 2]]))),
    ("inner", np.inner, (A([1, 2, 3]), A([0, 1, 0]))),
    ("einsum outer", lambda a, b: np.einsum("i,j", a, b), (np.arange(2) + 1, np.arange(5))),
    ("einsum sum", lambda a: np.einsum("ij->", a), (np.arange(6).reshape(2, 3),)),
    ("einsum ...", lambda a: np.einsum("...ij->...ji", a), (np.arange(12).reshape(2, 2, 3),)),
    ("tensordot", lambda a, b: np.tensordot(a, b, axes=1), (np.arange(6.0).reshape(2, 3), np.arange(3.0))),
    ("norm", lambda x: np.linalg.norm(x, axis=0), (A([[1, 2, 3], [-1, 1, 4]]),)),
    ("norm3", lambda x: np.linalg.norm(x, 3), (np.arange(9) - 4,)),
    ("normfro", lambda x: np.linalg.norm(x, "fro"), ((np.arange(9) - 4).reshape(3, 3),)),
    ("norminf", lambda x: np.linalg.norm(x, np.inf), ((np.arange(9) - 4).reshape(3, 3),)),
    ("polyval", lambda x: np.polyval([3, 0, 1], x), (A([5, 2]),)),
    ("unwrap", np.unwrap, (A([0.0, 0.78539816, 5.49778714, 6.28318531]),)),
    ("isin", lambda x: np.isin(2 * x, [1, 2, 4, 8]), (np.arange(4).reshape((2, 2)),)),
    ("isclose", lambda x: np.isclose(x, [1e10, 1e-9]), (A([1e10, 1e-8]),)),
    ("allclose", lambda x: np.allclose(x, [1.00001e10, 1e-9]), (A([1e10, 1e-8]),)),
    ("array_equal", lambda x: np.array_equal(x, [1, 2]), (A([1, 2]),)),
    ("meshgrid", lambda x, y: np.meshgrid(x, y, indexing="ij"), (np.linspace(0, 1, 3), np.linspace(0, 1, 2))),
    ("ogrid", lambda x: x[np.ix_([0, 1], [2, 4])], (np.arange(10).reshape(2, 5),)),
    ("ellipsis", lambda x: x[..., 0], (X,)),
    ("newaxis", lambda x: x[:, np.newaxis] + x[np.newaxis, :], (np.arange(5),)),
    ("negstep", lambda x: x[-3:3:-1], (np.arange(10),)),
    ("adv", lambda x: x[[0, 1, 2], [0, 1, 0]], (A([[1, 2], [3, 4], [5, 6]]),)),
    ("adv mix", lambda x: x[1:2, [1, 2]], (np.arange(35).reshape(5, 7),)),
    ("adv rows", lambda x: x[A([[0, 0], [3, 3]]), A([[0, 2], [0, 2]])], (np.arange(12).reshape(4, 3),)),
    ("bool known", lambda x: x[x.ndim - 2 :][A([True, False, True])], (X,)),
    ("in_place", in_place, (X,)),
    ("into_out", into_out, (X,)),
    ("where_and_out", where_and_out, (X,)),
    ("swap_rows", swap_rows, (X,)),
    ("fill_inside", fill_inside, (X,)),
    ("fill_diagonal", fill_diagonal, (X,)),
    ("neighbours", neighbours, (np.arange(12).reshape(4, 3),)),
    ("mean dtype", lambda x: np.mean(x, dtype=np.float64), (XF,)),
    ("astype bool", lambda x: x.astype(bool), (X,)),
    ("i8 overflow", lambda x: x * 100, (A([1, 2, 3], dtype=np.int8),)),
    ("u8 - ", lambda x: x - 5, (A([1, 2, 30], dtype=np.uint8),)),
    ("u8 cmp", lambda x: (x < 300, x > -1, x == 256), (A([1, 2, 255], dtype=np.uint8),)),
    ("u64 i64", lambda x, y: (x + y, x < y), (A([1, 2**63], dtype=np.uint64), A([-1, 5]))),
    ("f16", lambda x: (x + 1.5, x.sum(), x.mean(), np.sqrt(x), x // 3), (A([1, 2, 3.5], dtype=np.float16),)),
    ("bool ops", lambda x: (x & True, x * x, x + 1, x.sum(), x.mean(), x.max(), np.argmax(x), ~x, x ^ x), (A([True, False, True]),)),
    ("0-d", lambda x: (x + 1, np.sin(x), x.sum(), x.reshape(1)), (np.float64(2.5),)),
    ("empty", lambda x: (x.sum(), x + 1, np.cumsum(x)), (np.zeros(0),)),
    ("lin", lambda x: np.linspace(0, x, 5), (A([1.0, 2.0]),)),
    ("rsub", lambda x: (1 - x, 2 / x, 2**x, 5 // x, 7 % x), (A([1, 2, 3]),)),
    ("sqrt neg", np.sqrt, (A([4, -1, np.inf]),)),
    ("log0", np.log, (A([1, np.e, 0.0]),)),
    ("ravel K", lambda x: x.T.ravel(), (X,)),
    ("minimum.reduce", np.minimum.reduce, (X,)),
    ("logical_or.reduce", lambda x: np.logical_or.reduce(x > 10, axis=1), (X,)),
    ("add.accumulate", lambda x: np.add.accumulate(x, axis=1), (X,)),
    ("subtract.outer", lambda x: np.subtract.outer(x, x), (A([1.0, 2.0]),)),
    ("min max where", lambda x: np.min(x, initial=10, where=x > 2), (X,)),
    ("unstack", np.unstack, (X,)),
    ("logsumexp", lambda x: np.log(np.sum(np.exp(x - x.max()))) + x.max(), (X,)),
    ("zscore", lambda x: (x - x.mean(0)) / x.std(0), (X,)),
    ("standard", lambda x: x / np.linalg.norm(x, axis=1, keepdims=True), (X + 1,)),
    ("cosine", lambda a, b: a @ b / (np.linalg.norm(a) * np.linalg.norm(b)), (X[0], X[1])),
    ("onehot", lambda k: (k[:, None] == np.arange(4)).astype(np.float32), (A([1, 0, 3]),)),
    ("dist", lambda a: np.sqrt(((a[:, None] - a[None]) ** 2).sum(-1)), (X,)),
    ("moving avg", lambda x: np.convolve(x, np.ones(3) / 3, mode="valid"), (np.arange(8.0),)),
    ("relu", lambda x: x * (x > 0), (XF,)),
    ("sigm", lambda x: 1 / (1 + np.exp(-x)), (XF,)),
    ("gelu", lambda x: 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))), (XF,)),
]
