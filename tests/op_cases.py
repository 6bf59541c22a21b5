"""One or more small graphs for each op of gen text: its attributes, and the dims of its operands.

A test of them runs the op on every type of its row. Operands have the type of the
case; `gather` has indices of i32 next to it, `where` a condition of bool.
"""

from __future__ import annotations

from typing import NamedTuple

from asmgen.graph.ops import FLOATS, GRAPH_OPS
from asmgen.ir.shapes import format_list

Dims = tuple[int, ...]


class Case(NamedTuple):
    """`types` are those of the operands if they are not all of one type; `?` is the type of the case.
    `only` are the types of the case, if they are not all that the op takes.
    """

    op: str
    operands: tuple[Dims, ...]
    attributes: str = ""
    types: tuple[str, ...] = ()
    only: frozenset[str] = frozenset()
    body: str = ""  # that of a loop, after the operands

    @property
    def cases(self) -> list[str]:
        """The types to run it on."""
        types = GRAPH_OPS[self.op].types
        return sorted(types & self.only if self.only else types)

    @property
    def name(self) -> str:
        return f"{self.op}{self.attributes}{''.join(map(str, self.operands))}".replace(" ", "")

    def text(self, type_: str) -> str:
        """The graph whose operands are parameters of `type_`."""
        names = [f"a{number}" for number in range(len(self.operands))]
        types = [one.replace("?", type_) for one in self.types] or [type_] * len(names)
        lines = [f"{name} = @param:{name} -> {element}, {format_list(dims)}" for name, element, dims in zip(names, types, self.operands, strict=True)]
        attributes = self.attributes.replace("?", type_)
        return "\n".join([*lines, f"y = {self.op}{attributes}({', '.join(names)}){self.body}", "@return(y)", ""])


_WORDS = frozenset({"f32", "i32", "u32"})
X, Y = (3, 4, 5), (2, 6)
COUNTED = """ (x, k) {
  step = @literal{3} -> i32, {}
  most = @literal{20} -> i32, {}
  least = neg(most)
  next = add(k, step)
  is_few = less(k, most)
  is_many = greater(k, least)
  more = logical_and(is_few, is_many)
  @return(more, x, next)
}"""
FOLLOWED = """ (x, k) {
  most = @literal{9} -> i32, {}
  one = @literal{1} -> i32, {}
  zero = @literal{0} -> i32, {}
  small = fmod(k, most)
  is_few = greater(small, zero)
  is_same = equal(x, x)
  more = logical_and(is_few, is_same)
  next = sub(small, one)
  @return(more, x, next)
}"""
CASES = (
    Case("iterate", (X, X), "[result=1]", ("?", "i32"), body=COUNTED),
    Case("iterate", (X, ()), "", ("?", "i32"), body=FOLLOWED),
    Case("pad", (X,), "[pads={1,0,2,0,3,1}, value=1]"),
    Case("pad", (X,), "[pads={1,0,2,0,3,1}, mode=edge]"),
    Case("pad", (X,), "[pads={2,0,4,1,3,0}, mode=reflect]"),
    Case("pad", ((1, 1),), "[pads={0,3,2,0}, mode=edge]"),
    Case("gather", (X, (2, 2)), "[axis=1]", ("?", "i32")),
    Case("gather", (X, ()), "", ("?", "i32")),
    Case("gather", ((7,), (3, 1)), "[axis=-1]", ("?", "i32")),
    Case("take_along_axis", (X, (3, 2, 5)), "[axis=1]", ("?", "i32")),
    Case("take_along_axis", (X, (1, 4, 7)), "", ("?", "i64")),
    Case("take_along_axis", ((1, 6), (5, 6)), "[axis=0]", ("?", "i32")),
    *[Case("one_hot", ((3, 5),), f"[depth=7, target_type={type_}]") for type_ in ("f32", "bf16", "bool", "i64")],
    Case("one_hot", ((3, 5),), "[depth=4, axis=0, target_type=i8]"),
    *[Case("nll_loss", ((6, 9), (6,)), f"[reduction={way}]", ("?", "i32")) for way in ("mean", "sum", "none")],
    Case("nll_loss", ((3, 4, 5), (3, 5), (4,)), "[reduction=mean]", ("?", "i64", "?")),
    Case("nll_loss", ((3, 4, 5), (3, 5), (4,)), "[reduction=none, ignore_index=2]", ("?", "i32", "?")),
    Case("nll_loss", ((4,), ()), "", ("?", "i32")),
    Case("resample", (X,), "[axis=1, size=7, by=2, plus=-3, over=3]"),
    Case("interpolate", (X,), "[mode=nearest, scales={2,3}]"),
    Case("interpolate", (X,), "[mode=nearest_exact, out_sizes={6,3}, axes={1,0}]"),
    *[
        Case("interpolate", (X,), f"[mode=linear, {rest}]", only=FLOATS)
        for rest in ("scales={2,2}", "out_sizes={3,11}", "out_sizes={9,1}, align_corners=true", "out_sizes={4,7}, axes={0,1}, align_corners=true")
    ],
    Case("reverse", (X,), "[axes={0,-1}]"),
    Case("roll", (X,), "[axes={0,-1}, shifts={-1,7}]"),
    Case("roll", ((2, 1031),), "[axes={1}, shifts={1}]"),
    Case("roll", ((0, 3),), "[axes={0}, shifts={2}]"),
    Case("concat", (X, (3, 1, 5), X), "[axis=1]"),
    Case("concat", (Y, (0, 6), (1, 6)), "[axis=0]"),
    Case("concat", (Y, Y), "[axis=-1]"),
    Case("concat", (Y,), "[axis=0]"),
    Case("slice", (X,), "[axes={0,2}, starts={1,-4}, ends={9,-1}]"),
    Case("step", (X,), "[axes={1,-1}, steps={2,3}]"),
    Case("windows", (X,), "[sizes={2,3}, strides={1,2}]"),
    Case("windows", (X,), "[sizes={2}, axes={0}]"),
    Case("reduce_window", (X,), "[combine=sum, sizes={2,3}, strides={1,1}, pads={1,0,0,2}]"),
    Case("reduce_window", (X,), "[combine=mean, sizes={2,2}, axes={0,2}, dilations={1,2}]"),
    Case("reduce_window", (X,), "[combine=prod, sizes={3}, axes={1}, strides={1}, pads={3,0}]"),
    Case("reduce_window", (X,), "[combine=min, sizes={2}, strides={2}, pads={2,2}]"),
    Case("max_pool", ((2, 7, 9),), "[sizes={3,3}, strides={2,2}, pads={1,1,1,1}]"),
    Case("max_pool", ((2, 7, 9, 3),), "[sizes={2,2}, axes={1,2}]"),
    Case("avg_pool", ((2, 7, 9),), "[sizes={3,2}, strides={2,1}, pads={1,1,2,0}]"),
    Case("avg_pool", ((2, 7, 9),), "[sizes={3,2}, pads={1,1,2,0}, count_pads=true]"),
    Case("avg_pool", ((2, 7, 9),), "[sizes={2,2}, strides={1,1}, dilations={3,2}, pads={2,1,1,2}]"),
    Case("dot", ((3, 9), (9, 4))),
    Case("dot", ((2, 1, 3, 7), (4, 7, 5))),
    Case("dot", ((7,), (2, 7, 5))),
    Case("dot", ((3, 7), (7,))),
    Case("dot", ((7,), (7,))),
    Case("dot", ((2, 0), (0, 5))),
    Case("dot_general", ((3, 4, 5), (5, 3, 6)), "[lhs_contract={0,2}, rhs_contract={1,0}]"),
    Case("dot_general", ((3, 4, 5), (6, 5, 3)), "[lhs_batch={0}, rhs_batch={2}, lhs_contract={2}, rhs_contract={1}]"),
    Case("dot_general", ((3,), (2, 2))),
    Case("transpose", (X,), "[permutation={2,0,1}]"),
    Case("transpose", ((70, 66),), "[permutation={1,0}]"),
    Case("reshape", (X,), "[dims={0,2,-1}]"),
    Case("squeeze", ((1, 4, 1),), "[axes={0,-1}]"),
    Case("unsqueeze", (Y,), "[axes={0,2}]"),
    Case("contiguous", (X,)),
    Case("identity", (X,)),
    Case("broadcast", ((4, 5),), "[axis=1, out_lens={2,4,5,3}]"),
    *[
        Case(name, (X,))
        for name in (
            "acos",
            "acosh",
            "asin",
            "asinh",
            "atan",
            "atanh",
            "cos",
            "cosh",
            "cbrt",
            "expm1",
            "log1p",
            "log2",
            "sin",
            "sinh",
            "tan",
            "isinf",
            "isnan",
            "nearbyint",
            "sign",
            "elu",
            "leaky_relu",
            "abs",
            "ceil",
            "erf",
            "exp",
            "floor",
            "log",
            "neg",
            "not",
            "bitwise_not",
            "popcount",
            "leading_zeros",
            "recip",
            "relu",
            "rsqrt",
            "sigmoid",
            "sqrt",
            "tanh",
        )
    ],
    *[
        Case(name, (X, (4, 1)))
        for name in (
            "pow",
            "atan2",
            "mod",
            "fmod",
            "sqdiff",
            "prelu",
            "bitwise_and",
            "bitwise_or",
            "bitwise_xor",
            "left_shift",
            "right_shift",
            "add",
            "sub",
            "mul",
            "div",
            "max",
            "min",
            "equal",
            "less",
            "greater",
            "logical_and",
            "logical_or",
            "logical_xor",
        )
    ],
    Case("cumsum", (X,), "[axis=1]"),
    Case("cumsum", ((2, 70),), "[axis=-1, exclusive=true]"),
    Case("cumprod", ((2, 300),), "[axis=1, reverse=true]"),
    Case("cumprod", (X,), "[axis=0, exclusive=true, reverse=true]"),
    Case("cummax", ((1100,),), "[axis=0]"),
    Case("cummax", ((3, 70, 4),), "[axis=1, exclusive=true]"),
    Case("cummin", ((2, 90),), "[axis=1, exclusive=true, reverse=true]"),
    Case("cumsum", ((65, 2),), "[axis=0]"),
    Case("cummax", ((129, 3),), "[axis=0, reverse=true, exclusive=true]"),
    Case("cummin", ((3, 1),), "[axis=1]"),
    Case("cummin", ((3, 1),), "[axis=1, exclusive=true]"),
    Case("linear_recurrence", ((2, 300), (2, 300)), "[axis=1, reverse=true]"),
    Case("linear_recurrence", ((70, 3), (70, 3), (1, 3)), "[axis=0, exclusive=true]"),
    Case("linear_recurrence", ((3, 1), (3, 1), (3, 1)), "[axis=1]"),
    *[Case(name, (X,), "[axis=1]") for name in ("sort", "argsort")],
    *[Case(name, ((3, 70),), "[descending=true]") for name in ("sort", "argsort")],
    *[Case(name, ((33, 5),), "[k=3, axis=0]") for name in ("top_k", "top_k_indices")],
    *[Case(name, (X,), "[k=1, axis=-1, largest=false]") for name in ("top_k", "top_k_indices")],
    Case("sort", ((3, 0),)),
    Case("scatter_add", ((5, 4), (7,), (7, 4)), "", ("?", "i32", "?")),
    Case("scatter_add", (X, (2, 3), (3, 2, 3, 5)), "[axis=1]", ("?", "i64", "?")),
    Case("scatter_add", ((5, 4), (3,), (5, 3)), "[axis=-1, deterministic=true]", ("?", "i32", "?")),
    Case("histogram", (X, X), "[bins=6]", ("i32", "?")),
    Case("histogram", ((40,),), "[bins=9]", (), frozenset({"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"})),
    Case("histogram", ((2, 9),), "[bins=4, deterministic=true]", (), frozenset({"i32"})),
    Case("elu", (Y,), "[alpha=0.5]"),
    Case("leaky_relu", (Y,), "[alpha=-2]"),
    Case("clip", (X, (1,), (1,))),
    Case("where", (X, (4, 1), X), "", ("bool", "?", "?")),
    *[Case("convert", (X,), f"[target_type={type_}]") for type_ in ("f32", "f16", "i32", "bool")],
    *[Case("bit_cast", (X,), f"[target_type={type_}]", (), _WORDS) for type_ in ("f32", "i32")],
    Case("bit_cast", (X,), "[target_type=bool]", (), frozenset({"fp8e4m3fn", "fp8e5m2", "i8", "u8"})),
    Case("bit_cast", (X,), "[target_type=fp8e4m3fn]", (), frozenset({"bool", "fp8e4m3fnuz", "i8", "u8"})),
    Case("bit_cast", (X,), "[target_type=f16]", (), frozenset({"f16", "bf16", "i16", "u16"})),
    Case("dequantizelinear", (X, (5,)), "", ("?", "f32")),
    Case("dequantizelinear", (X, (1,), (1,)), "", ("?", "f32", "?")),
    Case("dequantize", ((4, 6), (4, 2)), "[blocks={3}]", ("?", "f32")),
    Case("dequantize", ((4, 6), (2, 3), (2, 3)), "[blocks={2,2}]", ("?", "f16", "?")),
    Case("unpack", ((3, 8),), "[bits=4]"),
    Case("unpack", ((4, 3, 5),), "[bits=2, axis=0]"),
    Case("unpack", ((70,),), "[bits=1]"),
    Case("unpack", ((3, 9),), "[bits=8, axis=1]", (), frozenset({"i16", "u16", "i32", "u32"})),
    Case("quantizelinear", (X, (5,), (1,)), "", ("?", "f32", "i32")),
    *[
        Case(name, (X,), attributes)
        for name in ("argmax", "argmin")
        for attributes in (
            "[axis=1]",
            "[axis=-1, select_last_index=true]",
        )
    ],
    Case("argmax", ((2, 300),), "[axis=1]"),
    *[
        Case(name, (X,), attributes)
        for name in ("reduce_any", "reduce_all")
        for attributes in (
            "[axes={1}]",
            "[axes={0,-1}]",
            "",
        )
    ],
    Case("reduce_all", ((3, 0),), "[axes={1}]"),
    Case("logsoftmax", ((3, 70),), "[axis=1]"),
    Case("logsoftmax", (X,), "[axis=1]"),
    Case("instancenorm", ((2, 6, 5, 5), (6,), (6,))),
    Case("groupnorm", ((2, 6, 5, 5), (6,), (6,)), "[groups=3]"),
    Case("groupnorm", ((2, 6), (6,)), "[groups=2]"),
    Case("groupnorm", ((2, 6),), "[groups=6, epsilon=0.5]"),
    Case("iota", (), "[axis=1, out_lens={3,4,5}]"),
    Case("multibroadcast", ((4, 1),), "[out_lens={3,4,5}]"),
)
