"""The state of a compute unit while the clock loop replays a trace on it: its waves, their workgroups, and
what waves share."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from isa.named_tuple import NamedTuple
from isa.timing.collectors import Collectors, Gatherings
from isa.timing.journal import Journal
from isa.timing.machine import Machine
from isa.timing.matrix_queue import MatrixQueue
from isa.timing.memory import ServiceUnit
from isa.timing.operation import HINT, PORTS, Operation
from isa.timing.row_clocks import PIPES
from isa.timing.timeline import CAUSES, Cause
from isa.timing.trace import TracedWave

# The causes by their places in CAUSES.
(ISSUED, DEPENDENT, COUNTED, PORT, QUEUE, CONFLICT, AT_BARRIER, FETCH, BRANCHED, SLEEP, ENDED) = range(11)
assert [CAUSES[ISSUED], CAUSES[CONFLICT], CAUSES[ENDED]] == [Cause.ISSUED, Cause.LDS_CONFLICT, Cause.END]

WHO_BITS = 22
"""Of an event, which is its clock and its receiver: a wave by its rank, or a port from `FIRST_PORT` on."""
WHO = (1 << WHO_BITS) - 1
FIRST_PORT = 1 << WHO_BITS - 1
FIRST_RETURN = FIRST_PORT + (1 << WHO_BITS - 2)
"""The first receiver behind the ports: the ways back by which loads return as their data arrive
(`isa.timing.returns`)."""
AGE_BITS = 19
"""Of a rank, which is a wave's priority, the highest first, and its age."""
AGE = (1 << AGE_BITS) - 1
LOWEST = 3 << AGE_BITS
"""The rank of a wave of priority 0, besides its age."""

INSTRUCTION_BITS = 24
"""Of an outstanding access, which is the clock of its completion and its instruction in a number."""
INSTRUCTION = (1 << INSTRUCTION_BITS) - 1
PENDING = 1 << 40 + INSTRUCTION_BITS
"""In place of the clock of a load that waits for its data."""


class Placement(NamedTuple):
    """The unit of a wave, and the clock at which it starts."""

    simd: int
    start: int = 0


class Loading(NamedTuple):
    """A load that waits for its data and for the way back, which is busy with it for `clocks`, from `soonest`
    on. `follows` says whether it is behind another load of its clause."""

    instruction: int
    counters: tuple[int, ...]
    soonest: int
    clocks: int
    follows: bool


class Wave:
    """A wave on its way through its steps."""

    __slots__ = (
        "age", "awaits", "behind_matrix", "blocked", "bound", "cause", "charged", "charges", "clause",
        "clock", "conflicts", "cost_numbers", "costs", "counters", "culprit", "delays", "end", "follows",
        "from_scalar", "from_vector", "group", "in_order", "index", "issue", "journal", "last_access",
        "last_kind", "length", "masks_done", "matrix_again", "next", "next_cause", "next_culprit",
        "operation", "overwrite", "overwrite_until", "path", "pause", "phase", "piece", "ports", "position",
        "rank", "reserved", "returning", "scalar_busy", "scalar_clock", "scalar_source", "scalar_step",
        "sent", "simd", "start", "traced", "transcendental_issues", "vector_busy", "vector_issues",
        "vector_ready", "vector_step", "writers",
    )  # fmt: skip

    def __init__(
        self,
        index: int,
        wave: TracedWave,
        path: Sequence[Operation],
        place: Placement,
        costs: NDArray[np.int32],
        registers: int,
        counters: int,
        masks: int,
    ) -> None:
        self.index = index
        self.simd = place.simd
        self.start = place.start
        self.group = wave.group
        self.path = path  # the operation of each step
        self.costs: list[int] = costs.tolist()
        self.position = 0
        self.length = len(path)
        self.operation: Operation  # the next, of which the wave has been asked
        self.ports = place.simd * PORTS
        self.journal = Journal()
        self.issue, self.charges = self.journal.issue, self.journal.charges
        self.traced, self.cost_numbers = wave, costs
        self.vector_ready = [0] * registers  # when a vector instruction that reads it may execute
        # when another than a vector instruction that reads it may issue, if a vector instruction wrote it
        self.from_vector = [0] * registers
        # when a scalar instruction that reads it may execute, if a scalar instruction wrote it
        self.from_scalar = [0] * registers
        self.overwrite = [0] * registers  # when it may be overwritten
        self.matrix_again = [0] * registers  # when another matrix instruction that writes it may issue
        self.writers = [-1] * registers  # the instruction that wrote it last
        self.counters: list[list[int]] = [[] for _ in range(counters)]
        self.in_order = [0] * counters  # the last completion of those that complete in order
        self.clock = self.end = place.start  # of the last issue, and of the wave's end
        self.last_kind = HINT
        self.charged = place.start  # until when the wave's clocks have a cause
        self.next = place.start  # the clock from which the wave may issue, for its last instruction
        self.next_cause = FETCH
        self.next_culprit: tuple[int, int] = (-1, -1)
        self.pause = 0  # for how many clocks the last issue keeps the wave from another, if longer than usual
        self.vector_busy = 0  # the last execution in the vector ALU
        self.vector_step = -1
        self.behind_matrix = False  # whether the last instruction is a matrix instruction in a queue
        self.scalar_clock = 0  # the last issue to the scalar ALU
        self.scalar_busy = 0  # when its result is there
        self.scalar_step = -1
        self.scalar_source = 0  # from when on SGPRs may be written
        # of the last vector instructions that write SGPRs
        self.masks_done: deque[int] = deque([0] * (masks or 1), masks or 1)
        self.delays: Sequence[tuple[int, int, int]] = ()  # that hints asked for
        # the last issues, as many as an s_delay_alu can name: the clock and the instruction
        self.vector_issues: deque[tuple[int, int]] = deque(maxlen=4)
        self.transcendental_issues: deque[tuple[int, int]] = deque(maxlen=3)
        self.overwrite_until = 0
        self.sent = 0  # when its accesses of memory have sent their registers
        self.last_access = -1
        self.bound = 0  # from when on the wave may issue its next instruction, for all that it knows
        self.cause = DEPENDENT
        self.culprit = -1
        self.blocked: tuple[int, int, int] = (PORT, -1, -1)  # shared by waves, which wait for them
        self.conflicts: dict[int, int] = {}  # clocks of LDS conflicts of an instruction's last access
        self.phase = 0  # barriers passed
        self.piece = -1  # of the code, with the last instruction
        # of an access that waits for its place in a queue: when the queue opens, when its first unit is done
        # with it, and when its data are there
        self.reserved: tuple[int, int, int] | None = None
        self.returning: deque[Loading] = deque()  # loads that wait for their data
        self.awaits = False  # whether the next instruction waits for some of them
        self.clause = 0  # instructions that are left of the clause
        self.follows = False  # whether the next instruction of the clause is behind another of it


class Group:
    """A workgroup at its barrier."""

    __slots__ = ("arrived", "last", "members", "released", "waiting")

    def __init__(self) -> None:
        self.members = 0
        self.arrived = 0
        self.last: tuple[int, int] = (-1, -1)  # the last to arrive: instruction and wave
        self.released: list[tuple[int, tuple[int, int]]] = []  # the last arrival of each phase
        self.waiting: list[Wave] = []


class Shared:
    """The parts of a compute unit that its waves share. All times are clocks.

    Places are numbers of a SIMD, of a port or a pipe of a SIMD (`simd * PORTS + port`), or of an instance
    of a unit of memory. A user is an instruction and its wave.
    """

    __slots__ = (
        "collectors",
        "drained",
        "events",
        "execute_free",
        "fetched",
        "instances",
        "leaving",
        "lines",
        "matrix_queues",
        "pipe_free",
        "pipe_user",
        "port_free",
        "port_instruction",
        "port_waiting",
        "port_wave",
        "scalar_free",
        "scalars_leaving",
        "unit_free",
        "unit_queue",
        "unit_taken",
    )  # fmt: skip

    def __init__(
        self, simds: int, machine: Machine, units: tuple[ServiceUnit, ...], operations: Sequence[Operation]
    ) -> None:
        self.events: list[int] = []  # a heap
        self.port_free = [0] * (simds * PORTS)
        self.port_instruction, self.port_wave = [-1] * (simds * PORTS), [-1] * (simds * PORTS)  # the user
        self.port_waiting: list[list[int]] = [[] for _ in range(simds * PORTS)]  # heaps of ranks
        self.execute_free = [0] * simds
        self.drained = [0] * simds  # when others than matrix instructions may execute
        self.scalar_free = [0] * simds
        # when instructions leave the queues of the ALUs, so that others may enter
        self.leaving = _queues(simds, machine.queue.clocks)
        self.matrix_queues = [MatrixQueue(machine.matrix_queue.clocks) for _ in range(simds)]
        self.scalars_leaving = _queues(simds, machine.scalar_queue.clocks)
        # of each SIMD; none if reads of registers take no time
        self.collectors: list[Collectors] = []
        if machine.banks.clocks:
            gatherings = Gatherings(machine, operations)
            self.collectors = [Collectors(gatherings) for _ in range(simds)]
        self.pipe_free = [0] * (simds * PIPES)
        self.pipe_user = [(PORT, -1, -1)] * (simds * PIPES)  # why a wave that waits for it is blocked
        # of each unit: its first instance, the SIMDs of each, its room, and whether its queue is fair
        self.instances: list[tuple[int, int, int, bool]] = []
        # the last accesses of each instance, as many as its queue takes: start of service, and the user
        self.unit_queue: list[deque[tuple[int, int, int]]] = []
        count = 0
        for unit in units:
            each = unit.simds or simds
            copies = -(-simds // each)
            self.instances.append((count, each, unit.room, unit.fair))
            self.unit_queue += [deque(maxlen=unit.depth) for _ in range(copies)]
            count += copies
        self.unit_free = [0] * count
        self.unit_taken: list[deque[tuple[int, int]]] = [deque() for _ in range(count)]
        # of lines that waves share: when they are there, the step that fetches them, and a wave of these
        self.fetched: dict[int, tuple[int, int, int]] = {}
        self.lines: dict[int, int] = {}  # when lines are there that several accesses wait for


def _queues(simds: int, length: int) -> list[deque[int]]:
    """A queue for each SIMD, with every place free."""
    return [deque([0] * (length or 1), length or 1) for _ in range(simds)]
