"""Vector clocks across workgroups: for each wave of the launch, the time up to which a wave knows its
accesses.

A clock consists of pages, and clocks with the same page share it. The clocks of workgroups that pass their
knowledge on in turn differ in few pages, so time and memory grow with the number of workgroups, and not with
its square.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Times = NDArray[np.int32]
Clock = tuple[Times | None, ...]  # [workgroup of the page, wave of the workgroup]; None if all is 0
_PAGE = 64  # workgroups


def empty(groups: int) -> Clock:
    """The clock that knows of no wave of a launch of so many workgroups."""
    return (None,) * -(-groups // _PAGE)


def noted(clock: Clock, group: int, times: Times) -> Clock:
    """The clock with the waves of a workgroup of the launch advanced to these times."""
    at, row = divmod(group, _PAGE)
    old = clock[at]
    page = np.zeros((_PAGE, len(times)), np.int32) if old is None else old.copy()
    page[row] = np.maximum(page[row], times)
    return (*clock[:at], page, *clock[at + 1 :])


def joined(first: Clock, second: Clock) -> Clock:
    """The clock that knows what either knows."""
    if first is second:
        return first
    return tuple(a if a is b else _joined_page(a, b) for a, b in zip(first, second, strict=True))


def _joined_page(first: Times | None, second: Times | None) -> Times | None:
    if first is None or second is None:
        return first if second is None else second
    latest = np.maximum(first, second)
    if (latest == first).all():
        return first
    return second if (latest == second).all() else latest


def time_of(clock: Clock, wave: int, per_group: int) -> int:
    """The time up to which a wave of the launch is known of."""
    group, member = divmod(wave, per_group)
    page = clock[group // _PAGE]
    return 0 if page is None else int(page[group % _PAGE, member])
