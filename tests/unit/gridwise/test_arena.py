"""The arena of temporaries: none that are kept at once overlap, byte by byte, and it is as small as
brute force finds.
"""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np

from asmgen.gridwise.arena import ALIGNMENT, Arena, Kept, aligned, most_at_once, place, plan
from asmgen.gridwise.interpret import temporaries
from tests.unit.gridwise.programs import FULL_SUM, read


def random_kept(random: Random, count: int, launches: int, largest: int) -> list[Kept]:
    found: list[Kept] = []
    for number in range(count):
        first, last = sorted((random.randrange(launches), random.randrange(launches)))
        found.append(Kept(f"t{number}", random.randint(0, largest * ALIGNMENT), first, last))
    return found


def overlaps(kept: list[Kept], arena: Arena) -> bool:
    """Whether two temporaries have a byte in some launch, each launch a row of bytes."""
    for launch in range(max(each.last for each in kept) + 1):
        owners = np.zeros(arena.size, np.int64)
        for each in kept:
            if each.first <= launch <= each.last:
                owners[arena.offsets[each.name] :][: each.size] += 1
        if (owners > 1).any():
            return True
    return False


def smallest(kept: list[Kept]) -> int:
    """The smallest arena: every offset of every temporary, in steps of the alignment."""
    most = sum(aligned(each.size) for each in kept)
    offsets = [range(0, most - aligned(each.size) + 1, ALIGNMENT) for each in kept]
    sizes = [
        max(offset + aligned(each.size) for each, offset in zip(kept, chosen, strict=True))
        for chosen in product(*offsets)
        if all(
            a.last < b.first or b.last < a.first or x + aligned(a.size) <= y or y + aligned(b.size) <= x
            for i, (a, x) in enumerate(zip(kept, chosen, strict=True))
            for b, y in list(zip(kept, chosen, strict=True))[:i]
        )
    ]
    return min(sizes)


def test_temporaries_that_are_kept_at_once_do_not_overlap() -> None:
    random = Random(5)
    for _ in range(150):
        kept = random_kept(random, random.randint(1, 9), random.randint(1, 6), 4)
        arena = place(kept)
        assert list(arena.offsets) == [each.name for each in kept]
        assert all(offset % ALIGNMENT == 0 for offset in arena.offsets.values())
        assert all(arena.offsets[each.name] + each.size <= arena.size for each in kept)
        assert not overlaps(kept, arena), kept
        assert most_at_once(kept) <= arena.size <= sum(aligned(each.size) for each in kept)


def test_few_temporaries_have_the_smallest_arena() -> None:
    random = Random(6)
    for _ in range(40):
        kept = random_kept(random, random.randint(1, 4), 5, 2)
        assert place(kept).size == smallest(kept), kept


def test_another_order_is_found_where_the_largest_first_wastes_memory() -> None:
    # what two launches keep, in units of the alignment: the largest first leaves a hole that none fits
    kept = [
        Kept("a", 3 * ALIGNMENT, 0, 1),
        Kept("b", 2 * ALIGNMENT, 1, 2),
        Kept("c", 2 * ALIGNMENT, 2, 3),
        Kept("d", 4 * ALIGNMENT, 3, 3),
        Kept("e", ALIGNMENT, 0, 3),
    ]
    assert place(kept).size == most_at_once(kept) == 7 * ALIGNMENT


def test_a_program_without_temporaries_has_no_arena() -> None:
    assert place([]) == Arena(0, {})


def test_the_arena_of_a_program_is_what_its_temporaries_are_views_of() -> None:
    program = read(FULL_SUM)
    assert plan(program) == Arena(ALIGNMENT, {"partial": 0})
    assert {name: (view.shape, view.dtype) for name, view in temporaries(program).items()} == {"partial": ((16, 1), np.float32)}
