"""Every refusal of gen text: its code, its place, the text that was got and wanted, and the way out."""

from __future__ import annotations

import pytest

from asmgen.gentext.parser import parse
from isa.diagnostics import InputError

X = "x = @param:x -> {4}\n"
R = "@return(x)\n"
LANE = "stage lanewise gfx942\nb = @param:b -> {4}\nt = local_id\nc = less(t, t)\nv = load(b, t)\n"

GRAPH_ERRORS = [
    # characters and numbers
    ("x = $\n", "GEN001", 1, 5, "got the character '$'", "comments"),
    (X + "y = x * 2\n", "GEN001", 2, 7, "got the character '*'", "ops in place of operators"),
    ("x = param(x)\n", "GEN003", 1, 5, "unknown op param", "did you mean @param"),
    (X + 'y = pad[mode="constant](x)\n', "GEN001", 2, 14, "got the character '\"'", "double quotes"),
    ("x = @param:x -> {4x}\n", "GEN001", 1, 18, "got '4x', wanted a number", ""),
    ("x = @literal{0.5f} -> {}\n", "GEN001", 1, 14, "got '0.5f', wanted a number", ""),
    ("x = @literal{0x} -> {}\n", "GEN001", 1, 14, "got '0x', wanted a number", ""),
    ("x = @literal{1e} -> {}\n", "GEN001", 1, 14, "got '1e', wanted a number", ""),
    (f"x = @literal{{{'9' * 201}}} -> {{}}\n", "GEN001", 1, 14, "of at most 200 characters", ""),
    # syntax
    ("x = @param x -> {4}\n", "GEN002", 1, 12, "got 'x', wanted ':' and the argument's name", ""),
    ("x = @param:3 -> {4}\n", "GEN002", 1, 12, "got '3', wanted the argument's name", ""),
    ("x = @param:x\n", "GEN002", 1, 13, "got the end of the line, wanted '->' and the type", ""),
    ("x = @param:x -> 4\n", "GEN002", 1, 17, "got '4', wanted a type, 'scalar' or '{'", ""),
    ("x = @param:x -> {4} {1}\n", "GEN002", 1, 21, "got '{', wanted the end of the statement", ""),
    ("x = @param:x -> {4", "GEN002", 1, 19, "got the end of the file, wanted ',' or '}'", ""),
    ("x = @param:x -> {4 4}", "GEN002", 1, 20, "got '4', wanted ',' or '}'", ""),
    ("x = @param:x -> {n,7\ny = relu(x)\n@return(y)\n", "GEN002", 2, 1, "got 'y', wanted ',' or '}'", ""),
    (X + "y, = abs(x)\n", "GEN002", 2, 4, "got '=', wanted a name", ""),
    (X + "y = (x)\n", "GEN002", 2, 5, "got '(', wanted an op", ""),
    (X + "y = abs(x\n@return(y)\n", "GEN002", 3, 1, "got '@', wanted ',' or ')'", ""),
    (X + "y = abs(x) z\n", "GEN002", 2, 12, "got 'z', wanted the end of the statement", ""),
    (X + "y = abs(1)\n", "GEN020", 2, 9, "got the number 1 as an operand, wanted the name of a value", "give it a name"),
    (X + "y = convert[target_type](x)\n", "GEN002", 2, 24, "got ']', wanted '='", ""),
    (X + "y = @literal{x} -> {1}\n", "GEN002", 2, 14, "got 'x', wanted a number", ""),
    ("module @ {\n", "GEN002", 1, 10, "got '{', wanted the module's name", ""),
    ("module @m\n", "GEN002", 1, 10, "got the end of the line, wanted '{'", ""),
    (f"module @m {{\n{X}{R}}}\n{X}", "GEN002", 5, 1, "got 'x', wanted 'module' or the end of the file", ""),
    (X + "y = @ (x)\n", "GEN002", 2, 7, "got '(', wanted param, literal or return", ""),
    # ops and names
    (X + "y = addd(x, x)\n", "GEN003", 2, 5, "unknown op addd", "did you mean add"),
    (X + "y = gpu::gen::rellu(x)\n", "GEN003", 2, 5, "unknown op rellu", "did you mean relu"),
    (X + "y = @parm:y -> {4}\n", "GEN003", 2, 5, "unknown form '@parm'", "did you mean @param"),
    (X + "y = add(x, z)\n", "GEN004", 2, 12, "z is not defined here", ""),
    (X + "long_name = abs(x)\ny = neg(long_nam)\n", "GEN004", 3, 9, "long_nam is not defined here", "did you mean long_name"),
    (X + "y = add(x, z)\nz = abs(x)\n", "GEN004", 2, 12, "z is not defined here", "after its use"),
    ("y = abs(y)\n", "GEN004", 1, 9, "y is not defined here", ""),
    (X + "@return(y)\n", "GEN004", 2, 9, "y is not defined here", ""),
    (X + "x = abs(x)\n", "GEN005", 2, 1, "value x is defined a second time", "x is defined at t.gen:1:1"),
    (X + "y = @param:x -> {4}\n", "GEN005", 2, 12, "argument x is defined a second time", "t.gen:1:12"),
    (X + "abs(x)\nabs(x)\n", "GEN005", 3, 1, "value abs is defined a second time", "t.gen:2:1"),
    (f"module @m {{\n{X}{R}}}\nmodule @m {{\n{X}{R}}}\n", "GEN005", 5, 9, "module m is defined a second time", "t.gen:1:9"),
    # attributes
    (X + "y = convert[target_typ=f16](x)\n", "GEN006", 2, 13, "convert has no attribute target_typ, wanted one of", "did you mean target_type"),
    (X + "y = abs[axis=1](x)\n", "GEN006", 2, 9, "abs has no attribute axis, wanted none", ""),
    (X + "y = softmax[axis=0, axis=0](x)\n", "GEN007", 2, 21, "the attribute axis is given twice", ""),
    (X + "y = softmax[axis=1.5](x)\n", "GEN008", 2, 18, "axis is '1.5', wanted an integer", ""),
    (X + "y = softmax[axis={0}](x)\n", "GEN008", 2, 18, "axis is '{', wanted an integer", ""),
    (X + "y = elu[alpha=fast](x)\n", "GEN008", 2, 15, "alpha is 'fast', wanted a number", ""),
    (X + "y = argmax[axis=0, select_last_index=1](x)\n", "GEN008", 2, 38, "select_last_index is '1', wanted true or false", ""),
    (X + "y = pad[pads={1,1}, mode=edgy](x)\n", "GEN008", 2, 26, "mode is 'edgy', wanted constant or edge or reflect", "did you mean edge"),
    (X + "y = pad[pads={1,true}](x)\n", "GEN008", 2, 17, "pads is 'true', wanted integers", ""),
    (X + "y = convert[target_type=f23](x)\n", "GEN012", 2, 25, "unknown type f23", "did you mean f32"),
    (X + "y = convert(x)\n", "GEN009", 2, 12, "convert lacks the attribute target_type", ""),
    (X + "y = slice[axes=0, starts=1](x)\n", "GEN009", 2, 10, "slice lacks the attribute ends", ""),
    # results
    (X + "y, z = abs(x)\n", "GEN010", 2, 1, "abs gives 1 result, wanted as many names and not 2", ""),
    ("@param:x -> {4}\n", "GEN010", 1, 1, "'@param' is given no names", ""),
    ("x, y = @param:x -> {4}\n", "GEN010", 1, 8, "'@param' is given 2 names", ""),
    (X + "y = abs(x) -> {5}\n", "GEN011", 2, 15, "the result is written f32, {5}, wanted f32, {4} as abs gives it", ""),
    (X + "y = abs(x) -> f16, {4}\n", "GEN011", 2, 15, "the result is written f16, {4}, wanted f32, {4} as abs gives it", ""),
    (X + "y = abs(x) -> {4}, {2}\n", "GEN011", 2, 15, "the result is written f32, {4}, {2}", ""),
    (X + "y = abs(x) -> f32\n", "GEN011", 2, 15, "the result is written f32, wanted f32, {4} as abs gives it", ""),
    (X + "y = less(x, x) -> {4}\n", "GEN011", 2, 19, "wanted bool, {4} as less gives it", "without a type is f32"),
    (X + "y = abs(x) -> f32, {4}, {1}, f32, {4}\n", "GEN011", 2, 12, "got 2 types, wanted 1 for the results of abs", ""),
    # types, dims, strides
    ("x = @param:x -> f23, {4}\n", "GEN012", 1, 17, "unknown type f23, wanted one of bool i8", "did you mean f32"),
    ("x = @param:x -> f32\n", "GEN012", 1, 17, "got the lane value f32, wanted a tensor", "rank 0"),
    ("x = @param:x -> scalar\n", "GEN012", 1, 17, "got the lane value scalar, wanted a tensor", "rank 0"),
    ("x = @param:x -> f32x4\n", "GEN012", 1, 17, "got the lane value f32x4", ""),
    ("x = @param:x -> {-1}\n", "GEN013", 1, 18, "a dim is '-1', wanted an integer from 0", ""),
    ("x = @param:x -> {2.0}\n", "GEN013", 1, 18, "a dim is '2.0', wanted an integer", ""),
    ("x = @param:x -> {9223372036854775808}\n", "GEN013", 1, 18, "wanted an integer from 0 to 2^63 - 1", ""),
    ("x = @param:x[most={3,-1}] -> {4,4}\n", "GEN013", 1, 5, "a dim is 4, wanted at most 3, as `most` says", ""),
    ("x = @param:x -> {4}, {-1}\n", "GEN013", 1, 23, "a stride is '-1', wanted an integer from 0", ""),
    ("x = @param:x -> {4,4}, {1}\n", "GEN013", 1, 24, "1 stride for 2 dims, wanted a stride per dim", ""),
    ("x = @literal{1, 2, 3, 4} -> {2,2}, {1,2}\n", "GEN013", 1, 13, "the literal has strides {1,2}", ""),
    ("x = @param:x -> {?}\n", "GEN014", 1, 18, "got '?' as a dim, wanted a number or a name", "{n, 1024}"),
    ("x = @param:x -> {n,4}, {4,?}\n", "GEN014", 1, 27, "got '?' as a stride", ""),
    ("x = @param:x -> {batch,4}, {s,1}\n", "GEN014", 1, 29, "s is not a dim here, wanted a number or one of", "has a name"),
    ("x = @param:x -> {row}\n", "GEN014", 1, 18, "wanted another name: row is a word of index", ""),
    ("x = @param:x -> {n - 4}\n@return(x)\n", "GEN013", 1, 18, "a dim is n - 4, and may be below 0", ""),
    ("x = @param:x -> {4*n + 1.5}\n", "BLK002", 1, 24, "got '1.5', wanted a name, a whole number", ""),
    (X + "y = reshape[dims={m}](x)\n", "GEN014", 2, 19, "m is not a dim here", "has a name"),
    ("n = @param:n -> {n}\n@return(n)\n", "GEN005", 1, 12, "n is the name of an argument and of a dim", ""),
    ("x = @param:x -> {n}\ny = @param:y -> {1000}\nz = add(x, y)\n", "GEN302", 3, 1, "{n} and {1000}", ""),
    ("x = @param:x -> {n, 134217728}\n@return(x)\n", "GEN014", 1, 5, "2^32 bytes or more for n above 7", "smaller"),
    # literals
    ("x = @literal{1, 2} -> {3}\n", "GEN015", 1, 13, "2 values, wanted 3 for f32, {3}", ""),
    ("x = @literal{} -> {}\n", "GEN015", 1, 13, "no values, wanted 1 for f32, {}", ""),
    ("x = @literal{128} -> i8, {}\n", "GEN015", 1, 14, "i8 cannot express 128, wanted an integer from -128 to 127", ""),
    ("x = @literal{0, -1} -> u32, {2}\n", "GEN015", 1, 17, "u32 cannot express -1", ""),
    ("x = @literal{2147483648} -> i32, {}\n", "GEN015", 1, 14, "i32 cannot express 2147483648", ""),
    ("x = @literal{1.5} -> i32, {}\n", "GEN015", 1, 14, "i32 cannot express 1.5, wanted an integer", ""),
    ("x = @literal{nan} -> i32, {}\n", "GEN015", 1, 14, "i32 cannot express nan", ""),
    ("x = @literal{2} -> bool, {}\n", "GEN015", 1, 14, "bool cannot express 2, wanted true or false", ""),
    ("x = @literal{true} -> {}\n", "GEN015", 1, 14, "got true, wanted a number for f32", ""),
    # @return
    ("", "GEN016", 1, 1, "got the end of the file, wanted '@return(...)'", ""),
    (X, "GEN016", 2, 1, "got the end of the file, wanted '@return(...)'", ""),
    (f"module @m {{\n{X}}}\n", "GEN016", 3, 1, "got '}', wanted '@return(...)'", ""),
    (X + R + R, "GEN016", 3, 1, "'@return' comes once, and last", ""),
    (X + R + "y = abs(x)\n", "GEN016", 3, 1, "got 'y' after '@return'", ""),
    (X + "@return()\n", "GEN016", 2, 8, "'@return' names no value", ""),
    (X + "y = @return(x)\n", "GEN016", 2, 5, "got '@return', wanted an op", ""),
    (X + "@return x\n", "GEN002", 2, 9, "got 'x', wanted '('", ""),
    # stages
    (X + "y = load(x, x)\n", "GEN018", 2, 5, "got load in graph, wanted it in lanewise, final", "stage NAME TARGET"),
    # shape and type inference, at the statement's place
    (X + "  y = add(x)\n", "GEN302", 2, 3, "add: 1 operand, wanted 2", ""),
    (X + "y = abs\n", "GEN302", 2, 1, "abs: no operands, wanted 1", ""),
    (X + "y = @param:y -> {3}\nz = add(x, y)\n", "GEN302", 3, 1, "shapes {4} and {3} do not broadcast, wanted dims", ""),
    ("x = @param:x -> {4,5}\ny = @param:y -> {3,4}\nz = dot(x, y)\n", "GEN302", 3, 1, "do not multiply: 5 is not 3", "in the other order"),
    (X + "y = @param:y -> f16, {4}\nz = add(x, y)\n", "GEN301", 3, 1, "operand 2 has type f16, wanted f32", "convert[target_type=f32]"),
    ("x = @param:x -> i32, {4}\ny = exp(x)\n", "GEN301", 2, 1, "operand 1 has type i32, wanted one of f16 bf16 f32", "convert"),
    (X + "y = where(x, x, x)\n", "GEN301", 2, 1, "operand 1 has type f32, wanted bool", "comparison"),
    (X + "y = reduce_sum[axes=1](x)\n", "GEN303", 2, 1, "axes is 1, wanted -1 to 0", ""),
    ("x = @param:x -> {0}\ny = reduce_max(x)\n", "GEN302", 2, 1, "reduce_max of nothing has no value", ""),
]  # fmt: skip

STAGE_ERRORS = [
    ("stage lanwise gfx942\n", "GEN017", 1, 7, "unknown stage 'lanwise', wanted one of graph, gridwise", "did you mean lanewise"),
    ("# head\n\nstage lanewise\n", "GEN017", 3, 7, "wanted 'stage lanewise TARGET'", ""),
    ("stage lanewise gfx942 now\n", "GEN017", 1, 7, "wanted 'stage lanewise TARGET'", ""),
    ("stage lanewise gfx9\n", "TGT001", 1, 16, "unknown target 'gfx9'", ""),
    (LANE + "y = concat[axis=0](b, b)\n", "GEN018", 6, 5, "got concat in lanewise, wanted it in graph", ""),
    (LANE + "w = @literal{1, 2} -> f32x4\n", "GEN015", 6, 13, "2 values, wanted 4 for f32x4", ""),
    (LANE + "w = add(v, t)\n", "GEN301", 6, 1, "operand 2 has type u32, wanted f32", ""),
    (LANE + "w = add(v, v) -> f32x4\n", "GEN011", 6, 18, "the result is written f32x4, wanted f32 as add gives it", ""),
    (LANE + "w = load(b, t) -> f32, {4}\n", "GEN011", 6, 19, "wanted f32 as load gives it", ""),
    (LANE + "w = store(b, t, v)\n", "GEN010", 6, 1, "store gives no results, wanted as many names and not 1", ""),
    (LANE + "if(c)\n", "GEN019", 6, 6, "got the end of the line after no regions of if, wanted 1", ""),
    (LANE + "w = if(c) {\nyield(v)\n} -> f32\n", "GEN019", 8, 3, "after 1 region of if, wanted 2", ""),
    (LANE + "if(c) {\nyield\n} {\nyield\n} {\nyield\n}\n", "GEN019", 10, 3, "if has 2 regions, wanted no more", ""),
    (LANE + "w = if(c) {\nyield(v)\n} {\nyield(t)\n}\n", "GEN019", 8, 3, "the region yields u32, wanted f32", ""),
    (LANE + "if(c) {\nstore(b, t, v)\n}\n", "GEN019", 8, 1, "does not end in its only yield", ""),
    (LANE + "if(c) {\n" * 65, "GEN019", 70, 7, "regions are nested more than 64 deep, wanted fewer", ""),
    (LANE + "if(c) {\nyield\nstore(b, t, v)\n}\n", "GEN019", 9, 1, "does not end in its only yield", ""),
    (LANE + "if(c) {\n@return()\n", "GEN019", 7, 1, "got '@', wanted '}' of the region of if", ""),
    (LANE + "if(c) (i) {\nyield\n}\n", "GEN019", 6, 7, "the region has 1 parameter, wanted 0", ""),
    (LANE + "w = for(t, t, t, v) (i) {\nyield(v)\n}\n", "GEN019", 6, 21, "the region has 1 parameter, wanted 2", ""),
    (LANE + "w = for(t, t, t, v) (i, a) {\nyield(i)\n}\n", "GEN019", 6, 21, "the region yields u32, wanted f32", ""),
    (LANE + "w = for(t, t, t, v) (i, v) {\nyield(v)\n}\n", "GEN005", 6, 25, "value v is defined a second time", "t.gen:5:1"),
    (LANE + "if(c) {\nz = add(v, v)\nyield\n}\ny = abs(z)\n", "GEN004", 10, 9, "z is not defined here", "by yield"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "line", "column", "message", "way_out"), GRAPH_ERRORS + STAGE_ERRORS)
def test_refused_at_its_place(text: str, code: str, line: int, column: int, message: str, way_out: str) -> None:
    with pytest.raises(InputError) as caught:
        _ = parse(text, "t.gen")
    error = caught.value
    shown = str(error)
    assert shown.startswith(f"t.gen:{line}:{column}: error[{code}]: "), shown
    assert message in error.message, shown
    assert "wanted" in error.message, shown
    assert way_out in "\n".join((error.help, *error.notes)), shown


def test_a_place_counts_lines_of_every_form() -> None:
    text = "# one\r\nx = @param:x -> {4,\n   4}  // two\n\n\ty = foo(x)\n"
    with pytest.raises(InputError) as caught:
        _ = parse(text, "dir/some file.gen")
    assert str(caught.value).startswith("dir/some file.gen:5:6: error[GEN003]")


@pytest.mark.parametrize(
    ("statement", "code", "help"),
    [
        ("y = mul(mul(x, x), x)", "GEN020", "NAME = mul(...)"),
        ("y = softmax[axis=0](neg(x))", "GEN020", "NAME = neg(...)"),
        ("y = mul(x, 2.0)", "GEN020", "NAME = @literal{2.0} -> f32, {}"),
        ("y = sofmax[axis=0](x)", "GEN003", "did you mean softmax"),
        ("y = multiply(x, x)", "GEN003", "did you mean mul"),
    ],
)
def test_a_way_out_is_shown(statement: str, code: str, help: str) -> None:
    with pytest.raises(InputError) as caught:
        _ = parse(f"x = @param:x -> {{4}}\n{statement}\n@return(y)\n", "t.gen")
    assert caught.value.code == code
    assert help in caught.value.help


@pytest.mark.parametrize("epsilon", ["-1", "nan", "inf", "-inf", "1e39", "1e999"])
def test_a_norm_wants_an_epsilon_that_its_type_holds(epsilon: str) -> None:
    with pytest.raises(InputError) as caught:
        _ = parse(f"x = @param:x -> {{4}}\ny = rmsnorm[axis=0, epsilon={epsilon}](x)\n@return(y)\n", "t.gen")
    assert caught.value.code in ("GEN303", "GEN008")


@pytest.mark.parametrize(
    ("number", "element"),
    [("1e39", "f32"), ("65520", "f16"), ("-1e999999999", "f64"), ("inf", "fp8e4m3fn"), ("465", "fp8e4m3fn"), ("0x" + "f" * 40, "f32")],
)
def test_a_number_that_its_type_cannot_hold_is_refused(number: str, element: str) -> None:
    with pytest.raises(InputError) as caught:
        _ = parse(f"x = @literal{{{number}}} -> {element}, {{1}}\n@return(x)\n", "t.gen")
    assert (caught.value.code, str(caught.value.place)) == ("GEN015", "t.gen:1:14")
