"""Selects the tests that may detect a fault, cheapest first."""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tools.plant_faults.blocks import Block
from tools.plant_faults.record import Ran

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_IMPORTS = 2  # entries for a block that runs at import: at most this many, from the parts of the record
_NEARER = 0.3  # factor of a test's cost for each word that its path shares with the file's
FILE_SECONDS = 0.3  # to load a file of tests
_BUDGETS = (3.0, 12.0, 40.0)  # CPU seconds of successive rounds of tests; the last round has the rest


def words(path: str) -> frozenset[str]:
    """The words of a path, in the singular: tests of `hazards` may be called `hazard_page`."""
    return frozenset(word.removesuffix("s") for word in re.split(r"[/_.]", path)) - {"py", "test", "unit", ""}


class Recorded:
    """The tests of a record, and the blocks that each runs."""

    def __init__(self, blocks: Sequence[Block], entries: Sequence[Ran]) -> None:
        import numpy as np

        self._numbers = {block: number for number, block in enumerate(blocks)}
        self._of_function: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._of_file: dict[str, list[int]] = defaultdict(list)
        for block, number in self._numbers.items():
            self._of_function[block.file, block.function].append(number)
            self._of_file[block.file].append(number)
        self._collected = [entry for entry in entries if "::" not in entry.test]
        self.tests = [entry for entry in entries if "::" in entry.test and entry.passed]
        self._bits: NDArray[np.uint8] = np.zeros(
            (len(self.tests) + len(self._collected), len(blocks) // 8 + 1), np.uint8
        )
        for row, entry in enumerate((*self.tests, *self._collected)):
            bits = np.frombuffer(zlib.decompress(entry.bits), np.uint8)
            self._bits[row, : len(bits)] = bits

    def _running(self, block: Block) -> NDArray[np.bool_]:
        """Whether each entry runs the block. For an unknown block, whether it runs its function, or its
        file."""
        import numpy as np

        if block.runs_at_import:
            return np.zeros(len(self._bits), bool)
        function = self._of_function.get((block.file, block.function), self._of_file[block.file])
        numbers = [self._numbers[block]] if block in self._numbers else function
        each = [self._bits[:, number // 8] >> (7 - number % 8) & 1 for number in numbers]
        return np.any(each, axis=0) if each else np.zeros(len(self._bits), bool)

    def that_run(self, block: Block) -> list[Ran]:
        """The tests that run a block, themselves or while pytest collects their file.

        If almost no test runs the block, it may run at import, once in a process. Then the tests with paths
        that share words with the file follow, and for a block outside of functions all tests.
        """
        running = self._running(block)
        count = len(self.tests)
        files = {entry.test for entry, runs in zip(self._collected, running[count:], strict=True) if runs}
        pairs = zip(self.tests, running[:count], strict=True)
        wanted = words(block.file)
        first = spread([entry for entry, runs in pairs if runs or _file(entry) in files], wanted)
        if running.sum() > _IMPORTS:
            return first
        known = {entry.test for entry in first}
        least = 0 if block.runs_at_import else 2
        near = [entry for entry in self.tests if entry.test not in known and _shared(wanted, entry) >= least]
        return [*first, *spread(near, wanted)]


def _file(entry: Ran) -> str:
    return entry.test.partition("::")[0]


def _shared(wanted: frozenset[str], entry: Ran) -> int:
    return len(wanted & words(_file(entry)))


def spread(tests: Sequence[Ran], wanted: frozenset[str] = frozenset()) -> list[Ran]:
    """Sort tests by cost: cheap tests and tests near the wanted words come first, and some of each file."""
    of_file: dict[str, int] = defaultdict(int)
    cost: dict[str, float] = {}
    for entry in sorted(tests, key=lambda entry: (entry.seconds, entry.test)):
        file = _file(entry)
        cost[entry.test] = (entry.seconds + 0.02) * (1 + of_file[file]) * _NEARER ** _shared(wanted, entry)
        of_file[file] += 1
    return sorted(tests, key=lambda entry: (cost[entry.test], entry.test))


def rounds(tests: Sequence[Ran], limit: float) -> Iterator[list[Ran]]:
    """Tests in rounds of growing cost, within `limit` seconds. Each round runs in its own process."""
    budgets = iter(_BUDGETS)
    budget, left = next(budgets), limit
    current: list[Ran] = []
    files: set[str] = set()
    for entry in tests:
        file = _file(entry)
        cost = entry.seconds + (0 if file in files else FILE_SECONDS)
        if cost > left:
            continue
        if current and cost > budget:
            yield current
            current, files, budget = [], set[str](), next(budgets, limit)
            cost = entry.seconds + FILE_SECONDS
        current.append(entry)
        files.add(file)
        budget, left = budget - cost, left - cost
    if current:
        yield current
