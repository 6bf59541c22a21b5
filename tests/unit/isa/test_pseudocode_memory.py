"""Loads, stores and atomics against AMD's pseudocode, and atomics on floats against the manuals' chapters on
them.

The chapters (CDNA3 and CDNA4 ISA, 9.2; RDNA3 and RDNA4 ISA, 13) define the parts that the pseudocode leaves
open: denormals, NaNs, zeros.
"""

from __future__ import annotations

import zlib

import numpy as np
import pytest

from isa.targets import TARGETS
from tests.pseudocode.atomics import atomics, emulated, outcomes, says_memory
from tests.pseudocode.exceptions import agrees, has_nan
from tests.pseudocode.subjects import Subject
from tests.pseudocode.transfers import outcomes as moved
from tests.pseudocode.transfers import transfers
from tests.pseudocode.trial import Outcome

WITHOUT_MEMORY = {"ds_condxchg32_rtn_b64": "its text names LDS word by word"}
ORDERED = ("min_f32", "max_f32", "min_rtn_f32", "max_rtn_f32", "min_f64", "max_f64", "min_rtn_f64", "max_rtn_f64")


def excused(subject: Subject, outcome: Outcome) -> bool:
    """The text up to RDNA3 compares by `<` alone. The chapter on NaNs says that a number wins against a quiet
    NaN, as LLVM's fmin asks, that a signalling NaN wins, and that -0 is below +0. Of denormals in sums in
    memory the text says nothing."""
    if subject.target.memory_sums_flush and outcome.name.endswith("atomic_add_f32"):
        return any(0 < source & 0x7FFFFFFF < LEAST for source in outcome.sources)
    if not outcome.name.endswith(ORDERED):
        return False
    zeros = not any(source & ((1 << 63) - 1 if outcome.type == "f64" else (1 << 31) - 1) for source in outcome.sources)
    return zeros or any(has_nan(source, outcome.type) for source in outcome.sources)


def fault(subject: Subject) -> str:
    """The first outcome that differs from the manual's, or nothing. RDNA4 spells NaNs out, to the bit."""
    exact = "cvtToQuietNAN" in subject.manual.texts[subject.row.name]
    rng = np.random.default_rng(zlib.crc32(str(subject).encode()))
    for outcome in outcomes(subject, rng):
        right = outcome.got in outcome.wanted if exact else agrees(outcome)
        if not right and not excused(subject, outcome):
            return f"{subject}: {outcome.result} of {[hex(x) for x in outcome.sources]} is {outcome.got:#x}, wanted {outcome.wanted[0]:#x}"
    return ""


@pytest.mark.broad
def test_atomics_do_what_amd_says() -> None:
    subjects = [subject for subject in atomics() if says_memory(subject)]
    assert len(subjects) > 400
    assert {subject.row.name for subject in atomics()} - {subject.row.name for subject in subjects} == set(WITHOUT_MEMORY)
    assert not [text for subject in subjects if (text := fault(subject))]


@pytest.mark.broad
def test_loads_and_stores_do_what_amd_says() -> None:
    assert len(transfers()) > 250
    wrong: list[str] = []
    for subject in transfers():
        rng = np.random.default_rng(zlib.crc32(str(subject).encode()))
        differing = [outcome for outcome in moved(subject, rng, 4) if outcome.got not in outcome.wanted]
        wrong += [f"{subject}: {outcome.result} is {outcome.got:#x}, wanted {outcome.wanted[0]:#x}" for outcome in differing[:1]]
    assert not wrong


KEEP, IN, OUT, FLUSH = 0x3F0, 0x3F0 & ~0x50, 0x3F0 & ~0xA0, 0x300  # MODE: which denormals are flushed, of any width
ONE, LEAST, NEGATIVE_LEAST, MORE = 0x3F800000, 0x00800000, 0x80800000, 0x00C00000  # 1, 2**-126 and its negative, 1.5 * 2**-126
SIGNALLING, OTHER_SIGNALLING, QUIET, OTHER_QUIET = 0x7F800005, 0x7F800009, 0x7FC00005, 0x7FC00009
MINUS_0, UP, QUARTER_ULP = 0x80000000, 0x5, 0x33000000  # UP: MODE rounds up; 2**-25
CASES: tuple[tuple[str, str, int, tuple[int, ...], int], ...] = (
    # target, instruction, MODE, the contents of memory before, the data, the contents afterwards
    ("gfx942", "ds_add_f32", KEEP, (1, 1), 2),
    ("gfx942", "ds_add_f32", IN, (1, LEAST), LEAST),
    ("gfx942", "ds_add_f32", OUT, (1, LEAST), LEAST + 1),
    ("gfx942", "ds_add_f32", OUT, (MORE, NEGATIVE_LEAST), 0),
    ("gfx942", "ds_add_f32", IN, (MORE, NEGATIVE_LEAST), 0x00400000),
    ("gfx1201", "ds_add_f32", FLUSH, (1, 1), 0),
    ("gfx942", "ds_add_f64", FLUSH, (1, 1), 2),
    ("gfx942", "ds_add_f32", KEEP | UP, (ONE, QUARTER_ULP), ONE),  # rounded to nearest, whatever MODE says
    ("gfx1201", "global_atomic_add_f32", KEEP | UP, (ONE, QUARTER_ULP), ONE),
    ("gfx942", "ds_pk_add_f16", KEEP, (0x00010001, 0x04000001), 0x04010002),
    ("gfx942", "ds_pk_add_f16", IN, (0x00010001, 0x04000001), 0x04000000),
    ("gfx942", "ds_pk_add_bf16", KEEP, (0x00010001, 0x00800001), 0x00810002),
    ("gfx942", "ds_pk_add_bf16", IN, (0x00010001, 0x00800001), 0x00800000),
    ("gfx942", "ds_min_f32", KEEP, (1, 0), 0),
    ("gfx942", "ds_min_f32", IN, (1, 0), 1),  # equal when flushed, and memory keeps what it has
    ("gfx942", "ds_min_f32", FLUSH, (1, ONE), 1),
    ("gfx1100", "ds_max_f32", FLUSH, (1, 2), 1),
    ("gfx1201", "ds_min_num_f32", KEEP, (1, ONE), 1),
    ("gfx1201", "ds_min_num_f32", FLUSH, (1, ONE), 0),
    ("gfx942", "ds_cmpst_f32", KEEP, (1, 0, ONE), 1),
    ("gfx942", "ds_cmpst_f32", IN, (1, 0, ONE), ONE),
    ("gfx942", "ds_cmpst_f32", IN, (1, 0, 2), 0),
    ("gfx1100", "ds_cmpstore_f32", FLUSH, (1, ONE, ONE), 0),
    ("gfx1100", "ds_cmpstore_f32", KEEP, (0, ONE, MINUS_0), ONE),
    ("gfx90a", "global_atomic_add_f32", KEEP, (1, LEAST), LEAST),
    ("gfx90a", "global_atomic_pk_add_f16", FLUSH, (1, 1), 2),
    ("gfx942", "global_atomic_add_f32", FLUSH, (1, LEAST), LEAST + 1),
    ("gfx1100", "global_atomic_add_f32", FLUSH, (1, LEAST), LEAST + 1),
    ("gfx1201", "global_atomic_add_f32", FLUSH, (1, LEAST), LEAST + 1),
    ("gfx1100", "global_atomic_min_f32", FLUSH, (1, 0), 1),
    ("gfx1201", "global_atomic_min_num_f32", FLUSH, (1, ONE), 1),
    ("gfx942", "ds_min_f32", KEEP, (0, MINUS_0), MINUS_0),
    ("gfx942", "ds_max_f32", KEEP, (MINUS_0, 0), 0),
    ("gfx942", "ds_min_f32", KEEP, (MINUS_0, 0), MINUS_0),
    ("gfx942", "ds_min_f32", KEEP, (QUIET, ONE), ONE),
    ("gfx942", "ds_max_f32", KEEP, (ONE, QUIET), ONE),
    ("gfx942", "ds_max_f32", KEEP, (QUIET, OTHER_QUIET), QUIET),
    ("gfx942", "ds_max_f32", KEEP, (ONE, SIGNALLING), QUIET),
    ("gfx1100", "ds_max_f32", KEEP, (SIGNALLING, ONE), QUIET),
    ("gfx1100", "ds_max_f32", FLUSH, (SIGNALLING, OTHER_SIGNALLING), OTHER_QUIET),
    ("gfx1201", "ds_min_num_f32", KEEP, (SIGNALLING, ONE), ONE),
    ("gfx1201", "ds_max_num_f32", KEEP, (ONE, SIGNALLING), ONE),
    ("gfx1201", "ds_max_num_f32", KEEP, (SIGNALLING, OTHER_SIGNALLING), OTHER_QUIET),
    ("gfx1201", "ds_max_num_f32", KEEP, (MINUS_0, 0), 0),
)  # fmt: skip


@pytest.mark.parametrize(("target", "name", "mode", "values", "wanted"), CASES)
def test_float_atomics_do_what_the_manuals_chapter_says(target: str, name: str, mode: int, values: tuple[int, ...], wanted: int) -> None:
    subject = next(s for s in atomics() if s.row.name == name and target in s.row.targets and not s.row.form)
    subject = subject._replace(target=TARGETS[target])
    memory, *data = (np.full(subject.lanes, value, np.uint64) for value in values)
    named = [spec.name for spec in subject.row.operands if spec.name in ("data0", "vdata", "data1")]
    _, after = emulated(subject, memory, dict(zip(named, data, strict=True)), mode)
    assert hex(after[0]) == hex(wanted)
