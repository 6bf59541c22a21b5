"""Softmax, norms and variances with rows in parts, and the rows that are hard for them."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.schedules.choosing.parts import Share
from asmgen.gentext.parser import parse
from asmgen.graph.reference import compare, evaluate
from asmgen.gridwise.cut import cut
from asmgen.gridwise.printer import print_file
from asmgen.ir.arrays import Array
from asmgen.verification.verify import rules_of
from isa.target import Target
from isa.targets import parse_target

SOFTMAX = "y = softmax[axis=1](x)\n@return(y)\n"
LAYERNORM = "y = layernorm[axis=1](x)\n@return(y)\n"
VARIANCE = "m = reduce_mean[axes={1}](x)\nc = sub(x, m)\nq = mul(c, c)\ny = reduce_mean[axes={1}](q)\n@return(m, y)\n"
POWERS = "m = reduce_max[axes={1}](x)\nc = sub(x, m)\nq = exp(c)\ny = reduce_sum[axes={1}](q)\n@return(m, y)\n"


def in_four(_: object, target: Target) -> Share:
    return Share(4)


def in_parts(text: str, target: str, nan: str = "ieee") -> asmgen.CompiledProgram:
    """The program with its rows in four parts, from the text of its launches."""
    launches = cut(parse(text, "rows.gen"), parse_target(target), nan == "propagate", in_four)
    return asmgen.compile(print_file(launches.file), target=target, nan=nan)


def rows(columns: int) -> Array:
    """Of ordinary numbers, of infinities and NaN in one part or in all, of means far from 0 or far from
    each other, and of a last part that is like no other.
    """
    generator = np.random.default_rng(4)
    x = generator.standard_normal((14, columns)).astype(np.float32)
    x[1, : columns // 3] = -np.inf
    x[2] = -np.inf
    x[3, :-1] = -np.inf
    x[4, 5] = np.inf
    x[5, -1] = np.nan
    x[6, 1:] = np.nan
    x[7, ::2] = -3.4e38
    x[8] = 7.3
    x[9] += 1e5
    x[10, columns // 2 :] -= 1e4
    x[11] *= 1e19
    x[12] = 3
    x[12, -1] = 1e6
    x[13] = np.arange(columns)
    return x


@pytest.mark.parametrize(
    ("columns", "body", "target", "nan", "launches"),
    [
        (1024, SOFTMAX, "gfx942", "ieee", 2),
        (1015, SOFTMAX, "gfx942", "ieee", 3),
        (1024, SOFTMAX, "gfx1100", "propagate", 2),
        (1015, SOFTMAX, "gfx1100", "propagate", 2),
        *[(columns, LAYERNORM, "gfx1201", "ieee", 2) for columns in (1024, 1015)],
        *[(columns, VARIANCE, "gfx942", "ieee", 2) for columns in (1024, 1015)],
        *[(columns, POWERS, "gfx90a", "ieee", 2) for columns in (1024, 1015)],
    ],
)
def test_what_parts_give_is_moved_to_the_common_shift(columns: int, body: str, target: str, nan: str, launches: int) -> None:
    """1,015 columns are four parts of 252, one of 4, and 3 that no part has. A launch of its own combines the results of the parts if the
    lanes of the last launch would combine them for each element, and that takes longer: softmax takes 7.1 microseconds on gfx1100 without
    it, 9.7 with it, and layernorm 6.7 and 10.1 on gfx1201."""
    text = f"x = @param:x -> f32, {{14,{columns}}}\n{body}"
    program, x = in_parts(text, target, nan), rows(columns)
    assert len(program.kernels) == launches
    results = program(x, device="emulator")
    for expected, actual in zip(evaluate(parse(text, "rows.gen"), [x], rules_of(program)), results, strict=True):
        comparison = compare(expected, actual)
        assert not comparison.is_broken, comparison


def test_columns_in_parts_keep_what_they_shift_by() -> None:
    """The variance of each channel, over two axes; the outer axis is in parts."""
    text = "x = @param:x -> f32, {8,3,70}\n" + VARIANCE.replace("{1}", "{0,2}")
    program = in_parts(text, "gfx942")
    x = np.random.default_rng(4).standard_normal((8, 3, 70)).astype(np.float32) + np.float32(1000)
    assert len(program.kernels) == 2
    _, found = program(x, device="emulator")
    assert np.allclose(found, x.var(axis=(0, 2), dtype=np.float64, keepdims=True), rtol=3e-6)


def test_other_reductions_of_what_is_shifted_take_launches_of_their_own() -> None:
    text = "x = @param:x -> f32, {2,1024}\n" + POWERS.replace("reduce_sum", "reduce_prod")
    assert len(in_parts(text, "gfx942").kernels) > 2


@pytest.mark.usefixtures("takes_parts")
@pytest.mark.parametrize(
    ("body", "target"),
    [
        ("m = reduce_max[axes={1}](x)\nc = sub(x, m)\ne = exp(c)\ns = reduce_sum[axes={1}](e)\nl = log(s)\ny = add(l, m)\n@return(y)\n", "gfx942"),
        ("y = argmax[axis=1](x)\n@return(y)\n", "gfx1201"),
        ("y = argmin[axis=1, select_last_index=true](x)\n@return(y)\n", "gfx90a"),
    ],
)
def test_rows_of_a_named_dim_are_read_once_in_parts_of_a_fixed_length(body: str, target: str) -> None:
    """The last part may be empty, and up to three elements are in no part."""
    text = f"x = @param:x -> f32, {{2,n}}\n{body}"
    program = asmgen.compile(text, target=target)
    assert len(program.kernels) == 2
    for n in (1, 3, 8192, 8195, 20001):
        x = np.minimum(np.random.default_rng(n).standard_normal((2, n)), 0).astype(np.float32)
        x[1, n // 2 :] = -3
        (wanted,) = evaluate(parse(text.replace("{2,n}", f"{{2,{n}}}"), "rows.gen"), [x], rules_of(program))
        comparison = compare(wanted, np.asarray(program(x, device="emulator")[0]))
        assert not comparison.is_broken, (n, str(comparison))


def test_a_part_is_of_a_fixed_length_only_if_it_keeps_its_row() -> None:
    """Parts of a sum of quotients by the maximum of the row need that of all parts."""
    lines = ("x = @param:x -> f32, {2,n}", "m = reduce_max[axes={1}](x)", "q = div(x, m)", "s = reduce_sum[axes={1}](q)")
    text = "\n".join([*lines, "@return(s)\n"])
    assert len(cut(parse(text, "rows.gen"), parse_target("gfx942")).file.programs[0].launches) == 1
