"""Modules that the specification allows and the language cannot say: each is refused at its op, by name.

A `@|` marks the place of the error. The text has types or ops of no target: complex and quantized numbers, integers of 2 and 4 bits,
random numbers, devices that talk to each other, calls of unknown code.
"""

from __future__ import annotations

from typing import NamedTuple

F = "tensor<4xf32>"


class Refused(NamedTuple):
    """`text` is refused at `line`, `column`, and the message has `word`."""

    about: str
    text: str
    line: int
    column: int
    word: str


def marked(about: str, text: str, word: str) -> Refused:
    """The place is that of `@|`, which is taken out of the text."""
    before, _, after = text.partition("@|")
    assert after, about
    line = before.count("\n") + 1
    return Refused(about, before + after, line, len(before) - before.rfind("\n"), word)


def lines(about: str, body: str, word: str | None = None, arguments: str = f"%a: {F}", results: str = F) -> Refused:
    """A function of some lines, which define %r. The message has `word`, by default the op's name."""
    text = f"func.func @main({arguments}) -> {results} {{\n{body}\n  return %r : {results}\n}}\n"
    op = body.partition("@|")[2].replace('"', "").split("(")[0].split(" ")[0]
    return marked(about, text, op if word is None else word)


def _types() -> list[Refused]:
    made = [
        lines(f"an argument of {kind}", f"  %r = stablehlo.negate %b : {F}", kind, f"@|%a: tensor<4x{kind}>, %b: {F}")
        for kind in (
            "complex<f32>",
            "complex<f64>",
            "i4",
            "ui4",
            "f8E3M4",
            "f8E4M3",
            "f4E2M1FN",
            "f6E3M2FN",
            "!quant.uniform<i8:f32, 5.000000e-01>",
            "i128",
            "f80",
        )
    ]
    return [
        *made,
        lines(
            "a complex constant",
            f"  %c = @|stablehlo.constant dense<(1.0, 2.0)> : tensor<4xcomplex<f32>>\n  %r = stablehlo.real %c : (tensor<4xcomplex<f32>>) -> {F}",
            "complex<f32>",
        ),
        lines(
            "stablehlo.complex",
            f"  %c = @|stablehlo.complex %a, %a : tensor<4xcomplex<f32>>\n  %r = stablehlo.real %c : (tensor<4xcomplex<f32>>) -> {F}",
            "complex",
        ),
        lines("a convert to i4", f"  %c = @|stablehlo.convert %a : ({F}) -> tensor<4xi4>\n  %r = stablehlo.convert %c : (tensor<4xi4>) -> {F}", "i4"),
        lines(
            "a quantization",
            f"  %c = @|stablehlo.uniform_quantize %a : ({F}) -> tensor<4x!quant.uniform<i8:f32, 0.5>>\n  %r = stablehlo.uniform_dequantize %c : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> {F}",
            "quant",
        ),
    ]


def _ops() -> list[Refused]:
    square = "tensor<3x3xf32>"
    shape = "  %s = stablehlo.constant dense<4> : tensor<1xi64>\n"
    groups = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"
    add = "({\n^bb0(%p: tensor<f32>, %q: tensor<f32>):\n  %u = stablehlo.add %p, %q : tensor<f32>\n  stablehlo.return %u : tensor<f32>\n})"
    channel = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
    return [
        lines(
            "rng",
            f"  %l = stablehlo.constant dense<0.0> : tensor<f32>\n{shape}  %r = @|stablehlo.rng %l, %l, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> {F}",
        ),
        lines(
            "rng_bit_generator",
            "  %s:2 = @|stablehlo.rng_bit_generator %b, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)\n  %r = stablehlo.convert %s#1 : (tensor<4xui32>) -> tensor<4xf32>",
            arguments=f"%a: {F}, %b: tensor<2xui64>",
        ),
        lines("custom_call", f"  %r = @|stablehlo.custom_call @someone(%a) : ({F}) -> {F}", "stablehlo.custom_call"),
        lines(
            "a custom_call of jax.numpy.linalg, which devices may share",
            '  %r = @|stablehlo.custom_call @someone(%a) {mhlo.frontend_attributes = {num_batch_dims = "0"}, sdy.sharding_rule = '
            f"#sdy.op_sharding_rule<([i])->([i]) {{i=4}}, custom>}} : ({F}) -> {F}",
            "@someone",
        ),
        lines(
            "fft",
            "  %r = @|stablehlo.fft %a, type = RFFT, length = [4] : (tensor<4xf32>) -> tensor<3xcomplex<f32>>",
            "fft",
            results="tensor<3xcomplex<f32>>",
        ),
        lines("cholesky", f"  %r = @|stablehlo.cholesky %a, lower = true : {square}", arguments=f"%a: {square}", results=square),
        lines(
            "triangular_solve",
            f'  %r = @|"stablehlo.triangular_solve"(%a, %a) {{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}} : ({square}, {square}) -> {square}',
            arguments=f"%a: {square}",
            results=square,
        ),
        lines(
            "tokens",
            f'  %t = @|stablehlo.create_token : !stablehlo.token\n  %r, %u = "stablehlo.infeed"(%t) {{infeed_config = ""}} : (!stablehlo.token) -> ({F}, !stablehlo.token)',
            "token",
        ),
        lines("all_reduce", f'  %r = @|"stablehlo.all_reduce"(%a) <{{{groups}, {channel}}}> {add} : ({F}) -> {F}'),
        lines(
            "all_gather",
            f'  %r = @|"stablehlo.all_gather"(%a) <{{all_gather_dim = 0 : i64, {groups}}}> : ({F}) -> tensor<8xf32>',
            results="tensor<8xf32>",
        ),
        lines(
            "collective_permute",
            f'  %r = @|"stablehlo.collective_permute"(%a) <{{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}}> : ({F}) -> {F}',
        ),
        lines("partition_id", "  %r = @|stablehlo.partition_id : tensor<ui32>", results="tensor<ui32>"),
        lines("replica_id", "  %r = @|stablehlo.replica_id : tensor<ui32>", results="tensor<ui32>"),
        lines("einsum", f'  %r = @|stablehlo.einsum %a, %a, config = "i,i->i" : ({F}, {F}) -> {F}'),
        lines("zeta", f"  %r = @|chlo.zeta %a, %a : {F}, {F} -> {F}"),
        lines("bessel", f"  %r = @|chlo.bessel_i1e %a : {F} -> {F}"),
    ]


CASES = (*_types(), *_ops())
