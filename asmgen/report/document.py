"""A report as JSON; docs/reports.md describes the document."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from asmgen.report.model import (
    FILES,
    Attempt,
    FileReport,
    KernelReport,
    ListedInstruction,
    LivePoint,
    LiveValue,
    Occupancy,
    SpillLine,
)
from regalloc.allocation import SpilledValue

FORMAT = 1
Json = dict[str, "JsonValue"]
JsonValue = str | int | bool | None | list["JsonValue"] | Json


def to_json(kernels: Sequence[KernelReport], refused: Mapping[str, str]) -> str:
    """The document, indented by two; ends with a line break. `refused` has the reasons of kernels that cannot
    be analysed."""
    reasons: list[JsonValue] = [{"name": name, "reason": reason} for name, reason in refused.items()]
    document: Json = {
        "format": FORMAT,
        "kernels": [_kernel(kernel) for kernel in kernels],
        "refused": reasons,
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _kernel(kernel: KernelReport) -> Json:
    points: list[JsonValue] = [
        {
            "block": point.block, **_site(point.site), "live": _counts(point.live),
            "pressure": _counts(point.pressure),
        }
        for point in kernel.points
    ]  # fmt: skip
    return {
        "name": kernel.name,
        "target": kernel.target,
        "registers": kernel.registers,
        "workgroup": list(kernel.workgroup),
        "workgroup_is_fixed": kernel.fixed_workgroup,
        "lds_bytes": kernel.lds_bytes,
        "scratch_bytes": kernel.scratch_bytes,
        "spills": kernel.spills,
        "spilled": [_spilled(value) for value in kernel.spilled],
        "spill_lines": [_spill_line(line) for line in kernel.spill_lines],
        "results": [
            {"number": each.number, "over": each.over or None, "reason": each.reason or None}
            for each in kernel.results
        ],
        "has_metadata": kernel.has_metadata,
        "files": {file.name.lower(): _file(file) for file in kernel.files},
        "occupancy": _occupancy(kernel.occupancy),
        "points": points,
        "at": [_at(point) for point in kernel.at],
    }


def _spilled(value: SpilledValue) -> Json:
    return {
        "name": value.name,
        "file": value.file.lower(),
        "registers": value.registers,
        "memory": value.memory,
        "stores": value.stores,
        "loads": value.loads,
        "depth": value.depth,
        "cost": value.cost,
        "place": None if value.place is None else str(value.place),
    }


def _at(point: LivePoint) -> Json:
    values: Json = {
        name.lower(): [_value(value) for value in found]
        for name, found in zip(FILES, point.values, strict=True)
    }
    return {
        "asked": point.place, **_site(point.site), "pressure": _counts(point.pressure), "values": values,
    }  # fmt: skip


def _spill_line(line: SpillLine) -> Json:
    return {
        "place": line.place, "stores": line.stores, "loads": line.loads, "moves": line.moves,
        "bytes": line.bytes, "depth": line.depth, "cost": line.cost,
    }  # fmt: skip


def _counts(counts: tuple[int, int, int]) -> Json:
    return {name.lower(): count for name, count in zip(FILES, counts, strict=True)}


def _site(site: ListedInstruction) -> Json:
    return {"point": site.point, "instruction": site.text, "op": site.op, "place": site.place}


def _file(file: FileReport) -> Json:
    return {
        "lower_bound": file.lower_bound,
        "used": file.used,
        "declared": file.declared,
        "taken": file.taken,
        "steps": [
            {"reason": step.reason, "count": step.count, "registers": step.registers, "detail": step.detail}
            for step in file.steps
        ],
        "waves": [{"waves": waves, "most": most} for waves, most in file.waves],
        "attempts": [_attempt(attempt) for attempt in file.attempts],
        "peak": None
        if file.peak is None
        else {**_site(file.peak), "values": [_value(value) for value in file.values]},
    }


def _attempt(attempt: Attempt) -> Json:
    return {
        "change": attempt.change.value,
        "value": attempt.value,
        "definition": None if attempt.definition is None else _site(attempt.definition),
        "there": None if attempt.there is None else _site(attempt.there),
        "frees": attempt.frees,
        "lower_bound": attempt.bound,
        "agprs": attempt.agprs,
        "instructions": attempt.instructions,
    }


def _value(value: LiveValue) -> Json:
    return {
        "name": value.name,
        "units": value.units,
        "size": value.size,
        "registers": value.registers,
        "origin": value.origin,
        "definitions": [_site(site) for site in value.definitions],
        "last_use": None if value.last_use is None else _site(value.last_use),
    }


def _occupancy(occupancy: Occupancy) -> Json:
    return {
        "waves": occupancy.waves,
        "most": occupancy.most,
        "limited_by": list(occupancy.limiting),
        "next_step": occupancy.next_step,
        "limits": [
            {
                "resource": limit.resource, "waves": limit.waves, "amount": limit.amount,
                "fewer": limit.fewer, "spare": limit.spare,
            }
            for limit in occupancy.limits
        ],
    }  # fmt: skip
