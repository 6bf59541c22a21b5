"""Fuzzers made once: drawing a target's instructions and asking LLVM which of them it takes costs more than a thousand programs.

In the ordinary suite a machine's programs are of one row in `SHARE`, and of other rows on the next machine,
so that rows of a family come up on some machine; `whole_fuzzer_of` and the fuzzers of other seeds, in the
slow set, are of all rows.

The tests of one target are one `xdist_group`, so that `--dist loadgroup` gives them to one process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from functools import cache

import pytest

from isa.program import Kernel
from isa.targets import parse_target
from tests.rows import MACHINES
from tools.fuzz.running import Fuzzer

SEED = 1
SHARE = 4


@cache
def fuzzer_of(target: str) -> Fuzzer:
    """The fuzzer of a target id, of `SEED` and a share of the rows; not to be changed."""
    machine = parse_target(target)
    return Fuzzer(machine, SEED, share=SHARE, part=MACHINES.index(str(machine)) % SHARE)


@cache
def whole_fuzzer_of(target: str) -> Fuzzer:
    """The same of all rows."""
    return Fuzzer(parse_target(target), SEED)


def fuzzer_with(target: str, finish: Callable[[Kernel], Kernel]) -> Fuzzer:
    """The same with other passes."""
    fuzzer = copy(fuzzer_of(target))
    fuzzer.finish = finish
    return fuzzer


def grouped(targets: Iterable[str]) -> list[object]:
    """Parameters of a test: target ids, each in the group of its target."""
    return [pytest.param(target, marks=pytest.mark.xdist_group(target)) for target in targets]
