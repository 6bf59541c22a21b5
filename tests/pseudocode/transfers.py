"""Loads, stores and exchanges of one lane on the emulator and in AMD's words: LDS, and memory by a VGPR address alone."""

from __future__ import annotations

from functools import cache

import numpy as np

from isa.emulator.state.global_memory import Memory
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Waves
from isa.instruction import OFF, Instr, Kind, Operand, Row, Trait, Unit
from isa.registers import vgpr
from isa.semantics import resolve
from isa.semantics.accesses import Load, PairExchange, PairLoad, PairStore, Store
from isa.table import table_of
from tests.pseudocode.atomics import program
from tests.pseudocode.evaluator import Evaluator, State
from tests.pseudocode.judge import number
from tests.pseudocode.machine import Machine
from tests.pseudocode.subjects import MANUALS, Subject, machines
from tests.pseudocode.trial import Outcome
from tests.pseudocode.values import Value

_ADDRESS, _RESULT = 0, 4
_DATA = {"data0": 8, "vdata": 8, "data1": 12}
_CELL = 2048  # bytes that a lane has of memory
_OFFSETS = ("offset", "offset0", "offset1")


class Bytes:
    """Memory of the pseudocode: `MEM[address]` is what stands there, up to 64 bits."""

    def __init__(self, content: bytearray) -> None:
        self.content = content

    def get(self, address: int) -> Value:
        return Value("b", 64, int.from_bytes(self.content[address : address + 8], "little"))

    __getitem__ = get

    def __setitem__(self, address: int, value: Value) -> None:
        room = len(self.content[address : address + 8])
        self.content[address : address + room] = value.value.to_bytes(8, "little")[:room]


@cache
def transfers() -> tuple[Subject, ...]:
    """Rows with a text that describes their data, each once if machines of one manual share it."""
    found: dict[tuple[Row, str], Subject] = {}
    for target in machines():
        for row in table_of(target).rows:
            if row.unit not in (Unit.LDS, Unit.VMEM, Unit.FLAT) or any(spec.kinds & Kind.SGPR or spec.name == "srsrc" for spec in row.operands):
                continue
            if Trait.LDS_DMA in row.traits:
                continue
            subject = Subject(row, target)
            text = subject.manual.texts.get(row.name, "")
            if "MEM[" in text and "laneI" not in text and isinstance(resolve(row.semantics), Load | Store | PairLoad | PairStore | PairExchange):
                found.setdefault((row, MANUALS[target.name]), subject)
    return tuple(found.values())


def _instr(row: Row, offsets: dict[str, int]) -> Instr:
    registers: dict[str, Operand] = {}
    for spec in row.operands:
        place = _DATA.get(spec.name, _RESULT if spec.name == "vdst" or spec.tied else _ADDRESS)
        registers[spec.name] = OFF if spec.kinds is Kind.OFF else vgpr(place, spec.count)
    kept = tuple((spec.name, offsets[spec.name]) for spec in row.modifiers if offsets.get(spec.name))
    return Instr(row, tuple(registers.values()), kept)


def _machine(subject: Subject, content: bytes) -> tuple[Machine, np.ndarray[tuple[int], np.dtype[np.uint8]]]:
    """A wave with successive parts of memory for its lanes, of so many bytes each, and the bytes."""
    layout, memory = RegisterLayout(32, 0, target=subject.target), Memory()
    region = memory.add("memory", len(content))
    memory.freeze()
    waves = Waves(1, 1, layout.rows, layout.pairs, memory, len(content), 0, layout.lanes)
    in_lds = subject.row.unit is Unit.LDS
    store = waves.lds[0] if in_lds else memory.content(region)
    store[:] = np.frombuffer(content, np.uint8)
    machine = Machine(waves, layout)
    base = np.uint64(0 if in_lds else region.address)
    machine.write(vgpr(_ADDRESS, 2), (base + np.arange(subject.lanes, dtype=np.uint64) * np.uint64(_CELL))[None])
    return machine, store


def outcomes(subject: Subject, rng: np.random.Generator, judged: int) -> list[Outcome]:
    """What `judged` lanes get and leave, on random registers, memory and offsets."""
    row, lanes = subject.row, subject.lanes
    text = subject.manual.texts[row.name]
    spelt = row.modifiers if row.unit is Unit.LDS else ()  # elsewhere the offset is part of the address that the text calculates
    offsets = {spec.name: int(rng.integers(0, 3)) for spec in spelt if spec.name in _OFFSETS and spec.name.upper() in text}
    if "offset" in offsets:
        offsets["offset"] *= 16
    machine, store = _machine(subject, rng.bytes(lanes * _CELL))
    before = store.tobytes()
    held = {place: rng.integers(0, 1 << 32, (4, lanes), np.uint64) for place in (_RESULT, 8, 12)}
    for place, words in held.items():
        for i, word in enumerate(words):
            machine.write(vgpr(place + i), word[None])
    machine.step(_instr(row, offsets), np.array([(1 << lanes) - 1], np.uint64))
    results: list[Outcome] = []
    for lane in rng.choice(lanes, judged, replace=False).tolist():
        old, data, second = (sum(int(held[place][i, lane]) << 32 * i for i in range(4)) for place in (_RESULT, 8, 12))
        memory = Bytes(bytearray(before[lane * _CELL : (lane + 1) * _CELL]))
        state: State = {"MEM": memory, "ADDR": number(0), "ADDR_BASE": number(0), "RETURN_DATA": Value("b", 128, old)}
        state |= {"DATA": Value("b", 128, data), "DATA2": Value("b", 128, second), "VDATA": Value("b", 128, old if row.defines else data)}
        state |= {name.upper(): number(offsets.get(name, 0)) for name in _OFFSETS}
        Evaluator(subject.manual.program).run(program(subject.manual, row.name), state)
        after, right = store[lane * _CELL : (lane + 1) * _CELL].tobytes(), bytes(memory.content)
        first = next((i for i in range(_CELL) if after[i] != right[i]), 0)
        wanted, got = (int.from_bytes(content[first : first + 8], "little") for content in (right, after))
        results.append(Outcome("memory", "b64", (wanted,), got, (data, second), row.name))
        if row.defines:
            count = row.operands[row.defines[0]].count
            mask = (1 << 32 * count) - 1
            wanted = state["VDATA" if "VDATA" in text else "RETURN_DATA"].value & mask
            got = sum(int(machine.read(vgpr(_RESULT + i))[0, lane]) << 32 * i for i in range(count))
            results.append(Outcome("result", "b128", (wanted,), got, (old,), row.name))
    return results
