"""The comparison itself: LLVM is asked about a text as it is, without its waits, and with less than it
had.

On the text as it is LLVM adds what is missing: there ours is *weaker*, on whatever path. On the text
without its waits, NOPs and delays LLVM puts in its own; where ours has more, LLVM is asked once more with
ours cut down to that: if it then adds nothing, ours is *stronger* than it need be. So an earlier wait of ours
that covers a later one of LLVM's is neither, and on loops the paths decide, not the place.
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
    """One difference: `kind` is weaker, stronger or refused; `what` a counter, `states` or `idle`; `wanted`
    is LLVM's.

    `index` is the place among the labels and instructions judged.
    """

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
    """One function: the findings in the order of the text, how many places were compared, and what was at
    each.

    `sides` holds, of each place where either side has something, the index, what we have and what LLVM puts
    there.
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
    """Those that make a program wrong, or that LLVM could not judge."""
    return [finding for finding in findings if finding.kind in (WEAKER, REFUSED)]


_LONGEST_NOP = 8


def nops(states: int) -> list[str]:
    """`s_nop`s of so many states together."""
    return [f"s_nop {min(_LONGEST_NOP, states - first) - 1}" for first in range(0, states, _LONGEST_NOP)]


def wait_texts(counts: dict[str, int], cpu: str) -> list[str]:
    """The waits for these counts: one for those that share an instruction."""
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
_DEALLOCATION = "S_SENDMSG 3"  # of a wave's VGPRs before it ends, with the s_nop it needs: no wait


def oracle_for(target: TargetId) -> Oracle:
    """LLVM for a target id; one without xnack means that XNACK may be on."""
    features = [feature[-1] + feature[:-1] for feature in target.features if feature.startswith("xnack")]
    if not target.is_default_wave:
        features.append(f"+wavefrontsize{target.target.wave_size}")
    return Oracle(target.target.name, ",".join(features))


class _Asked(Struct):
    """One function in one form: what was put to LLVM, the place each line has among those judged, and the
    answer."""

    places: list[int]
    texts: list[str]
    answer: Answer | None = None


class Judge:
    """LLVM's judgement on functions of one target, many at a time."""

    def __init__(self, target: TargetId) -> None:
        self.target = target
        self.oracle = oracle_for(target)
        self.cpu = target.target.name
        has_own_pass = target.target.counters[0].name == "loadcnt"
        self.hazard_passes = _HAZARDS + (_SGPR_HAZARDS if has_own_pass else ())
        self.delay_passes = DELAYS if target.target.family == "rdna" else ()

    def judge(self, functions: Sequence[Sequence[Line]]) -> list[Judgement]:
        """Every difference between the waits of functions and LLVM's, in the order of the text."""
        self.oracle.translator.learn(line.text for lines in functions for line in lines)
        cleaned = [self._without_deallocation(list(lines)) for lines in functions]
        judgements = [
            Judgement(lines, places=sum(not line.is_label and self.wait(line) is None for line in lines))
            for lines in cleaned
        ]
        self._find_weaker(judgements)
        self._find_stronger([judgement for judgement in judgements if not judgement.refused])
        for judgement in judgements:
            judgement.findings.sort(key=lambda finding: finding.index)
        return judgements

    def wait(self, line: Line) -> Inserted | None:
        """What a line waits for; None of one that does something."""
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
        """All lines but the delays: LLVM would put its own next to them."""
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
        # A wait that LLVM adds or merges is a state more or less: what is asked for in earnest is told by
        # each pass alone.
        for passes in (WAITS, self.hazard_passes):
            self._ask([question for _, question in again], passes)
            for judgement, question in again:
                judgement.findings += self._added(judgement.lines, question)

    def _added(self, lines: list[Line], asked: _Asked, at_ends_too: bool = False) -> list[Finding]:
        """What LLVM's answer adds to the lines it was asked about; at the ends of blocks it is seldom a
        need."""
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
        found: dict[int, Inserted] = {}
        before: list[str] = []
        for tag, text in asked.answer:
            if tag is None and text != BLOCK:
                before.append(text)
                continue
            if tag is not None and before:
                found[asked.places[tag]] = put_in(_kept(before), self.cpu)
            before = []
        return found

    def _excesses(self, judgement: Judgement) -> list[Finding]:
        found: list[Finding] = []
        for index, ours, theirs in judgement.sides:
            line = judgement.lines[index]
            if ours.states > theirs.states:
                found.append(Finding(STRONGER, line, "states", ours.states, theirs.states, index=index))
            if ours.idle > theirs.idle:
                found.append(Finding(STRONGER, line, "idle", ours.idle, theirs.idle, index=index))
            for name, count in ours.counts.items():
                wanted = theirs.counts.get(name, FULL[name])
                if count < wanted:
                    found.append(Finding(STRONGER, line, name, count, wanted, index=index))
        return found

    def _confirm(self, candidates: list[tuple[Judgement, Finding]]) -> None:
        """Keep the excesses without which LLVM asks for nothing that it did not ask for before."""
        for is_wait, passes in ((True, WAITS), (False, self.hazard_passes)):
            chosen = [
                (judgement, finding)
                for judgement, finding in candidates
                if _is_memory_counter(finding.what) is is_wait
            ]
            asked = [self._cut_down(judgement, finding) for judgement, finding in chosen]
            whole = [self._standing(judgement) for judgement, _ in chosen]
            self._ask([*asked, *whole], passes)
            for (judgement, finding), cut, before in zip(chosen, asked, whole, strict=True):
                if isinstance(cut.answer, list) and not self._gained(judgement, cut, before, finding.what):
                    judgement.findings.append(finding)

    def _gained(self, judgement: Judgement, cut: _Asked, before: _Asked, what: str) -> set[tuple[int, str]]:
        """Place and counter of what LLVM adds to the text cut down and not to the whole; before a loop it may
        wait instead of in it."""
        known, added = (
            {(found.index, found.what) for found in self._added(judgement.lines, asked)}
            for asked in (before, cut)
        )
        early = {
            (found.index, found.what)
            for found in self._added(judgement.lines, cut, True)
            if found.what == what
        }
        return (added | early) - known

    def _cut_down(self, judgement: Judgement, finding: Finding) -> _Asked:
        """The text with what is before one place cut down to what LLVM has there."""
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
        """One wait cut down, and how many states or idle instructions may still are."""
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
    """Without the deallocation of VGPRs at the end, and its s_nop."""
    at = next((i for i, text in enumerate(inserted) if text.startswith(_DEALLOCATION)), None)
    return inserted if at is None else [*inserted[: max(0, at - 1)], *inserted[at + 1 :]]


class _Additions:
    """Goes through LLVM's answer to a text: between two instructions it has at least what we have, and
    perhaps more."""

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
        self.found: list[Finding] = []
        self._ours = NOTHING
        self._before: list[str] = []  # LLVM's waits, ours among them
        self._next = 0  # the first line that the answer has not come to

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
        return self.found

    def _come_to(self, tag: int) -> None:
        """Count our own waits up to a line, those too that LLVM has merged into another."""
        for line in self.lines[self._next : tag + 1]:
            self._ours = self._ours.joined(self.wait_of(line) or NOTHING)
        self._next = tag + 1

    def _report(self, tag: int, is_need: bool) -> None:
        """What is more than ours. What LLVM puts at the end of a block, after all that could need it, is an
        early wait for loads before a loop and no need, unless it is a remedy that follows its producer. Where
        a wait of ours for the ALUs is gone, LLVM has made one of it and a later one."""
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
        self.found += [
            Finding(WEAKER, self.lines[tag], what, mine, wanted, index=self.places[tag])
            for what, mine, wanted in differences
        ]
