"""Truths are computed next to their readers if there are many."""

from __future__ import annotations

import asmgen
from asmgen.gentext.parser import parse
from asmgen.ir.program import Statement
from asmgen.select.order import MOST_LIVE_MASKS, masks_last


def _ordered(count: int) -> list[str]:
    """The names of the results, of `count` comparisons followed by as many choices."""
    compared = "\n".join(f"t{i} = less(a, b)" for i in range(count))
    chosen = "\n".join(f"w{i} = where(t{i}, a, b)" for i in range(count))
    text = f"""stage lanewise gfx942
module @m {{
launch[grid={{1,1,1}}, block={{64,1,1}}]
x = @param:x -> f32, {{64}}
i = local_id
a = load(x, i)
b = neg(a)
{compared}
{chosen}
@return(x)
}}"""
    statements: tuple[Statement, ...] = parse(text, "m.gen").modules[0].statements
    return [each.result.name for each in masks_last(statements) if each.results and each.op.pointwise]


def test_a_few_truths_stay_where_they_are() -> None:
    names = _ordered(MOST_LIVE_MASKS)
    assert names[1 : 1 + MOST_LIVE_MASKS] == [f"t{i}" for i in range(MOST_LIVE_MASKS)]


def test_many_truths_come_right_before_their_use() -> None:
    count = MOST_LIVE_MASKS + 1
    names = [name for name in _ordered(count) if name != "b"]
    assert names == [f"{kind}{i}" for i in range(count) for kind in "tw"]


def test_statements_with_several_results_stay_in_their_place() -> None:
    scaled = "\n".join(f"s{i}, t{i} = div_scale[numerator=1](a, a)" for i in range(MOST_LIVE_MASKS + 1))
    fused = "\n".join(f"q{i} = div_fmas(s{i}, a, a, t{i})" for i in range(MOST_LIVE_MASKS + 1))
    text = f"""stage final gfx942
module @m {{
launch[grid={{1,1,1}}, block={{64,1,1}}]
x = @param:x -> f64, {{64}}
i = local_id
a = load(x, i)
{scaled}
{fused}
@return(x)
}}"""
    statements: tuple[Statement, ...] = parse(text, "m.gen").modules[0].statements
    assert masks_last(statements) == list(statements)


def test_a_row_of_many_elements_a_lane_has_scalar_registers_left() -> None:
    program = asmgen.compile("x = @param:x -> f32, {3,65536}\ny = argmax[axis=1](x)\n@return(y)\n", target="gfx942")
    assert program.kernels[0].resources.sgprs < 50
