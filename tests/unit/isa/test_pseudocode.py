"""Every SALU and VALU row of every machine against AMD's own pseudocode, run by the interpreter of
`tests.pseudocode`.

Sources are special and random patterns; modifiers, lane controls, EXEC, VCC and SCC are random too. Results
are compared bit for bit, approximate results within 1 ULP, NaNs with any NaN. `tests.pseudocode.corrections`
and `.exceptions` list the slips of the text, with reasons. A row that machines share is judged once a manual;
`make test-all` takes 1,000 operand sets a row.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from isa.instruction import ExecMode, Kind
from tests.pseudocode.corrections import CORRECTIONS
from tests.pseudocode.exceptions import EXCEPTIONS, NOT_RUN, agrees, exceptions_of, excused
from tests.pseudocode.judge import run
from tests.pseudocode.source import manual
from tests.pseudocode.subjects import BYTES, MANUALS, WAVE_WIDE, Subject, machines, subjects
from tests.pseudocode.trial import Outcome, trial

pytestmark = pytest.mark.broad

WITHOUT_TEXT: dict[str, str] = {
    "v_nop": "does nothing",
    **{f"v_accvgpr_{name}_b32": "CDNA4's manual lists moves of accumulation registers as matrix instructions" for name in ("mov", "read", "write")},
    **{f"v_{name}_legacy_f32": "left out of CDNA4's manual" for name in ("exp", "log")},
    **{f"v_{name}_f32": "CDNA2's alone, and CDNA4's manual is the oldest that has text" for name in ("mac", "mad", "mad_legacy", "madak", "madmk")},
    **{f"s_{name}": "the manual has words, no pseudocode" for name in ("denorm_mode", "round_mode", "sleep_var", "barrier_init", "barrier_join")},
    **{f"s_sendmsg_rtn_b{width}": "a message to another unit, which has no pseudocode" for width in (32, 64)},
}  # fmt: skip
RUN = tuple(subject for subject in subjects() if subject.has_text and not NOT_RUN.keys() & set(subject.named))
PARTS = 16
LANES_A_TRIAL, THOUSAND = 12, 1000


def trials(subject: Subject, sets: int, judged: int) -> Iterator[Outcome]:
    """Outcomes of a row on `sets` operand sets, `judged` a trial; every second trial, of half of the rows the first, has random
    modifiers if the row has any.

    A scalar row takes an operand set a wave; a constant of the encoding is drawn anew for every second wave.
    """
    seed = zlib.crc32(str(subject).encode())
    rng = np.random.default_rng(seed)
    row = subject.row
    scalar = row.exec_mode is ExecMode.SCALAR
    constant = any(row.operands[i].kinds in (Kind.SIMM, Kind.LITERAL) for i in row.uses)
    size = min(judged, 2) if constant else judged
    for number in range(-(-sets // size)):
        case = trial(subject, size if scalar else 1, bool((number + seed) % 2), size, rng)
        run(case, size if scalar else 1)
        yield from case.outcomes


def faults(part: int, sets: int, judged: int) -> list[str]:
    """A line for each row that disagrees somewhere."""
    result: list[str] = []
    for subject in RUN[part::PARTS]:
        wrong = [outcome for outcome in trials(subject, sets, judged) if not agrees(outcome) and not excused(subject.row, outcome)]
        if wrong:
            first = wrong[0]
            sources = ", ".join(f"{x:#x}" for x in first.sources)
            wanted = " or ".join(f"{x:#x}" for x in first.wanted)
            result.append(f"{subject}: {len(wrong)} differ; {first.name} {first.result} of ({sources}) is {first.got:#x}, wanted {wanted}")
    return result


@pytest.mark.parametrize("part", range(PARTS))
def test_rows_do_what_amd_says(part: int) -> None:
    assert not faults(part, LANES_A_TRIAL, LANES_A_TRIAL)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_rows_do_what_amd_says_on_a_thousand_operand_sets(part: int) -> None:
    assert not faults(part, THOUSAND, 32)


def test_rows_without_pseudocode_are_known(record_property: Callable[[str, object], None]) -> None:
    missing = {name for subject in subjects() for name in subject.named if name not in subject.manual.texts}
    record_property("rows held", len(RUN))
    record_property("rows without pseudocode", sum(not subject.has_text for subject in subjects()))
    assert missing == set(WITHOUT_TEXT)


def test_every_machine_is_judged() -> None:
    assert {target.name for target in machines()} == set(MANUALS)
    assert {name for name, _ in ((subject.target.name, subject.row) for subject in subjects())} == set(MANUALS)
    assert set(BYTES) <= set(MANUALS)
    assert any(subject.row.traits & WAVE_WIDE for subject in RUN)


def test_lists_name_rows_that_exist_and_differ() -> None:
    names = {name for subject in subjects() for name in subject.named} | {subject.row.operation for subject in subjects()}
    assert set(NOT_RUN) | set(EXCEPTIONS) | set(CORRECTIONS) <= names
    for correction in CORRECTIONS.items():
        assert any(correction[0] in manual(family).texts for family in correction[1].families)
    differing = {
        key
        for subject in RUN
        if not subject.row.components
        for key in (exceptions_of(subject.row, subject.row.name),)
        if key and any(not agrees(outcome) for outcome in trials(subject, 256, 32))
    }  # fmt: skip
    assert not set(EXCEPTIONS) - differing, "these agree: take them off the list"
