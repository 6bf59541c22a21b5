"""Selected programs through everything that follows: each pass keeps their meaning, and the sanitizer accepts the text.

The random modules have what pointwise programs have not: nested divergent control flow, masks and tuples carried through it.
"""

from __future__ import annotations

import pytest

from asmgen.emission.emit import emit
from asmgen.passes.combine.combine import combine
from asmgen.passes.peephole.dual import pair
from asmgen.passes.peephole.peephole import peephole
from asmgen.passes.waits.delays import insert_delays
from asmgen.passes.waits.hazards import insert_nops
from asmgen.passes.waits.waitcnt import insert_waits
from isa.emulator import run
from isa.mir.printer import print_kernel
from isa.targets import TargetId
from regalloc.verify import verify
from tests.unit.select.modules import RANDOM_BUFFERS, SLOTS, random_module
from tests.unit.select.running import OTHERS, TARGET, TARGETS, allocated, difference, emulated, input_arrays, interpreted, selected

pytestmark = pytest.mark.broad

ORDINARY, LARGER = 12, 960


def check_every_step(seed: int, target: TargetId = TARGET) -> None:
    module = random_module(seed)
    arrays = input_arrays(module, seed, len(RANDOM_BUFFERS))
    wanted = interpreted(module, arrays, target)
    kernel = combine(selected(module, target))
    verify(kernel)
    assert difference(wanted, emulated(kernel, module, arrays)) == "", f"seed {seed}: combine"
    for step in (allocated, peephole, insert_waits, pair, insert_nops, insert_delays):
        before, kernel = print_kernel(kernel), step(kernel)
        if print_kernel(kernel) != before:
            assert difference(wanted, emulated(kernel, module, arrays)) == "", f"seed {seed}: {step.__name__}"
    text = emit(kernel, target)
    groups = len(arrays[-1]) // (SLOTS * kernel.workgroup[0])
    for entry in ("preload", "prologue"):
        got = run(text, None, (groups, 1, 1), kernel.workgroup, [array.copy() for array in arrays], sanitize=True, entry=entry)
        assert difference(wanted, got) == "", f"seed {seed}: {entry}"


@pytest.mark.parametrize("first", range(0, ORDINARY, 4))
def test_random_modules(first: int) -> None:
    for seed in range(first, first + 4):
        check_every_step(seed)


@pytest.mark.parametrize("target", OTHERS, ids=str)
def test_random_modules_on_other_targets(target: TargetId) -> None:
    for seed in range(2):
        check_every_step(seed, target)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(ORDINARY, LARGER, 36))
def test_more_random_modules(first: int) -> None:
    for seed in range(first, first + 36):
        check_every_step(seed, TARGETS[seed % len(TARGETS)])
