"""Facts about a program's use of shared memory, computed once for all of its runs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from isa.emulator.program.code import Code
from isa.emulator.program.scopes import MemoryKind, cache_effect, kinds_of, says_what_is_atomic
from isa.instruction import Instr, Trait, Unit
from isa.semantics import resolve
from isa.semantics.accesses import AtomicUpdate, DataOrder


class Sharing(Struct, frozen=True):
    """The kinds of a program's operations (`kinds`), and facts that follow.

    * `synchronises`: waves may pass on data without a barrier
    * `swaps`: an atomic exchanges values, and a plain load may be its first half
    * `stores_say`: atomic stores to memory are marked
    * `flag_loads`: the loads that show a word of LDS (True) or of memory (False) to be a flag
    """

    kinds: tuple[MemoryKind, ...]
    synchronises: bool
    swaps: bool
    stores_say: bool
    flag_loads: dict[bool, frozenset[int]]


@lru_cache(maxsize=16)
def sharing_of(code: Code) -> Sharing:
    """The facts about a program's use of shared memory."""
    kinds = kinds_of(code)
    return Sharing(
        tuple(kinds),
        _synchronises(code, kinds),
        _swaps(code),
        says_what_is_atomic(code),
        {lds: _loads_of_flags(code, kinds, lds) for lds in (False, True)},
    )


def _synchronises(code: Code, kinds: Sequence[MemoryKind]) -> bool:
    """By loops that wait, bits, cache control, or counters in LDS, which need neither."""
    caches = [instr for instr in code.instructions if Trait.CACHE in instr.row.traits]
    counts = any(
        kind.returns and isinstance(operation, Instr) and operation.row.unit in (Unit.LDS, Unit.FLAT)
        for operation, kind in zip(code.operations, kinds, strict=True)
    )
    invalidates = any(cache_effect(instr).invalidates for instr in caches)
    return counts or invalidates or any(kind.waits or kind.scoped for kind in kinds)


def _swaps(code: Code) -> bool:
    atomics = [instr.row for instr in code.instructions if Trait.ATOMIC in instr.row.traits]
    meanings = [resolve(row.semantics) for row in atomics]
    return any(
        isinstance(meaning, AtomicUpdate) and meaning.order is not DataOrder.SINGLE for meaning in meanings
    )


def _loads_of_flags(code: Code, kinds: Sequence[MemoryKind], lds: bool) -> frozenset[int]:
    units = (Unit.FLAT, Unit.LDS) if lds else (Unit.FLAT, Unit.VMEM)
    return frozenset(
        index for index, (operation, kind) in enumerate(zip(code.operations, kinds, strict=True))
        if isinstance(operation, Instr) and operation.row.unit in units and Trait.LOAD in operation.row.traits
        and (kind.waits or (kind.scoped and not lds))
    )  # fmt: skip
