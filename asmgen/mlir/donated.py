"""Donated arguments, as JAX marks them.

%a: tensor<8xf32> {tf.aliasing_output = 0 : i32}      result 0 is to be in the memory of a
%b: tensor<8xf32> {jax.buffer_donor = true}           any result may be
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from asmgen.ir.program import Attributes
from asmgen.mlir.source import Attribute, Operation
from asmgen.mlir.tensor_functions import body_of

ARGUMENTS = "arg_attrs"
_RESULT = "tf.aliasing_output"
_ANY = "jax.buffer_donor"
DONATED = "(donated"
"""The beginning of the words of `list` for a donated argument."""


def attributes_of_arguments(function: Operation) -> Sequence[Mapping[str, Attribute]]:
    """The attributes of each argument of a function."""
    stated = function.attributes.get(ARGUMENTS, ())
    body = body_of(function)
    if isinstance(stated, tuple) and stated:
        return [each if isinstance(each, dict) else {} for each in stated]
    return [{} for _ in body.arguments] if body is not None else []


def donated_by(attributes: Mapping[str, Attribute]) -> Attributes:
    """The attributes of the `@param` of the graph for an argument with these attributes of MLIR."""
    result, may_be_any = attributes.get(_RESULT), attributes.get(_ANY)
    if isinstance(result, int):
        return {"donated": True, "result": result}
    return {"donated": True} if may_be_any is True else {}


def donation_text(attributes: Mapping[str, Attribute]) -> str:
    """The note of `list` on an argument with these attributes."""
    donated = donated_by(attributes)
    to = f" to result {donated['result']}" if "result" in donated else ""
    return f"{DONATED}{to})" if donated else ""
