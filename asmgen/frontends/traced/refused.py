"""Refusals: of numpy's functions that are not traced, with reasons and alternatives that compile, and of
operations that need the numbers of an array."""

from __future__ import annotations

from asmgen.frontends.traced.places import caller
from isa.diagnostics import InputError

_BY_VALUES = "has a result with a shape that depends on the numbers"
_ADDS_AT = "changes its operand, with values of the shape x[indices]"
_ON_HOST = "has no kernel"
_HOST = "compute it with numpy, before or after the program"
_FUNCTIONS = "from asmgen.frontends.traced import functions"
_MADE = "is made of functions that are traced"
_COVARIANCE = "d = x - x.mean(1, keepdims=True); d @ d.T / (x.shape[1] - 1) is np.cov(x)"

# By numpy's name: why, and the way out.
REASONS: dict[str, tuple[str, str]] = {
    "unique": (_BY_VALUES, "np.sort(x)"),
    "unique_values": (_BY_VALUES, "np.sort(x)"),
    "unique_counts": (_BY_VALUES, "np.sort(x)"),
    "nonzero": (_BY_VALUES, "np.count_nonzero(x), np.argmax(x != 0)"),
    "flatnonzero": (_BY_VALUES, "np.count_nonzero(x), np.argmax(x != 0)"),
    "argwhere": (_BY_VALUES, "np.count_nonzero(x), np.argmax(x != 0)"),
    "extract": (_BY_VALUES, "np.where(condition, x, 0)"),
    "place": ("writes its k-th value to the k-th true element of a mask", "np.where(mask, v, x)"),
    "trim_zeros": (_BY_VALUES, "np.where(x != 0, x, 0)"),
    "union1d": (_BY_VALUES, "np.isin(x, y)"),
    "intersect1d": (_BY_VALUES, "np.isin(x, y)"),
    "setdiff1d": (_BY_VALUES, "np.isin(x, y)"),
    "setxor1d": (_BY_VALUES, "np.isin(x, y)"),
    "bincount": (_BY_VALUES, f"functions.histogram(x, bins=n), with n known; {_FUNCTIONS}"),
    "add.at": (_ADDS_AT, f"x = functions.scatter_add(x, indices, values); {_FUNCTIONS}"),
    "subtract.at": (_ADDS_AT, f"x = functions.scatter_add(x, indices, -values); {_FUNCTIONS}"),
    "apply_along_axis": ("calls a function for each row", "of all rows at once: x.sum(axis=1), x[0] + x[-1]"),
    "cov": (_MADE, _COVARIANCE),
    "corrcoef": (_MADE, _COVARIANCE),
    "linalg.multi_dot": (_MADE, "a @ (b @ c), in the order that multiplies the least"),
    "linalg.matrix_power": (_MADE, "x @ x @ x"),
    "frexp": ("takes numbers apart", "np.floor(np.log2(np.abs(x))) is nearly the exponent"),
    "nextafter": ("takes numbers apart", 'x.view("i32") is the bits of a float32'),
    "spacing": ("takes numbers apart", "np.abs(x) * np.finfo(np.float32).eps is the greatest it can be"),
    "gcd": ("is a loop with a trip count that depends on the numbers", _HOST),
    "lcm": ("is a loop with a trip count that depends on the numbers", _HOST),
    "save": ("writes a file", _HOST),
    "array2string": ("needs the numbers", "return the array, and print the result"),
    "array_repr": ("needs the numbers", "return the array, and print the result"),
    "array_str": ("needs the numbers", "return the array, and print the result"),
}  # fmt: skip
IN_PLACE_OF_TRUTH = (
    "np.where for `if`, (0 < x) & (x < 1) for `and` and for 0 < x < 1, | for `or`, ~ for `not`, "
    "x.max() for max(x)"
)
_FOLDERS: dict[str, tuple[str, str]] = {
    "linalg": (_ON_HOST, _HOST),
    "fft": (_ON_HOST, _HOST),
    "random": (_ON_HOST, "pass random numbers as an argument"),
}


def refusal(name: str) -> InputError:
    """The refusal of a function by its name below numpy: `unique`, `linalg.inv`."""
    reason = REASONS.get(name) or _FOLDERS.get(name.partition(".")[0])
    if reason is not None:
        why, instead = reason
        return InputError(
            caller(), "TRC006", f"np.{name} {why}, wanted a function that is traced", help=instead
        )
    message = f"np.{name} is not traced, wanted a function that docs/gen-text.md#from-python lists"
    return InputError(caller(), "TRC006", message, help=_HOST)


class NoSuchMethod(InputError, AttributeError):
    """A method that a traced array does not have; `hasattr` sees an AttributeError."""


def not_known(what: str, wanted: str, help: str = "") -> InputError:
    """The refusal of an operation that needs the numbers of an array, such as its truth."""
    return InputError(caller(), "TRC003", f"{what} not known while tracing, wanted {wanted}", help=help)


def unclear_view() -> InputError:
    """The refusal of an array of which it is unknown whether it is a view."""
    message = (
        "this array is a reshaped view, which numpy may have copied, wanted an array that is not written to"
    )
    return InputError(caller(), "TRC006", message, help="x.copy().reshape(...) is surely a copy")
