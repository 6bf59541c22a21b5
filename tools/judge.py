"""Judge the waits and wait states of an assembly by LLVM's own passes.

    python -m tools.judge FILE.s [--cpu gfx942] [--features -xnack]

LLVM is asked twice. On the text as it stands it adds what is *missing*: nothing, if every wait is strong enough on
every path. On the text without its waits and NOPs it puts in its own, and what stands before each instruction is
compared counter by counter: *weaker* where ours waits for less there, *wasted* where it waits for more. A wait that
ours has placed earlier on the path shows as weaker and wasted, and is right as long as nothing is missing.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.llvm_hazards import Answer, Oracle, Refusal, inserted_before
from tools.llvm_hazards.decode import FULL, Inserted, decode_counts

_COMMENT = re.compile(r"(;|//).*")
_LABEL = re.compile(r"([A-Za-z_.$][\w.$]*):\s*\Z")
_COUNTER = re.compile(r"(vmcnt|expcnt|lgkmcnt)\((\d+)\)")
_IMMEDIATE = re.compile(r"(S_\w+)\s+(-?\d+)")


@dataclass(frozen=True, slots=True)
class Line:
    """One label or instruction of a kernel, and where it stands in the file."""

    number: int
    text: str

    @property
    def states(self) -> int:
        """Wait states of an s_nop, 0 of anything else."""
        name, _, count = self.text.partition(" ")
        return int(count, 0) + 1 if name == "s_nop" else 0

    @property
    def counts(self) -> dict[str, int]:
        """Counts of an s_waitcnt; empty for anything else."""
        if not self.text.startswith("s_waitcnt"):
            return {}
        named = {name: int(count) for name, count in _COUNTER.findall(self.text)}
        return named or decode_counts(int(self.text.split()[1], 0))

    @property
    def is_wait(self) -> bool:
        return self.states > 0 or self.text.startswith("s_waitcnt")


@dataclass(frozen=True, slots=True)
class Finding:
    """One difference: `kind` is missing, weaker, wasted or refused; `what` a counter or `states`; `wanted` is LLVM's."""

    kind: str
    line: Line
    what: str
    ours: int
    wanted: int
    reason: str = ""

    def __str__(self) -> str:
        if self.kind == "refused":
            return f"{self.line.number}: refused: {self.reason}"
        return f"{self.line.number}: {self.kind}: {self.what} {self.ours}, LLVM {self.wanted}, before {self.line.text}"


def kernels(assembly: str) -> list[list[Line]]:
    """The instructions and labels of each function of an assembly text; directives and data are left out."""
    found: list[list[Line]] = []
    current: list[Line] | None = None
    in_metadata = False
    for number, raw in enumerate(assembly.splitlines(), 1):
        text = _COMMENT.sub("", raw).strip()
        label = _LABEL.match(text)
        in_metadata = (in_metadata or text == ".amdgpu_metadata") and text != ".end_amdgpu_metadata"
        if in_metadata:
            current = None
        elif label and not label.group(1).startswith((".L", "L")):
            current = []
            found.append(current)
        elif text.startswith((".section", ".rodata", ".amdhsa_kernel")):
            current = None
        elif current is not None and text and (label or not text.startswith(".")):
            current.append(Line(number, text))
    return [lines for lines in found if any(not line.text.endswith(":") for line in lines)]


def judge(assembly: str, cpu: str = "gfx942", features: str = "") -> list[Finding]:
    """Every difference between an assembly's waits and LLVM's, in the order of the text."""
    oracle = Oracle(cpu, features)
    findings: list[Finding] = []
    for lines in kernels(assembly):
        findings += judge_lines(lines, oracle)
    return findings


def judge_lines(lines: Sequence[Line], oracle: Oracle) -> list[Finding]:
    """The same for the labels and instructions of one function."""
    return [*_missing(lines, oracle), *_compared(lines, oracle)]


def missing(findings: Sequence[Finding]) -> list[Finding]:
    """Those that make a program wrong, or that LLVM could not judge."""
    return [finding for finding in findings if finding.kind in ("missing", "refused")]


def _missing(lines: Sequence[Line], oracle: Oracle) -> list[Finding]:
    texts = [line.text for line in lines]
    waits, hazards = oracle.waits([texts])[0], oracle.hazards([texts])[0]
    if isinstance(waits, Refusal):
        return missing_in(lines, waits)
    return [*missing_in(lines, waits), *missing_in(lines, hazards)]


def missing_in(lines: Sequence[Line], answer: Answer) -> list[Finding]:
    """What LLVM's answer to just these lines adds to them."""
    if isinstance(answer, Refusal):
        return [Finding("refused", lines[0], "", 0, 0, str(answer))]
    findings: list[Finding] = []
    tightened = _tightened(lines, answer)
    for index, line in enumerate(lines):
        if line.text.endswith(":") or line.text.startswith("s_branch"):
            continue
        added = inserted_before(answer, index)
        if added.states:
            findings.append(Finding("missing", line, "states", 0, added.states))
        findings += [Finding("missing", line, name, FULL[name], count) for name, count in added.counts.items()]
        findings += tightened.get(index, [])
    return findings


def _tightened(lines: Sequence[Line], answer: list[tuple[int | None, str]]) -> dict[int, list[Finding]]:
    """Waits of ours that LLVM made stronger in place."""
    found: dict[int, list[Finding]] = {}
    for tag, text in answer:
        match = _IMMEDIATE.match(text)
        if tag is None or match is None or match.group(1) != "S_WAITCNT":
            continue
        ours, theirs = lines[tag].counts, decode_counts(int(match.group(2)))
        weaker = [(name, ours.get(name, FULL[name]), count) for name, count in theirs.items() if count < ours.get(name, FULL[name])]
        found[tag] = [Finding("missing", lines[tag], name, mine, count) for name, mine, count in weaker]
    return found


def _compared(lines: Sequence[Line], oracle: Oracle) -> list[Finding]:
    lines = lines[_after_prologue(lines) :]
    bare = [line for line in lines if not line.is_wait]
    texts = [line.text for line in bare]
    waits, hazards = oracle.waits([texts])[0], oracle.hazards([texts])[0]
    # Wait states are asked for with LLVM's waits in place, since each of them is one state itself.
    both = oracle.run([texts], ("si-insert-waitcnts", "post-RA-hazard-rec"))[0]
    if isinstance(waits, Refusal) or isinstance(hazards, Refusal) or isinstance(both, Refusal):
        return []
    ours = _standing(lines)
    findings: list[Finding] = []
    for index, line in enumerate(bare):
        if line.text.endswith(":"):
            continue
        theirs = Inserted(inserted_before(both, index).states, inserted_before(waits, index).counts)
        findings += _differences(line, ours[line.number], theirs)
    return findings


def _after_prologue(lines: Sequence[Line]) -> int:
    """Where a kernel begins whose arguments are preloaded: what stands before loads them and waits, for older firmware."""
    for index, line in enumerate(lines[:-1]):
        if line.text.startswith("s_branch "):
            target = line.text.split()[1] + ":"
            uses = sum(other.text.endswith(" " + target[:-1]) for other in lines)
            return index + 1 if lines[index + 1].text == target and uses == 1 else 0
        if line.text.endswith(":") or line.text.startswith("s_cbranch"):
            return 0
    return 0


def _standing(lines: Sequence[Line]) -> dict[int, Inserted]:
    """What stands before each instruction, by line number."""
    standing: dict[int, Inserted] = {}
    states, counts = 0, dict[str, int]()
    for line in lines:
        if line.is_wait:
            states += line.states
            for name, count in line.counts.items():
                counts[name] = min(count, counts.get(name, count))
        elif not line.text.endswith(":"):
            standing[line.number] = Inserted(states, counts)
            states, counts = 0, {}
    return standing


def _differences(line: Line, ours: Inserted, theirs: Inserted) -> list[Finding]:
    findings: list[Finding] = []
    if ours.states != theirs.states:
        findings.append(Finding("weaker" if ours.states < theirs.states else "wasted", line, "states", ours.states, theirs.states))
    for name, full in FULL.items():
        mine, wanted = ours.counts.get(name, full), theirs.counts.get(name, full)
        if mine != wanted:
            findings.append(Finding("weaker" if mine > wanted else "wasted", line, name, mine, wanted))
    return findings


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.judge", description="Judge the waits and wait states of an assembly by LLVM's own passes.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--cpu", default="gfx942")
    parser.add_argument("--features", default="", help="such as -xnack; none means that XNACK may be on")
    options = parser.parse_args(arguments)
    findings = judge(options.file.read_text(), options.cpu, options.features)
    for finding in findings:
        print(f"{options.file}:{finding}")
    return 1 if missing(findings) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
