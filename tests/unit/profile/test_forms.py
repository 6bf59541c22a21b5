"""The forms of a profile: text, JSON, a page and a trace of Perfetto."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from asmgen.profile.build import Profiled
from asmgen.profile.page import profile_data
from asmgen.profile.result import Profile
from tests.unit.profile.profiles import catalogue_profile

Field = tuple[int, int | bytes]


@pytest.fixture(scope="module")
def profile() -> Profile:
    return catalogue_profile("full_sum", "gfx1100", n="65536")


def fields(message: bytes) -> Iterator[Field]:
    """The fields of a message of protobuf: a number, and a varint or bytes."""
    place = 0

    def varint() -> int:
        nonlocal place
        value = shift = 0
        while True:
            octet = message[place]
            place += 1
            value |= (octet & 0x7F) << shift
            shift += 7
            if not octet & 0x80:
                return value

    while place < len(message):
        key = varint()
        value = varint()
        if key & 7 == 2:
            yield key >> 3, message[place : place + value]
            place += value
        else:
            assert key & 7 == 0
            yield key >> 3, value


def slices(trace: bytes) -> tuple[dict[int, str], dict[int, Counter[str]]]:
    """The names of the tracks of a trace, and the clocks of each track by the names of its slices."""
    names: dict[int, str] = {}
    clocks: dict[int, Counter[str]] = defaultdict(Counter)
    opened: dict[int, tuple[str, int]] = {}
    for number, packet in fields(trace):
        assert number == 1 and isinstance(packet, bytes)
        of_packet = dict(fields(packet))
        assert of_packet[10] == 1
        if isinstance(track := of_packet.get(60), bytes):
            described = dict(fields(track))
            names[int(described[1])] = bytes(described[2]).decode()
        if isinstance(event := of_packet.get(11), bytes):
            described = dict(fields(event))
            track_of, clock = int(described[11]), int(of_packet[8])
            if described[9] == 1:
                assert track_of not in opened
                opened[track_of] = bytes(described[23]).decode(), clock
            else:
                name, since = opened.pop(track_of)
                clocks[track_of][name] += clock - since
    assert not opened
    return names, clocks


def causes_of(each: Profiled) -> Counter[str]:
    return Counter(dict(each.profile.causes))


def check_tracks(profile: Profile, names: dict[int, str], clocks: dict[int, Counter[str]]) -> None:
    for number, each in enumerate(profile.launches, 1):
        process = number << 32
        tracks = [clocks[process + 1 + wave.wave] for wave in each.timeline.waves]
        assert [sum(track.values()) for track in tracks] == [wave.end - wave.start for wave in each.timeline.waves]
        total = sum(tracks, Counter[str]())
        causes = causes_of(each)
        assert all(total[cause] == count for cause, count in causes.items() if cause != "issued")
        assert sum(total.values()) == causes.total()
        assert names[process] == f"{each.profile.name} for {each.profile.target}"
        first = each.timeline.trace.waves[0]
        assert names[process + 1].startswith(f"workgroup {first.group} wave {first.number} ")


def test_a_trace_of_perfetto_has_the_clocks_of_the_profile(profile: Profile) -> None:
    check_tracks(profile, *slices(profile.to_perfetto()))


@pytest.mark.slow  # the package fetches a program from the network
def test_perfettos_trace_processor_reads_the_trace(profile: Profile, tmp_path: Path) -> None:
    processor = pytest.importorskip("perfetto.trace_processor", reason="perfetto is not installed: pip install perfetto")
    path = tmp_path / "trace.pftrace"
    path.write_bytes(profile.to_perfetto())
    try:
        reader = processor.TraceProcessor(trace=str(path))
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"perfetto's trace processor cannot be fetched: {error}")
    rows = reader.query("select name, sum(dur) as clocks from slice group by name")
    clocks = Counter[str]({row.name: row.clocks for row in rows})
    reader.close()
    expected = sum((causes_of(each) for each in profile.launches), Counter[str]())
    assert clocks.total() == expected.total()
    assert all(clocks[cause] == count for cause, count in expected.items() if cause != "issued")


def test_perfettos_own_messages_read_the_trace(profile: Profile) -> None:
    messages = pytest.importorskip("perfetto.protos.perfetto.trace.perfetto_trace_pb2", reason="perfetto is not installed")
    trace = messages.Trace()
    trace.ParseFromString(profile.to_perfetto())
    events = [packet.track_event for packet in trace.packet if packet.HasField("track_event")]
    begun = [event for event in events if event.type == event.TYPE_SLICE_BEGIN]
    assert 2 * len(begun) == len(events)
    charges = sum(len(wave.clocks) for each in profile.launches for wave in each.timeline.waves)
    assert len(begun) == charges
    assert {note.name for event in begun for note in event.debug_annotations} == {"line", "instruction", "culprit"}


def test_json_has_every_figure(profile: Profile) -> None:
    document = json.loads(profile.to_json())
    assert document["version"] == 1
    for found, each in zip(document["launches"], profile.profiles, strict=True):
        assert found["launch_clocks"] == each.launch_clocks
        assert sum(clocks for _, clocks in found["causes"]) == found["residence"]
        assert sum(line["clocks"] for line in found["lines"]) == found["residence"]
        places = {int(line["place"].split(":")[1]) for line in found["lines"] if line["place"]}
        assert places <= {1, 2, 3, 4}, "the program's lines, and none of its assembly"


def test_the_pages_spans_and_charges_are_those_of_the_timeline(profile: Profile) -> None:
    for each in profile.launches:
        data = profile_data(each, 1)
        issued = data.causes.index("issued")
        by_cause: Counter[str] = Counter()
        for cause, clocks in zip(data.charges[1::4], data.charges[2::4], strict=True):
            by_cause[data.causes[cause]] += clocks
        assert by_cause == causes_of(each)
        assert data.charges[::4] == sorted(data.charges[::4])
        for wave, own in zip(data.waves, each.timeline.waves, strict=True):
            assert sum(wave.spans[::5]) == own.end - own.start
            in_issue = sum(clocks for clocks, cause in zip(wave.spans[::5], wave.spans[1::5], strict=True) if cause == issued)
            assert in_issue == int(own.clocks[own.cause == issued].sum())
            assert all(-1 <= other < len(data.waves) for other in wave.spans[4::5])


def test_the_text_shows_the_worst_lines_first(profile: Profile) -> None:
    text = profile.to_text()
    first, second = text.split("\n\nfull_sum_1 for ")
    shares = [float(found) for found in re.findall(r"^ +\d+ +[\d,]+ +([\d.]+)%", first, re.MULTILINE)]
    assert len(shares) == 10 and shares == sorted(shares, reverse=True)
    assert "waits for line" in first and "what to try" in first
    assert re.search(r"\n\n2 launches: [\d.]+ us\n", second)
    assert all(len(line) <= 110 for line in text.splitlines())
