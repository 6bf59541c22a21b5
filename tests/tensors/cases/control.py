"""Cases of functions, control flow with known counts and at runtime, tuples, composites and whole small programs."""

from __future__ import annotations

import numpy as np

from tests.tensors.case import Case, array, case, constant, numbers, t

X = numbers(141, (2, 3))
TYPE = t(X)
F, INT, B = "tensor<f32>", "tensor<i32>", "tensor<i1>"


def _functions() -> list[Case]:
    double = f"func.func private @double(%x: {TYPE}) -> {TYPE} {{\n  %y = stablehlo.add %x, %x : {TYPE}\n  return %y : {TYPE}\n}}"
    both = f"func.func private @both(%x: {TYPE}, %s: {F}) -> ({TYPE}, {F}) {{\n  %y = func.call @double(%x) : ({TYPE}) -> {TYPE}\n  return %y, %s : {TYPE}, {F}\n}}\n{double}"
    two = f"%p:2 = call @both(%a, %b) : ({TYPE}, {F}) -> ({TYPE}, {F})\n%r0 = stablehlo.negate %p#0 : {TYPE}\n%r1 = stablehlo.negate %p#1 : {F}"
    body = f'%r = stablehlo.composite "my.twice" %a {{composite_attributes = {{n = 2 : i64}}, decomposition = @double}} : ({TYPE}) -> {TYPE}'
    return [
        case("call", "a private function", f"%r = func.call @double(%a) : ({TYPE}) -> {TYPE}", {"a": X}, 2 * X, extra=double, dialect="func."),
        case(
            "call",
            "twice, of its own result",
            f"%0 = call @double(%a) : ({TYPE}) -> {TYPE}\n%r = call @double(%0) : ({TYPE}) -> {TYPE}",
            {"a": X},
            4 * X,
            extra=double,
            dialect="func.",
        ),
        case("call", "several results, through two functions", two, {"a": X, "b": array(3.0)}, -2 * X, array(-3.0), extra=both, dialect="func."),
        case("composite", "by its decomposition", body, {"a": X}, 2 * X, extra=double),
        case(
            "return",
            "an argument as it is, and twice",
            f"%r0 = stablehlo.negate %a : {TYPE}\n%r1 = stablehlo.negate %r0 : {TYPE}",
            {"a": X},
            -X,
            X,
            dialect="func.",
        ),
        case(
            "return",
            "of several types and shapes",
            f"%r0 = stablehlo.convert %a : ({TYPE}) -> tensor<2x3xi32>\n%r1 = stablehlo.constant dense<4.0> : {F}",
            {"a": X},
            X.astype(np.int32),
            array(4.0),
            dialect="func.",
        ),
        case(
            "optimization_barrier",
            "keeps its operands",
            f"%0:2 = stablehlo.optimization_barrier %a, %b : {TYPE}, {F}\n%r0 = stablehlo.negate %0#0 : {TYPE}\n%r1 = stablehlo.negate %0#1 : {F}",
            {"a": X, "b": array(1.0)},
            -X,
            array(-1.0),
        ),
        case(
            "tuple",
            "and its elements",
            f"%0 = stablehlo.tuple %a, %b : tuple<{TYPE}, {F}>\n%1 = stablehlo.get_tuple_element %0[1] : (tuple<{TYPE}, {F}>) -> {F}\n%r = stablehlo.negate %1 : {F}",
            {"a": X, "b": array(5.0)},
            array(-5.0),
        ),
    ]


def _if(about: str, flag: bool) -> Case:
    text = f'%r = "stablehlo.if"(%p) ({{\n  %0 = stablehlo.add %a, %a : {TYPE}\n  stablehlo.return %0 : {TYPE}\n}}, {{\n  %0 = stablehlo.negate %a : {TYPE}\n  stablehlo.return %0 : {TYPE}\n}}) : ({B}) -> {TYPE}'
    return case("if", about, text, {"p": array(flag, bool), "a": X}, 2 * X if flag else -X)


def _case(about: str, index: int) -> Case:
    branch = "{{\n  %0 = stablehlo.{} %a, %a : {}\n  stablehlo.return %0 : {}\n}}"
    branches = ", ".join(branch.format(op, TYPE, TYPE) for op in ("add", "multiply", "subtract"))
    text = f'%r = "stablehlo.case"(%i) ({branches}) : ({INT}) -> {TYPE}'
    return case("case", about, text, {"i": array(index, np.int32), "a": X}, (2 * X, X * X)[index] if index in (0, 1) else X - X)


def _while(about: str, count: int, step: int, lines: str, wanted: object) -> Case:
    limits = "\n".join(constant(name, array(value, np.int32)) for name, value in (("n", count), ("z", 0), ("o", step)))
    head = f"{limits}\n%w:2 = stablehlo.while(%i = %z, %x = %a) : {INT}, {TYPE} cond {{\n  %c = stablehlo.compare LT, %i, %n, SIGNED : ({INT}, {INT}) -> {B}\n  stablehlo.return %c : {B}\n}} do {{\n"
    tail = f"  %j = stablehlo.add %i, %o : {INT}\n  stablehlo.return %j, %y : {INT}, {TYPE}\n}}\n%r = stablehlo.convert %w#1 : {TYPE}"
    return case("while", about, f"{head}{lines}\n{tail}", {"a": X}, array(wanted))


def _control() -> list[Case]:
    known = f'{constant("p", array(1, bool))}\n%r = "stablehlo.if"(%p) ({{\n  %0 = stablehlo.add %a, %a : {TYPE}\n  stablehlo.return %0 : {TYPE}\n}}, {{\n  stablehlo.return %a : {TYPE}\n}}) : ({B}) -> {TYPE}'
    indexed = f"  %f = stablehlo.convert %i : ({INT}) -> {F}\n  %g = stablehlo.broadcast_in_dim %f, dims = [] : ({F}) -> {TYPE}\n  %y = stablehlo.add %x, %g : {TYPE}"
    return [
        _if("true", True),
        _if("false", False),
        case("if", "a constant condition", known, {"a": X}, 2 * X),
        _case("the first branch", 0),
        _case("the second branch", 1),
        _case("an index out of range takes the last branch", 7),
        _case("a negative index takes the last branch", -1),
        _while("four trips", 4, 1, f"  %y = stablehlo.add %x, %x : {TYPE}", 16 * X),
        _while("a step of 3", 7, 3, f"  %y = stablehlo.add %x, %x : {TYPE}", 8 * X),
        _while("no trip", 0, 1, f"  %y = stablehlo.add %x, %x : {TYPE}", X),
        _while("the counter in the body", 5, 1, indexed, X + 10),
    ]


def _programs() -> list[Case]:
    x = numbers(142, (4, 33), per=4)
    column = "tensor<4xf32>"
    wide = x.astype(np.float64)
    e = np.exp(wide - wide.max(1, keepdims=True))
    soft = f"""
{constant("l", array(-np.inf))}
{constant("z", array(0.0))}
%0 = stablehlo.reduce(%a init: %l) applies stablehlo.maximum across dimensions = [1] : ({t(x)}, {F}) -> {column}
%1 = stablehlo.broadcast_in_dim %0, dims = [0] : ({column}) -> {t(x)}
%2 = stablehlo.subtract %a, %1 : {t(x)}
%3 = stablehlo.exponential %2 : {t(x)}
%4 = stablehlo.reduce(%3 init: %z) applies stablehlo.add across dimensions = [1] : ({t(x)}, {F}) -> {column}
%5 = stablehlo.broadcast_in_dim %4, dims = [0] : ({column}) -> {t(x)}
%r = stablehlo.divide %3, %5 : {t(x)}"""
    named = f"%r = stablehlo.add %arg0, %a.b : {TYPE}"
    branches = f"{{\n%y = stablehlo.negate %a : {TYPE}\nscf.yield %y : {TYPE}\n}} else {{\nscf.yield %a : {TYPE}\n}}"
    chosen = f"%c = tensor.extract %p[] : {B}\n%r = scf.if %c -> {TYPE} {branches}"
    last = f"%r = chlo.broadcast_add %a, %b {{broadcast_dimensions = array<i64: 1>}} : ({TYPE}, tensor<3xf32>) -> {TYPE}"
    placed = f'%r = stablehlo.custom_call @Sharding(%a) {{mhlo.sharding = "{{replicated}}"}} : ({TYPE}) -> {TYPE}'
    return [
        case("custom_call", "the place of a value", placed, {"a": X}, X),
        case("program", "softmax of rows", soft, {"a": x}, (e / e.sum(1, keepdims=True)).astype(np.float32), ulps=40),
        case("program", "names with dots", named, {"arg0": X, "a.b": X}, 2 * X),
        case("if", "a branch", chosen, {"a": X, "p": np.array(True)}, -X, dialect="scf."),
        case("broadcast_add", "along the last dims", last, {"a": X, "b": X[1]}, X + X[1], dialect="chlo."),
        case("program", "an unused argument", f"%r = stablehlo.negate %a : {TYPE}", {"a": X, "b": X}, -X),
    ]


CASES = (*_functions(), *_control(), *_programs())
