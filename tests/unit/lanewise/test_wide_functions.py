"""Functions of f64 against mpmath, on the emulator: each within the bound of its row, and at its special values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.graph.ops import GRAPH_OPS
from asmgen.verification.settings import Setting, emulated
from isa.semantics.mode import Approximation

Array = NDArray[Any]
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "sin": mpmath.sin, "cos": mpmath.cos, "tan": mpmath.tan, "asin": mpmath.asin, "acos": mpmath.acos, "atan": mpmath.atan,
    "sinh": mpmath.sinh, "cosh": mpmath.cosh, "asinh": mpmath.asinh, "acosh": mpmath.acosh, "atanh": mpmath.atanh,
    "log2": lambda x: mpmath.log(x) / mpmath.log(2), "log1p": mpmath.log1p, "expm1": mpmath.expm1,
    "cbrt": lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)),
}  # fmt: skip
DOMAINS = {"asin": (-1, 1), "acos": (-1, 1), "atanh": (-0.999, 0.999), "acosh": (1, 1e5), "log2": (0, 1e5), "log1p": (-1, 1e5)}
TARGETS = ("gfx942", "gfx1201")
# the f64 that is nearest to a multiple of pi/2, and large numbers
_FAR = (6381956970095103 * 2.0**797, 1e22, 1.7e308)


def run(op: str, *arrays: Array, target: str) -> Array:
    lines = [f"x{number} = @param:x{number} -> f64, {{{len(array)}}}" for number, array in enumerate(arrays)]
    names = ", ".join(f"x{number}" for number in range(len(arrays)))
    (y,) = asmgen.compile("\n".join([*lines, f"y = {op}({names})", "@return(y)"]), target=target)(*arrays, device="emulator")
    return np.asarray(y)


def off(result: float, exact: Any) -> float:
    """The error in ULP of f64."""
    return float(abs(mpmath.mpf(float(result)) - exact) / mpmath.mpf(2) ** max(mpmath.frexp(exact)[1] - 53, -1074))


@pytest.mark.broad
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_is_within_its_bound(name: str) -> None:
    random = np.random.default_rng(5)
    low, high = DOMAINS.get(name, (-30, 30))
    near = random.normal(0, 1, 40) * 2.0 ** random.integers(-6, 6, 40)
    x = np.concatenate([random.uniform(low, high, 40), near, _FAR if name in ("sin", "cos", "tan") else ()])
    x = x[(x > low) & (x < high) | (x > 1e20)]
    target = TARGETS[len(name) % 2]
    with mpmath.workprec(1300):
        wanted = [FUNCTIONS[name](mpmath.mpf(float(number))) for number in x]
        worst = max(off(result, exact) for result, exact in zip(run(name, x, target=target), wanted, strict=True))
    assert worst <= GRAPH_OPS[name].ulps, worst


@pytest.mark.parametrize("name", ["asinh", "atanh"])
@pytest.mark.parametrize("approximation", [Approximation.LOW, Approximation.HIGH])
def test_small_arguments_do_not_show_the_errors_of_the_hardware(name: str, approximation: Approximation) -> None:
    """1 + x is 1 there, so that the result is the whole rounding error, over the hardware's 1/1."""
    x = np.array([1e-249, -3e-20, 1.37 * 2.0**-30, 5e-9])
    program = asmgen.compile(f"x = @param:x -> f64, {{4}}\ny = {name}(x)\n@return(y)", target="gfx942")
    (result,) = emulated(program, [x], Setting(approximation))
    with mpmath.workprec(300):
        exact = [FUNCTIONS[name](mpmath.mpf(float(number))) for number in x]
        assert max(off(one, other) for one, other in zip(np.asarray(result), exact, strict=True)) <= GRAPH_OPS[name].ulps


def test_powers_are_within_their_bound() -> None:
    random = np.random.default_rng(6)
    a = np.concatenate([np.exp(random.normal(0, 1, 60)), [1e300, 1e-310, 1.7e308, 2.0**-1074, 1 + 2.0**-52]])
    b = np.concatenate([random.uniform(-300, 300, 60), [1, 0.5, -0.5, 1, 2.0**52]])
    result = run("pow", a, b, target="gfx942")
    with mpmath.workprec(300):
        exact: list[Any] = [mpmath.power(float(x), float(y)) for x, y in zip(a, b, strict=True)]
        assert max(off(one, other) for one, other in zip(result, exact, strict=True)) <= GRAPH_OPS["pow"].ulps


def test_powers_of_special_numbers() -> None:
    numbers = np.array([0.0, -0.0, 1, -1, 2, -2, 3, np.inf, np.nan])
    a, b = (grid.ravel() for grid in np.meshgrid(numbers, numbers))
    with np.errstate(all="ignore"):
        wanted = np.power(a, b)
    np.testing.assert_array_equal(run("pow", a, b, target="gfx1100"), wanted)


def test_remainders_are_exact() -> None:
    random = np.random.default_rng(7)
    bits = random.integers(0, 1 << 63, 60, dtype=np.uint64).view(np.float64)
    ends = np.array([0.0, -0.0, 1, -3, np.inf, np.nan, 5e-324, 1.7e308])
    a, b = (grid.ravel() for grid in np.meshgrid(ends, ends))
    a, b = np.concatenate([a, bits, -bits]), np.concatenate([b, random.permutation(bits), bits[::-1]])
    np.testing.assert_array_equal(run("fmod", a, b, target="gfx942"), _fmod(a, b))


def _fmod(a: Array, b: Array) -> Array:
    with np.errstate(all="ignore"):
        return np.fmod(a, b)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_ends_of_a_function(name: str) -> None:
    """NaN, infinities and zeros with their signs, as numpy has them."""
    x = np.array([0.0, -0.0, np.inf, -np.inf, np.nan])
    of_numpy = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh"}
    with np.errstate(all="ignore"):
        wanted = getattr(np, of_numpy.get(name, name))(x)
    found = run(name, x, target="gfx942")
    np.testing.assert_allclose(found, wanted, rtol=1e-15)
    is_number = ~np.isnan(wanted)
    np.testing.assert_array_equal(np.signbit(found[is_number]), np.signbit(wanted[is_number]))


def test_angles_of_points() -> None:
    random = np.random.default_rng(4)
    ends = np.array([0.0, -0.0, 1, -2, np.inf, -np.inf, np.nan, 5e-324, -1.7e308])
    y, x = np.concatenate([random.normal(0, 1, 50), ends.repeat(9)]), np.concatenate([random.normal(0, 1, 50), np.tile(ends, 9)])
    found, wanted = run("atan2", y, x, target="gfx1201"), np.arctan2(y.astype(np.longdouble), x.astype(np.longdouble)).astype(np.float64)
    np.testing.assert_allclose(found, wanted, rtol=4e-16, atol=5e-324)
    is_number = ~np.isnan(wanted)
    np.testing.assert_array_equal(np.signbit(found[is_number]), np.signbit(wanted[is_number]))
