"""Record some workgroups of a launch, for the clock model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import prod

from msgspec import Struct
from msgspec.structs import replace

from isa.diagnostics import InputError
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.launching.launch import Settings, layout_of
from isa.emulator.program.code import Code
from isa.emulator.program.image import Image
from isa.emulator.program.scopes import kinds_of
from isa.emulator.recording.deciding import unread
from isa.emulator.recording.recorded import byte_addresses, waves_of
from isa.emulator.recording.recorder import Recorder
from isa.emulator.runner import run_image
from isa.instruction import Instr, Label, Trait, Unit
from isa.targets import parse_target
from isa.timing.trace import Trace

_TOO_MANY_STEPS = "EMU011"
_PEELED = 2  # trips of a waiting loop that a wave makes without waiting


class Spin(Struct, frozen=True):
    """A loop that waits for other waves: its load, and the most trips of a wave in the emulator. Hardware
    decides how many trips there are, so the clocks of the loop are a guess."""

    index: int
    trips: int


class Recording(Struct, frozen=True):
    """The trace of some workgroups, and its loops with a number of trips that timing decides."""

    trace: Trace
    spins: tuple[Spin, ...]


def record(
    image: Image, launch: KernelCall, groups: Sequence[int], *, settings: Settings = Settings()
) -> Recording:
    """Run the workgroups `groups` of a launch, by their places in the grid, and record their instructions.

    Raises `InputError` as `run_image` does; EMU010 or EMU021 if the workgroups wait for others that are not
    among them.
    """
    recorder = Recorder()
    settings = replace(settings, groups=tuple(groups))
    run_image(image, launch, settings=settings, observers=[recorder])
    trace = _trace_of(recorder, image, launch)
    return Recording(trace, _spins(image, trace))


def record_start(
    image: Image, launch: KernelCall, groups: Sequence[int], steps: int, *, settings: Settings = Settings()
) -> Trace:
    """The first instructions of some workgroups, about `steps` of each wave, or all if there are fewer. Waves
    that go different ways share the number. Raises `InputError` as `record` does."""
    recorder = Recorder()
    waves = len(groups) * _waves_a_group(image, launch)
    settings = replace(settings, groups=tuple(groups), step_limit=steps, chunk_waves=waves)
    try:
        run_image(image, launch, settings=settings, observers=[recorder])
    except InputError as error:
        if error.code != _TOO_MANY_STEPS:
            raise
    return _trace_of(recorder, image, launch)


def _waves_a_group(image: Image, launch: KernelCall) -> int:
    return -(-prod(launch.block) // layout_of(image).lanes)


def _trace_of(recorder: Recorder, image: Image, launch: KernelCall) -> Trace:
    target = parse_target(image.target, image.place).target
    instructions = tuple([each for each in image.code.operations if isinstance(each, Instr)])
    waves_a_group = _waves_a_group(image, launch)
    waves = tuple([wave for chunk in recorder.chunks for wave in waves_of(chunk, waves_a_group)])
    places = byte_addresses(image.code, target)
    return Trace(target, instructions, places, waves, prod(launch.grid), waves_a_group)


def joined(image: Image, one: Recording, other: Recording) -> Recording:
    """Two recordings of different workgroups of a launch as a single recording."""
    waves = sorted((*one.trace.waves, *other.trace.waves), key=lambda wave: (wave.group, wave.number))
    trace = one.trace._replace(waves=tuple(waves))
    return Recording(trace, _spins(image, trace))


def waits_for_others(code: Code, lanes: int) -> bool:
    """Whether a loop waits for other waves, which have `lanes` lanes."""
    return bool(_waiting(code, lanes))


def _waiting(code: Code, lanes: int) -> list[int]:
    """The loads by which loops wait for other waves: the loaded words decide when the loop ends. A loop that
    loads the same words again and ignores them does not wait."""
    repeated = [index for index, kind in enumerate(kinds_of(code)) if kind.waits]
    ignored = unread(code, lanes) if repeated else frozenset[int]()
    return [index for index in repeated if index not in ignored]


def counts_others(code: Code) -> bool:
    """Whether an atomic operation on global memory returns a value, which may say which workgroup is last."""
    return any(
        isinstance(each, Instr)
        and Trait.ATOMIC in each.row.traits
        and each.row.unit is not Unit.LDS
        and bool(each.row.defines)
        for each in code.operations
    )


def has_loop(code: Code) -> bool:
    """Whether a branch goes back."""
    for index, operation in enumerate(code.operations):
        target = operation.operands[-1] if isinstance(operation, Instr) and operation.operands else None
        if isinstance(target, Label) and code.labels.get(target.name, index + 1) <= index:
            return True
    return False


def _spins(image: Image, trace: Trace) -> tuple[Spin, ...]:
    trips = Counter[int]()
    for index in _waiting(image.code, image.descriptor.wave_size):
        trips[index] = max(int((wave.steps == index).sum()) for wave in trace.waves)
    return tuple([Spin(index, count) for index, count in trips.items() if count > _PEELED])
