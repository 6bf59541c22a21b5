"""Reductions of a matrix product's rows or columns that the kernel of the product may take of its tiles.

    y = dot(a, b)                        {m,n}
    s = reduce_sum[axes={1}](mul(y, y))  {m,1}

If a tile has whole rows, the kernel has s too, and the ops that read both. Otherwise the rows are in parts,
as wide as a tile, and a later kernel combines the results of the parts:

    parts = reshape(mul(y, y))           {m,n/128,128}
    t = reduce_sum[axes={2}](parts)      {m,n/128,1}, in the kernel of the product
    s = reduce_sum[axes={1}](t')         of t without its last dim
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from math import prod

from asmgen.graph.block_dots import PRODUCTS
from asmgen.graph.fusion.fuse import FusedKernel
from asmgen.graph.ops import PAD, PARAM, REDUCTIONS, SCANS, SCATTER_ADD, SLICE, SORTS
from asmgen.index.size import Dim, Sizes
from asmgen.ir.program import Statement, Value, definitions, tensor_type
from isa.named_tuple import NamedTuple

_OTHERS = frozenset({*SCANS, *SORTS, *PRODUCTS, SCATTER_ADD})  # ops of other kernels


class View(NamedTuple):
    """How a kernel sees the results of its product in a reduction: the dims of the operand, the `axis` of the
    product that is reduced, whether this axis is in parts, and the `reduced` dim of the operand."""

    dims: Sizes
    axis: int
    in_parts: bool

    @property
    def reduced(self) -> int:
        return self.axis + self.in_parts

    @property
    def length(self) -> Dim:
        """The elements that are reduced."""
        return self.dims[self.reduced]


class Epilogue(NamedTuple):
    """Reductions over the last dim of the results of products, or over the dim before it, which are a kernel
    of their own.

    * `kernel`: the kernel of the products, and `dots`: the products
    * `reductions`: all reductions of the other kernel, over `axis` of the products
    * `read`: the values that this kernel reads of the products', and `unused`: those that nothing else reads
    * `beside`: results of the kernel of the reductions that have all dims of the products
    * `is_chain`: whether a reduction needs the result of another
    """

    kernel: FusedKernel
    dots: tuple[Statement, ...]
    reductions: tuple[Statement, ...]
    axis: int
    read: tuple[Value, ...]
    unused: tuple[Value, ...]
    beside: tuple[Value, ...]
    is_chain: bool

    @property
    def dims(self) -> Sizes:
        return tensor_type(self.dots[0].result).dims

    @property
    def results(self) -> tuple[Value, ...]:
        """The values with the dims of the products that their kernel stores."""
        outputs = [output.value for output in self.kernel.outputs]
        return tuple([value for value in outputs if tensor_type(value).elements == prod(self.dims)])


def view_of(defined: Mapping[Value, Statement], reduction: Statement) -> View | None:
    """How a reduction sees the products of its kernel; None if a tile cannot reduce it."""
    seen, kept = tensor_type(reduction.operands[0]).dims, tensor_type(reduction.result).dims
    axes = [axis for axis, (dim, left) in enumerate(zip(seen, kept, strict=True)) if dim != left]
    dims = next(tensor_type(value).dims for value, made in defined.items() if made.op in PRODUCTS)
    if len(axes) != 1:
        return None
    in_parts = len(seen) == len(dims) + 1
    axis = axes[0] - in_parts
    others = (*seen[:axis], dims[axis], *seen[axis + 1 + in_parts :])
    return View(seen, axis, in_parts) if others == dims and axis >= len(dims) - 2 else None


def before_parts(defined: Mapping[Value, Statement], value: Value, dims: Sizes) -> Value | None:
    """The value with `dims` that a value has in parts, perhaps with more elements at the end; None if there
    is none."""
    while tensor_type(value).dims != dims:
        statement = defined[value]
        if not statement.op.keeps_order and statement.op not in (PAD, SLICE):
            return None
        (value,) = statement.operands
    return value


def epilogues(kernels: Sequence[FusedKernel]) -> list[Epilogue]:
    """The kernels of reductions that read results of a kernel of products, each element at its own place, and
    that the kernel of the products could do."""
    homes = {output.value: home for home, kernel in enumerate(kernels) for output in kernel.outputs}
    holders: dict[Value, set[int]] = {}
    for number, kernel in enumerate(kernels):
        for value in definitions(kernel.module):
            holders.setdefault(value, set()).add(number)
    found = [_epilogue(kernels, number, homes, holders) for number in range(len(kernels))]
    return [each for each in found if each is not None]


def _epilogue(
    kernels: Sequence[FusedKernel], number: int, homes: Mapping[Value, int],
    holders: Mapping[Value, Set[int]],
) -> Epilogue | None:  # fmt: skip
    """`homes` has the kernel that stores a value, and `holders` those that store, compute or receive it."""
    defined = definitions(kernels[number].module)
    reductions = tuple([statement for statement in defined.values() if statement.op in REDUCTIONS])
    if not reductions or any(statement.op in _OTHERS for statement in defined.values()):
        return None
    last = max([homes.get(value, -1) for value, each in defined.items() if each.op is PARAM], default=-1)
    kernel = kernels[last]
    dots = tuple([each for each in definitions(kernel.module).values() if each.op in PRODUCTS])
    if last < 0 or len({tensor_type(dot.result).dims for dot in dots}) != 1:
        return None
    read = tuple([value for value, each in defined.items() if each.op is PARAM and homes.get(value) == last])
    axis, dims = _axis(reductions, dots), tensor_type(dots[0].result).dims
    if axis is None or any(tensor_type(value).dims != dims for value in read):
        return None
    if not _are_in_place(defined, reductions, read):
        return None
    returned = {output.value for output in kernel.outputs if output.result is not None}
    unused = tuple([value for value in read if holders[value] <= {last, number} and value not in returned])
    outputs = [output.value for output in kernels[number].outputs]
    rows = tensor_type(reductions[0].result).elements
    beside = tuple([value for value in outputs if tensor_type(value).elements != rows])
    return Epilogue(kernel, dots, reductions, axis, read, unused, beside, _is_chain(defined))


def _axis(reductions: Sequence[Statement], dots: Sequence[Statement]) -> int | None:
    """The axis of the products that all reductions reduce: the last, or the second to last."""
    dims, kept = tensor_type(dots[0].result).dims, tensor_type(reductions[0].result).dims
    if any(tensor_type(each.operands[0]).dims != dims for each in reductions):
        return None
    axes = [axis for axis, (dim, left) in enumerate(zip(dims, kept, strict=True)) if dim != left]
    return axes[0] if len(axes) == 1 and axes[0] >= len(dims) - 2 else None


def _are_in_place(
    defined: Mapping[Value, Statement], reductions: Sequence[Statement], read: Sequence[Value]
) -> bool:
    """Whether each element that is reduced is made of elements of `read` at its own place, and of results of
    reductions."""
    in_place = dict.fromkeys(read, True)
    for value, statement in defined.items():
        own = [in_place[operand] for operand in statement.operands if operand in in_place]
        if own:
            in_place[value] = all(own) and not statement.op.moves_elements
    return all(in_place.get(each.operands[0], False) for each in reductions)


def _is_chain(defined: Mapping[Value, Statement]) -> bool:
    """Whether a reduction needs the result of another."""
    made: set[Value] = set()
    for value, statement in defined.items():
        if not made.isdisjoint(statement.operands):
            if statement.op in REDUCTIONS:
                return True
            made.add(value)
        elif statement.op in REDUCTIONS:
            made.add(value)
    return False
