"""StableHLO's batch norms: each axis but that of the features is a batch."""

from __future__ import annotations

from collections.abc import Callable

from asmgen.frontends.tensors.op_call import OpCall, Results
from asmgen.frontends.tensors.stablehlo.shapes import in_dims
from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import like

Rule = Callable[[OpCall], Results]


def _normalized(call: OpCall, x: Array, scale: Array, offset: Array, mean: Array, variance: Array) -> Array:
    axis, dims = call.operation.integer("feature_index"), x.type.dims
    factor = apply("rsqrt", apply("add", variance, like(_epsilon(call), variance)))
    wide = [in_dims(each, (axis,), dims) for each in (mean, factor, scale, offset)]
    centred = apply("mul", apply("sub", x, wide[0]), wide[1])
    return apply("add", apply("mul", centred, wide[2]), wide[3])


def _inference(call: OpCall) -> Results:
    return _normalized(call, *call.arrays)


def _training(call: OpCall) -> Results:
    """Also the mean and the variance of each feature."""
    x, scale, offset = call.arrays
    axis = call.operation.integer("feature_index")
    others = tuple([each for each in range(x.type.rank) if each != axis])
    if not others:
        call.refuse("got an operand of features alone, wanted a batch of them")
    mean = apply("reduce_mean", x, axes=others)
    spread = apply("sub", x, apply("multibroadcast", mean, out_lens=x.type.dims))
    variance = apply("squeeze", apply("reduce_mean", apply("mul", spread, spread), axes=others), axes=others)
    mean = apply("squeeze", mean, axes=others)
    return [_normalized(call, x, scale, offset, mean, variance), mean, variance]


def _gradient(call: OpCall) -> Results:
    """The gradients of the operand, the scale and the offset."""
    x, scale, mean, variance, given = call.arrays
    axis, dims = call.operation.integer("feature_index"), x.type.dims
    others = tuple([each for each in range(x.type.rank) if each != axis])
    if not others:
        call.refuse("got an operand of features alone, wanted a batch of them")
    factor = apply("rsqrt", apply("add", variance, like(_epsilon(call), variance)))
    wide_mean, wide_factor, wide_scale = [in_dims(each, (axis,), dims) for each in (mean, factor, scale)]
    normal = apply("mul", apply("sub", x, wide_mean), wide_factor)
    means = [apply("reduce_mean", each, axes=others) for each in (given, apply("mul", given, normal))]
    of_given, of_product = [apply("multibroadcast", each, out_lens=dims) for each in means]
    rest = apply("sub", apply("sub", given, of_given), apply("mul", normal, of_product))
    sums = [apply("reduce_sum", each, axes=others) for each in (apply("mul", given, normal), given)]
    of_scale, of_offset = [apply("squeeze", each, axes=others) for each in sums]
    return [apply("mul", apply("mul", wide_scale, wide_factor), rest), of_scale, of_offset]


def _epsilon(call: OpCall) -> float:
    epsilon = call.operation.attributes["epsilon"]
    assert isinstance(epsilon, float)
    return epsilon


RULES: dict[str, Rule] = {
    "stablehlo.batch_norm_grad": _gradient, "stablehlo.batch_norm_inference": _inference,
    "stablehlo.batch_norm_training": _training,
}  # fmt: skip
