"""The op table holds every op of gen text, and says what is not lowered yet."""

from __future__ import annotations

import pytest

from asmgen.gentext.parser import parse
from asmgen.graph.ops import GRAPH_OPS, check_supported, graph_op
from isa.diagnostics import InputError, InternalError

# gen text, "Ops of the graph"
LISTED = """
add sub mul div pow mod fmod max min sqdiff prelu equal less greater logical_and logical_or logical_xor bitwise_and abs acos acosh asin asinh
atan atanh ceil cos cosh erf exp floor isinf isnan log log2 nearbyint neg not recip relu rsqrt sigmoid sign sin sinh sqrt tan tanh identity elu
leaky_relu clip where convert bit_cast quantizelinear dequantizelinear reduce_sum reduce_mean reduce_max reduce_min reduce_prod reduce_any
reduce_all argmax argmin cumsum cumprod cummax cummin
pad gather reverse concat slice step transpose reshape squeeze unsqueeze contiguous broadcast multibroadcast softmax
logsoftmax layernorm rmsnorm instancenorm groupnorm iota dot
"""

NOT_LOWERED = """
dot
"""


def test_every_op_is_there() -> None:
    assert sorted(GRAPH_OPS) == sorted(LISTED.split())
    assert sorted(name for name, op in GRAPH_OPS.items() if not op.lowered) == sorted(NOT_LOWERED.split())
    assert all(op.lowered <= op.types for op in GRAPH_OPS.values())


def test_a_row_is_found_by_name() -> None:
    assert graph_op("add") is GRAPH_OPS["add"]
    with pytest.raises(InternalError):
        _ = graph_op("load")


@pytest.mark.parametrize(
    ("text", "code", "place", "message"),
    [
        (
            "x = @param:x -> {4,4}\ny = dot(x, x)\n@return(y)",
            "GEN901",
            "t.gen:2:1",
            "dot is not lowered yet, wanted an op that is",
        ),
    ],
)
def test_what_is_not_lowered_is_refused_at_its_place(text: str, code: str, place: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        check_supported(parse(text, "t.gen"))
    assert str(caught.value).startswith(f"{place}: error[{code}]: ")
    assert message in caught.value.message


def test_what_is_lowered_passes() -> None:
    text = "x = @param:x -> f16, {4}\ny = exp(x)\nz = less(x, y)\nw = not(z)\nl = @literal{3} -> i32, {}\nv = div(l, l)\n@return(w, v, y)"
    check_supported(parse(text, "t.gen"))
