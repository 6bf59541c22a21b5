"""numpy's products of arrays: of matrices, of vectors, and by Einstein's notation.

A product of numbers is `dot` or `dot_general`, also of vectors: the products of small floats are not rounded
before they are summed. A product of bools says whether both are true anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.joining import diagonal, stack
from asmgen.frontends.traced.places import caller
from asmgen.frontends.traced.promotion import (
    as_array,
    astype,
    common,
    common_type,
    converted,
    tracer_of,
)
from asmgen.frontends.traced.shaping import axes_of, expand_dims, moveaxis, ravel, reshape
from asmgen.frontends.traced.spec import named_element
from asmgen.frontends.traced.ufuncs import one
from asmgen.ir.types import BOOL
from isa.diagnostics import InputError

_UNNAMED = "".join([chr(0x400 + number) for number in range(64)])  # numpy's arrays have 64 axes at most


def common_of(name: str, a: object, b: object) -> tuple[Array, Array]:
    x, y = common(f"np.{name}", a, b)
    return x, y


def factors_as(name: str, operands: Sequence[object], dtype: object) -> list[Array]:
    """The factors in the type that the caller asks for; `InputError` TRC007 if numpy would lose fractions."""
    tracer, wanted = tracer_of(operands), named_element(dtype)
    arrays = [as_array(name, operand, tracer) for operand in operands]
    for array in arrays:
        own = array.type.element
        if wanted is not None and own.is_float and not wanted.is_float:
            message = f"{name} got dtype={wanted} for an array of {own}, wanted a type of floats"
            raise InputError(caller(), "TRC007", message, help=f'x.astype("{wanted}") converts')
    return [astype(array, dtype) for array in arrays]


def row_product(x: Array, y: Array) -> Array:
    """The sum of products over the last axis, in the type of the operands."""
    _check_sizes(x, -1, y, -1)
    if x.type.element is BOOL:
        return _summed(x & y, (-1,))
    if y.ndim == 1:
        return apply("dot", x, y)
    if x.ndim == 1:
        return apply("dot", y, x)
    return apply("squeeze", apply("dot", expand_dims(x, -2), expand_dims(y, -1)), axes=(-2, -1))


def matmul(a: object, b: object) -> Array:
    x, y = common_of("matmul", a, b)
    if not x.ndim or not y.ndim:
        raise InputError(caller(), "TRC004", "a matrix product got a number, wanted arrays", help="x * y")
    if y.ndim == 1:
        return row_product(x, y)
    if x.ndim > 1 and x.type.element is not BOOL:
        return apply("dot", x, y)
    _check_sizes(x, -1, y, -2)
    if x.ndim == 1:
        return row_product(x, moveaxis(y, -2, -1))
    return row_product(expand_dims(x, -2), expand_dims(moveaxis(y, -2, -1), -3))


def dot(a: object, b: object) -> Array:
    """Every row of `a` by every column of `b`; `matmul` pairs the axes before the last two."""
    x, y = common_of("dot", a, b)
    if not x.ndim or not y.ndim:
        return one("multiply", x, y)
    return matmul(x, y) if y.ndim <= 2 else _contracted(x, y, [(x.ndim - 1, y.ndim - 2)])


def inner(a: object, b: object) -> Array:
    x, y = common_of("inner", a, b)
    if not x.ndim or not y.ndim:
        return one("multiply", x, y)
    return row_product(x, y) if min(x.ndim, y.ndim) == 1 else _contracted(x, y, [(x.ndim - 1, y.ndim - 1)])


def _contracted(
    x: Array, y: Array, summed: Sequence[tuple[int, int]], batch: Sequence[tuple[int, int]] = ()
) -> Array:
    """The sum of products over pairs of axes, for each index of the pairs of batch axes: an array of the
    batch axes, the other axes of `x`, the other axes of `y`."""
    for mine, its in summed:
        _check_sizes(x, mine, y, its)
    if x.type.element is BOOL:
        return _any_of(x, y, summed, batch)
    names = ("lhs_batch", "rhs_batch", "lhs_contract", "rhs_contract")
    sides = [tuple([pair[side] for pair in pairs]) for pairs in (batch, summed) for side in (0, 1)]
    return apply("dot_general", x, y, **dict(zip(names, sides, strict=True)))


def _any_of(x: Array, y: Array, summed: Sequence[tuple[int, int]], batch: Sequence[tuple[int, int]]) -> Array:
    """`_contracted` of bools: whether both are true anywhere along the summed axes."""
    pairs = (*batch, *summed)
    rows = [axis for axis in range(x.ndim) if all(axis != mine for mine, _ in pairs)]
    columns = [axis for axis in range(y.ndim) if all(axis != its for _, its in pairs)]
    first = x.transpose([*[mine for mine, _ in batch], *rows, *[mine for mine, _ in summed]])
    second = y.transpose([*[its for _, its in batch], *columns, *[its for _, its in summed]])
    outer = len(batch) + len(rows)
    first = expand_dims(first, tuple(range(outer, outer + len(columns)))) if columns else first
    second = expand_dims(second, tuple(range(len(batch), outer))) if rows else second
    axes = tuple(range(outer + len(columns), outer + len(columns) + len(summed)))
    return _summed(first & second, axes)


def vdot(a: object, b: object) -> Array:
    x, y = common_of("vdot", a, b)
    return row_product(ravel(x), ravel(y))


def vecdot(x1: object, x2: object, axis: int = -1) -> Array:
    x, y = common_of("vecdot", x1, x2)
    for array in (x, y):
        if not array.ndim:
            raise InputError(caller(), "TRC004", "np.vecdot got a number, wanted arrays", help="x * y")
        if not -array.ndim <= axis < array.ndim:
            wanted = f"{-array.ndim} to {array.ndim - 1}"
            message = f"np.vecdot got axis={axis} for an array of {array.ndim} axes, wanted {wanted}"
            raise InputError(caller(), "TRC007", message)
    _check_sizes(x, axis, y, axis)
    return row_product(moveaxis(x, axis, -1), moveaxis(y, axis, -1))


def _matvec(x1: object, x2: object) -> Array:
    x, y = common_of("matvec", x1, x2)
    if x.ndim < 2 or not y.ndim:
        raise InputError(caller(), "TRC004", "np.matvec wanted a matrix and a vector", help="np.vecdot(x, y)")
    _check_sizes(x, -1, y, -1)
    return row_product(x, expand_dims(y, -2))


def _vecmat(x1: object, x2: object) -> Array:
    x, y = common_of("vecmat", x1, x2)
    if not x.ndim or y.ndim < 2:
        raise InputError(caller(), "TRC004", "np.vecmat wanted a vector and a matrix", help="np.vecdot(x, y)")
    _check_sizes(x, -1, y, -2)
    return row_product(expand_dims(x, -2), moveaxis(y, -2, -1))


def outer(a: object, b: object) -> Array:
    tracer = tracer_of([a, b])
    x, y = [ravel(as_array("np.outer", each, tracer)) for each in (a, b)]
    return one("multiply", expand_dims(x, 1), y)


def kron(a: object, b: object) -> Array:
    x, y = common_of("kron", a, b)
    rank = max(x.ndim, y.ndim)
    x, y = [
        expand_dims(each, tuple(range(rank - each.ndim))) if each.ndim < rank else each for each in (x, y)
    ]
    wide = expand_dims(x, tuple(range(1, 2 * rank, 2))) * expand_dims(y, tuple(range(0, 2 * rank, 2)))
    return reshape(wide, tuple(m * n for m, n in zip(x.type.dims, y.type.dims, strict=True)))


def cross(
    a: object, b: object, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: object = None
) -> Array:
    if axis is not None:
        axisa = axisb = axisc = cast("int", axis)
    x, y = common_of("cross", a, b)
    x, y = moveaxis(x, axisa, -1), moveaxis(y, axisb, -1)
    if (x.shape[-1], y.shape[-1]) == (2, 2):
        return x[..., 0] * y[..., 1] - x[..., 1] * y[..., 0]
    if (x.shape[-1], y.shape[-1]) != (3, 3):
        raise InputError(caller(), "TRC004", "np.cross wanted vectors of three elements")
    parts = [
        x[..., (i + 1) % 3] * y[..., (i + 2) % 3] - x[..., (i + 2) % 3] * y[..., (i + 1) % 3]
        for i in range(3)
    ]
    return moveaxis(stack(parts, -1), -1, axisc)


def tensordot(a: object, b: object, axes: object = 2) -> Array:
    x, y = common_of("tensordot", a, b)
    left, right = _paired_axes(x, y, axes)
    letters = "abcdefghijklmnopqrstuvwxyz"
    names = letters[: x.ndim]
    others = list(letters[x.ndim : x.ndim + y.ndim])
    for mine, its in zip(left, right, strict=True):
        others[its] = names[mine]
    kept = [name for each, name in enumerate(names) if each not in left]
    kept += [name for each, name in enumerate(others) if each not in right]
    return einsum(f"{names},{''.join(others)}->{''.join(kept)}", x, y)


def _paired_axes(x: Array, y: Array, axes: object) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The axes that `tensordot` sums over: axis i of the first tuple with axis i of the second."""
    pair = (tuple(range(-axes, 0)), tuple(range(axes))) if isinstance(axes, int) else axes
    if not isinstance(pair, (tuple, list)) or len(cast("Sequence[object]", pair)) != 2:
        raise InputError(caller(), "TRC007", f"got axes={axes!r}, wanted an integer or a pair of axes")
    first, second = cast("Sequence[object]", pair)
    left, right = axes_of(x, first), axes_of(y, second)
    for array, each in ((x, left), (y, right)):
        if len(set(each)) != len(each) or not all(0 <= axis < array.ndim for axis in each):
            wanted = f"different axes of an array of {array.ndim} axes"
            raise InputError(caller(), "TRC007", f"got axes={axes!r}, wanted {wanted}")
    if len(left) != len(right):
        raise InputError(caller(), "TRC007", f"got axes={axes!r}, wanted as many axes of both arrays")
    for mine, its in zip(left, right, strict=True):
        _check_sizes(x, mine, y, its)
    return left, right


def _check_sizes(x: Array, mine: int, y: Array, its: int) -> None:
    """Refuse two axes that are summed together if their sizes differ."""
    sizes = x.type.dims[mine], y.type.dims[its]
    if sizes[0] != sizes[1]:
        got = f"got axes of {sizes[0]} and {sizes[1]} elements, of arrays of shapes {x.shape} and {y.shape}"
        message = f"{got}, wanted as many of each"
        raise InputError(caller(), "TRC004", message)


def einsum(subscripts: object, *operands: object, optimize: object = None) -> Array:
    if not isinstance(subscripts, str):
        raise InputError(
            caller(), "TRC007", "np.einsum wanted subscripts as text", help='np.einsum("ij->ji", x)'
        )
    tracer = tracer_of(operands)
    given = [as_array("np.einsum", each, tracer) for each in operands]
    type_ = common_type("np.einsum", given)
    arrays = [converted("np.einsum", each, type_, tracer) for each in given]
    terms, result = _subscripts(subscripts, arrays)
    if len(arrays) > 2 and _matrices(terms, result):
        message = f"{subscripts!r} has {len(arrays)} operands, and two of them are multiplied as matrices"
        help = "two calls of np.einsum with two operands each, in the order that multiplies the least"
        raise InputError(caller(), "TRC007", f"{message}, wanted two operands", help=help)
    has_sum = len(arrays) == 2 and bool(set(terms[0]) & set(terms[1]) - set(result))
    if has_sum and _share_axes(arrays, terms):
        return _product(arrays, terms, result)
    order = [*result, *[name for name in dict.fromkeys("".join(terms)) if name not in result]]
    laid = [_laid(array, term, order) for array, term in zip(arrays, terms, strict=True)]
    product = laid[0]
    for each in laid[1:]:
        product = product * each
    summed = tuple(range(len(result), len(order)))
    return _summed(product, summed) if summed else product


def _summed(x: Array, axes: tuple[int, ...]) -> Array:
    """The sum over axes, in the type of the array."""
    op = "reduce_any" if x.type.element is BOOL else "reduce_sum"
    return apply("squeeze", apply(op, x, axes=axes), axes=axes)


def _subscripts(text: str, arrays: Sequence[Array]) -> tuple[list[str], str]:
    """The letters of each operand and of the result. The axes of an ellipsis have letters that no
    subscripts have, counted from the last axis."""
    left, arrow, right = text.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(arrays):
        raise InputError(caller(), "TRC007", f"got {len(arrays)} operands for {text!r}, wanted {len(terms)}")
    for term in (*terms, right):
        letters = term.replace("...", "", 1)
        if letters and not (letters.isascii() and letters.isalpha()):
            raise InputError(caller(), "TRC007", f"{term!r} of {text!r} is wrong, wanted letters and '...'")
    most = 0
    for number, (term, array) in enumerate(zip(terms, arrays, strict=True)):
        count = array.ndim - len(term.replace("...", ""))
        if count < 0 or ("..." not in term and count):
            message = f"{term!r} of {text!r} is of an array of {array.ndim} axes, wanted one letter for each"
            raise InputError(caller(), "TRC007", message)
        most = max(most, count)
        terms[number] = term.replace("...", _UNNAMED[:count][::-1])
    whole = "".join(terms)
    if arrow:
        if most and "..." not in right:
            message = f"{text!r} has a result without '...', and operands have axes for it"
            raise InputError(caller(), "TRC007", f"{message}, wanted '...' in both")
        result = right.replace("...", _UNNAMED[:most][::-1])
    else:
        single = sorted(name for name in set(whole) if whole.count(name) == 1 and name not in _UNNAMED)
        result = _UNNAMED[:most][::-1] + "".join(single)
    twice = [name for name in dict.fromkeys(result) if result.count(name) > 1]
    if twice:
        message = f"{text!r} has {twice[0]!r} twice in its result, wanted each letter once"
        raise InputError(caller(), "TRC007", message, help="np.diag places a vector on a diagonal")
    unknown = [name for name in result if name not in whole]
    if unknown:
        letters = " ".join([name for name in dict.fromkeys(whole) if name not in _UNNAMED]) or "none"
        message = f"{text!r} has {unknown[0]!r} in its result, wanted letters of its operands: {letters}"
        raise InputError(caller(), "TRC007", message, help="x[..., None] adds an axis of 1")
    return terms, result


def _matrices(terms: Sequence[str], result: str) -> bool:
    """Whether two operands are multiplied as matrices: an axis of both is summed, and both have another axis
    that is not."""
    for number, left in enumerate(terms):
        for place, right in enumerate(terms[number + 1 :], number + 1):
            others = "".join([term for each, term in enumerate(terms) if each not in (number, place)])
            kept = {*result, *others}
            own = (set(left) ^ set(right)) & kept
            if (set(left) & set(right)) - kept and own & set(left) and own & set(right):
                return True
    return False


def _share_axes(arrays: Sequence[Array], terms: Sequence[str]) -> bool:
    """Whether every axis of a letter has as many elements; otherwise some are broadcast."""
    dims: dict[str, set[object]] = {}
    for array, term in zip(arrays, terms, strict=True):
        for name, dim in zip(term, array.type.dims, strict=True):
            dims.setdefault(name, set()).add(dim)
    for name, sizes in dims.items():
        if len(sizes - {1}) > 1:
            got = " and ".join(sorted(map(str, sizes - {1})))
            letter = "'...'" if name in _UNNAMED else repr(name)
            message = f"{letter} names axes of {got} elements, wanted as many of each, or 1"
            raise InputError(caller(), "TRC004", message)
    return all(len(each) == 1 for each in dims.values())


def _product(arrays: Sequence[Array], terms: Sequence[str], result: str) -> Array:
    """The product of two operands by letters. A letter of one operand alone that the result lacks is summed
    before the product."""
    made: list[tuple[Array, str]] = []
    for array, term, other in zip(arrays, terms, reversed(terms), strict=True):
        order = [name for name in dict.fromkeys(term) if name in other or name in result]
        alone = [name for name in dict.fromkeys(term) if name not in order]
        laid = _laid(array, term, [*order, *alone])
        if alone:
            laid = _summed(laid, tuple(range(len(order), laid.ndim)))
        made.append((laid, "".join(order)))
    (x, left), (y, right) = made
    both = [(left.index(name), right.index(name), name in result) for name in left if name in right]
    summed = [(mine, its) for mine, its, is_kept in both if not is_kept]
    batch = [(mine, its) for mine, its, is_kept in both if is_kept]
    product = _contracted(x, y, summed, batch)
    names = [left[mine] for mine, _ in batch]
    names += [name for name in left if name not in right] + [name for name in right if name not in left]
    order = [names.index(name) for name in result]
    return product if order == sorted(order) else product.transpose(order)


def _laid(array: Array, term: str, order: Sequence[str]) -> Array:
    """The array with an axis for each letter of the order; an axis that its term names twice is a
    diagonal."""
    names = list(term)
    for name in dict.fromkeys(term):
        while names.count(name) > 1:
            first = names.index(name)
            second = names.index(name, first + 1)
            _check_sizes(array, first, array, second)
            array = diagonal(array, 0, first, second)
            names = [*names[:first], *names[first + 1 : second], *names[second + 1 :], name]
    places = [names.index(name) for name in order if name in names]
    array = array if places == list(range(len(places))) else cast("Array", array.transpose(tuple(places)))
    missing = tuple(at_ for at_, name in enumerate(order) if name not in names)
    return expand_dims(array, missing) if missing else array


FUNCTIONS: dict[str, Callable[..., object]] = {
    "cross": cross, "dot": dot, "einsum": einsum, "inner": inner, "kron": kron, "linalg.cross": cross,
    "linalg.matmul": matmul, "linalg.outer": outer, "linalg.tensordot": tensordot, "linalg.vecdot": vecdot,
    "outer": outer, "tensordot": tensordot, "vdot": vdot,
}  # fmt: skip
KEYWORDS = {"vecdot": ("axis",)}  # of ufuncs, besides those that all ufuncs take
UFUNCS: dict[str, Callable[..., Array]] = {
    "matmul": matmul, "matvec": _matvec, "vecdot": vecdot, "vecmat": _vecmat,
}  # fmt: skip
