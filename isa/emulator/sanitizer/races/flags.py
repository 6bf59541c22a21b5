"""Accesses in doubt: races unless the word turns out to be a flag, by which waves wait for each other.

Code does not mark every atomic access: in LDS, and for stores on gfx90a and gfx1100, an atomic access looks
like any other. A store to a word counts as atomic if an atomic load or a waiting loop reads the word, or if
the same wave last changed the word by an atomic, as a wave does that releases a lock. An access stays in
doubt until a barrier (in LDS) or the end of the waves, and as long as the code has loads of flags that did
not run.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from isa.emulator.program.sharing import Sharing
from isa.emulator.sanitizer.races.conflicts import Conflict, Report
from isa.emulator.sanitizer.races.shadow import Words
from isa.named_tuple import NamedTuple

_MOST_FLAGS = 256
FEW = 4  # words of an access, for each wave, that may be flags

Flag = tuple[bool, int]  # whether in LDS, and the word of the shadow


class Doubts(NamedTuple):
    """Accesses in doubt of a chunk of waves: loads, by word and wave, and stores."""

    loads: dict[tuple[bool, int, int], Conflict]
    stores: dict[Flag, Conflict]


class Flags:
    """The flags of a launch of a program."""

    def __init__(self, sharing: Sharing, report: Report) -> None:
        self._stores_say = sharing.stores_say
        self._report = report
        self._flags: set[Flag] = set()
        self.doubts = Doubts({}, {})
        self._not_run = {lds: set(loads) for lds, loads in sharing.flag_loads.items()}

    def begin(self) -> None:
        """A new chunk of waves."""
        self.doubts = Doubts({}, {})

    def resume(self, doubts: Doubts) -> None:
        """Go on with a chunk and its doubts; other chunks may have identified flags since."""
        self.doubts = doubts
        self.add(self._flags & doubts.stores.keys())

    def may_be_unsaid(self, lds: bool) -> bool:
        """Whether a store may be atomic without its code saying so."""
        return lds or not self._stores_say

    def note(self, words: Words, lds: bool, index: int) -> None:
        """An atomic load, or a load of a waiting loop, reads these words, so stores to them may be atomic
        too."""
        self._not_run[lds].discard(index)
        if self.may_be_unsaid(lds):
            self.add({(lds, at) for at in np.unique(words.at)[:_MOST_FLAGS].tolist()})

    def add(self, flags: set[Flag]) -> None:
        self._flags |= flags
        for flag in flags & self.doubts.stores.keys():
            del self.doubts.stores[flag]

    def repeats(self, conflict: Conflict, at: int, wave: int) -> bool:
        """Note a load in doubt, unless a loop repeats it: by the same wave at the same word. Whether it
        does."""
        key = (conflict.lds, at, wave)
        loads = self.doubts.loads
        before = loads.get(key)
        if before is not None and before.operation == conflict.operation and before.when != conflict.when:
            for other in [other for other, doubt in loads.items() if doubt.operation == conflict.operation]:
                del loads[other]
            return True
        self.doubt(conflict, at, wave)
        return False

    def doubt(self, conflict: Conflict, at: int, wave: int) -> None:
        """A load that may be the first half of an exchange, by its word and wave."""
        _ = self.doubts.loads.setdefault((conflict.lds, at, wave), conflict)

    def dispute(self, conflict: Conflict, at: int, many: bool) -> None:
        """A race of a store or an update, or of `many` at once, unless the word turns out to be a flag."""
        flag = conflict.lds, at
        if conflict.same_wave or many or not self.may_be_unsaid(conflict.lds):
            self._report(conflict)
        elif flag not in self._flags:
            _ = self.doubts.stores.setdefault(flag, conflict)

    def exchanged(self, words: Words, lds: bool, lanes: int) -> None:
        """A wave that read a word in doubt exchanges it now: its read was the first half of that."""
        loads = self.doubts.loads
        if not loads:
            return
        done = {(lds, int(at), int(lane) // lanes) for at, lane in zip(words.at, words.lanes, strict=True)}
        for key in done & loads.keys():
            del loads[key]

    def settle(self) -> None:
        """Report the accesses still in doubt at the end of the waves."""
        self._tell(lambda conflict: True)
        self.begin()

    def settle_lds(self) -> None:
        """The same at a barrier, of LDS and of loads."""
        self._tell(lambda conflict: conflict.lds or conflict.reads)

    def _tell(self, settled: Callable[[Conflict], bool]) -> None:
        for conflict in (*self.doubts.loads.values(), *self.doubts.stores.values()):
            if settled(conflict) and (conflict.reads or not self._not_run[conflict.lds]):
                self._report(conflict)
