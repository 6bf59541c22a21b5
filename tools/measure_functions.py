"""`python -m tools.measure_functions`: the largest error of every f32 function, for the table of
docs/numerics.md.

The tool expands each function by `asmgen.lanewise.math`, runs it on the lanewise interpreter with the
hardware's functions at nearest and at both ends of their documented error, and compares it with numpy's long
double (erf: with f64, which is exact enough for an f32 ULP).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from asmgen.graph import ops as graph
from asmgen.ir.program import Module, Op, Statement, Value
from asmgen.ir.types import F32, U32, ElementType, tensor
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.interpret import interpret
from asmgen.lanewise.math import MathOptions, expand_module
from isa.semantics.mode import Approximation

Array = NDArray[Any]
Body = Callable[..., Value]

LANES = 4
WORKGROUP = 256
SPECIAL = (
    0.0, -0.0, math.inf, -math.inf, math.nan, 1.0, -1.0, 1e-45, -1e-45, 1e-40, -1e-40, 1.1754942e-38,
    1.1754944e-38, -1.1754944e-38,
    3.4028235e38, -3.4028235e38, 88.72283, 88.72284, -87.33654, -87.33655, -103.27893, -103.97207, -103.97208,
    -104.0, 1e10, -1e10,
)  # fmt: skip


class Function(Struct, frozen=True):
    """An op with its reference in long double, and the range in which most results differ from 0, 1 and
    infinity."""

    op: Op
    reference: Callable[[Array], Array]
    low: float
    high: float


def _erf(x: Array) -> Array:
    return np.vectorize(math.erf, otypes=[np.float64])(x.astype(np.float64)).astype(np.longdouble)


def _sigmoid(x: Array) -> Array:
    return np.where(x >= 0, 1 / (1 + np.exp(-x)), np.exp(x) / (1 + np.exp(x)))


def _rsqrt(x: Array) -> Array:
    return 1 / np.sqrt(x)


def _recip(x: Array) -> Array:
    return 1 / x


FUNCTIONS: dict[str, Function] = {
    "exp": Function(graph.EXP, np.exp, -104, 89),
    "log": Function(graph.LOG, np.log, 0.25, 4),
    "tanh": Function(graph.TANH, np.tanh, -2, 2),
    "erf": Function(graph.ERF, _erf, -4, 4),
    "sigmoid": Function(graph.SIGMOID, _sigmoid, -20, 4),
    "sqrt": Function(graph.SQRT, np.sqrt, 1, 4),
    "rsqrt": Function(graph.RSQRT, _rsqrt, 1, 4),
    "recip": Function(graph.RECIP, _recip, 1, 2),
    "sin": Function(graph.SIN, np.sin, -20, 20),
    "cos": Function(graph.COS, np.cos, -20, 20),
    "tan": Function(graph.TAN, np.tan, -20, 20),
    "asin": Function(graph.ASIN, np.arcsin, -1, 1),
    "acos": Function(graph.ACOS, np.arccos, -1, 1),
    "atan": Function(graph.ATAN, np.arctan, -4, 4),
    "sinh": Function(graph.SINH, np.sinh, -4, 4),
    "cosh": Function(graph.COSH, np.cosh, -4, 4),
    "asinh": Function(graph.ASINH, np.arcsinh, -4, 4),
    "acosh": Function(graph.ACOSH, np.arccosh, 1, 4),
    "atanh": Function(graph.ATANH, np.arctanh, -1, 1),
    "cbrt": Function(graph.CBRT, np.cbrt, 1, 8),
    "expm1": Function(graph.EXPM1, np.expm1, -20, 89),
    "log1p": Function(graph.LOG1P, np.log1p, -1, 2),
    "log2": Function(graph.LOG2, np.log2, 0.25, 4),
}


def lane_module(elements: Sequence[ElementType], result: ElementType, count: int, body: Body) -> Module:
    """A module that applies `body` to vectors of four elements of each input. `count` is a multiple of
    1024."""
    builder = LaneBuilder()
    builder.launch((count // (WORKGROUP * LANES), 1, 1), (WORKGROUP, 1, 1))
    buffers = [Value(f"p{i}", tensor(element, (count,))) for i, element in enumerate((*elements, result))]
    for buffer in buffers:
        builder.append(Statement(graph.PARAM, (), (buffer,), {"name": buffer.name}))
    item = builder.add(
        builder.mul(builder.workgroup_id(), builder.constant(WORKGROUP, U32)), builder.local_id()
    )
    index = builder.mul(item, builder.constant(LANES, U32))
    builder.store(
        buffers[-1], index, body(builder, *[builder.load(buffer, index, LANES) for buffer in buffers[:-1]])
    )
    return builder.module("m")


def run(
    module: Module,
    inputs: Sequence[Array],
    dtype: Any = np.float32,
    approximation: Approximation = Approximation.NEAREST,
) -> Array:
    """The output of a module from `lane_module`."""
    output = np.zeros(inputs[0].size, dtype)
    interpret(module, [*inputs, output], approximation)
    return output


def samples(count: int, low: float, high: float, seed: int = 1) -> Array:
    """f32 numbers: special numbers, powers of two with both neighbours, every exponent with random mantissas,
    and numbers from `low` to `high`."""
    random = np.random.default_rng(seed)
    powers = np.ldexp(np.float32(1), np.arange(-149, 128)).astype(np.float32)
    neighbours = [sign * np.nextafter(powers, np.float32(to)) for sign in (1, -1) for to in (0, np.inf)]
    fixed = np.concatenate([np.array(SPECIAL, np.float32), powers, -powers, *neighbours])
    bits = random.integers(0, 1 << 32, count // 2, dtype=np.uint64).astype(np.uint32).view(np.float32)
    dense = random.uniform(low, high, count - count // 2).astype(np.float32)
    x = np.concatenate([bits, dense])
    x[: fixed.size] = fixed
    return x


def ulp_error(got: Array, want: Array) -> Array:
    """|got - want| in units in the last place of `want` (a denormal's is 2**-149).

    Infinite if the two disagree about NaN, infinity or the sign of a zero. If the exact result is finite but
    within an ULP of the overflow threshold, infinity counts as an error of 1.
    """
    want = want.astype(np.longdouble)
    rounded = want.astype(np.float32)
    exponent = np.frexp(np.where(np.isfinite(want) & (want != 0), want, 1))[1] - 1
    error = np.abs(got.astype(np.longdouble) - want) / np.ldexp(
        np.longdouble(1), np.maximum(exponent, -126) - 23
    )
    overflows = (np.abs(want) > np.finfo(np.float32).max * (1 - 2.0**-24)) & (got == np.sign(want) * np.inf)
    error = np.where(np.isinf(got) & np.isfinite(want), np.where(overflows, 1, np.inf), error)
    error = np.where(np.isinf(want), np.where(got == want, 0, np.inf), error)
    error = np.where(
        np.isnan(want) | np.isnan(got), np.where(np.isnan(want) & np.isnan(got), 0, np.inf), error
    )
    wrong_sign = (want == 0) & (rounded == got) & (np.signbit(want) != np.signbit(got))
    return np.where(wrong_sign, np.inf, error).astype(np.float64)


def _function_module(function: Function, count: int) -> Module:
    def body(builder: LaneBuilder, x: Value) -> Value:
        return builder.value(function.op, x)

    return lane_module([F32], F32, count, body)


def largest_errors(
    name: str,
    options: MathOptions,
    count: int,
    approximations: Sequence[Approximation] = tuple(Approximation),
) -> list[float]:
    """The largest error of a function in ULP, for each approximation."""
    function = FUNCTIONS[name]
    with np.errstate(all="ignore"):
        x = samples(count, function.low, function.high)
        want = function.reference(x.astype(np.longdouble))
        module = expand_module(_function_module(function, count), options)
        return [
            float(ulp_error(run(module, [x], approximation=approximation), want).max())
            for approximation in approximations
        ]


def division_errors(
    count: int, approximations: Sequence[Approximation] = tuple(Approximation)
) -> list[float]:
    """The largest error of a quotient of two variables in ULP, over pairs with any exponents."""
    with np.errstate(all="ignore"):
        numerator, denominator = (
            samples(count, -4, 4),
            np.random.default_rng(2).permutation(samples(count, -4, 4, 3)),
        )
        want = numerator.astype(np.longdouble) / denominator.astype(np.longdouble)
        module = expand_module(lane_module([F32, F32], F32, count, LaneBuilder.div), MathOptions())
        return [
            float(ulp_error(run(module, [numerator, denominator], approximation=a), want).max())
            for a in approximations
        ]


def operations(module: Module) -> int:
    """The number of arithmetic statements of a `lane_module`, without the three of its index."""
    return sum(statement.op.pointwise for statement in module.walk()) - 3


def main() -> None:
    count = 1 << 20
    print("| function | statements | " + " | ".join(a.value for a in Approximation) + " |")
    print("|---|---|" + "---|" * len(Approximation))
    for name, function in FUNCTIONS.items():
        module = expand_module(_function_module(function, 1024), MathOptions())
        print(
            f"| {name} | {operations(module)} | "
            + " | ".join(f"{error:.3f}" for error in largest_errors(name, MathOptions(), count))
            + " |"
        )
    module = expand_module(lane_module([F32, F32], F32, 1024, LaneBuilder.div), MathOptions())
    print(
        f"| div | {operations(module)} | "
        + " | ".join(f"{error:.3f}" for error in division_errors(count))
        + " |"
    )


if __name__ == "__main__":
    main()
