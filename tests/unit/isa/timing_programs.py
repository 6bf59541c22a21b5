"""Small programs for tests of the clock model: a trace from lines of assembly and the paths of waves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from isa.table import table_named
from isa.text.parsing import parse_instr
from isa.timing.trace import Trace, TracedWave


def trace_of(target: str, lines: Sequence[str], paths: Iterable[Iterable[int]], groups: Sequence[int] = ()) -> Trace:
    """A trace of waves that follow `paths`, which are numbers of lines. The waves belong to a workgroup unless
    `groups` says otherwise."""
    table = table_named(target)
    instructions = tuple(parse_instr(line, table, "test") for line in lines)
    steps = [np.array(list(path), np.int32) for path in paths]
    waves = tuple(TracedWave(groups[n] if groups else 0, n, path, np.zeros(len(path), np.bool_), {}) for n, path in enumerate(steps))
    return Trace(table.target, instructions, tuple(range(0, 4 * len(lines), 4)), waves, max(groups, default=0) + 1, len(waves))


def straight(target: str, lines: Sequence[str], waves: int = 1) -> Trace:
    """A trace of waves of a workgroup that execute each line once."""
    return trace_of(target, lines, [range(len(lines))] * waves)
