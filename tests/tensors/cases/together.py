"""Reductions with results that accumulate together: extremes with their places, and products of complex numbers."""

from __future__ import annotations

import numpy as np

from tests.tensors.case import Array, Case, array, case, numbers, t

_MAPS = "affine_map<(i, j) -> (i, j)>", "affine_map<(i, j) -> (i)>"
_ITERATORS = 'iterator_types = ["parallel", "reduction"]'
X = array([[1, 5, -2, 5], [0, -7, -7, -3], [4, 4, 4, 4]])
_PLACE = "  %n = linalg.index 1 : index\n  %k = arith.index_cast %n : index to i64\n"
_OUT = "tensor<3xf32>, tensor<3xi64>"


def _generic(about: str, body: str, start: float, wanted: Array, places: Array) -> Case:
    """The extreme numbers of rows and their places, in two results: `%m`, `%at` of `%p`, `%k` and the results so far."""
    text = f"%s = arith.constant {start:.1f} : f32\n%z = arith.constant 0 : i64\n%e = tensor.empty() : tensor<3xf32>\n%f = tensor.empty() : tensor<3xi64>\n"
    text += "%e0 = linalg.fill ins(%s : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>\n%f0 = linalg.fill ins(%z : i64) outs(%f : tensor<3xi64>) -> tensor<3xi64>\n"
    text += f"%r0, %r1 = linalg.generic {{indexing_maps = [{_MAPS[0]}, {_MAPS[1]}, {_MAPS[1]}], {_ITERATORS}}} ins(%a : {t(X)}) outs(%e0, %f0 : {_OUT}) {{\n"
    text += f"^bb0(%p: f32, %o: f32, %i: i64):\n{_PLACE}{body}\n  linalg.yield %m, %at : f32, i64\n}} -> ({_OUT})"
    return case("generic", about, text, {"a": X}, wanted, places, dialect="linalg.")


def _extremes() -> list[Case]:
    choose = "  %m = arith.select %c, %p, %o : f32\n  %at = arith.select %c, %k, %i : i64"
    first = "  %c = arith.cmpf ogt, %p, %o : f32\n"
    torch = f"  %m = arith.maximumf %p, %o : f32\n{first}  %at = arith.select %c, %k, %i : i64"
    least = f"  %c = arith.cmpf olt, %p, %o : f32\n{choose}"
    last = f"  %c = arith.cmpf oge, %p, %o : f32\n{choose}"
    start = np.maximum(X.max(1), 4.5)
    return [
        _generic("the greatest and its place", torch, -1e30, X.max(1), X.argmax(1)),
        _generic("the least and its place", least, 1e30, X.min(1), X.argmin(1)),
        _generic("the greatest and its last place", last, -1e30, X.max(1), 3 - X[:, ::-1].argmax(1)),
        _generic("the greatest from a start", first + choose, 4.5, start, np.where(X.max(1) > 4.5, X.argmax(1), 0)),
    ]


def _one() -> Case:
    text = "%s = arith.constant -1.0e30 : f32\n%e = tensor.empty() : tensor<3xf32>\n%f = linalg.fill ins(%s : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>\n"
    text += f"%r = linalg.generic {{indexing_maps = [{_MAPS[0]}, {_MAPS[1]}], {_ITERATORS}}} ins(%a : {t(X)}) outs(%f : tensor<3xf32>) {{\n^bb0(%p: f32, %o: f32):\n"
    text += "  %c = arith.cmpf ugt, %p, %o : f32\n  %m = arith.select %c, %p, %o : f32\n  linalg.yield %m : f32\n} -> tensor<3xf32>"
    return case("generic", "the greatest by a comparison", text, {"a": X}, X.max(1), dialect="linalg.")


def _complex() -> Case:
    """The products of rows of complex numbers: the parts are two operands."""
    re, im = numbers(501, (3, 5), least=-3, most=3), numbers(502, (3, 5), least=-3, most=3)
    wanted = np.prod(re.astype(np.complex128) + 1j * im, 1)
    s = "tensor<f32>"
    text = f"%one = stablehlo.constant dense<1.0> : {s}\n%zero = stablehlo.constant dense<0.0> : {s}\n"
    text += f"%r0, %r1 = stablehlo.reduce(%a init: %one), (%b init: %zero) across dimensions = [1] : ({t(re)}, {t(re)}, {s}, {s}) -> (tensor<3xf32>, tensor<3xf32>)\n"
    text += f"reducer(%p: {s}, %q: {s}) (%m: {s}, %n: {s}) {{\n  %1 = stablehlo.multiply %p, %q : {s}\n  %2 = stablehlo.multiply %m, %n : {s}\n  %3 = stablehlo.subtract %1, %2 : {s}\n"
    text += f"  %4 = stablehlo.multiply %p, %n : {s}\n  %5 = stablehlo.multiply %m, %q : {s}\n  %6 = stablehlo.add %4, %5 : {s}\n  stablehlo.return %3, %6 : {s}, {s}\n}}"
    return case("reduce", "products of complex numbers", text, {"a": re, "b": im}, wanted.real.astype(np.float32), wanted.imag.astype(np.float32))


def _from_a_start() -> Case:
    """An argmax that begins with a number which some rows do not exceed."""
    s, i = "tensor<f32>", "tensor<i32>"
    text = f"%s = stablehlo.constant dense<4.5> : {s}\n%z = stablehlo.constant dense<9> : {i}\n%places = stablehlo.iota dim = 1 : tensor<3x4xi32>\n"
    text += f"%r0, %r1 = stablehlo.reduce(%a init: %s), (%places init: %z) across dimensions = [1] : ({t(X)}, tensor<3x4xi32>, {s}, {i}) -> (tensor<3xf32>, tensor<3xi32>)\n"
    text += f"reducer(%p: {s}, %q: {s}) (%m: {i}, %n: {i}) {{\n  %c = stablehlo.compare GE, %p, %q : ({s}, {s}) -> tensor<i1>\n"
    text += f"  %x = stablehlo.select %c, %p, %q : tensor<i1>, {s}\n  %y = stablehlo.select %c, %m, %n : tensor<i1>, {i}\n  stablehlo.return %x, %y : {s}, {i}\n}}"
    places = np.where(X.max(1) > 4.5, X.argmax(1), 9).astype(np.int32)
    return case("reduce", "an argmax from a start", text, {"a": X}, np.maximum(X.max(1), 4.5), places)


def _merged() -> Case:
    """Means, sums of squares and counts, which are merged as Welford does: counts that add up to 0 have no mean."""
    x, s, f = numbers(503, (3, 9), per=4), "tensor<f32>", "tensor<3xf32>"
    text = f"%z = stablehlo.constant dense<0.0> : {s}\n%v = stablehlo.constant dense<0.0> : {t(x)}\n%n = stablehlo.constant dense<1.0> : {t(x)}\n"
    text += f"%r0, %r1, %r2 = stablehlo.reduce(%a init: %z), (%v init: %z), (%n init: %z) across dimensions = [1] : ({t(x)}, {t(x)}, {t(x)}, {s}, {s}, {s}) -> ({f}, {f}, {f})\n"
    text += f"reducer(%ma: {s}, %mb: {s}) (%va: {s}, %vb: {s}) (%na: {s}, %nb: {s}) {{\n"
    for line in (
        "%d = subtract %mb, %ma", "%k = add %na, %nb", "%q = divide %nb, %k", "%e = multiply %d, %q", "%m = add %ma, %e", "%w = add %va, %vb",
        "%dd = multiply %d, %d", "%p = multiply %na, %q", "%u = multiply %dd, %p", "%y = add %w, %u",
    ):  # fmt: skip
        name, _, rest = line.partition(" = ")
        text += f"  {name} = stablehlo.{rest} : {s}\n"
    text += f"  stablehlo.return %m, %y, %k : {s}, {s}, {s}\n}}"
    wide = x.astype(np.float64)
    wanted = [wide.mean(1), ((wide - wide.mean(1, keepdims=True)) ** 2).sum(1), np.full(3, 9.0)]
    return case("reduce", "means and squares that are merged", text, {"a": x}, *[each.astype(np.float32) for each in wanted], ulps=16, scale=4)


def _apart() -> Case:
    """A sum and a maximum in an op: each is a reduction by itself."""
    s, f = "tensor<f32>", "tensor<3xf32>"
    text = f"%z = stablehlo.constant dense<0.0> : {s}\n%l = stablehlo.constant dense<0xFF800000> : {s}\n"
    text += f"%r0, %r1 = stablehlo.reduce(%a init: %z), (%a init: %l) across dimensions = [1] : ({t(X)}, {t(X)}, {s}, {s}) -> ({f}, {f})\n"
    text += f"reducer(%p: {s}, %q: {s}) (%m: {s}, %n: {s}) {{\n  %1 = stablehlo.add %p, %q : {s}\n  %2 = stablehlo.maximum %m, %n : {s}\n  stablehlo.return %1, %2 : {s}, {s}\n}}"
    return case("reduce", "a sum and a maximum", text, {"a": X}, X.sum(1), X.max(1))


CASES = (*_extremes(), _one(), _complex(), _from_a_start(), _merged(), _apart())
