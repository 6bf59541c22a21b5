"""Every SALU and VALU row against AMD's own pseudocode, run by the interpreter of `tests.pseudocode`.

Sources are special and random patterns; modifiers, EXEC, VCC and SCC are random too. Results are held bit for bit, the
approximate ones to 1 ULP, NaNs to being NaN. `tests.pseudocode.corrections` and `.exceptions` list, with reasons, where
the text slips. The sources are as many as fit a wave or two; `make test-all` takes 1,000 a row.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from isa.build import build
from isa.instruction import Encoding, ExecMode, Instr, Kind, Row, Trait
from isa.registers import Register, sgpr, vgpr
from tests.pseudocode.corrections import CORRECTIONS
from tests.pseudocode.evaluator import Evaluator, State
from tests.pseudocode.exceptions import EXCEPTIONS, NOT_RUN, UNITS, agrees, excused
from tests.pseudocode.judge import run
from tests.pseudocode.machine import Machine
from tests.pseudocode.source import program, texts
from tests.pseudocode.trial import LANES, Outcome, Trial, trial
from tests.pseudocode.values import Value
from tests.rows import all_rows

WITHOUT_TEXT = frozenset({"v_nop", "v_accvgpr_mov_b32", "v_accvgpr_read_b32", "v_accvgpr_write_b32"})
LANE_MOVES = frozenset({Trait.LANE_READ, Trait.LANE_WRITE})
ROWS = tuple(row for row in all_rows() if row.unit in UNITS)
HELD = tuple(row for row in ROWS if row.name in texts() and row.name not in NOT_RUN and not row.traits & LANE_MOVES)
CLAMPED = frozenset(row.name for row in ROWS if row.encoding is Encoding.E64 and any(spec.name == "clamp" for spec in row.modifiers))
PARTS = 16


def trials(row: Row, rounds: int) -> Iterator[Outcome]:
    """Outcomes of a row: per round 64 operand sets, and 64 with random modifiers where the row has any."""
    rng = np.random.default_rng(zlib.crc32(f"{row.mnemonic} {row.form}".encode()))
    for _ in range(rounds):
        for modified in (False, True) if row.modifiers else (False,):
            for case, waves in _cases(row, modified, rng):
                run(case, waves)
                yield from case.outcomes


def _cases(row: Row, modified: bool, rng: np.random.Generator) -> Iterator[tuple[Trial, int]]:
    """Trials with their number of waves: a scalar row takes an operand set a wave. A constant of the encoding is drawn more than once."""
    constant = any(row.operands[i].kinds in (Kind.SIMM, Kind.LITERAL) for i in row.uses)
    scalar = row.exec_mode is ExecMode.SCALAR
    repeats, waves = (8, 8) if constant and scalar else (2, 1) if constant else (1, LANES) if scalar else (1, 1)
    for _ in range(repeats):
        yield trial(row, waves, modified, row.name in CLAMPED, rng), waves


def faults(rows: tuple[Row, ...], rounds: int) -> list[str]:
    """A line for each row that disagrees somewhere."""
    result: list[str] = []
    for row in rows:
        wrong = [outcome for outcome in trials(row, rounds) if not agrees(row, outcome) and not excused(row, outcome)]
        if wrong:
            first = wrong[0]
            sources = ", ".join(f"{x:#x}" for x in first.sources)
            wanted = " or ".join(f"{x:#x}" for x in first.wanted)
            result.append(f"{row.mnemonic} {row.form}: {len(wrong)} differ; {first.result} of ({sources}) is {first.got:#x}, wanted {wanted}")
    return result


@pytest.mark.parametrize("part", range(PARTS))
def test_rows_do_what_amd_says(part: int) -> None:
    assert not faults(HELD[part::PARTS], 1)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_rows_do_what_amd_says_on_a_thousand_operand_sets(part: int) -> None:
    assert not faults(HELD[part::PARTS], 16)


def test_rows_without_pseudocode_are_known(record_property: Callable[[str, object], None]) -> None:
    """AMD gives no text for the moves of accumulation registers (CDNA4's manual lists them as matrix instructions) and v_nop."""
    missing = {row.name for row in ROWS if row.name not in texts()}
    record_property("rows held", len(HELD))
    record_property("rows without pseudocode", len(missing))
    print(f"{len(HELD)} of {len(ROWS)} rows are held; no pseudocode: {', '.join(sorted(missing))}; not run: {', '.join(sorted(NOT_RUN))}")
    assert missing == WITHOUT_TEXT


def test_lists_name_rows_that_exist_and_differ() -> None:
    names = {row.name for row in ROWS}
    assert set(NOT_RUN) | set(EXCEPTIONS) | set(CORRECTIONS) <= names
    idle = [
        name
        for name in EXCEPTIONS
        if all(agrees(row, outcome) for row in HELD if row.name == name for outcome in trials(row, 4))
    ]  # fmt: skip
    assert not idle, "these agree: take them off the list"


def lanes_of(instr: Instr, mask: int, content: np.ndarray[tuple[int], np.dtype[np.uint64]], lane: int) -> tuple[Machine, State]:
    """A lane move on the emulator and in AMD's words: the vector operand holds `content`, a scalar source `lane`."""
    machine = Machine.of(1)
    state: State = {"EXEC": Value("b", 64, mask), "SRC0": Value("u", 8, 0), "VDST": Value("u", 8, 0), "D0": Value("b", 64, 0)}
    state["VGPR"] = {i: {0: Value("b", 32, int(x))} for i, x in enumerate(content)}
    state["S0"], state["S1"] = Value("b", 32, 0xC0FFEE), Value("b", 32, lane)
    machine.write(vgpr(0), content.reshape(1, LANES))
    machine.write(sgpr(16), np.array([0xC0FFEE], np.uint64))
    machine.step(instr, np.array([mask], np.uint64))
    Evaluator(program).run(program(instr.row.name), state)
    return machine, state


def _lane_move(row: Row, lane: int) -> Instr:
    write = Trait.LANE_WRITE in row.traits
    given: dict[str, Register | int] = {"sdst": sgpr(20), "vdst": vgpr(0), "old": vgpr(0), "lane_select": lane}
    given["src0"] = sgpr(16) if write else vgpr(0)
    return build(row, *(given[spec.name] for spec in row.operands))


@pytest.mark.parametrize("row", [row for row in ROWS if row.traits & LANE_MOVES], ids=lambda row: row.mnemonic)
def test_lane_moves(row: Row) -> None:
    content = np.random.default_rng(7).integers(0, 1 << 32, LANES, np.uint64)
    for lane in (0, 1, 31, 32, 63):
        for mask in (0, (1 << 64) - 1, 1 << 63, 0xF0, 1 << lane):
            machine, state = lanes_of(_lane_move(row, lane), mask, content, lane)
            if Trait.LANE_WRITE in row.traits:
                assert machine.read(vgpr(0))[0].tolist() == [state["VGPR"][i][0].value for i in range(LANES)]
            else:
                assert int(machine.read(sgpr(20))[0]) == state["D0"].value
