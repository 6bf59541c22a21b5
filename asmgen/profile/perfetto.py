"""A profile as a trace of Perfetto, which ui.perfetto.dev opens: a track for each wave with its instructions
and stalls, a nanosecond for each clock.

The format is protobuf's (perfetto/trace/perfetto_trace.proto); the few messages that a trace of slices needs
are written here. A slice is an event that begins and an event that ends.

    Trace          1 packet
    TracePacket    8 timestamp, 10 sequence, 11 track event, 13 flags, 60 track descriptor
    Track          1 uuid, 2 name, 3 process (1 pid, 6 name), 5 parent
    Event          9 type (1 begins, 2 ends), 11 track uuid, 23 name, 4 annotation (10 name, 3 number, 6 text)
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.profile.build import Profiled
from isa.text.printing import format_instr
from isa.timing.timeline import CAUSES, Cause, Timeline, WaveClocks

_SEQUENCE = 1
_CLEARED = 1  # flag of the first packet: the sequence's state begins
_BEGINS, _ENDS = 1, 2
_GAP = 1000  # nanoseconds between launches


def to_perfetto(launches: Sequence[Profiled]) -> bytes:
    """The trace of successive launches; a process for each launch."""
    packets = [_packet(0, _varint_field(13, _CLEARED))]
    start = 0
    for number, each in enumerate(launches, 1):
        process = _track(number << 32, f"{each.profile.name} for {each.profile.target}", pid=number)
        packets.append(_packet(None, _bytes_field(60, process)))
        texts = [format_instr(instr) for instr in each.timeline.trace.instructions]
        for wave in each.timeline.waves:
            packets += _wave(each.timeline, wave, number << 32, start, texts)
        start += each.timeline.clocks + _GAP
    return b"".join(_bytes_field(1, packet) for packet in packets)


def _wave(
    timeline: Timeline, wave: WaveClocks, process: int, start: int, texts: Sequence[str]
) -> list[bytes]:
    """The track of a wave: a slice for each of its charges."""
    traced = timeline.trace.waves[wave.wave]
    track = process + wave.wave + 1
    name = f"workgroup {traced.group} wave {traced.number} (SIMD {wave.simd})"
    packets = [_packet(None, _bytes_field(60, _track(track, name, parent=process)))]
    steps: list[int] = traced.steps[wave.step].tolist()
    causes: list[int] = wave.cause.tolist()
    culprits: list[int] = wave.culprit.tolist()
    spent: list[int] = wave.clocks.tolist()
    clock = start + wave.start
    for line, cause, clocks, culprit in zip(steps, causes, spent, culprits, strict=True):
        kind = CAUSES[cause]
        label = texts[line] if kind is Cause.ISSUED else kind.value
        notes = [_annotation("line", line)]
        if kind is not Cause.ISSUED:
            notes.append(_annotation("instruction", texts[line]))
        if culprit >= 0:
            notes.append(_annotation("culprit", texts[culprit]))
        packets.append(_event(clock, track, _BEGINS, label, notes))
        clock += clocks
        packets.append(_event(clock, track, _ENDS))
    return packets


def _event(clock: int, track: int, kind: int, name: str = "", notes: Sequence[bytes] = ()) -> bytes:
    event = _varint_field(9, kind) + _varint_field(11, track)
    if name:
        event += _bytes_field(23, name.encode())
    return _packet(clock, _bytes_field(11, event + b"".join(notes)))


def _annotation(name: str, value: int | str) -> bytes:
    field = _varint_field(3, value) if isinstance(value, int) else _bytes_field(6, value.encode())
    return _bytes_field(4, _bytes_field(10, name.encode()) + field)


def _track(uuid: int, name: str, pid: int = 0, parent: int = 0) -> bytes:
    track = _varint_field(1, uuid) + _bytes_field(2, name.encode())
    if pid:
        track += _bytes_field(3, _varint_field(1, pid) + _bytes_field(6, name.encode()))
    return track + (_varint_field(5, parent) if parent else b"")


def _packet(clock: int | None, content: bytes) -> bytes:
    stamp = b"" if clock is None else _varint_field(8, clock)
    return stamp + _varint_field(10, _SEQUENCE) + content


def _varint_field(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value)


def _bytes_field(number: int, value: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    """A number in groups of seven bits, the lowest first."""
    made = bytearray()
    while value > 0x7F:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    made.append(value)
    return bytes(made)
