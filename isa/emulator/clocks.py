"""What a wave knows of waves of other workgroups: for each wave of the launch the time up to which it knows
of its accesses.

A clock is made of pages, and clocks that agree on a page have it in common. Workgroups that hand on to each
other what they know, one after the other, differ in few pages, so that time and memory for all of them grow
with their number and not with its square.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Times = NDArray[np.int32]
Clock = tuple[Times | None, ...]  # [workgroup of the page, wave of the workgroup]; None where all is 0
_PAGE = 64  # workgroups


def empty(groups: int) -> Clock:
    """The clock that knows of no wave of a launch of so many workgroups."""
    return (None,) * -(-groups // _PAGE)


def noted(clock: Clock, group: int, times: Times) -> Clock:
    """The clock that also knows of the waves of one workgroup of the launch, up to these times."""
    at, row = divmod(group, _PAGE)
    old = clock[at]
    page = np.zeros((_PAGE, len(times)), np.int32) if old is None else old.copy()
    page[row] = np.maximum(page[row], times)
    return (*clock[:at], page, *clock[at + 1 :])


def joined(one: Clock, other: Clock) -> Clock:
    """The clock that knows what either knows."""
    if one is other:
        return one
    return tuple(a if a is b else _joined_page(a, b) for a, b in zip(one, other, strict=True))


def _joined_page(one: Times | None, other: Times | None) -> Times | None:
    if one is None or other is None:
        return one if other is None else other
    latest = np.maximum(one, other)
    if (latest == one).all():
        return one
    return other if (latest == other).all() else latest


def time_of(clock: Clock, wave: int, per_group: int) -> int:
    """The time up to which a wave of the launch is known of."""
    group, member = divmod(wave, per_group)
    page = clock[group // _PAGE]
    return 0 if page is None else int(page[group % _PAGE, member])
