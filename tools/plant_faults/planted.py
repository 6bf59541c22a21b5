"""Plant a fault and run the tests that may see it. `equivalent.txt` lists faults that change nothing."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from tools.plant_faults.chosen import Recorded, rounds
from tools.plant_faults.faults import Fault
from tools.plant_faults.tree import drop_bytecode
from tools.plant_faults.workers import first_failure, load_libraries

KILLED, ALIVE = "killed", "alive"
_EQUIVALENT = Path(__file__).with_name("equivalent.txt")


class Planted(msgspec.Struct, frozen=True):
    """`by` is the test that failed. `seen` tests run the block of the fault, and `ran` of them were run."""

    fault: str
    line: int
    outcome: str
    by: str = ""
    ran: int = 0
    seen: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        how = f"by {self.by}" if self.by else f"{self.ran} of {self.seen} tests"
        file, _, change = self.fault.partition(" ")
        return f"{self.outcome} {file}:{self.line} {change} ({how}, {self.seconds:.0f} s)"


def results(folder: Path) -> dict[str, Planted]:
    """The last result of each fault, by its name."""
    path = folder / "results.jsonl"
    lines = path.read_bytes().splitlines() if path.exists() else []
    verdicts = [msgspec.json.decode(line, type=Planted) for line in lines]
    return {verdict.fault: verdict for verdict in verdicts}


def equivalents() -> dict[str, str]:
    """Faults that change nothing: the name of each, with the reason that stands indented below it."""
    found: dict[str, str] = {}
    name = ""
    for line in _EQUIVALENT.read_text(encoding="utf-8").splitlines():
        if line.startswith("    "):
            found[name] = line.strip()
        elif line and not line.startswith("#"):
            name = line
    return found


def plant(root: Path, fault: Fault, source: str, recorded: Recorded, limit: float) -> Planted:
    """Plant a fault in the copy, run the tests, and put the file back."""
    load_libraries()
    tests = recorded.that_run(fault.block)
    path = root / fault.block.file
    before = path.stat()
    began = os.times()
    ran, by = 0, None
    try:
        _ = path.write_text(fault.planted(source), encoding="utf-8")
        for part in rounds(tests, limit):
            drop_bytecode(path)
            by = first_failure(root, part)
            ran += len(part)
            if by is not None:
                break
    finally:
        _ = path.write_text(source, encoding="utf-8")
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        drop_bytecode(path)
    ended = os.times()
    seconds = ended.children_user + ended.children_system - began.children_user - began.children_system
    return Planted(
        fault.name, fault.line, ALIVE if by is None else KILLED, by or "", ran, len(tests), seconds
    )
