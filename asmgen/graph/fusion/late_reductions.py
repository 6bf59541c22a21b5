"""Moves reductions to later kernels of the same dims, if that saves kernels.

    b = reduce_sum[axes={0}](dy)                  dy {4096,1024}
    m = reduce_mean[axes={1}](x)
    d = mul(dy, sub(x, m))
    g = reduce_sum[axes={0}](d)                   needs m, so its kernel is later than that of b

Nothing before g needs b: the kernel of g computes both, and reads dy once. The backward passes of norms have
such sums. All reductions of a kernel move, or none: otherwise both kernels read shared operands.

Reductions stay if they read results of products, scans or sorts that the later kernel does not read: these
would be in memory until then, and in no cache. The gradients of eight layers {4096,512} of f16 and of their
biases take 141,985 clocks on gfx942 and 10 MB of temporaries, 173,087 and 48 with all sums at the end.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from asmgen.graph.ops import REDUCTIONS
from asmgen.ir.program import Statement, Value
from isa.named_tuple import NamedTuple


class Place(NamedTuple):
    """The place of the kernel of a value: the number of kernels before it, and its dims. Values with the same
    place have the same kernel."""

    level: int
    kind: Hashable


_Needs = Mapping[Value, Mapping[Value, bool]]


def later_levels(
    places: Mapping[Value, Place], needs: _Needs, defined: Mapping[Value, Statement]
) -> dict[Value, int]:
    """The levels of the reductions that move. `needs` has for each value of `places` the others that its
    operands are made of, and whether each of their elements is made of those at its own place alone."""
    members: dict[Place, list[Value]] = {}
    readers: dict[Value, list[Value]] = {}
    for value, place in places.items():
        members.setdefault(place, []).append(value)
        for need in needs[value]:
            readers.setdefault(need, []).append(value)
    following: dict[Hashable, Place] = {}
    levels: dict[Value, int] = {}
    # the latest first, so that readers have moved
    for place in sorted(members, key=lambda place: -place.level):
        own, late = members[place], following.setdefault(place.kind, place)
        others = [reader for value in own for reader in readers.get(value, ()) if places[reader] != place]
        is_free = late != place and all(defined[value].op in REDUCTIONS for value in own)
        is_free = is_free and _stored(own, needs, defined) <= _stored(members[late], needs, defined)
        if is_free and all(levels.get(each, places[each].level) > late.level for each in others):
            levels.update(dict.fromkeys(own, late.level))
        else:
            following[place.kind] = place
    return levels


def _stored(values: list[Value], needs: _Needs, defined: Mapping[Value, Statement]) -> set[Value]:
    """The results of other ops than reductions that values are made of: they have many elements."""
    return {need for value in values for need in needs[value] if defined[need].op not in REDUCTIONS}
