"""Every op of the graph with one mistake in an attribute, an operand or a type is refused at its line; so is
a program with sizes that no index reaches."""

from __future__ import annotations

import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.ops import GRAPH_OPS
from asmgen.ir.program import Op
from isa.diagnostics import InputError, Place
from tests.unit.asmgen.bad_input.mistakes_in_ops import mistakes, right_one

X = "x = @param:x -> f32, {4,6}\n"
WIDE = "x = @param:x -> f32, {65536,65536}\n"
# the statement in the second line is wrong, whatever the row of its op says of its attributes
CONTRADICTIONS = (
    X + "r = pad[pads={1,1}](x)",
    X + "r = pad[pads={4,0,0,0}, mode=reflect](x)",
    X + "r = pad[pads={0,1,0,1}, mode=edge, value=3](x)",
    X + "r = slice[axes={0,1}, starts={0}, ends={2}](x)",
    X + "r = slice[axes={0,-2}, starts={0,0}, ends={2,2}](x)",
    X + "r = step[axes={0}, steps={0}](x)",
    X + "r = transpose[permutation={0,0}](x)",
    X + "r = reshape[dims={0,24}](x)",
    X + "r = squeeze[axes={0}](x)",
    X + "r = unsqueeze[axes={0,0}](x)",
    X + "r = broadcast[axis=1, out_lens={4,6}](x)",
    X + "r = multibroadcast[out_lens={6,4}](x)",
    X + "r = reverse[axes={0,-2}](x)",
    X + "r = reduce_sum[axes={1,-1}](x)",
    X + "r = layernorm[axis=0, epsilon=-1](x)",
    X + "r = groupnorm[groups=5](x)",
    X + "r = bit_cast[target_type=f16](x)",
    X + "r = where(x, x, x)",
    X + "r = elu[alpha=inf](x)",
    # sizes
    X + "r = multibroadcast[out_lens={4294967297,4,6}](x)",
    X + "r = pad[pads={0,4294967296,0,0}](x)",
    X + "b = multibroadcast[out_lens={4294967296,4,6}](x)\nr = reduce_sum(b)",
    WIDE + "r = concat[axis=0](x, x)",
    WIDE + "r = multibroadcast[out_lens={2,65536,65536}](x)",
    "i = @param:i -> i32, {65536}\nx = @param:x -> f32, {10,65537}\nr = gather[axis=0](x, i)",
)


@pytest.mark.parametrize("op", GRAPH_OPS.values(), ids=lambda op: op.name)
def test_an_op_with_a_mistake_is_refused_at_its_line(op: Op) -> None:
    _ = parse(right_one(op), "right.gen")
    for mistake in mistakes(op):
        try:
            _ = parse(mistake.text, "wrong.gen")
        except InputError as error:
            assert isinstance(error.place, Place), mistake
            assert error.place.line == mistake.line, (mistake, str(error))
        else:
            pytest.fail(f"accepted: {mistake}")


@pytest.mark.parametrize("text", CONTRADICTIONS, ids=range(len(CONTRADICTIONS)))
def test_a_statement_that_contradicts_itself_is_refused_at_its_line(text: str) -> None:
    with pytest.raises(InputError) as caught:
        _ = asmgen.compile(f"{text}\n@return(r)\n")
    assert isinstance(caught.value.place, Place)
    assert caught.value.place.line == (3 if text.startswith("i ") else 2), str(caught.value)


@pytest.mark.parametrize("text", [X, f"{X}@return()\n", f"{X}r = add(x, x)\n"], ids=range(3))
def test_a_program_without_results_is_refused_at_its_end(text: str) -> None:
    with pytest.raises(InputError) as caught:
        _ = asmgen.compile(text)
    assert caught.value.code == "GEN016"
    assert isinstance(caught.value.place, Place)
