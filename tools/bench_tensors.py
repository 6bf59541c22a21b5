"""`python -m tools.bench_tensors [TARGET...]`: CPU time to read and compile StableHLO modules of 1,000 ops.

The modules:

* `arithmetic`: a launch of 1,001 ops that are an instruction each
* `functions`: a launch of 1,001 ops, all elementwise float ops in turn
* `layers`: 18 layers of a transformer, 1,031 ops in many launches

The figure is the best of `--repeat` compiles in a warm process. Exits 1 if a compile takes more than two
seconds.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import cycle, islice
from typing import NamedTuple

import asmgen
from isa.targets import TARGETS
from tools.cpu import timed
from tools.reasons import exit_status

MOST_SECONDS = 2
OPS = 1001
LAYERS = 18
ARITHMETIC = ("add", "multiply", "maximum", "negate", "subtract", "minimum", "abs")
FUNCTIONS = (
    *ARITHMETIC, "divide", "power", "remainder", "atan2", "exponential", "exponential_minus_one", "log",
    "log_plus_one", "sine", "cosine", "tan", "tanh", "logistic", "sqrt", "rsqrt", "cbrt", "sign", "floor",
    "ceil", "round_nearest_even", "round_nearest_afz",
)  # fmt: skip
BINARY = frozenset(
    ("add", "multiply", "maximum", "subtract", "minimum", "divide", "power", "remainder", "atan2")
)

SCALAR, VECTOR, ROW, TOKENS = "tensor<f32>", "tensor<1024xf32>", "tensor<128xf32>", "tensor<128x512xf32>"
HEADS, BY_HEAD, WIDE = "tensor<128x8x64xf32>", "tensor<8x128x64xf32>", "tensor<128x2048xf32>"
SCORES, SCORE_ROWS = "tensor<8x128x128xf32>", "tensor<8x128xf32>"
GAINS, SQUARE, UP, DOWN = (
    "tensor<512xf32>",
    "tensor<512x512xf32>",
    "tensor<512x2048xf32>",
    "tensor<2048x512xf32>",
)
WEIGHTS = {
    "gain_a": GAINS, "gain_b": GAINS, "wq": SQUARE, "wk": SQUARE, "wv": SQUARE, "wo": SQUARE, "wu": UP,
    "wd": DOWN,
}  # fmt: skip


class Value(NamedTuple):
    name: str
    type: str


class Function:
    """The lines of a function so far. Each method appends an op, and returns its value."""

    def __init__(self, parameters: Sequence[Value]) -> None:
        self.parameters = parameters
        self.lines: list[str] = []

    def line(self, text: str, type: str) -> Value:
        value = Value(f"%v{len(self.lines)}", type)
        self.lines.append(f"  {value.name} = stablehlo.{text}")
        return value

    def op(self, op: str, *operands: Value) -> Value:
        """An elementwise op: operands and result have the same type."""
        names = ", ".join(operand.name for operand in operands)
        return self.line(f"{op} {names} : {operands[0].type}", operands[0].type)

    def constant(self, number: str, type: str) -> Value:
        return self.line(f"constant dense<{number}> : {type}", type)

    def moved(self, op: str, value: Value, type: str) -> Value:
        """The elements of `value` in another shape; `op` ends in its dims, if it has any."""
        name, _, dims = op.partition(" ")
        return self.line(f"{name} {value.name}{dims and ', dims = ' + dims} : ({value.type}) -> {type}", type)

    def reduced(self, op: str, value: Value, first: Value, dim: int, type: str) -> Value:
        text = f"reduce({value.name} init: {first.name}) applies stablehlo.{op} across dimensions = [{dim}]"
        return self.line(f"{text} : ({value.type}, {first.type}) -> {type}", type)

    def product(self, left: Value, right: Value, dims: str, type: str) -> Value:
        return self.line(
            f"dot_general {left.name}, {right.name}, {dims} : ({left.type}, {right.type}) -> {type}", type
        )

    def text(self, result: Value) -> str:
        parameters = ", ".join(f"{name}: {type}" for name, type in self.parameters)
        head = f"func.func @main({parameters}) -> {result.type} {{"
        return "\n".join((head, *self.lines, f"  return {result.name} : {result.type}", "}\n"))


def chain(ops: Sequence[str]) -> str:
    """A module of `OPS` ops on vectors, taken from `ops` in turn. Each has the value before as an operand."""
    value, other = Value("%x", VECTOR), Value("%y", VECTOR)
    function = Function((value, other))
    for op in islice(cycle(ops), OPS):
        operands = (value, other) if op in BINARY else (value,)
        value, other = function.op(op, *operands), value
    return function.text(value)


class Constants(NamedTuple):
    zero: Value
    least: Value
    width: Value
    epsilon: Value
    scale: Value


def layers() -> str:
    """`LAYERS` layers of a transformer on 128 tokens of 512 numbers, with 8 heads."""
    weights = [
        {name: Value(f"%{name}{place}", type) for name, type in WEIGHTS.items()} for place in range(LAYERS)
    ]
    tokens = Value("%x", TOKENS)
    function = Function((tokens, *(weight for those in weights for weight in those.values())))
    constants = Constants(
        function.constant("0.0", SCALAR),
        function.constant("0xFF800000", SCALAR),
        function.constant("512.0", ROW),
        function.constant("1.0e-5", ROW),
        function.constant("0.125", SCORES),
    )
    for those in weights:
        tokens = layer(function, tokens, those, constants)
    return function.text(tokens)


def layer(function: Function, tokens: Value, weights: dict[str, Value], constants: Constants) -> Value:
    """Attention and a gated layer with their residuals."""
    op, product, matrix = function.op, function.product, "contracting_dims = [1] x [0]"
    inner = normalised(function, tokens, weights["gain_a"], constants)
    query, key, value = (
        function.moved("reshape", product(inner, weights[name], matrix, TOKENS), HEADS)
        for name in ("wq", "wk", "wv")
    )
    scores = product(query, key, "batching_dims = [1] x [1], contracting_dims = [2] x [2]", SCORES)
    shares = softmax(function, op("multiply", scores, constants.scale), constants)
    mixed = product(shares, value, "batching_dims = [0] x [1], contracting_dims = [2] x [0]", BY_HEAD)
    flat = function.moved("reshape", function.moved("transpose [1, 0, 2]", mixed, HEADS), TOKENS)
    tokens = op("add", tokens, product(flat, weights["wo"], matrix, TOKENS))
    wide = product(normalised(function, tokens, weights["gain_b"], constants), weights["wu"], matrix, WIDE)
    gated = op("multiply", wide, op("logistic", wide))
    return op("add", tokens, product(gated, weights["wd"], matrix, TOKENS))


def normalised(function: Function, tokens: Value, gains: Value, constants: Constants) -> Value:
    """A layernorm of the rows."""
    op = function.op

    def by_rows(row: Value) -> Value:
        return function.moved("broadcast_in_dim [0]", row, TOKENS)

    def mean(value: Value) -> Value:
        return op("divide", function.reduced("add", value, constants.zero, 1, ROW), constants.width)

    centred = op("subtract", tokens, by_rows(mean(tokens)))
    variance = mean(op("multiply", centred, centred))
    root = op("rsqrt", op("add", variance, constants.epsilon))
    return op(
        "multiply",
        op("multiply", centred, by_rows(root)),
        function.moved("broadcast_in_dim [1]", gains, TOKENS),
    )


def softmax(function: Function, scores: Value, constants: Constants) -> Value:
    """The softmax of the last dim."""
    op = function.op

    def by_rows(rows: Value) -> Value:
        return function.moved("broadcast_in_dim [0, 1]", rows, SCORES)

    most = function.reduced("maximum", scores, constants.least, 2, SCORE_ROWS)
    powers = op("exponential", op("subtract", scores, by_rows(most)))
    return op("divide", powers, by_rows(function.reduced("add", powers, constants.zero, 2, SCORE_ROWS)))


MODULES = {
    "arithmetic": lambda: chain(ARITHMETIC),
    "functions": lambda: chain(FUNCTIONS),
    "layers": layers,
}


def seconds(text: str, target: str) -> float:
    """CPU seconds to read and compile a module."""
    return timed(lambda: asmgen.compile(text, target))[1]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench_tensors", description="Compile time of tensor modules of 1,000 ops."
    )
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="all by default")
    parsed = parser.parse_args(arguments)
    targets: list[str] = parsed.targets or list(TARGETS)
    if unknown := [name for name in targets if name not in TARGETS]:
        parser.error(f"unknown target {unknown[0]!r}, wanted any of {', '.join(TARGETS)}")
    slow: list[str] = []
    print(f"{'ms of CPU':<10}", *(f"{name:>11}" for name in MODULES))
    for target in targets:
        print(f"{target:<10}", end="", flush=True)
        for name, make in MODULES.items():
            text = make()
            taken = min(seconds(text, target) for _ in range(parsed.repeat))
            print(f" {1e3 * taken:>11,.0f}", end="", flush=True)
            if taken > MOST_SECONDS:
                slow.append(f"{name} takes {taken:.2f} s on {target}, wanted at most {MOST_SECONDS}")
        print()
    return exit_status("bench_tensors", slow)


if __name__ == "__main__":
    sys.exit(main())
