"""A single product of 65,536 that is lost, doubled or made of another row shows in the result of a matrix product."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

import asmgen
from asmgen.compiled import CompiledProgram
from asmgen.ir.arrays import Array
from asmgen.runtime.calls import program_parameters
from asmgen.verification import hold
from asmgen.verification.factors import long_factors
from asmgen.verification.settings import Setting

K = 65536
PLACES = (3, 21846, 40003, 65535)
Wrong = Callable[[Array, Array, int], Array]  # the change of the product by a fault at a place


def lost(a: Array, b: Array, place: int) -> Array:
    return -np.outer(a[:, place], b[place])


def doubled(a: Array, b: Array, place: int) -> Array:
    return np.outer(a[:, place], b[place])


def of_the_next_row(a: Array, b: Array, place: int) -> Array:
    return np.outer(a[:, place], b[(place + 1) % K] - b[place])


def product(element: str, m: int, n: int, target: str) -> CompiledProgram:
    a, b = f"{element}, {{{m},{K}}}", f"{element}, {{{K},{n}}}"
    return asmgen.compile(f"a = @param:a -> {a}\nb = @param:b -> {b}\no = dot(a, b)\n@return(o)\n", target=target)


@pytest.mark.parametrize(
    ("element", "m", "n", "target", "wrong"),
    [("bf16", 1, 1, "gfx942", lost), ("f32", 1, 1, "gfx1100", doubled), ("f16", 1, 1, "gfx1201", of_the_next_row)],
)
def test_a_single_wrong_product_is_found(element: str, m: int, n: int, target: str, wrong: Wrong) -> None:
    program = product(element, m, n, target)

    def exact(place: int | None) -> bool:
        def emulate(_: CompiledProgram, arrays: Sequence[Array], _setting: Setting) -> list[Array]:
            a, b = [array.astype(np.float64) for array in arrays]
            with np.errstate(all="ignore"):
                total = a @ b + (0 if place is None else wrong(a, b, place))
                return [total.astype(arrays[0].dtype)]

        return hold(program, emulate=emulate).is_broken

    assert not exact(None)
    assert [place for place in PLACES if not exact(place)] == []


def factors(text: str) -> tuple[int, ...]:
    program = asmgen.compile(text)
    assert program.graph is not None
    return long_factors(program.graph, program_parameters(program))


def test_the_largest_parameter_of_each_operand_of_a_long_product_is_chosen() -> None:
    layer = """
        c = @param:c -> f16, {70000}
        x = @param:x -> f16, {2,16384}
        s = @param:s -> f16, {1,16384}
        w = @param:w -> f16, {3,16384}
        e = exp(c)
        y = mul(s, x)
        t = transpose[permutation={1,0}](w)
        o = dot(y, t)
        @return(o, e)
    """
    assert factors(layer) == (1, 3)
    assert factors(layer.replace("16384", "16383")) == ()
