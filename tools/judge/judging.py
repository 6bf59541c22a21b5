"""Compares the waits of a text with LLVM's, by asking LLVM about the text in three forms.

1. As it is: LLVM adds the missing waits. There ours is *weaker*, on any path.
2. Without its waits, NOPs and delays: LLVM inserts its own.
3. If ours has more than LLVM's, with ours reduced to LLVM's. If LLVM then adds nothing, ours is *stronger*
   than necessary.

So an early wait of ours that covers a later wait of LLVM's is neither, and in loops the paths decide, not the
place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct, field

from isa.targets import TARGETS, TargetId
from tools.judge.lines import Line
from tools.llvm_hazards import Answer, Oracle, Refusal
from tools.llvm_hazards.decode import ALU_COUNTERS, BLOCK, FULL, NOTHING, Inserted, decoded, put_in

WEAKER, STRONGER, REFUSED = "weaker", "stronger", "refused"


class Finding(Struct, frozen=True):
    """A difference: `kind` is weaker, stronger or refused; `what` is a counter, `states` or `idle`; `wanted`
    is LLVM's number; `index` is the place among the judged labels and instructions."""

    kind: str
    line: Line
    what: str
    ours: int
    wanted: int
    reason: str = ""
    index: int = -1

    def __str__(self) -> str:
        if self.kind == REFUSED:
            return f"{self.line.number}: refused: {self.reason}"
        return (
            f"{self.line.number}: {self.kind}: {self.what} {self.ours}, LLVM {self.wanted}, before "
            f"{self.line.text}"
        )


class Judgement(Struct):
    """The judgement of a function: its findings in text order, and the number of compared places.

    `sides` has an entry for each place with any waits: its index, our waits and LLVM's.
    """

    lines: list[Line]
    findings: list[Finding] = field(default_factory=list)
    places: int = 0
    sides: list[tuple[int, Inserted, Inserted]] = field(default_factory=list)

    @property
    def refused(self) -> bool:
        return any(finding.kind == REFUSED for finding in self.findings)

    def of_kind(self, kind: str) -> list[Finding]:
        return [finding for finding in self.findings if finding.kind == kind]


def missing(findings: list[Finding]) -> list[Finding]:
    """The findings that make a program wrong, or that LLVM could not judge."""
    return [finding for finding in findings if finding.kind in (WEAKER, REFUSED)]


_LONGEST_NOP = 8


def nops(states: int) -> list[str]:
    """`s_nop`s with `states` wait states in total."""
    return [f"s_nop {min(_LONGEST_NOP, states - first) - 1}" for first in range(0, states, _LONGEST_NOP)]


def wait_texts(counts: dict[str, int], cpu: str) -> list[str]:
    """The waits for these counts; counters that share an instruction share a wait."""
    ways = {counter.name: counter.wait for counter in TARGETS[cpu].counters}
    alone = [name for name in counts if name not in ALU_COUNTERS and ways.get(name) != "s_waitcnt"]
    together = [f"{name}({counts[name]})" for name in counts if ways.get(name) == "s_waitcnt"]
    alu = [f"depctr_{name}({counts[name]})" for name in counts if name in ALU_COUNTERS]
    texts = [f"s_waitcnt {' '.join(together)}"] if together else []
    texts += [
        f"s_waitcnt_vscnt null, {counts[name]:#x}" if name == "vscnt" else f"s_wait_{name} {counts[name]:#x}"
        for name in alone
    ]
    if alu:
        texts.append(("s_waitcnt_depctr " if "vscnt" in ways else "s_wait_alu ") + " ".join(alu))
    return texts


WAITS = ("si-insert-waitcnts",)
DELAYS = ("amdgpu-insert-delay-alu",)
_HAZARDS = ("post-RA-hazard-rec",)
_SGPR_HAZARDS = ("amdgpu-wait-sgpr-hazards",)
_DEALLOCATION = "S_SENDMSG 3"  # frees a wave's VGPRs; the s_nop before it is not a wait


def oracle_for(target: TargetId) -> Oracle:
    """LLVM for a target id. An id without xnack means that XNACK may be on."""
    features = [feature[-1] + feature[:-1] for feature in target.features if feature.startswith("xnack")]
    if not target.is_default_wave:
        features.append(f"+wavefrontsize{target.target.wave_size}")
    return Oracle(target.target.name, ",".join(features))


class _Asked(Struct):
    """A question about a function: its lines in some form, the place of each among the judged lines, and
    LLVM's answer."""

    places: list[int]
    texts: list[str]
    answer: Answer | None = None


class Judge:
    """LLVM's judgement of functions for a target, many at a time."""

    def __init__(self, target: TargetId) -> None:
        self.target = target
        self.oracle = oracle_for(target)
        self.cpu = target.target.name
        has_own_pass = target.target.counters[0].name == "loadcnt"
        self.hazard_passes = _HAZARDS + (_SGPR_HAZARDS if has_own_pass else ())
        self.delay_passes = DELAYS if target.target.family == "rdna" else ()

    def judge(self, functions: Sequence[Sequence[Line]]) -> list[Judgement]:
        """Every difference between the waits of functions and LLVM's, in text order."""
        judgements = self.judge_weaker(functions)
        self._find_stronger([judgement for judgement in judgements if not judgement.refused])
        for judgement in judgements:
            judgement.findings.sort(key=lambda finding: finding.index)
        return judgements

    def judge_weaker(self, functions: Sequence[Sequence[Line]]) -> list[Judgement]:
        """What functions lack, and what LLVM refuses. `judge` takes up to ten times as long."""
        self.oracle.translator.learn(line.text for lines in functions for line in lines)
        cleaned = [self._without_deallocation(list(lines)) for lines in functions]
        judgements = [
            Judgement(lines, places=sum(not line.is_label and self.wait(line) is None for line in lines))
            for lines in cleaned
        ]
        self._find_weaker(judgements)
        for judgement in judgements:
            judgement.findings.sort(key=lambda finding: finding.index)
        return judgements

    def wait(self, line: Line) -> Inserted | None:
        """The waits of a line; None if the line is not a wait."""
        known = None if line.is_label else self.oracle.translator.machine_ir_of(line.text)
        return decoded(known, self.cpu) if known is not None else None

    def _without_deallocation(self, lines: list[Line]) -> list[Line]:
        kept: list[Line] = []
        for line in lines:
            known = None if line.is_label else self.oracle.translator.machine_ir_of(line.text)
            if known is not None and known.startswith(_DEALLOCATION):
                before = self.wait(kept[-1]) if kept else None
                if before is not None and before.states:
                    kept.pop()
            else:
                kept.append(line)
        return kept

    def _ask(self, asked: Sequence[_Asked], passes: tuple[str, ...]) -> None:
        for question, answer in zip(
            asked, self.oracle.run([question.texts for question in asked], passes), strict=True
        ):
            question.answer = answer

    def _standing(self, judgement: Judgement) -> _Asked:
        """All lines except delays, because LLVM would insert its own next to them."""
        places = [
            i for i, line in enumerate(judgement.lines) if not (wait := self.wait(line)) or not wait.delay
        ]
        return _Asked(places, [judgement.lines[i].text for i in places])

    def _find_weaker(self, judgements: list[Judgement]) -> None:
        asked = [self._standing(judgement) for judgement in judgements]
        self._ask(asked, WAITS + self.hazard_passes)
        again: list[tuple[Judgement, _Asked]] = []
        for judgement, question in zip(judgements, asked, strict=True):
            if isinstance(question.answer, Refusal):
                judgement.findings.append(
                    Finding(REFUSED, judgement.lines[0], "", 0, 0, str(question.answer), 0)
                )
            elif self._added(judgement.lines, question):
                again.append((judgement, question))
        # A wait that LLVM adds or merges changes the number of states, so ask each pass separately.
        for passes in (WAITS, self.hazard_passes):
            self._ask([question for _, question in again], passes)
            for judgement, question in again:
                judgement.findings += self._added(judgement.lines, question)

    def _added(self, lines: list[Line], asked: _Asked, at_ends_too: bool = False) -> list[Finding]:
        """The waits that LLVM's answer adds to the lines; at the ends of blocks they are seldom necessary."""
        assert isinstance(asked.answer, list)
        shown = [
            Line(lines[place].number, text) for place, text in zip(asked.places, asked.texts, strict=True)
        ]
        return _Additions(shown, asked.places, self.wait, self.cpu, at_ends_too).read(asked.answer)

    def _find_stronger(self, judgements: list[Judgement]) -> None:
        bare = [
            [i for i, line in enumerate(judgement.lines) if self.wait(line) is None]
            for judgement in judgements
        ]
        asked = [
            _Asked(places, [judgement.lines[i].text for i in places])
            for judgement, places in zip(judgements, bare, strict=True)
        ]
        self._ask(asked, WAITS + self.hazard_passes + self.delay_passes)
        candidates: list[tuple[Judgement, Finding]] = []
        for judgement, question in zip(judgements, asked, strict=True):
            if isinstance(question.answer, list):
                self._compare(judgement, question)
                candidates += [(judgement, finding) for finding in self._excesses(judgement)]
        self._confirm(candidates)

    def _compare(self, judgement: Judgement, asked: _Asked) -> None:
        theirs = self._theirs(asked)
        ours = NOTHING
        for index, line in enumerate(judgement.lines):
            wait = self.wait(line)
            if wait is not None:
                ours = ours.joined(wait)
            elif not line.is_label:
                wanted = theirs.get(index, NOTHING)
                if ours or wanted:
                    judgement.sides.append((index, ours, wanted))
                ours = NOTHING

    def _theirs(self, asked: _Asked) -> dict[int, Inserted]:
        assert isinstance(asked.answer, list)
        by_place: dict[int, Inserted] = {}
        before: list[str] = []
        for tag, text in asked.answer:
            if tag is None and text != BLOCK:
                before.append(text)
                continue
            if tag is not None and before:
                by_place[asked.places[tag]] = put_in(_kept(before), self.cpu)
            before = []
        return by_place

    def _excesses(self, judgement: Judgement) -> list[Finding]:
        excesses: list[Finding] = []
        for index, ours, theirs in judgement.sides:
            line = judgement.lines[index]
            if ours.states > theirs.states:
                excesses.append(Finding(STRONGER, line, "states", ours.states, theirs.states, index=index))
            if ours.idle > theirs.idle:
                excesses.append(Finding(STRONGER, line, "idle", ours.idle, theirs.idle, index=index))
            for name, count in ours.counts.items():
                wanted = theirs.counts.get(name, FULL[name])
                if count < wanted:
                    excesses.append(Finding(STRONGER, line, name, count, wanted, index=index))
        return excesses

    def _confirm(self, candidates: list[tuple[Judgement, Finding]]) -> None:
        """Keep the excesses that can be removed without LLVM asking for anything new."""
        for is_wait, passes in ((True, WAITS), (False, self.hazard_passes)):
            chosen = [
                (judgement, finding)
                for judgement, finding in candidates
                if _is_memory_counter(finding.what) is is_wait
            ]
            asked = [self._cut_down(judgement, finding) for judgement, finding in chosen]
            whole = {id(judgement): self._standing(judgement) for judgement, _ in chosen}
            self._ask([*asked, *whole.values()], passes)
            for (judgement, finding), cut in zip(chosen, asked, strict=True):
                before = whole[id(judgement)]
                if isinstance(cut.answer, list) and not self._gained(judgement, cut, before, finding.what):
                    judgement.findings.append(finding)

    def _gained(self, judgement: Judgement, cut: _Asked, before: _Asked, what: str) -> set[tuple[int, str]]:
        """Place and counter of each wait that LLVM adds to the reduced text but not to the whole; it may be
        before a loop instead of in it."""
        known, added = (
            {(finding.index, finding.what) for finding in self._added(judgement.lines, asked)}
            for asked in (before, cut)
        )
        early = {
            (finding.index, finding.what)
            for finding in self._added(judgement.lines, cut, True)
            if finding.what == what
        }
        return (added | early) - known

    def _cut_down(self, judgement: Judgement, finding: Finding) -> _Asked:
        """The text with the waits before a place reduced to LLVM's."""
        first = finding.index
        while first > 0 and (
            judgement.lines[first - 1].is_label or self.wait(judgement.lines[first - 1]) is not None
        ):
            first -= 1
        asked = self._standing(judgement)
        places: list[int] = []
        texts: list[str] = []
        left = finding.wanted
        for place, text in zip(asked.places, asked.texts, strict=True):
            wait = self.wait(judgement.lines[place]) if first <= place < finding.index else None
            shown = [text]
            if wait is not None:
                shown, left = self._less(text, wait, finding, left)
            places += [place] * len(shown)
            texts += shown
        return _Asked(places, texts)

    def _less(self, text: str, wait: Inserted, finding: Finding, left: int) -> tuple[list[str], int]:
        """A wait reduced to LLVM's, and the states or idle instructions that remain for later waits."""
        if finding.what == "states":
            kept = min(wait.states, left)
            return (nops(kept) if wait.states else [text]), left - kept
        if finding.what == "idle":
            kept = min(wait.idle, left)
            return ([text] * kept if wait.idle else [text]), left - kept
        if finding.what not in wait.counts:
            return [text], left
        counts = wait.counts | {finding.what: finding.wanted}
        return wait_texts(
            {name: count for name, count in counts.items() if count < FULL[name]}, self.cpu
        ), left


def _is_memory_counter(what: str) -> bool:
    return what in FULL and what not in ALU_COUNTERS


def _kept(inserted: list[str]) -> list[str]:
    """The instructions without the deallocation of VGPRs at the end and its s_nop."""
    at = next((i for i, text in enumerate(inserted) if text.startswith(_DEALLOCATION)), None)
    return inserted if at is None else [*inserted[: max(0, at - 1)], *inserted[at + 1 :]]


class _Additions:
    """Reads LLVM's answer to a text: between two instructions it has our waits, and perhaps more."""

    def __init__(
        self,
        lines: Sequence[Line],
        places: Sequence[int],
        wait_of: Callable[[Line], Inserted | None],
        cpu: str,
        at_ends_too: bool,
    ) -> None:
        self.at_ends_too = at_ends_too
        self.lines = lines
        self.places = places
        self.wait_of = wait_of
        self.cpu = cpu
        self.findings: list[Finding] = []
        self._ours = NOTHING
        self._before: list[str] = []  # LLVM's waits, ours among them
        self._next = 0  # the first line that the answer has not reached

    def read(self, answer: list[tuple[int | None, str]]) -> list[Finding]:
        for tag, text in answer:
            if tag is not None:
                self._come_to(tag)
            if tag is not None and decoded(text, self.cpu) is None:
                self._report(tag, self.at_ends_too or not text.startswith("S_BRANCH"))
            elif text == BLOCK or text.startswith("S_ENDPGM"):
                self._report(self._next - 1, self.at_ends_too)
                self._ours = NOTHING
            else:
                self._before.append(text)
        self._report(self._next - 1, self.at_ends_too)
        return self.findings

    def _come_to(self, tag: int) -> None:
        """Add up our own waits before a line, including waits that LLVM merged into others."""
        for line in self.lines[self._next : tag + 1]:
            self._ours = self._ours.joined(self.wait_of(line) or NOTHING)
        self._next = tag + 1

    def _report(self, tag: int, is_need: bool) -> None:
        """Report the waits beyond ours. A wait at the end of a block, after everything that could need it, is
        an early wait for loads before a loop; it is not necessary unless it is a remedy that follows its
        producer. If a wait of ours for the ALUs is gone, LLVM merged it into a later wait."""
        ours, theirs = self._ours, put_in(_kept(self._before), self.cpu)
        moved = {
            name: count
            for name, count in ours.counts.items()
            if name in ALU_COUNTERS and theirs.counts.get(name, FULL[name]) > count
        }
        self._ours, self._before = Inserted(0, moved), []
        differences = (
            [("states", ours.states, theirs.states)] if theirs.states > ours.states and is_need else []
        )
        if theirs.idle > ours.idle:
            differences.append(("idle", ours.idle, theirs.idle))
        for name, count in theirs.counts.items():
            mine = ours.counts.get(name, FULL[name])
            if count < mine and (is_need or name in ALU_COUNTERS):
                differences.append((name, mine, count))
        tag = max(tag, 0)
        self.findings += [
            Finding(WEAKER, self.lines[tag], what, mine, wanted, index=self.places[tag])
            for what, mine, wanted in differences
        ]
