"""How far the clocks of a timeline are to be trusted: the record on which each charged clock rests."""

from __future__ import annotations

from isa.timing.address_units import ADDRESS_UNITS
from isa.timing.busy import MATRIX_ALU, SCALAR_ALU, TRANSCENDENTAL, VECTOR_ALU
from isa.timing.caches import Caches
from isa.timing.channels import CHANNELS, L2_CHANNELS
from isa.timing.lds import LDS_RATES
from isa.timing.machine import Machine
from isa.timing.operation import (
    LDS_PORT,
    OFF,
    SCALAR,
    SCALAR_MEMORY_PORT,
    Operation,
)
from isa.timing.row_clocks import MATRIX_PIPE, TRANSCENDENTAL_PIPE
from isa.timing.timeline import Cause
from isa.trust import Latency, Trust


def rests_on(cause: Cause, culprit: Operation | None, machine: Machine, caches: Caches) -> Latency:
    """The number which decides clocks that are charged to a cause; `culprit` is the instruction that the wave
    waits for."""
    match cause:
        case Cause.DEPENDENCY | Cause.PORT if culprit is not None:
            return _result(culprit, machine)
        case Cause.COUNTER | Cause.QUEUE | Cause.LDS_CONFLICT if culprit is not None:
            return _memory(culprit, machine, caches)
        case Cause.BARRIER:
            return machine.barrier
        case Cause.BRANCH:
            return machine.branch
        case Cause.FETCH:
            return machine.fetch
        case Cause.SLEEP:
            return machine.sleep
        case Cause.END:
            return machine.end
        case _:
            return machine.issue


def _result(culprit: Operation, machine: Machine) -> Latency:
    if culprit.kind == SCALAR:
        return machine.scalar
    if culprit.kind > OFF:
        return machine.access_issue
    if culprit.pipe == MATRIX_PIPE:
        return machine.matrix_pass
    return machine.transcendental if culprit.pipe == TRANSCENDENTAL_PIPE else machine.vector


def _memory(culprit: Operation, machine: Machine, caches: Caches) -> Latency:
    if culprit.port == LDS_PORT:
        return machine.lds
    if culprit.port == SCALAR_MEMORY_PORT:
        return caches.scalar_memory
    return caches.memory if culprit.writes else caches.store


def rate_trust(unit: str, target: str, machine: Machine, caches: Caches) -> Trust:
    """How far to trust the rate of a unit of `isa.timing.busy`, or of the memory."""
    rates = {
        VECTOR_ALU: machine.issue.trust,
        MATRIX_ALU: machine.matrix_pass.trust,
        TRANSCENDENTAL: machine.quarter.trust,
        SCALAR_ALU: machine.scalar.trust,
        "address unit": ADDRESS_UNITS[target].requests.trust,
        L2_CHANNELS: CHANNELS[target].stored.trust,
    }
    rates |= {level.name: level.rate.trust for level in (*caches.vector[1:], caches.scalar)}
    rates[caches.rate_of] = caches.memory_rate.trust
    return rates.get(unit, LDS_RATES[target].returned.trust)
