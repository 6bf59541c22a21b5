"""Comparisons of a number with sums, as comparisons of one difference; and of an i64 with several small numbers."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.lanewise.math import MathOptions, expand_module

TEXT = """stage lanewise gfx942
module @m {{
  launch[grid={{1,1,1}}, block={{64,1,1}}]
  x = @param:x -> u32, {{64}}
  z = @param:z -> i32, {{64}}
  lane = local_id -> u32
  loaded = load(x, lane) -> u32
  mask = @literal{{255}} -> u32
  small = bitwise_and(loaded, mask) -> u32
  number = convert[target_type=i32]({number}) -> i32
{sums}
  zero = @literal{{0}} -> i32
  one = @literal{{1}} -> i32
{results}
  store(z, lane, r{last})
  @return(z)
}}
"""
CONSTANTS = (1, 2, 70)


def text(op: str, number: str, base: str, swapped: bool, constants: tuple[int, ...] = CONSTANTS) -> str:
    """A bit of the result for each comparison of a number with a base and a constant."""
    sums, results, last = list[str](), ["  r = identity(zero) -> i32"], ""
    for at, constant in enumerate(constants):
        sums += [f"  k{at} = @literal{{{constant}}} -> u32", f"  a{at} = add({base}, k{at}) -> u32"]
        sums += [f"  s{at} = convert[target_type=i32](a{at}) -> i32"]
        operands = f"s{at}, number" if swapped else f"number, s{at}"
        results += [f"  e{at} = {op}({operands}) -> bool", f"  bit{at} = @literal{{{1 << at}}} -> i32"]
        results += [f"  w{at} = where(e{at}, bit{at}, zero) -> i32", f"  r_{at} = bitwise_or(r{last}, w{at}) -> i32"]
        last = f"_{at}"
    return TEXT.format(number=number, sums="\n".join(sums), results="\n".join(results), last=last)


def names(source: str) -> list[str]:
    (module,) = parse(source, "m.gen").modules
    return [each.op.name for each in expand_module(module, MathOptions()).walk()]


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize(
    ("op", "number", "base", "is_difference"),
    [
        ("less", "small", "lane", True),
        ("greater_equal", "lane", "small", True),
        ("equal", "loaded", "lane", True),
        ("not_equal", "small", "loaded", True),
        ("less", "loaded", "lane", False),  # it may be negative as an i32
        ("greater", "small", "loaded", False),  # the sum may wrap
    ],
)
def test_a_difference_is_compared(op: str, number: str, base: str, is_difference: bool, swapped: bool) -> None:
    source = text(op, number, base, swapped)
    assert names(source).count("sub") == is_difference
    assert names(source).count("add") == (0 if is_difference else len(CONSTANTS))
    loaded = np.random.default_rng(4).integers(0, 1 << 32, 64, dtype=np.uint64).astype(np.uint32)
    loaded[:40] = np.r_[np.arange(30), (1 << 31) - 1, 1 << 31, np.full(6, (1 << 32) - 1), (1 << 31) + 5, 256]
    lane = np.arange(64, dtype=np.uint32)
    of = {"small": loaded & 255, "lane": lane, "loaded": loaded}
    (got,) = asmgen.compile(source, target="gfx942")(loaded, device="emulator")
    compare = {"less": np.less, "greater_equal": np.greater_equal, "equal": np.equal, "not_equal": np.not_equal, "greater": np.greater}[op]
    wanted = np.zeros(64, np.int32)
    for at, constant in enumerate(CONSTANTS):
        both = of[number].astype(np.int32), (of[base] + np.uint32(constant)).astype(np.int32)
        wanted |= np.where(compare(*(both[::-1] if swapped else both)), 1 << at, 0).astype(np.int32)
    np.testing.assert_array_equal(got, wanted)


def test_a_single_comparison_stays() -> None:
    assert "sub" not in names(text("less", "small", "lane", False, (1,)))


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_an_index_of_64_bits_is_compared_in_32(target: str) -> None:
    """Indices that have a place in their lower word alone are none of the places."""
    indices = np.array([0, 1, 29, 30, -1, 1 << 32, (1 << 32) + 5, (1 << 32) - 1, -(1 << 63), (5 << 32) | 29, 7])
    source = f"i = @param:i -> i64, {{{indices.size}}}\nz = one_hot[depth=30, target_type=i32](i)\n@return(z)\n"
    program = asmgen.compile(source, target=target)
    (got,) = program(indices, device="emulator")
    np.testing.assert_array_equal(got, indices[:, None] == np.arange(30))
    assert "_i64" not in program.kernels[0].assembly
