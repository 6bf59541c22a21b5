"""The matrices that a second factor has next to each other, such as the weights of queries, keys and values.

    w = concat[axis=0](wq, wk)                     {5120,4096} of {4096,4096} and {1024,4096}
    y = dot(x, transpose[permutation={1,0}](w))    columns 0 to 4095 are of wq, 4096 to 5119 of wk
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.graph.ops import CONCAT, PARAM, TRANSPOSE
from asmgen.ir.program import Statement, Value, tensor_type

_MOST = 4  # matrices: the loop of the product is in the code for each of them
_MATRIX = 2  # axes


def joined_columns(defined: Mapping[Value, Statement], factor: Value) -> tuple[int, ...]:
    """The columns of each matrix in memory that a factor {K,N} has next to each other along N; empty if the
    factor is anything else."""
    made, axis = defined[factor], 1
    if tensor_type(factor).rank != _MATRIX:
        return ()
    if made.op is TRANSPOSE:
        made, axis = defined[made.operands[0]], 0
    if made.op is not CONCAT or not 1 < len(made.operands) <= _MOST:
        return ()
    if made.attributes["axis"] not in (axis, axis - _MATRIX):
        return ()
    if not all(_is_in_memory(defined, each) for each in made.operands):
        return ()
    sizes = [tensor_type(each).dims[axis] for each in made.operands]
    known = tuple([size for size in sizes if isinstance(size, int) and size > 0])
    return known if len(known) == len(sizes) else ()


def _is_in_memory(defined: Mapping[Value, Statement], value: Value) -> bool:
    made = defined[value]
    return (defined[made.operands[0]] if made.op is TRANSPOSE else made).op is PARAM
