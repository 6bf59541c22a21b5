"""Waits and NOPs of random code against LLVM's: never weaker, and on straight-line code the same but for what is listed."""

from __future__ import annotations

import pytest

from asmgen.passes.hazards import insert_nops
from asmgen.passes.waitcnt import insert_waits
from isa.instruction import Immediate, Instr, ModifierValue, Trait, Unit
from isa.program import Kernel
from isa.targets import parse_target
from isa.text import format_instr
from tests.unit.passes.assembly import lines_of
from tests.unit.passes.random_code import Generator, one_block
from tools.judge import WEAKER, Finding, Judge, Judgement, Line
from tools.llvm_hazards import Oracle, Refusal, inserted_before

pytestmark = pytest.mark.needs_llvm("llvm-mc-22", "llc-22")

# Where we wait longer than LLVM, and why. The key is the start of the NOP's comment.
STRONGER = {
    "dot result": "LLVM does not take the DPP forms of dot products for dot products",
    "XDL result": "LLVM looks at the nearest overlapping matrix instruction only, we at each register's",
    "XDL accumulator": "the same",
    "f32 matrix result": "the same",
    "transcendental result read by VALU": "a write of one half keeps the other: our rows read the old value",
    "part of a register written": "the same",
    "soft clause of vector memory: input overwritten": "LLVM counts a store's inputs only once the clause has loaded something",
}


def standing(kernel: Kernel) -> list[tuple[int, dict[str, ModifierValue], str]]:
    """Wait states, counts and comment before each instruction of a kernel of one block."""
    found: list[tuple[int, dict[str, ModifierValue], str]] = []
    states, counts, comment = 0, dict[str, ModifierValue](), ""
    for instr in kernel.blocks[0].instructions:
        if Trait.NOP in instr.row.traits and isinstance(count := instr.operands[0], Immediate):
            states, comment = states + count.bits + 1, instr.comment
        elif Trait.WAIT in instr.row.traits:
            counts, comment = dict(instr.modifiers), instr.comment
        else:
            found.append((states, counts, comment))
            states, counts, comment = 0, {}, ""
    return found


def asked(sequences: list[list[Instr]], oracle: Oracle, for_waits: bool) -> list[tuple[list[Instr], list[tuple[int | None, str]]]]:
    """The sequences that LLVM takes, each with its answer; the random code is rejected by LLVM's verifier at times."""
    texts = [[format_instr(instr) for instr in sequence] for sequence in sequences]
    answers = oracle.waits(texts) if for_waits else oracle.hazards(texts)
    taken = [(sequence, answer) for sequence, answer in zip(sequences, answers, strict=True) if not isinstance(answer, Refusal)]
    assert len(taken) > len(sequences) * 9 // 10
    return taken


TARGETS = [("gfx942:xnack-", "-xnack"), ("gfx942", "")]


def hold_nops(seed: int, count: int, target: str, features: str) -> None:
    generator = Generator(seed)
    oracle = Oracle("gfx942", features)
    for sequence, answer in asked([generator.straight_line(8) for _ in range(count)], oracle, False):
        ours = standing(insert_nops(one_block(sequence, target)))
        for index, (states, _, comment) in enumerate(ours):
            wanted = inserted_before(answer, index).states
            shown = [format_instr(instr) for instr in sequence[: index + 1]]
            assert states >= wanted, shown
            if states > wanted:
                assert comment.startswith(tuple(STRONGER)), (shown, comment)
                break  # what follows stands further away than LLVM thinks


def hold_waits(seed: int, count: int) -> None:
    generator = Generator(seed)
    oracle = Oracle("gfx942", "-xnack")
    for sequence, answer in asked([generator.straight_line(8) for _ in range(count)], oracle, True):
        # Beside LDS DMA we wait where LLVM would only if the instruction said which memory it reads.
        if any(Trait.LDS_DMA in instr.row.traits for instr in sequence):
            continue
        for index, (_, counts, _) in enumerate(standing(insert_waits(one_block(sequence)))):
            assert counts == inserted_before(answer, index).counts, [format_instr(instr) for instr in sequence[: index + 1]]


def mixes_paths(finding: Finding, text: list[str]) -> bool:
    """Where several matrix instructions reach one over different paths, LLVM takes the distance of one and the states of another."""
    return finding.what == "states" and finding.line.text.startswith("v_mfma") and sum(line.startswith("v_mfma") for line in text) > 1


def judged(texts: list[list[str]]) -> list[Judgement]:
    return Judge(parse_target("gfx942:xnack-")).judge([[Line(number, line) for number, line in enumerate(text, 1)] for text in texts])


def hold_programs(seed: int, count: int) -> None:
    """All in one question to LLVM: the programs run one after the other as functions of their own."""
    generator = Generator(seed)
    texts = [lines_of(insert_nops(insert_waits(generator.program(blocks=5, length=8)))) for _ in range(count)]
    for text, judgement in zip(texts, judged(texts), strict=True):
        findings = [finding for finding in judgement.of_kind(WEAKER) if not mixes_paths(finding, text)]
        assert not findings, (text, [str(finding) for finding in findings])


@pytest.mark.parametrize(("target", "features"), TARGETS)
def test_straight_line_nops(target: str, features: str) -> None:
    hold_nops(11, 300, target, features)


def test_straight_line_waits() -> None:
    hold_waits(12, 300)


def test_programs_with_branches_and_loops_miss_nothing() -> None:
    hold_programs(13, 60)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 104))
def test_more_of_each(seed: int) -> None:
    for target, features in TARGETS:
        hold_nops(seed, 2500, target, features)
    hold_waits(seed, 2500)
    hold_programs(seed, 400)


@pytest.mark.parametrize("taken_out", ["s_nop", "s_waitcnt"])
def test_a_removed_wait_or_nop_is_missed(taken_out: str) -> None:
    """The judge is no rubber stamp: what our passes put in, LLVM wants."""
    generator = Generator(seed=16)
    texts = [lines_of(insert_nops(insert_waits(generator.program(blocks=3, length=8)))) for _ in range(30)]
    damaged = [[line for line in text if not line.startswith(taken_out)] for text in texts if any(line.startswith(taken_out) for line in text)]
    found = sum(bool(judgement.findings) for judgement in judged(damaged))
    assert found > len(damaged) * 8 // 10


def test_both_passes_find_nothing_to_do_on_their_own_output() -> None:
    generator = Generator(seed=14)
    for _ in range(30):
        once = insert_nops(insert_waits(generator.program(blocks=4, length=12)))
        assert lines_of(insert_nops(insert_waits(once))) == lines_of(once)


def test_random_code_meets_every_unit() -> None:
    generator = Generator(seed=15)
    seen = {instr.row.unit for _ in range(300) for instr in generator.straight_line(4)}
    assert seen >= set(Unit) - {Unit.BRANCH, Unit.CONTROL}
