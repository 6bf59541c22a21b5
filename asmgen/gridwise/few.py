"""Two versions of the launches of a program: reductions and scans of few elements of named dims are taken
whole, those of many in parts. So are reductions with many results, and with few. The launch knows how many
there are.

    s = reduce_sum[axes={0}](x), x {m,n}

    launch @main     when(min(m floordiv 1024, 1)): the sums of the parts
    launch @main_1   when(min(m floordiv 1024, 1)): the sums of these
    launch @main_2   when(1 - min(m floordiv 1024, 1)): the sums of all rows

A launch runs if its condition is 1, and has no workgroups if it is 0. A launch of both versions has no
condition, and is there once.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import prod

from msgspec.structs import replace

from asmgen.blockwise.schedules.choosing.parts import Share
from asmgen.graph.fusion.fuse import FusedKernel
from asmgen.graph.ops import SCANS
from asmgen.graph.printer import print_module
from asmgen.gridwise.sharing import form_of
from asmgen.index import Index, constant
from asmgen.index.size import Dim
from asmgen.ir.builder import fresh_name
from asmgen.ir.program import Module, Statement, Value, definitions, tensor_type
from asmgen.ir.types import TensorType
from isa.named_tuple import NamedTuple

# The kernels of a program, each with the condition under which it is launched; None if it always is.
Cases = list[tuple[FusedKernel, Index | None]]


class Few(NamedTuple):
    """When a program has few elements: `is_many` is 1 if one of its reductions or scans has many, or few
    results, else 0. `shares` are the parts of those that are in parts even then.
    """

    is_many: Index
    shares: Mapping[Value, Share]


def few_of(module: Module, shares: Mapping[Value, Share]) -> Few | None:
    """The case of few elements; None if the shares of a module take nothing whole for few."""
    defined = definitions(module)
    tested = {value: share for value, share in shares.items() if share.whole or share.rows}
    tests = dict.fromkeys([_is_in_parts(defined[value], share) for value, share in tested.items()])
    if not tests:
        return None
    is_many = sum(tests, constant(0)).at_most(1)
    return Few(is_many, {value: share for value, share in shares.items() if value not in tested})


def for_all_sizes(shares: Mapping[Value, Share]) -> Mapping[Value, Share]:
    """The shares if there is a single version."""
    return {value: share for value, share in shares.items() if not share.rows}


def _is_in_parts(statement: Statement, share: Share) -> Index:
    """1 if a reduction or a scan is in parts, else 0."""
    if share.rows:
        return 1 - _is_more(prod(tensor_type(statement.result).dims), share.rows)
    return _is_more(_reduced(statement), share.whole)


def _reduced(statement: Statement) -> Dim:
    """The number of elements of each result of a reduction, or of each row of a scan."""
    if statement.op in SCANS:
        axis = statement.attributes["axis"]
        assert isinstance(axis, int), "the parser reads an integer"
        return tensor_type(statement.result).dims[axis]
    (before,), after = statement.operands, statement.result
    pairs = zip(tensor_type(before).dims, tensor_type(after).dims, strict=True)
    return prod([dim for dim, kept in pairs if dim != kept])


def _is_more(size: Dim, most: int) -> Index:
    return (constant(size) // (most + 1)).at_most(1)


def in_versions(many: Sequence[FusedKernel], few: Sequence[FusedKernel], is_many: Index) -> Cases | None:
    """The kernels of two versions in an order in which each comes after those that it needs. None if the
    versions have different buffers of the same name, or the kernels of both in another order."""
    if not _agree((*many, *few)):
        return None
    keys = [_key(kernel) for kernel in many]
    places = [keys.index(key) if key in keys else None for key in map(_key, few)]
    both = [place for place in places if place is not None]
    if both != sorted(set(both)):
        return None
    taken = {kernel.module.name for kernel in many}
    cases, waiting, start = Cases(), Cases(), 0
    for kernel, place in zip(few, places, strict=True):
        if place is None:
            waiting.append((_renamed(kernel, taken), 1 - is_many))
            continue
        cases += [*[(each, is_many) for each in many[start:place]], *waiting, (many[place], None)]
        waiting, start = [], place + 1
    return [*cases, *[(each, is_many) for each in many[start:]], *waiting]


def _key(kernel: FusedKernel) -> Hashable:
    """What kernels of both versions have in common if they are the same: the form, or the text of a kernel
    without a form."""
    form = form_of(kernel.module, [output.name for output in kernel.outputs])
    return print_module(kernel.module, shows_places=False) if form is None else form


def _agree(kernels: Iterable[FusedKernel]) -> bool:
    """Whether the kernels write buffers of a type for each name."""
    types: dict[str, TensorType] = {}
    written = [output for kernel in kernels for output in kernel.outputs]
    return all(
        types.setdefault(output.name, tensor_type(output.value))[:2] == tensor_type(output.value)[:2]
        for output in written
    )


def _renamed(kernel: FusedKernel, taken: set[str]) -> FusedKernel:
    if kernel.module.name not in taken:
        taken.add(kernel.module.name)
        return kernel
    return kernel._replace(module=replace(kernel.module, name=fresh_name(kernel.module.name, taken)))
