"""The lines of a trace: columns that stay in place, then the registers written and the memory accessed.

0:3     17  k.s:12  ffffffffffffffff  v_add_u32_e32 v2, 1, v1   v2=00000001+1*lane
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from asmgen.runtime.watching.capture import Located, Log, Traced
from asmgen.runtime.watching.columns import Characters, Lines, decimal, hexadecimal, side_by_side
from asmgen.runtime.watching.fields import JsonStyle, Some, Style, TextStyle, Words
from isa.emulator.observers import Space
from isa.emulator.state.global_memory import Memory

_LINE_WIDTH, _TEXT_WIDTH = 12, 48
_NUMBER_WIDTH = 9
T = TypeVar("T")


class Region(Struct, frozen=True):
    """A buffer as a trace names it, and its bytes in the emulator's memory."""

    name: str
    first: int


def regions_of(memory: Memory) -> list[Region]:
    return [Region(short_name(region.name), region.offset) for region in memory.regions]


def short_name(name: str) -> str:
    """`arg0` for `argument 0 (x)`, `kernarg` for `the kernarg segment`."""
    words = name.split()
    if words[0] == "argument":
        return f"arg{words[1]}"
    if words[0] == "section":
        return words[1]
    return words[-2] if words[-1] == "segment" else words[-1]


class _Field(Struct, frozen=True):
    """A register of lines, and its words."""

    name: str
    words: Words


class Format(Protocol):
    """A way to write lines."""

    style: Style

    def head(self, traced: Traced, executions: _Joined, has_results: bool) -> list[bytes | Characters]: ...
    def register(self, name: str, is_first: bool) -> bytes: ...
    def memory(self, access: Located, region: str, is_first: bool) -> bytes: ...
    def between(self, registers: int) -> bytes: ...
    def after_memory(self) -> bytes: ...
    def end(self, accesses: int) -> bytes: ...


class _Joined(Struct, frozen=True):
    """Executions of an instruction, a line for each wave."""

    launch: int
    steps: NDArray[np.int64]
    waves: NDArray[np.int64]
    exec: NDArray[np.uint64]
    lanes: int

    def of(self, some: Some) -> _Joined:
        return _Joined(self.launch, self.steps[some], self.waves[some], self.exec[some], self.lanes)


class TextFormat:
    """Columns for reading and grep."""

    style: Style = TextStyle()

    def head(self, traced: Traced, executions: _Joined, has_results: bool) -> list[bytes | Characters]:
        exec_ = hexadecimal(executions.exec.astype("<u8").view("<u4").reshape(-1, 2)[:, ::-1])
        width = executions.lanes // 4
        return [
            f"{executions.launch}:".encode(),
            decimal(executions.waves, 5),
            decimal(executions.steps, _NUMBER_WIDTH + 1),
            f"  {traced.line:<{_LINE_WIDTH}}  ".encode(),
            exec_.reshape(len(exec_), 16)[:, 16 - width :],
            f"  {traced.text:<{_TEXT_WIDTH}} ".encode() if has_results else f"  {traced.text}".encode(),
        ]

    def register(self, name: str, is_first: bool) -> bytes:
        return f" {name}=".encode()

    def memory(self, access: Located, region: str, is_first: bool) -> bytes:
        where = f"{region}+" if region else ""
        return f" {access.kind.value.split()[-1]}{8 * access.size} {where}".encode()

    def between(self, registers: int) -> bytes:
        return b""

    def after_memory(self) -> bytes:
        return b""

    def end(self, accesses: int) -> bytes:
        return b"\n"


class JsonFormat:
    """An object on each line."""

    style: Style = JsonStyle()

    def head(self, traced: Traced, executions: _Joined, has_results: bool) -> list[bytes | Characters]:
        import json

        exec_ = hexadecimal(executions.exec.astype("<u8").view("<u4").reshape(-1, 2)[:, ::-1])
        return [
            f'{{"launch":{executions.launch},"wave":'.encode(),
            decimal(executions.waves, _NUMBER_WIDTH),
            b',"step":',
            decimal(executions.steps, _NUMBER_WIDTH + 1),
            f',"line":{json.dumps(traced.line)},"exec":"'.encode(),
            exec_.reshape(len(exec_), 16),
            f'","instruction":{json.dumps(traced.text)},"registers":{{'.encode(),
        ]

    def register(self, name: str, is_first: bool) -> bytes:
        return f'{"" if is_first else ","}"{name}":'.encode()

    def memory(self, access: Located, region: str, is_first: bool) -> bytes:
        return (
            f'{"" if is_first else ","}{{"kind":"{access.kind.value}","space":"{access.space.value}",'
            f'"region":"{region}","bytes":{access.size},"offsets":'
        ).encode()

    def between(self, registers: int) -> bytes:
        return b'},"memory":['

    def after_memory(self) -> bytes:
        return b"}"

    def end(self, accesses: int) -> bytes:
        return b"]}\n"


class Shape(Struct, frozen=True):
    """A launch, the lanes of its waves, and its buffers."""

    launch: int
    lanes: int
    regions: tuple[Region, ...]


def add_lines(lines: Lines, format_: Format, shape: Shape, log: Log) -> None:
    """Add a line for each execution of an instruction in each wave."""
    for part in _by_accesses(log):
        _add_alike(lines, format_, shape, part)


def _by_accesses(log: Log) -> list[Log]:
    """The executions with the same accesses: a flat access goes to LDS or to memory."""
    alike: dict[tuple[object, ...], list[int]] = {}
    for place, accesses in enumerate(log.accesses):
        alike.setdefault(tuple([(each.kind, each.space, each.size) for each in accesses]), []).append(place)
    if len(alike) < 2:
        return [log]
    return [_chosen(log, places) for places in alike.values()]


def _chosen(log: Log, places: list[int]) -> Log:
    def of(values: list[T]) -> list[T]:
        return [values[place] for place in places]

    return replace(
        log, steps=of(log.steps), waves=of(log.waves), masks=of(log.masks), accesses=of(log.accesses),
        vectors=[(of(kept), row) for kept, row in log.vectors],
        scalars=[(of(kept), place) for kept, place in log.scalars],
    )  # fmt: skip


def _add_alike(lines: Lines, format_: Format, shape: Shape, log: Log) -> None:
    joined = _joined(shape, log)
    on = np.unpackbits(joined.exec.astype("<u8").view(np.uint8).reshape(-1, 8), 1, shape.lanes, "little")
    registers = _registers(log, on.view(np.bool_))
    accesses = log.accesses[0] if log.accesses else ()
    located = [_memory(log, number, shape.regions) for number in range(len(accesses))]
    words = [field.words for field in registers] + [each.words for each in located]
    keys = [format_.style.keys(each) for each in words] + [each.regions for each in located]
    for some in _alike(keys, len(joined.waves)):
        own = joined.of(some)
        parts = format_.head(log.traced, own, bool(words))
        for number, field in enumerate(registers):
            parts.append(format_.register(field.name, not number))
            parts += format_.style.shown(int(keys[number][some][0]), field.words.of(some))
        parts.append(format_.between(len(registers)))
        for number, each in enumerate(located):
            region = each.name(int(each.regions[some][0]), shape.regions)
            parts.append(format_.memory(accesses[number], region, not number))
            key = int(keys[len(registers) + number][some][0])
            parts += format_.style.shown(key, each.words.of(some))
            parts.append(format_.after_memory())
        parts.append(format_.end(len(located)))
        lines.add(side_by_side(len(own.waves), parts), own.waves, own.steps)


def _joined(shape: Shape, log: Log) -> _Joined:
    first, whole = log.waves[0], np.uint64((1 << shape.lanes) - 1)
    steps = np.array(log.steps, np.int64)
    if len(set(map(id, log.waves))) == 1:
        waves, steps = np.tile(first, len(log.waves)), np.repeat(steps, len(first))
    else:
        waves, steps = np.concatenate(log.waves), np.repeat(steps, [len(each) for each in log.waves])
    exec_ = np.full(len(waves), whole)
    if not log.is_full:
        exec_ = np.concatenate(
            [
                np.full(len(own), whole) if mask is None else mask.astype(np.uint64)
                for mask, own in zip(log.masks, log.waves, strict=True)
            ]
        )
    return _Joined(shape.launch, steps, waves.astype(np.int64), exec_, shape.lanes)


def _alike(keys: Sequence[NDArray[np.int64]], count: int) -> list[Some]:
    """The lines with the same keys."""
    varying = [key for key in keys if (key != key[0]).any()]
    if not varying:
        return [slice(None)]
    place = np.zeros(count, np.int64)
    for key in varying:
        values, each = np.unique(key, return_inverse=True)
        place = place * len(values) + each.reshape(-1)
    order = np.argsort(place, kind="stable")
    return [*np.split(order, np.flatnonzero(np.diff(place[order])) + 1)]


def _registers(log: Log, on: NDArray[np.bool_]) -> list[_Field]:
    fields: list[_Field] = []
    everywhere = on if log.traced.masked else np.ones_like(on)
    for (kept, _), (name, _) in zip(log.vectors, log.traced.vectors, strict=True):
        words = np.frombuffer(b"".join(kept), np.uint32).reshape(on.shape)
        fields.append(_Field(name, Words(words, everywhere)))
    for (kept, _), (name, _) in zip(log.scalars, log.traced.scalars, strict=True):
        are_numbers = set(map(type, kept)) == {np.uint32}
        words = np.array(kept) if are_numbers else np.concatenate([np.atleast_1d(value) for value in kept])
        fields.append(_Field(name, Words(words[:, None], np.ones((len(words), 1), np.bool_))))
    return fields


class _Memory(Struct, frozen=True):
    """Offsets of lines in the region of each, by its place, or -1."""

    words: Words
    regions: NDArray[np.int64]
    space: Space

    def name(self, region: int, regions: Sequence[Region]) -> str:
        if self.space is not Space.GLOBAL:
            return self.space.value
        return regions[region].name if region >= 0 else "several"


def _memory(log: Log, number: int, regions: Sequence[Region]) -> _Memory:
    accesses = [each[number] for each in log.accesses]
    offsets = np.concatenate([each.offsets for each in accesses])
    reached = np.concatenate([each.reached for each in accesses])
    space = accesses[0].space
    if space is not Space.GLOBAL:
        return _Memory(Words(offsets.astype(np.uint32), reached), np.zeros(len(offsets), np.int64), space)
    starts = np.array([region.first for region in regions], np.int64)
    owner = np.searchsorted(starts, offsets, "right") - 1
    first = owner[np.arange(len(owner)), reached.argmax(axis=1)]
    alike = ((owner == first[:, None]) | ~reached).all(axis=1)
    base = np.where(alike, starts[first], 0)
    words = (offsets - base[:, None]).astype(np.uint32)
    return _Memory(Words(words, reached), np.where(alike, first, -1), space)
