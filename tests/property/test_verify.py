"""Random pointwise graphs from gen text to proven code, and every function of one operand over its whole range.

`--verify` is the judge: the emulator with its sanitizer, approximate instructions at nearest and at both ends of their
documented error, both entries of the kernel, against a float64 reference that imports no pass.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.kernels.catalogue import build_kernel
from asmgen.verification import hold
from tests.device import chosen_device
from tests.property.graphs import random_graph
from tests.property.shrinking import check_shrinking

PER_TEST = 10
MOST_OPS = 14
IN_EVERY_RUN = 10
ON_DEMAND = 5000

FUNCTIONS = ("abs", "neg", "sqrt", "rsqrt", "recip", "exp", "log", "tanh", "erf", "sigmoid", "relu", "floor", "ceil")
OPERATIONS = ("add", "sub", "mul", "div", "max", "min", "equal", "less", "greater")


def check_graphs(first: int) -> None:
    for seed in range(first, first + PER_TEST):
        check_shrinking(lambda size, seed=seed: check_graph(seed, size), MOST_OPS)


def check_graph(seed: int, most_ops: int) -> None:
    graph = random_graph(seed, most_ops)
    report = hold(asmgen.compile(graph.text, verify_passes=True), chosen_device(), seed)
    assert not report.is_broken, f"{graph}\n" + "\n".join(str(check) for check in report.checks)


@pytest.mark.parametrize("first", range(0, IN_EVERY_RUN, PER_TEST))
def test_random_graphs_agree_with_the_reference(first: int) -> None:
    check_graphs(first)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(IN_EVERY_RUN, ON_DEMAND, PER_TEST))
def test_more_random_graphs_agree_with_the_reference(first: int) -> None:
    check_graphs(first)


def every_magnitude(per_exponent: int, seed: int) -> NDArray[np.float32]:
    """Floats of every exponent and both signs, the ends of every binade, zeros, infinities and NaNs among
    them.

    NaNs are quiet: of a signalling NaN maxNum makes a quiet NaN (IEEE 754-2008, 5.3.1), and numpy's fmax
    drops it.
    """
    random = np.random.default_rng(seed)
    mantissas = random.integers(0, 1 << 23, (2, 256, per_exponent), dtype=np.uint32)
    mantissas[:, :, 0] = 0
    mantissas[:, :, 1] = (1 << 23) - 1
    mantissas[:, :, 2] = 1
    mantissas[:, 255, 1:] |= np.uint32(1 << 22)
    exponents = np.arange(256, dtype=np.uint32).reshape(1, 256, 1) << np.uint32(23)
    signs = np.array([0, 1 << 31], np.uint32).reshape(2, 1, 1)
    return (signs | exponents | mantissas).reshape(-1).view(np.float32)


@pytest.mark.parametrize("op", FUNCTIONS)
def test_a_function_over_its_whole_range(op: str) -> None:
    dense = np.linspace(-12.0, 12.0, 4096, dtype=np.float32)
    x = np.concatenate([every_magnitude(24, 1), dense])
    program = asmgen.compile(f"x = @param:x -> {{{x.size}}}\ny = {op}(x)\n@return(y)\n")
    report = hold(program, chosen_device(), inputs=[x])
    assert not report.is_broken, "\n".join(str(check) for check in report.checks)


@pytest.mark.parametrize("op", FUNCTIONS)
def test_a_function_of_every_f16(op: str) -> None:
    bits = np.arange(1 << 16, dtype=np.uint16)
    x = np.where((bits & 0x7FFF) > 0x7C00, bits | 0x200, bits).astype(np.uint16).view(np.float16)
    program = asmgen.compile(f"x = @param:x -> f16, {{{x.size}}}\ny = {op}(x)\n@return(y)\n")
    report = hold(program, chosen_device(), inputs=[x])
    assert not report.is_broken, "\n".join(str(check) for check in report.checks)


@pytest.mark.parametrize("op", OPERATIONS)
def test_an_operation_on_every_pair_of_exponents(op: str) -> None:
    few = every_magnitude(3, 2)[::3]
    some = every_magnitude(4, 3)[3::4][::7]
    a, b = (part.reshape(-1).copy() for part in np.meshgrid(few, some))
    program = asmgen.compile(f"a = @param:a -> {{{a.size}}}\nb = @param:b -> {{{a.size}}}\ny = {op}(a, b)\n@return(y)\n")
    report = hold(program, chosen_device(), inputs=[a, b])
    assert not report.is_broken, "\n".join(str(check) for check in report.checks)


@pytest.mark.parametrize("kernel", ["vecadd", "relu", "muladd", "gelu", "gelu_erf"])
@pytest.mark.parametrize("n", [1, 3, 64, 1000, 1021, 4096])
def test_the_catalogue_at_any_length(kernel: str, n: int) -> None:
    report = hold(asmgen.compile(build_kernel(kernel, [("n", str(n))])), chosen_device())
    assert not report.is_broken, "\n".join(str(check) for check in report.checks)


def test_a_product_is_contracted_through_a_conversion_to_its_own_type() -> None:
    """0 - x * x in one rounding is -0 if the product underflows; seed 4877 of the random graphs."""
    text = "x = @param:x -> {4}\nz = sub(x, x)\np = mul(x, x)\nq = convert[target_type=f32](p)\ny = sub(z, q)\n@return(y)\n"
    report = hold(asmgen.compile(text), chosen_device(), inputs=[np.array([1e-30, -1e-45, 0.0, 2.0], np.float32)])
    assert not report.is_broken, "\n".join(str(check) for check in report.checks)
