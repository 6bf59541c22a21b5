"""The figures of a program, over all its launches, from a sample of each."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence

from msgspec import Struct

from isa.instruction import Event, Instr, Trait, Unit
from isa.target import Target
from isa.targets import parse_target
from isa.text.printing import format_instr
from isa.timing.machine import MACHINES
from isa.timing.row_clocks import row_clocks
from isa.waits import waited
from tools.mca import PricedLine, cycles, nop_states
from tools.scoreboard.sample import Sample

_MEMORY = (Unit.VMEM, Unit.FLAT)


class Figures(Struct, frozen=True):
    """The cost of a program. None means that a figure is unknown.

    `instructions`, `nops`, `cycles` and `conflicts` count for each lane and element, so that kernels with
    different numbers of elements in a lane are comparable: the instructions of all waves (or wait states,
    llvm-mca's cycles of a wave's own path, cycles lost to bank conflicts), times the lanes of a wave, divided
    by the elements.

    `waves`: waves for each SIMD, which `vgprs` limit. `load`, `store`: bytes of a lane's memory access, as a
    mean. `in_flight`: bytes of outstanding loads in a compute unit full of waves, each at the point with most
    of its loads outstanding. `groups`: workgroups of a compute unit at once. `passes`: how often the largest
    argument is read. `clocks`: of the whole launches, by the clock model, if they were asked for.
    """

    elements_a_lane: float
    vgprs: int
    launches: int
    instructions: float
    nops: float
    waves: int
    load: float | None
    store: float | None
    cycles: float | None
    conflicts: float | None = None
    in_flight: float | None = None
    groups: float | None = None
    passes: float | None = None
    clocks: float | None = None


def figures_of(samples: Sequence[Sample], elements: int, largest: Sequence[int]) -> Figures:
    """The figures of a program's launches. `largest` has the bytes of the program's largest argument, then
    for each launch the number of that parameter, or -1 if the launch does not read it."""
    main = max(samples, key=lambda sample: sample.all_waves)
    lanes = main.image.descriptor.wave_size
    size, *numbers = largest

    def of_element(figure: float, sample: Sample) -> float:
        """A wave's figure for each lane and element."""
        return figure * sample.all_waves * lanes / elements

    prices = [_price(sample) for sample in samples]
    known = [
        _unit_cycles(price, sample)
        for price, sample in zip(prices, samples, strict=True)
        if price is not None
    ]
    read = sum(
        sample.loaded[number] * sample.groups / sample.run
        for sample, number in zip(samples, numbers, strict=True)
        if number >= 0
    )
    return Figures(
        elements_a_lane=elements / (main.all_waves * lanes),
        vgprs=max(sample.image.descriptor.vgprs for sample in samples),
        launches=len(samples),
        instructions=sum(of_element(sample.executed / sample.waves, sample) for sample in samples),
        nops=sum(of_element(sum(map(nop_states, sample.trace)), sample) for sample in samples),
        waves=_waves(main),
        load=_mean_bytes(main.trace, Trait.LOAD),
        store=_mean_bytes(main.trace, Trait.STORE),
        cycles=(
            sum(of_element(price, sample) for price, sample in zip(known, samples, strict=True))
            if len(known) == len(samples)
            else None
        ),
        conflicts=sum(of_element(sample.lost / sample.waves, sample) for sample in samples),
        in_flight=bytes_under_way(main.trace, main.target) * lanes * _waves_of_unit(main),
        groups=min(_resident(main), main.groups) / main.target.compute_units,
        passes=read / size,
    )


def _unit_cycles(path: float, sample: Sample) -> float:
    """A wave's share of the machine's time, given `path`, llvm-mca's cycles of a wave alone.

    The waves of a SIMD hide each other's latencies: n of them take the time of a path, but no less than n
    times the cycles for which a wave occupies its busiest unit. A launch with fewer workgroups than compute
    units leaves some of them idle, which counts as time too.
    """
    target = sample.target
    used = min(sample.groups, target.units) * target.simds
    waves = max(1.0, sample.all_waves / used)  # of the SIMD with most of them, during the launch
    time = waves * max(path / min(waves, _waves(sample)), _busiest(sample))
    return time * target.simds * target.units / sample.all_waves


def _busiest(sample: Sample) -> float:
    """The cycles for which a wave occupies the unit that it needs most, in llvm-mca's unit. On CDNA the
    vector ALU runs the transcendental functions too."""
    machine = MACHINES[sample.target.name]
    own_trans = sample.target.family == "rdna"
    busy: Counter[Unit] = Counter()
    for instr in sample.trace:
        unit = instr.row.unit
        where = Unit.VALU if unit in (Unit.MATRIX, *(() if own_trans else (Unit.TRANS,))) else unit
        clocks = row_clocks(instr.row, machine)
        busy[where] += clocks.pipe_hold if where is Unit.TRANS else clocks.hold
    return max(busy.values()) / machine.issue.clocks


def _price(sample: Sample) -> float | None:
    lines = [PricedLine(format_instr(instr), instr) for instr in sample.trace]
    return cycles(lines, parse_target(sample.image.target, sample.image.place))


def _machine(sample: Sample) -> Target:
    target = sample.target
    return target if sample.image.descriptor.spread else target.on_compute_units()


def _waves(sample: Sample) -> int:
    descriptor = sample.image.descriptor
    return _machine(sample).occupancy(descriptor.vgprs, descriptor.sgprs, sample.lds_bytes, sample.threads)


def _waves_of_unit(sample: Sample) -> float:
    """The resident waves of a compute unit."""
    return _waves(sample) * sample.target.simds * sample.target.units / sample.target.compute_units


def _resident(sample: Sample) -> int:
    descriptor = sample.image.descriptor
    return _machine(sample).resident_groups(
        descriptor.vgprs, descriptor.sgprs, sample.lds_bytes, sample.threads
    )


def _mean_bytes(trace: Sequence[Instr], kind: Trait) -> float | None:
    """Mean bytes of a lane's load or store of memory; None without any."""
    sizes = [instr.row.memory_bytes for instr in trace if _accesses(instr, kind)]
    return sum(sizes) / len(sizes) if sizes else None


def _accesses(instr: Instr, kind: Trait) -> bool:
    row = instr.row
    return row.unit in _MEMORY and kind in row.traits and Trait.ATOMIC not in row.traits


def bytes_under_way(trace: Sequence[Instr], target: Target) -> int:
    """The largest number of bytes of a lane's loads that are outstanding at once while a wave runs the
    trace."""
    counter = next(counter for counter in target.counters if Event.VMEM_LOAD in counter.events)
    under_way: deque[int] = deque()
    most = 0
    for instr in trace:
        if counter.events & set(instr.row.events):
            under_way.append(instr.row.memory_bytes if _accesses(instr, Trait.LOAD) else 0)
            most = max(most, sum(under_way))
        left = waited(instr).get(counter.name)
        while left is not None and len(under_way) > left:
            _ = under_way.popleft()
    return most
