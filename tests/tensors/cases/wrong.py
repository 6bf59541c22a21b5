"""Wrong modules: `@|` marks the place of the error. MLIR's parser finds most of them; asmgen finds the others."""

from __future__ import annotations

from tests.tensors.cases.refused import F, Refused, lines, marked

_S, _I, _B = "tensor<f32>", "tensor<i32>", "tensor<i1>"
_M = "tensor<4x6xf32>"
_ITERATORS = {"p": "parallel", "r": "reduction"}
_TWO = f"%a: {F}, %b: tensor<4xi32>"


def _types() -> list[Refused]:
    """Types that do not agree."""
    return [
        lines("a sum of two types", f"  %r = stablehlo.add %a, @|%b : {F}", "different type", _TWO),
        lines(
            "a sum of two shapes",
            "  %r = @|stablehlo.add %a, %b : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>",
            "",
            f"%a: {F}, %b: tensor<5xf32>",
        ),
        lines("an exponential of integers", "  %r = @|stablehlo.exponential %b : tensor<4xi32>", "operand #0 must be", _TWO, "tensor<4xi32>"),
        lines("a not of floats", f"  %r = @|stablehlo.not %a : {F}", "operand #0 must be"),
        lines("a count of ones in floats", f"  %r = @|stablehlo.popcnt %a : {F}", "operand #0 must be"),
        lines(
            "a comparison of two types",
            f"  %c = @|stablehlo.compare LT, %a, %b : ({F}, tensor<4xi32>) -> tensor<4xi1>\n  %r = stablehlo.negate %a : {F}",
            "",
            _TWO,
        ),
        lines("a comparison that gives f32", f"  %r = @|stablehlo.compare LT, %a, %a : ({F}, {F}) -> {F}", ""),
        lines("a select by f32", f'  %r = @|"stablehlo.select"(%a, %a, %a) : ({F}, {F}, {F}) -> {F}', "operand #0 must be"),
        lines(
            "a select of two types",
            f'  %r = @|"stablehlo.select"(%p, %a, %b) : (tensor<4xi1>, {F}, tensor<4xi32>) -> {F}',
            "",
            f"%p: tensor<4xi1>, {_TWO}",
        ),
        lines(
            "a clamp with limits of another shape",
            f"  %r = @|stablehlo.clamp %l, %a, %l : (tensor<3xf32>, {F}, tensor<3xf32>) -> {F}",
            "",
            f"%a: {F}, %l: tensor<3xf32>",
        ),
        lines("a cast of bits to another width", f"  %r = @|stablehlo.bitcast_convert %a : ({F}) -> tensor<4xi16>", "", results="tensor<4xi16>"),
        lines(
            "a reduce that starts with another type",
            f"  %z = stablehlo.constant dense<0> : {_I}\n  %r = stablehlo.reduce@|(%a init: %z) applies stablehlo.add across dimensions = [0] : ({F}, {_I}) -> {_S}",
            "",
            results=_S,
        ),
        lines(
            "a function that returns another type",
            f"  %b = stablehlo.convert %a : ({F}) -> tensor<4xi32>\n  %r = stablehlo.negate %a : {F}\n  return @|%b : {F}",
            "different type",
        ),
        lines(
            "a call with another type",
            f"  %r = @|func.call @g(%b) : (tensor<4xi32>) -> {F}\n  return %r : {F}\n}}\nfunc.func private @g(%x: {F}) -> {F} {{\n  %r = stablehlo.negate %x : {F}",
            "operand type mismatch",
            _TWO,
        ),
        lines(
            "a sum of two element types in linalg",
            f'  %r = @|linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}} ins(%b : tensor<4xi32>) outs(%a : {F}) {{\n  ^bb0(%p: f32, %q: f32):\n    linalg.yield %p : f32\n  }} -> {F}',
            "",
            _TWO,
        ),
        lines("a convert in arith to a wider type by truncf", f"  %r = @|arith.truncf %a : {F} to tensor<4xf64>", "", results="tensor<4xf64>"),
    ]


def _shapes() -> list[Refused]:
    """Shapes and attributes that do not fit."""
    square = "tensor<4x4xf32>"
    return [
        lines("a reshape to another number of elements", f"  %r = @|stablehlo.reshape %a : ({F}) -> tensor<5xf32>", "", results="tensor<5xf32>"),
        lines(
            "a broadcast of a dim that is not 1",
            f"  %r = @|stablehlo.broadcast_in_dim %a, dims = [0] : ({F}) -> tensor<5xf32>",
            "",
            results="tensor<5xf32>",
        ),
        lines(
            "a broadcast to a dim that is not there", f"  %r = @|stablehlo.broadcast_in_dim %a, dims = [2] : ({F}) -> {square}", "", results=square
        ),
        lines(
            "a broadcast of two dims to one",
            f"  %r = @|stablehlo.broadcast_in_dim %a, dims = [0, 0] : ({square}) -> {square}",
            "",
            f"%a: {square}",
            square,
        ),
        lines("a transpose that is no permutation", f"  %r = @|stablehlo.transpose %a, dims = [0, 0] : ({_M}) -> {_M}", "", f"%a: {_M}", _M),
        lines("a transpose of another rank", f"  %r = @|stablehlo.transpose %a, dims = [0] : ({_M}) -> {_M}", "", f"%a: {_M}", _M),
        lines(
            "a concatenation of other rows",
            f"  %r = @|stablehlo.concatenate %a, %b, dim = 1 : ({_M}, tensor<3x6xf32>) -> tensor<4x12xf32>",
            "",
            f"%a: {_M}, %b: tensor<3x6xf32>",
            "tensor<4x12xf32>",
        ),
        lines("a concatenation along no dim", f"  %r = @|stablehlo.concatenate %a, %a, dim = 2 : ({_M}, {_M}) -> {_M}", "", f"%a: {_M}", _M),
        lines("a slice beyond the end", f"  %r = @|stablehlo.slice %a [2:9] : ({F}) -> tensor<7xf32>", "", results="tensor<7xf32>"),
        lines("a slice that ends before it starts", f"  %r = @|stablehlo.slice %a [3:1] : ({F}) -> {F}", ""),
        lines("a slice with the stride 0", f"  %r = @|stablehlo.slice %a [0:4:0] : ({F}) -> {F}", ""),
        lines(
            "a dynamic slice larger than its operand",
            f"  %i = stablehlo.constant dense<0> : {_I}\n  %r = @|stablehlo.dynamic_slice %a, %i, sizes = [5] : ({F}, {_I}) -> tensor<5xf32>",
            "",
            results="tensor<5xf32>",
        ),
        lines(
            "a dynamic slice with too few indices",
            f"  %i = stablehlo.constant dense<0> : {_I}\n  %r = @|stablehlo.dynamic_slice %a, %i, sizes = [2, 2] : ({_M}, {_I}) -> tensor<2x2xf32>",
            "",
            f"%a: {_M}",
            "tensor<2x2xf32>",
        ),
        lines(
            "an update larger than its operand",
            f"  %i = stablehlo.constant dense<0> : {_I}\n  %r = @|stablehlo.dynamic_update_slice %a, %b, %i : ({F}, tensor<5xf32>, {_I}) -> {F}",
            "",
            f"%a: {F}, %b: tensor<5xf32>",
        ),
        lines(
            "padding of another rank",
            f"  %v = stablehlo.constant dense<0.0> : {_S}\n  %r = @|stablehlo.pad %a, %v, low = [0, 0], high = [0, 0], interior = [0, 0] : ({F}, {_S}) -> {F}",
            "",
        ),
        lines(
            "negative padding between elements",
            f"  %v = stablehlo.constant dense<0.0> : {_S}\n  %r = @|stablehlo.pad %a, %v, low = [0], high = [0], interior = [-1] : ({F}, {_S}) -> {F}",
            "",
        ),
        lines(
            "padding to another shape",
            f"  %v = stablehlo.constant dense<0.0> : {_S}\n  %r = @|stablehlo.pad %a, %v, low = [1], high = [1], interior = [0] : ({F}, {_S}) -> tensor<5xf32>",
            "",
            results="tensor<5xf32>",
        ),
        lines("an iota along no dim", f"  %r = @|stablehlo.iota dim = 1 : {F}", ""),
        lines("a reverse along no dim", f"  %r = @|stablehlo.reverse %a, dims = [1] : {F}", ""),
        lines(
            "a reduce over a dim twice",
            f"  %z = stablehlo.constant dense<0.0> : {_S}\n  %r = stablehlo.reduce@|(%a init: %z) applies stablehlo.add across dimensions = [0, 0] : ({F}, {_S}) -> {_S}",
            "",
            results=_S,
        ),
        lines(
            "a reduce over no such dim",
            f"  %z = stablehlo.constant dense<0.0> : {_S}\n  %r = stablehlo.reduce@|(%a init: %z) applies stablehlo.add across dimensions = [3] : ({F}, {_S}) -> {_S}",
            "",
            results=_S,
        ),
        lines(
            "a reduce to another shape",
            f"  %z = stablehlo.constant dense<0.0> : {_S}\n  %r = stablehlo.reduce@|(%a init: %z) applies stablehlo.add across dimensions = [1] : ({_M}, {_S}) -> tensor<6xf32>",
            "",
            f"%a: {_M}",
            "tensor<6xf32>",
        ),
        lines(
            "a product of other sizes",
            f"  %r = @|stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({_M}, tensor<5x7xf32>) -> tensor<4x7xf32>",
            "",
            f"%a: {_M}, %b: tensor<5x7xf32>",
            "tensor<4x7xf32>",
        ),
        lines(
            "a product over no such dim",
            f"  %r = @|stablehlo.dot_general %a, %a, contracting_dims = [2] x [0] : ({_M}, {_M}) -> {_M}",
            "",
            f"%a: {_M}",
            _M,
        ),
        lines(
            "a gather of slices that are too large",
            f'  %r = @|"stablehlo.gather"(%a, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 5>}}> : ({F}, tensor<2x1xi32>) -> tensor<2x5xf32>',
            "",
            f"%a: {F}, %i: tensor<2x1xi32>",
            "tensor<2x5xf32>",
        ),
        lines(
            "a gather by floats",
            f'  %r = @|"stablehlo.gather"(%a, %i) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}}> : ({F}, tensor<2x1xf32>) -> tensor<2xf32>',
            "operand #1 must be",
            f"%a: {F}, %i: tensor<2x1xf32>",
            "tensor<2xf32>",
        ),
        lines(
            "a matmul of other sizes in linalg",
            f"  %e = tensor.empty() : tensor<4x7xf32>\n  %r = @|linalg.matmul ins(%a, %b : {_M}, tensor<5x7xf32>) outs(%e : tensor<4x7xf32>) -> tensor<4x7xf32>",
            "",
            f"%a: {_M}, %b: tensor<5x7xf32>",
            "tensor<4x7xf32>",
        ),
        lines(
            "a map of too few dims",
            f'  %r = @|linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}} ins(%a : {_M}) outs(%a : {_M}) {{\n  ^bb0(%p: f32, %q: f32):\n    linalg.yield %p : f32\n  }} -> {_M}',
            "",
            f"%a: {_M}",
            _M,
        ),
        lines(
            "a map for each operand",
            f'  %r = @|linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}} ins(%a : {F}) outs(%a : {F}) {{\n  ^bb0(%p: f32, %q: f32):\n    linalg.yield %p : f32\n  }} -> {F}',
            "",
        ),
        lines(
            "a collapse of dims that are no neighbours",
            "  %r = @|tensor.collapse_shape %a [[0, 2], [1]] : tensor<2x3x4xf32> into tensor<8x3xf32>",
            "",
            "%a: tensor<2x3x4xf32>",
            "tensor<8x3xf32>",
        ),
        lines("a splat of another type", f"  %z = arith.constant 1 : i32\n  %r = tensor.splat @|%z : {F}", "different type"),
    ]


def _texts() -> list[Refused]:
    """Names, ops and syntax."""
    return [
        lines("an unknown op", f"  %r = @|stablehlo.add_two %a : {F}", "stablehlo.add_two"),
        lines("an unknown dialect", f"  %r = @|tosa2.add %a, %a : {F}", "tosa2"),
        lines("an attribute of an unknown dialect after a string", f'  %r = stablehlo.negate %a {{x = "0", y = #foo.@|baz<1>}} : {F}', "#foo.baz is of"),
        lines("an unknown op in generic form", f'  %r = @|"stablehlo.frobnicate"(%a) : ({F}) -> {F}', "stablehlo.frobnicate"),
        lines("an undefined value", f"  %r = stablehlo.add %a, @|%missing : {F}", "undeclared"),
        lines("a value defined twice", f"  %r = stablehlo.negate %a : {F}\n  @|%r = stablehlo.negate %a : {F}", "redefinition"),
        lines("a call of no function", f"  %r = @|func.call @nobody(%a) : ({F}) -> {F}", "nobody"),
        lines("a missing operand", f"  %r = stablehlo.add %a@| : {F}", "expected ','"),
        lines("a constant of another length", f"  %r = stablehlo.constant @|dense<[1.0, 2.0, 3.0]> : {F}", "does not match"),
        lines("a constant of words", f'  %r = stablehlo.constant @|dense<"0x00"> : {F}', "hex data"),
        lines(
            "an unknown direction",
            f"  %r = stablehlo.compare @|LESS, %a, %a : ({F}, {F}) -> tensor<4xi1>",
            "ComparisonDirection",
            results="tensor<4xi1>",
        ),
        lines("a tensor without a rank", "  %r = @|stablehlo.negate %a : tensor<*xf32>", "give the tensor a rank", "%a: tensor<*xf32>", "tensor<*xf32>"),
        marked("a negative size", f"func.func @main(%a: tensor<@|-4xf32>) -> {F} {{\n  return %a : {F}\n}}\n", "tensor<4x?xf32>"),
        marked("an unknown type", "func.func @main(%a: tensor<4x@|f33>) -> tensor<4xf33> {\n  return %a : tensor<4xf33>\n}\n", "such as f32"),
        marked("a function without an end", f"func.func @main(%a: {F}) -> {F} {{\n  %r = @|stablehlo.negate %a : {F}\n}}\n", "`return` ends a func.func"),
        lines("an unknown type", f"  %r = stablehlo.convert %a : ({F}) -> tensor<4x@|f33>", "", results=F),
    ]


def _regions() -> list[Refused]:
    """Regions that do more than reduce, scatter or order."""
    zero = f"  %z = stablehlo.constant dense<0.0> : {_S}\n"

    def reduce(body: str) -> str:
        return f"{zero}  %r = stablehlo.reduce@|(%a init: %z) across dimensions = [0] : ({F}, {_S}) -> {_S}\n   reducer(%p: {_S}, %q: {_S}) {{\n{body}\n  }}"

    def window(body: str) -> str:
        return f'{zero}  %r = @|"stablehlo.reduce_window"(%a, %z) <{{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}}> ({{\n  ^bb0(%p: {_S}, %q: {_S}):\n{body}\n  }}) : ({F}, {_S}) -> tensor<2xf32>'

    def chosen(select: str, scatter: str) -> str:
        head = f"{zero}  %src = stablehlo.slice %a [0:2] : ({F}) -> tensor<2xf32>\n"
        return f'{head}  %r = @|"stablehlo.select_and_scatter"(%a, %src, %z) <{{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}}> ({{\n  ^bb0(%p: {_S}, %q: {_S}):\n{select}\n  }}, {{\n  ^bb0(%p: {_S}, %q: {_S}):\n{scatter}\n  }}) : ({F}, tensor<2xf32>, {_S}) -> {F}'

    def scatter(body: str) -> str:
        return f'  %r = @|"stablehlo.scatter"(%a, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{\n  ^bb0(%p: {_S}, %q: {_S}):\n{body}\n  }}) : ({F}, tensor<2x1xi32>, tensor<2xf32>) -> {F}'

    def sort(body: str) -> str:
        return f'  %r = @|"stablehlo.sort"(%a) <{{dimension = 0 : i64}}> ({{\n  ^bb0(%p: {_S}, %q: {_S}):\n{body}\n  }}) : ({F}) -> {F}'

    indices = f"%a: {F}, %i: tensor<2x1xi32>, %u: tensor<2xf32>"
    difference = f"    %s = stablehlo.subtract %p, %q : {_S}\n    stablehlo.return %s : {_S}"
    squares = f"    %m = stablehlo.multiply %p, %q : {_S}\n    %s = stablehlo.add %m, %p : {_S}\n    stablehlo.return %s : {_S}"
    outside = f"    %m = stablehlo.add %p, %q : {_S}\n    %s = stablehlo.add %m, %outer : {_S}\n    stablehlo.return %s : {_S}"
    plus = f"    %s = stablehlo.add %p, %q : {_S}\n    stablehlo.return %s : {_S}"
    times = f"    %s = stablehlo.multiply %p, %q : {_S}\n    stablehlo.return %s : {_S}"
    most = f"    %c = stablehlo.compare GE, %p, %q : ({_S}, {_S}) -> {_B}\n    stablehlo.return %c : {_B}"
    first = f"    stablehlo.return %p : {_S}"
    odd = f"    %s = stablehlo.exponential %p : {_S}\n    %c = stablehlo.compare LT, %s, %q : ({_S}, {_S}) -> {_B}\n    stablehlo.return %c : {_B}"
    equal = f"    %c = stablehlo.compare EQ, %p, %q : ({_S}, {_S}) -> {_B}\n    stablehlo.return %c : {_B}"
    arguments, types = f"%p: {_S}, %q: {_S}", f"({_S}, {_S})"
    two = f"{zero}  %r, %v = stablehlo.reduce@|(%a init: %z), (%a init: %z) across dimensions = [0] : ({F}, {F}, {_S}, {_S}) -> {types}\n   reducer({arguments}) ({arguments.replace('p', 'm').replace('q', 'n')}) {{\n    %x = stablehlo.add %p, %q : {_S}\n    %y = stablehlo.multiply %m, %q : {_S}\n    stablehlo.return %x, %y : {_S}, {_S}\n  }}"
    wrong = f"    %c = stablehlo.compare LT, %p, %q : ({_S}, {_S}) -> {_B}\n    stablehlo.return %c : {_B}"
    either = f'  %r, %s = @|"stablehlo.sort"(%a, %b) <{{dimension = 0 : i64}}> ({{\n  ^bb0(%p: {_S}, %q: {_S}, %m: {_S}, %n: {_S}):\n    %c = stablehlo.compare LT, %p, %q : {types} -> {_B}\n    %d = stablehlo.compare LT, %m, %n : {types} -> {_B}\n    %e = stablehlo.or %c, %d : {_B}\n    stablehlo.return %e : {_B}\n  }}) : ({F}, {F}) -> ({F}, {F})'
    return [
        lines("a reduce by a difference", reduce(difference), "not associative", results=_S),
        lines("a reduce by a product and a sum", reduce(squares), "not associative", results=_S),
        lines("a reduce that reads an argument of the function", reduce(outside), "%outer", f"%a: {F}, %outer: {_S}", _S),
        lines("a reduce of two operands that mixes them", two, "does not read %n", results=_S),
        lines("a window by a difference", window(difference), "not associative", results="tensor<2xf32>"),
        lines("a window by a product and a sum", window(squares), "not associative", results="tensor<2xf32>"),
        lines("a scatter that keeps the old number", scatter(first), "stablehlo.scatter", indices),
        lines("a chosen element by equality", chosen(equal, plus), "stablehlo.select_and_scatter"),
        lines("a chosen element that multiplies", chosen(most, times), "stablehlo.select_and_scatter"),
        lines("a reduce that returns a bool", reduce(wrong), "", results=_S),
        lines("a scatter by a difference", scatter(difference), "stablehlo.scatter", indices),
        lines("a scatter by a product and a sum", scatter(squares), "stablehlo.scatter", indices),
        lines("a sort by a function of one element", sort(odd), "stablehlo.sort"),
        lines("a sort by equality", sort(equal), "stablehlo.sort"),
        lines("a sort by either of two operands", either, "stablehlo.sort", f"%a: {F}, %b: {F}"),
        lines("a sort that returns f32", sort(difference), ""),
    ]


def _maps() -> list[Refused]:
    """Maps of linalg that are no projection, and regions that do more than the language has."""

    def generic(source: str, target: str, iterators: str, shape: str, result: str, body: str = "    linalg.yield %p : f32") -> str:
        spelt = ", ".join(f'"{_ITERATORS[letter]}"' for letter in iterators)
        return f"  %e = tensor.empty() : {result}\n  %r = @|linalg.generic {{indexing_maps = [affine_map<{source}>, affine_map<{target}>], iterator_types = [{spelt}]}} ins(%a : {shape}) outs(%e : {result}) {{\n  ^bb0(%p: f32, %q: f32):\n{body}\n  }} -> {result}"

    running = f'  %r, %t = @|linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}} ins(%a : {_M}) outs(%a, %s : {_M}, {F}) {{\n  ^bb0(%p: f32, %q: f32, %sum: f32):\n    %new = arith.addf %sum, %p : f32\n    linalg.yield %new, %new : f32, f32\n  }} -> ({_M}, {F})'
    padding = f"  %r = @|tensor.pad %a low[1] high[1] {{\n  ^bb0(%i: index):\n    %k = arith.index_cast %i : index to i32\n    %v = arith.sitofp %k : i32 to f32\n    tensor.yield %v : f32\n  }} : {F} to tensor<6xf32>"
    difference = "    %s = arith.subf %p, %q : f32\n    linalg.yield %s : f32"
    return [
        lines(
            "a result that is reached twice",
            generic("(i, j) -> (i, j)", "(i, j) -> (i + j)", "pp", _M, "tensor<9xf32>"),
            "map",
            f"%a: {_M}",
            "tensor<9xf32>",
        ),
        lines(
            "a reduction by a difference of the element",
            generic("(i, j) -> (i, j)", "(i, j) -> (i)", "pr", _M, F, difference),
            "linalg.generic",
            f"%a: {_M}",
        ),
        lines("a running sum", running, "accumulates", "%a: tensor<4x6xf32>, %s: tensor<4xf32>", "tensor<4x6xf32>"),
        lines("a padding by its indices", padding, "depends on the indices", results="tensor<6xf32>"),
        lines("a reduction that forgets its sum", generic("(i, j) -> (i, j)", "(i, j) -> (i)", "pr", _M, F), "linalg.generic", f"%a: {_M}"),
    ]


def _entries() -> list[Refused]:
    """Functions without a result or an end, and sizes beyond the machine."""
    big = "tensor<65536x65536x2xf32>"
    loop = f"  %z = stablehlo.constant dense<0> : {_I}\n  %w:2 = @|stablehlo.while(%i = %z, %x = %a) : {_I}, {F} cond {{\n    %c = stablehlo.compare LT, %i, %n : ({_I}, {_I}) -> {_B}\n    stablehlo.return %c : {_B}\n  }} do {{\n    %y = stablehlo.add %x, %x : {F}\n    stablehlo.return %i, %y : {_I}, {F}\n  }}\n  %r = stablehlo.negate %w#1 : {F}"
    return [
        marked("a module without a function", "@|module {\n}\n", "function of tensors"),
        marked("a function without a body", f"@|func.func private @main(%a: {F}) -> {F}\n", "@main"),
        lines(
            "a comparison of floats as signed",
            f"  %r = @|stablehlo.compare LT, %a, %a, SIGNED : ({F}, {F}) -> tensor<4xi1>",
            "SIGNED",
            results="tensor<4xi1>",
        ),
        lines(
            "a size that an argument gives",
            "  %r = @|stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>",
            "stablehlo.dynamic_iota",
            "%n: tensor<1xi32>",
            "tensor<?xf32>",
        ),
        lines("a call of code that is not here", f"  %r = @|stablehlo.custom_call @cublas_gemm(%a) : ({F}) -> {F}", "@cublas_gemm"),
        lines("a part of several devices", "  %r = @|stablehlo.custom_call @SPMDFullToShardShape(%a) : (tensor<8xf32>) -> tensor<4xf32>", "one device", "%a: tensor<8xf32>"),
        lines("a composite without its parts", f'  %r = @|stablehlo.composite "my.op" %a {{decomposition = @nothing}} : ({F}) -> {F}', "nothing"),
        marked("a function without results", f"@|func.func @main(%a: {F}) {{\n  return\n}}\n", "returns nothing"),
        marked(
            "a function that calls itself",
            f"func.func @main(%a: {F}) -> {F} {{\n  %r = @|func.call @main(%a) : ({F}) -> {F}\n  return %r : {F}\n}}\n",
            "recursion",
        ),
        lines("a tensor of 2^33 elements", f"  %r = stablehlo.negate %a : {big}", "4294967296", f"@|%a: {big}", big),
        lines(
            "a result of 2^33 elements",
            f"  %r = @|stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<65536xf32>) -> {big}",
            "4294967296",
            "%a: tensor<65536xf32>",
            big,
        ),
        lines("a tensor of any rank", "  %r = @|stablehlo.negate %a : tensor<*xf32>", "tensor<*xf32>", "%a: tensor<*xf32>", "tensor<*xf32>"),
        lines("a loop that never ends", loop, "stablehlo.while", f"%a: {F}, %n: {_I}"),
    ]


BY_PARSER = (*_types(), *_shapes(), *_texts())
BY_ASMGEN = (*_regions(), *_maps(), *_entries())
