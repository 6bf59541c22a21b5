"""Faults planted into the kernels of this folder: each is named."""

from __future__ import annotations

from collections import defaultdict

import pytest

from isa.assembler.assembling import assemble_text
from isa.diagnostics import InputError
from isa.targets import parse_target
from tests.compiled.faults import barriers, instructions, luck, memory, order, stuck
from tests.compiled.mutation import Fault, compiled_mutants, edited_assembly
from tests.compiled.running import emulated, kernels
from tests.rows import in_turn

pytestmark = [pytest.mark.broad, pytest.mark.needs_llvm("clang-22", "ld.lld-22")]

FAULTS = (*barriers.FAULTS, *memory.FAULTS, *order.FAULTS, *luck.FAULTS, *stuck.FAULTS, *instructions.FAULTS)
MISSED: dict[str, str] = {
    "look_back_flags: the second flag without release (gfx1100)": "no tile of this schedule reads a sum by flag 2",
    "producer_consumer: nobody waits for room (gfx942)": "the producer ends first: what is read is ordered, and wrong",
    "two_maxima: the first is stored plainly next to atomics (gfx942)": "the store comes after the atomics",
    "seven_points: work-item ids of one dimension (gfx1100)": "v0 has zeros for the ids that are not asked for",
}


def together() -> dict[tuple[str, str], tuple[Fault, ...]]:
    """The faults of source and launch that are compiled at once, by file and machine."""
    found: dict[tuple[str, str], list[Fault]] = defaultdict(list)
    for fault in FAULTS:
        if not fault.assembly:
            found[kernels()[fault.kernel].file, fault.machine].append(fault)
    return {key: tuple(faults) for key, faults in found.items()}


def built(fault: Fault) -> tuple[bytes, str]:
    """A code object with the fault in it, and the kernel's name there."""
    if fault.assembly:
        return assemble_text(edited_assembly(fault), parse_target(fault.machine), "fault.s"), fault.kernel
    faults = together()[kernels()[fault.kernel].file, fault.machine]
    return compiled_mutants(faults), f"{fault.kernel}__{faults.index(fault)}"


def finding(fault: Fault) -> str:
    """The code of the error that the run ends with, or nothing."""
    case = fault.launch(kernels()[fault.kernel].reference(parse_target(fault.machine)))
    try:
        _ = emulated(*built(fault), case)
    except InputError as error:
        return error.code
    return ""


def identity(fault: Fault) -> str:
    return f"{fault.name} ({fault.machine})"


@pytest.mark.parametrize("fault", in_turn(FAULTS, of=2), ids=identity)
def test_fault_is_named(fault: Fault) -> None:
    found = finding(fault)
    assert (found in fault.finds) is (identity(fault) not in MISSED), f"found {found or 'nothing'}, wanted one of {sorted(fault.finds)}"


def test_150_faults_and_few_are_missed() -> None:
    assert len({identity(fault) for fault in FAULTS}) == len(FAULTS) >= 150
    assert len(MISSED) <= 0.05 * len(FAULTS)
