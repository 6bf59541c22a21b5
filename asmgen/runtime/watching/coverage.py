"""Coverage of a kernel by source line: how often each line ran, in how many lanes, and the ways of its
branches that were never taken. As text beside the source, as JSON, or as lcov's tracefile."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from asmgen.runtime.watching.executions import Executions
from asmgen.runtime.watching.lines import InstructionLines
from isa.diagnostics import Place
from isa.emulator.program.image import Image
from isa.instruction import Instr, Trait

NEVER = "#####"
_COUNT = 9


class KernelCoverage(Struct):
    """The executions of a kernel in all of its launches."""

    image: Image
    lines: InstructionLines
    executions: Executions
    launches: int = 1


class BranchWays(Struct, frozen=True):
    """A conditional branch: its place, and how often waves took it and did not."""

    index: int
    taken: int
    passed: int


class LineCoverage(Struct, frozen=True):
    """A line with its instructions: the waves that ran most of them, and the lanes that were on, of how
    many."""

    instructions: int
    waves: int
    lanes: int
    most_lanes: int
    never: int
    branches: tuple[BranchWays, ...]


class Totals(Struct, frozen=True):
    """Instructions and ways of branches, and those of them that ran."""

    instructions: int
    executed: int
    ways: int
    taken: int


def totals(kernel: KernelCoverage) -> Totals:
    ways = [way for branch in _branches(kernel) for way in (branch.taken, branch.passed)]
    executed = int(np.count_nonzero(kernel.executions.waves))
    return Totals(len(kernel.executions.waves), executed, len(ways), sum(way > 0 for way in ways))


def _branches(kernel: KernelCoverage) -> list[BranchWays]:
    waves, taken = kernel.executions.waves, kernel.executions.taken
    return [
        BranchWays(index, int(taken[index]), int(waves[index] - taken[index]))
        for index, operation in enumerate(kernel.image.code.operations)
        if isinstance(operation, Instr) and Trait.CONDITIONAL_BRANCH in operation.row.traits
    ]


def by_line(kernel: KernelCoverage, places: Sequence[Place | None]) -> dict[tuple[str, int], LineCoverage]:
    """The lines that instructions have, by file and number."""
    branches = {branch.index: branch for branch in _branches(kernel)}
    indexes: dict[tuple[str, int], list[int]] = {}
    for index, place in enumerate(places):
        if place is not None:
            indexes.setdefault((place.file, place.line), []).append(index)
    return {line: _line(kernel, own, branches) for line, own in sorted(indexes.items())}


def _line(kernel: KernelCoverage, indexes: Sequence[int], branches: dict[int, BranchWays]) -> LineCoverage:
    waves = kernel.executions.waves[list(indexes)]
    lanes = kernel.executions.lanes[list(indexes)]
    size = 64 if kernel.image.descriptor.wave_size == 64 else 32
    return LineCoverage(
        len(indexes), int(waves.max()), int(lanes.sum()), int(waves.sum()) * size,
        int(np.count_nonzero(waves == 0)),
        tuple([branches[index] for index in indexes if index in branches]),
    )  # fmt: skip


Read = Callable[[str], list[str] | None]


def read_lines(path: str) -> list[str] | None:
    """The lines of a source file, or None if it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()
    except OSError:
        return None


def text(kernels: Sequence[KernelCoverage], read: Read = read_lines) -> str:
    """Each kernel beside its source, if that can be read, and beside its instructions."""
    parts: list[str] = []
    for kernel in kernels:
        total = totals(kernel)
        launches = f"{kernel.launches} launch{'es' * (kernel.launches != 1)}"
        parts.append(f"kernel {kernel.image.name} of {kernel.image.place.file}, {launches}")
        parts.append(f"{total.executed} of {total.instructions} instructions ran")
        parts.append(f"{total.taken} of {total.ways} ways of branches were taken")
        parts.append(f"{'waves':>{_COUNT}} {'lanes':>6}  line  source")
        parts += _listing(kernel)
        for file in sorted({place.file for place in kernel.lines.source if place is not None}):
            parts += _source(kernel, file, read)
        parts.append("")
    return "\n".join(parts)


def _listing(kernel: KernelCoverage) -> list[str]:
    """Every instruction, with the labels before it."""
    from isa.text.printing import format_instr

    labels: dict[int, list[str]] = {}
    for name, index in kernel.image.code.labels.items():
        labels.setdefault(index, []).append(name)
    branches = {branch.index: branch for branch in _branches(kernel)}
    size = 64 if kernel.image.descriptor.wave_size == 64 else 32
    result: list[str] = []
    width = max(len(kernel.lines.name(index)) for index in range(len(kernel.image.code.operations)))
    for index, operation in enumerate(kernel.image.code.operations):
        result += [f"{'-':>{_COUNT}} {'':>6}  {name}:" for name in labels.get(index, ())]
        waves, lanes = int(kernel.executions.waves[index]), int(kernel.executions.lanes[index])
        words = format_instr(operation) if isinstance(operation, Instr) else str(operation)
        ways = _ways(branches.get(index))
        result.append(
            f"{_counts(waves, lanes, waves * size)}  {kernel.lines.name(index):<{width}}  {words}{ways}"
        )
    return result


def _counts(waves: int, lanes: int, most: int) -> str:
    if not waves:
        return f"{NEVER:>{_COUNT}} {'':>6}"
    return f"{waves:>{_COUNT}} {lanes / most:>6.1%}"


def _ways(branch: BranchWays | None) -> str:
    """The remark on a branch; empty if both ways were taken."""
    if branch is None or (branch.taken and branch.passed):
        return f"  ; taken {branch.taken}, not taken {branch.passed}" if branch is not None else ""
    if not branch.taken and not branch.passed:
        return "  ; never reached"
    return (
        f"  ; always taken, {branch.taken} times"
        if branch.taken
        else f"  ; never taken, {branch.passed} times passed"
    )


def _source(kernel: KernelCoverage, file: str, read: Read) -> list[str]:
    """The lines of a source file from which instructions were made, each beside its text."""
    content = read(file)
    covered = {
        line: each for (name, line), each in by_line(kernel, kernel.lines.source).items() if name == file
    }
    result = [f"source {file}" + ("" if content is not None else ", which cannot be read")]
    numbers = range(min(covered), max(covered) + 1) if content is not None else sorted(covered)
    for number in numbers:
        words = content[number - 1] if content is not None and number <= len(content) else ""
        each = covered.get(number)
        if each is None:
            result.append(f"{'-':>{_COUNT}} {'':>6}  {number:>4}  {words}".rstrip())
            continue
        partly = (
            f"  ; {each.never} of {each.instructions} instructions never ran"
            if each.never and each.waves
            else ""
        )
        ways = "".join(_ways(branch) for branch in each.branches)
        result.append(
            f"{_counts(each.waves, each.lanes, each.most_lanes)}  {number:>4}  {words}{partly}{ways}".rstrip()
        )
    return result


def as_json(kernels: Sequence[KernelCoverage]) -> str:
    """A record of each kernel, with its instructions and its lines."""
    from isa.text.printing import format_instr

    records: list[dict[str, Any]] = []
    for kernel in kernels:
        executions = kernel.executions
        branches = {branch.index: branch for branch in _branches(kernel)}
        instructions: list[dict[str, Any]] = []
        for index, operation in enumerate(kernel.image.code.operations):
            record: dict[str, Any] = {
                "line": kernel.lines.name(index),
                "source": None if kernel.lines.source[index] is None else str(kernel.lines.source[index]),
                "instruction": format_instr(operation) if isinstance(operation, Instr) else str(operation),
                "waves": int(executions.waves[index]),
                "lanes": int(executions.lanes[index]),
            }
            if index in branches:
                record |= {"taken": branches[index].taken, "not_taken": branches[index].passed}
            instructions.append(record)
        total = totals(kernel)
        records.append(
            {
                "kernel": kernel.image.name, "file": kernel.image.place.file, "launches": kernel.launches,
                "instructions_executed": total.executed, "branch_ways_taken": total.taken,
                "branch_ways": total.ways, "instructions": instructions,
            }
        )  # fmt: skip
    return json.dumps(records, indent=1) + "\n"


def as_lcov(kernels: Sequence[KernelCoverage]) -> str:
    """lcov's tracefile, for genhtml and editors: of sources if instructions have them as files, otherwise of
    the assembly."""
    parts: list[str] = []
    for kernel in kernels:
        lines = by_line(kernel, _in_files(kernel.lines))
        for file in sorted({name for name, _ in lines}):
            own = [(line, each) for (name, line), each in lines.items() if name == file]
            parts += [
                f"TN:{kernel.image.name}",
                f"SF:{os.path.abspath(file) if os.path.exists(file) else file}",
            ]
            for line, each in own:
                for number, branch in enumerate(each.branches):
                    ways = (branch.taken, branch.passed)
                    reached = branch.taken + branch.passed > 0
                    parts += [
                        f"BRDA:{line},{number},{way},{count if reached else '-'}"
                        for way, count in enumerate(ways)
                    ]
            parts += [f"DA:{line},{each.waves}" for line, each in own]
            parts += [f"LF:{len(own)}", f"LH:{sum(each.waves > 0 for _, each in own)}", "end_of_record"]
    return "\n".join([*parts, ""])


def _in_files(lines: InstructionLines) -> list[Place | None]:
    """The places in sources if a source is a file, as that of a kernel of the catalogue is not; otherwise the
    places in the assembly. A code object has only the former."""
    files = {place.file for place in lines.source if place is not None}
    has_source = any(map(os.path.exists, files)) or not any(lines.own)
    return lines.source if has_source else lines.own
