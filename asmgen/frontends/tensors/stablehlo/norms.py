"""StableHLO's batch norms: each axis but that of the features is a batch."""

from __future__ import annotations

from collections.abc import Callable

from asmgen.frontends.tensors.op_call import OpCall, Results
from asmgen.frontends.tensors.stablehlo.shapes import in_dims
from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import like

Rule = Callable[[OpCall], Results]


def _normalized(call: OpCall, x: Array, scale: Array, offset: Array, mean: Array, variance: Array) -> Array:
    epsilon = call.operation.attributes["epsilon"]
    assert isinstance(epsilon, float)
    axis, dims = call.operation.integer("feature_index"), x.type.dims
    factor = apply("rsqrt", apply("add", variance, like(epsilon, variance)))
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


RULES: dict[str, Rule] = {
    "stablehlo.batch_norm_inference": _inference, "stablehlo.batch_norm_training": _training,
}  # fmt: skip
