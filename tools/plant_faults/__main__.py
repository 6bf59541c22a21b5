"""`python -m tools.plant_faults record`, then `run`: plants faults in turn, and shows the survivors."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from tools.plant_faults.blocks import Block
from tools.plant_faults.chosen import Recorded
from tools.plant_faults.faults import drawn
from tools.plant_faults.planted import ALIVE, Planted, equivalents, plant, results
from tools.plant_faults.record import Left, Recorder, read
from tools.plant_faults.tree import copy_of_tree, environment, sources

_FOLDER = Path(tempfile.gettempdir()) / "plant_faults"
_BLOCKS = "blocks.msgpack"
# Tests of a single subject come first: most faults need no others.
_PARTS = {
    "quick": ("tests", "-m", "not slow and not broad", "--ignore=tests/property", "--ignore=tests/mutants"),
    "broad": ("tests", "-m", "not slow", "--ignore=tests/mutants"),
    "mutants": ("tests/mutants", "-m", "not slow"),
}


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    folder: Path = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    if options.action == "record":
        return _record(folder, options.part, bool(options.afresh))
    if options.action == "part":
        return _record_part(folder, str(options.part))
    return _run(folder, options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.plant_faults",
        description="Plant faults in a copy of the tree, and show the faults that no test detects.",
    )
    parser.add_argument(
        "--folder", type=Path, default=_FOLDER, help="copies of the tree, the record, and results"
    )
    actions = parser.add_subparsers(dest="action", required=True)
    record = actions.add_parser("record", help="run the tests that have no record yet")
    record.add_argument("--part", choices=_PARTS, action="append", help="only these tests; all by default")
    record.add_argument("--afresh", action="store_true", help="delete the existing record first")
    actions.add_parser("part").add_argument("part", choices=_PARTS)
    run = actions.add_parser("run", help="plant faults that have no result yet")
    run.add_argument("--seed", type=int, default=1)
    run.add_argument("--count", type=int, default=300, help="how many faults, in the order of the seed")
    run.add_argument("--skip", type=int, default=0, metavar="N", help="skip the first N faults")
    run.add_argument(
        "--below", default="", metavar="FOLDER", help="only faults in this folder, such as asmgen/passes"
    )
    run.add_argument("--limit", type=float, default=120, metavar="SECONDS", help="limit of tests")
    run.add_argument("--again", action="store_true", help="plant surviving faults again")
    run.add_argument("--list", action="store_true", help="list the faults without planting them")
    return parser


def _record(folder: Path, parts: list[str] | None, afresh: bool) -> int:
    """Run each part in its own process, which imports the marked copy."""
    from tools.plant_faults.marked import mark

    root = folder / "marked"
    if afresh:
        for old in (folder / _BLOCKS, *folder.glob("*.record")):
            old.unlink(missing_ok=True)
    blocks = mark(copy_of_tree(root), _blocks(folder))
    _ = (folder / _BLOCKS).write_bytes(msgspec.msgpack.encode(blocks))
    for part in parts or _PARTS:
        command = [
            sys.executable,
            "-m",
            "tools.plant_faults",
            "--folder",
            str(folder.resolve()),
            "part",
            part,
        ]
        _ = subprocess.run(command, cwd=root, env=environment(root), check=False)
    return 0


def _record_part(folder: Path, part: str) -> int:
    import pytest

    known = frozenset(entry.test for path in folder.glob("*.record") for entry in read(path))
    recorder = Recorder(folder / f"{part}.record", len(_blocks(folder)))
    arguments = [*_PARTS[part], "-q", "-n", "0", "-p", "no:cacheprovider"]
    return int(pytest.main(arguments, plugins=[recorder, Left(known)]))


def _blocks(folder: Path) -> list[Block]:
    if not (folder / _BLOCKS).exists():
        return []
    return msgspec.msgpack.decode((folder / _BLOCKS).read_bytes(), type=list[Block])


def _run(folder: Path, options: argparse.Namespace) -> int:
    root = copy_of_tree(folder / "planted")
    order = drawn(sources(root), options.seed, options.below)[options.skip : options.count]
    if options.list:
        for fault, _ in order:
            print(f"{fault.line} {fault.name}")
        return 0
    entries = [entry for path in sorted(folder.glob("*.record")) for entry in read(path)]
    if not entries:
        print(
            f"{folder} has no record of the tests: run `python -m tools.plant_faults record` first",
            file=sys.stderr,
        )
        return 2
    recorded = Recorded(_blocks(folder), entries)
    known, equivalent = results(folder), equivalents()
    counts: Counter[str] = Counter()
    alive: list[Planted] = []
    for fault, source in order:
        verdict = known.get(fault.name)
        if fault.name in equivalent:
            counts["equivalent"] += 1
            continue
        if verdict is None or (options.again and verdict.outcome == ALIVE):
            verdict = plant(root, fault, source, recorded, options.limit)
            with (folder / "results.jsonl").open("ab") as file:
                _ = file.write(msgspec.json.encode(verdict) + b"\n")
            print(verdict, flush=True)
        counts[verdict.outcome] += 1
        alive += [verdict] if verdict.outcome == ALIVE else []
    print(f"{counts.total()} planted: {', '.join(f'{count} {outcome}' for outcome, count in counts.items())}")
    for verdict in alive:
        print(verdict)
    shutil.rmtree(root)
    return 1 if alive else 0


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    raise SystemExit(main(sys.argv[1:]))
