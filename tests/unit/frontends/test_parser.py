"""What gen text means: every statement form, default and spelling that is read."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from pathlib import Path

import pytest

from asmgen.gentext.parser import parse
from asmgen.graph.ops import GRAPH_OPS
from asmgen.graph.printer import print_program
from asmgen.ir.program import AttributeSpec, Op, Program, Stage, Statement, tensor_type
from asmgen.ir.types import ELEMENT_TYPES, LaneType, TensorType, tensor
from isa.targets import parse_target
from tests.unit.frontends.programs import outline

F32 = ELEMENT_TYPES["f32"]


def graph(text: str) -> list[Statement]:
    return list(parse(text, "t.gen").modules[0].statements)


def one(text: str) -> Statement:
    """The second last statement: the one before @return."""
    return graph(text)[-2]


def test_statement_forms() -> None:
    statements = graph("x = @param:input -> f16, {2,3}, {1,2}\nl = @literal{1, 2, 3} -> f16, {3}\ny = add(x, l) -> f16, {2,3}\n@return(y, x, y)\n")
    assert [statement.op.name for statement in statements] == ["@param", "@literal", "multibroadcast", "add", "@return"]
    param, literal, broadcast, add, end = statements
    assert param.attributes == {"name": "input"}
    assert param.result.type == TensorType(ELEMENT_TYPES["f16"], (2, 3), (1, 2))
    assert literal.attributes == {"values": (1.0, 2.0, 3.0)}
    assert broadcast.result.type == TensorType(ELEMENT_TYPES["f16"], (2, 3), (0, 1))
    assert add.operands == (param.result, broadcast.result)
    assert end.operands == (add.result, param.result, add.result)


def test_a_result_without_a_name_is_called_as_its_op() -> None:
    text = "x = @param:x -> {4}\ngpu::gen::relu(x) -> {4}\n@return(relu)\n"
    assert one(text).result.name == "relu"


def test_newlines_are_white_space_inside_brackets_only() -> None:
    text = "# head\nx=@param:x->{\n2 , // dims\n2\n}\ny = pad [ # attributes\npads = {1,\n1,1,1}\n] (\nx\n)\n\n@return ( y )"
    assert one(text).result.type == tensor(F32, (4, 4))


@pytest.mark.parametrize("name", list(ELEMENT_TYPES))
def test_every_spelling_of_a_type(name: str) -> None:
    assert graph(f"x = @param:x -> {name}, {{1}}\n@return(x)\n")[0].result.type == tensor(ELEMENT_TYPES[name], (1,))


@pytest.mark.parametrize(
    ("text", "type_name", "value"),
    [
        ("1", "f32", 1.0), ("-0", "f32", -0.0), ("+2.5e1", "f32", 25.0), (".5", "f32", 0.5), ("5.", "f32", 5.0),
        ("0x1F", "i32", 31), ("-0x10", "i32", -16),
        ("inf", "f32", math.inf), ("-inf", "f16", -math.inf), ("nan", "f32", math.nan), ("1e38", "f32", 9.999999680285692e37),
        ("65519", "f16", 65504.0),
        ("65519", "f16", 65504.0), ("0.1", "f32", 0.10000000149011612), ("1e-60", "f32", 0.0), ("3e0", "i32", 3), ("007", "i32", 7),
        ("2147483647", "i32", 2147483647), ("-2147483648", "i32", -2147483648), ("255", "u8", 255), ("18446744073709551615", "u64", 2**64 - 1),
        ("true", "bool", True), ("false", "bool", False), ("1", "bool", True), ("0", "bool", False), ("nan", "fp8e4m3fn", math.nan),
        ("0.1", "bf16", 0.10009765625), ("16777217", "f32", 16777216.0),
        # halfway in f64 and beyond it: rounded once, not through f64
        ("1.00000005960464477540", "f32", 1.0000001192092896), ("1.000000059604644775390625", "f32", 1.0),
    ],
)  # fmt: skip
def test_literal_values(text: str, type_name: str, value: float) -> None:
    values = graph(f"x = @literal{{{text}}} -> {type_name}, {{}}\n@return(x)\n")[0].attributes["values"]
    assert repr(values) == repr((value,))


def test_attributes_and_their_defaults() -> None:
    x = "x = @param:x -> {4,6}\n"
    assert one(x + "y = elu(x)\n@return(y)\n").attributes == {"alpha": 1.0}
    assert one(x + "y = elu[alpha=0x10](x)\n@return(y)\n").attributes == {"alpha": 16.0}
    assert one(x + "y = reduce_sum(x)\n@return(y)\n").result.type == tensor(F32, (1, 1))
    assert one(x + "y = reduce_sum[axes=-1](x)\n@return(y)\n").attributes == {"axes": (-1,)}
    assert one(x + "y = argmax[select_last_index=true, axis=0](x)\n@return(y)\n").attributes == {"axis": 0, "select_last_index": True}
    assert one(x + 'y = pad[pads={1,1,1,1}, mode="edge"](x)\n@return(y)\n').attributes == {"pads": (1, 1, 1, 1), "mode": "edge", "value": 0.0}
    assert one(x + "y = pad[pads={1,1,1,1}, value=-inf](x)\n@return(y)\n").attributes["value"] == -math.inf
    assert one(x + "y = convert[target_type=half_type](x)\n@return(y)\n").attributes == {"target_type": "f16"}


def test_a_broadcast_is_made_once_and_avoids_names_that_are_taken() -> None:
    text = "x = @param:x -> {2,4}\nb = @param:b -> {4}\ny = add(x, b)\nz = mul(y, b)\nb_broadcast = abs(z)\n@return(b_broadcast)\n"
    made = [statement for statement in graph(text) if statement.op.name == "multibroadcast"]
    assert [statement.result.name for statement in made] == ["b_broadcast_1"]


def test_written_strides_of_a_view_may_be_its_own_or_row_major() -> None:
    x = "x = @param:x -> {2,3}\n"
    for strides in ("", ", {1,3}", ", {2,1}"):
        assert one(f"{x}y = transpose[permutation={{1,0}}](x) -> {{3,2}}{strides}\n@return(y)\n").result.type == TensorType(F32, (3, 2), (1, 3))
    # the stride of a dim of size 1 says nothing
    assert one("x = @param:x -> {1,3}\ny = abs(x) -> {1,3}, {7,1}\n@return(y)\n").result.type == tensor(F32, (1, 3))


def test_modules() -> None:
    program = parse("module @a {\nx = @param:x -> {1}\n@return(x)\n}\n\nmodule @b {\n x = @param:x -> {2}\n @return(x) }\n", "t.gen")
    assert [module.name for module in program.modules] == ["a", "b"]
    assert parse("x = @param:x -> {1}\n@return(x)\n", "dir/1 net-a.v2.gen").modules[0].name == "_1_net_a_v2"


def test_a_called_module_has_the_named_dims_of_its_caller() -> None:
    called = "module @m {\na = @param:a -> {n}\nb = reduce_sum(a)\n@return(b)\n}\n"
    program = parse(called + "module @k {\nx = @param:x -> {n}\ny = op[module=m](x)\n@return(y)\n}\n", "k.gen")
    assert outline(program) == outline(parse("x = @param:x -> {n}\ny = reduce_sum(x)\n@return(y)\n", "k.gen"))


def test_callers_of_a_module_have_other_dims() -> None:
    called = "module @m {\na = @param:a -> {n,m}\nb = reduce_sum[axes={1}](a)\nc = multibroadcast[out_lens={n,m}](b)\n@return(c)\n}\n"
    calls = "x = @param:x -> {m,n}\ny = @param:y -> {k,5}\np = op[module=m](x)\nq = op[module=m](y)\n"
    (program,) = parse(f"{called}module @k {{\n{calls}@return(p, q)\n}}\n", "k.gen").modules
    assert [[str(dim) for dim in tensor_type(value).dims] for value in program.statements[-1].operands] == [["m", "n"], ["k", "5"]]


def test_names_that_look_like_keywords() -> None:
    text = "module = @param:module -> {1}\nstage = abs(module)\nscalar = add(stage, module)\nf32 = neg(scalar)\n@return(f32)\n"
    assert one(text).result.name == "f32"


LANEWISE = """
// comment first
stage lanewise gfx942:sramecc+ # the target
module @k {
  launch[grid={1,1,1}, block={64,1,1}]
  b = @param:b -> f32, {64}
  t = local_id -> scalar
  n = @literal{5} -> u32
  v = load(b, t) -> scalar
  w = @literal{1, 2, 3, 4} -> f32x4
  c = less(t, n)
  r = if(c) { q = add(v, v)
    yield(q) } { yield(v) } -> f32
  s, u = for(t, n, n, r, v) (i, k, m) {
    p = add(k, m)
    yield(p, k)
  } -> f32, scalar
  store(b, t, s)
  if(c) { barrier
    yield }
  @return()
}
"""


def test_a_later_stage() -> None:
    program = parse(LANEWISE, "t.gen")
    assert (program.stage, program.target) == (Stage.LANEWISE, parse_target("gfx942:sramecc+"))
    statements = {statement.results[0].name: statement for statement in program.modules[0].walk() if statement.results}
    assert statements["w"].result.type == LaneType(F32, 4)
    assert statements["t"].result.type == LaneType(ELEMENT_TYPES["u32"])
    loop = statements["s"]
    assert [value.type for value in loop.regions[0].parameters] == [LaneType(ELEMENT_TYPES["u32"]), LaneType(F32), LaneType(F32)]
    assert len(statements["r"].regions) == 2
    assert print_and_parse(program) == outline(program)


def print_and_parse(program: Program) -> object:
    return outline(parse(print_program(program), "other.gen"))


def test_the_example_of_the_page() -> None:
    page = (Path(__file__).parents[3] / "docs" / "gen-text.md").read_text()
    assert [statement.op.name for statement in graph(page.split("```")[1])] == ["@param", "@literal", "tanh", "multibroadcast", "add", "@return"]


def as_the_page_writes(op: Op) -> tuple[str, str, int, int | None]:
    """An op's name, its attributes with their defaults or kinds, and how many operands it takes."""
    return op.name, ", ".join(_attribute(known) for known in op.attributes), op.minimum, op.maximum


def _attribute(known: AttributeSpec) -> str:
    if known.default is None:
        return f"{known.name}={known.kind.value}"
    shown = {"()": "{}", "False": "false", "True": "true", "": f"{known.kind.value}?"}
    return f"{known.name}={shown.get(str(known.default), known.default)}"


def test_the_page_lists_every_op_as_its_row_has_it() -> None:
    page = (Path(__file__).parents[3] / "docs" / "gen-text.md").read_text(encoding="utf-8")
    text = page.split("### The table of ops")[1].split("## Errors")[0]
    found: list[tuple[str, str, int, int | None]] = []
    first_cells = "".join(line.split(" | ")[0] for line in text.splitlines() if line.startswith("| `"))
    for name, attributes, operands in re.findall(r"`(\w+)(?:\[([^]]*)\])?\(([^)]*)\)`", first_cells):
        listed = [one for one in operands.split(", ") if one]
        most = None if "..." in listed else len(listed)
        found.append((name, attributes, sum("?" not in operand and operand != "..." for operand in listed), most))
    assert sorted(found) == sorted([as_the_page_writes(op) for op in GRAPH_OPS.values()])


def test_reading_loads_no_heavy_module() -> None:
    script = """
import sys
from asmgen.frontends.traced import functions
from asmgen.gentext.parser import parse
from asmgen.graph.printer import print_program
from asmgen.kernels import build_kernel
parse(print_program(build_kernel("vecadd")), "t.gen")
assert not {"numpy", "sympy"} & set(sys.modules), "a heavy module is loaded"
"""
    _ = subprocess.run([sys.executable, "-c", script], check=True)
