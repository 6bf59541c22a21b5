"""Atomics of one lane on the emulator and in AMD's words: the contents of memory, and what comes back.

Each lane has a location of its own. Denormals are kept, as MODE says by default; the test itself has the
rules of the manuals' chapters on float memory atomics beyond the pseudocode.
"""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from isa.constants import BITS
from isa.emulator.state.global_memory import Memory
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Waves
from isa.instruction import OFF, Instr, Kind, Operand, Row, Trait, Unit
from isa.registers import Register, vgpr
from isa.semantics import resolve
from isa.semantics.accesses import AtomicUpdate
from isa.table import table_of
from tests.pseudocode.evaluator import Evaluator, State
from tests.pseudocode.judge import UNDEFINED, number
from tests.pseudocode.machine import MODE, Machine, Words
from tests.pseudocode.operands import values
from tests.pseudocode.parser import parse
from tests.pseudocode.source import Manual
from tests.pseudocode.subjects import MANUALS, Subject, machines
from tests.pseudocode.syntax import Node
from tests.pseudocode.trial import Outcome

_ADDRESS, _RESULT, _DATA = 0, 4, (8, 12)
_CELL = 16  # bytes that a lane has of memory
_CALCULATED = re.compile(r"Calc\w+Addr\([^)]*\)")  # the memory of the access, of which the manual has chapters
_ELEMENTS = {"f2": "f16x2", "u2": "bf16x2", "f4": "f32", "f8": "f64"}
_NAMES = {"data0": "DATA", "vdata": "DATA", "data1": "DATA2"}


@cache
def atomics() -> tuple[Subject, ...]:
    """Rows of LDS, and of memory by a VGPR address alone, each once if machines of one manual share it."""
    found: dict[tuple[Row, str], Subject] = {}
    for target in machines():
        for row in table_of(target).rows:
            plain = row.unit is Unit.LDS or not any(spec.kinds & Kind.SGPR or spec.name == "srsrc" for spec in row.operands)
            narrow = all(spec.count <= 2 for spec in row.operands)
            if Trait.ATOMIC in row.traits and plain and narrow and isinstance(resolve(row.semantics), AtomicUpdate):
                found.setdefault((row, MANUALS[target.name]), Subject(row, target))
    return tuple(found.values())


def says_memory(subject: Subject) -> bool:
    """Whether the manual says by `MEM` the contents of memory."""
    return subject.has_text and "MEM" in subject.manual.texts[subject.row.name]


def _instr(row: Row) -> Instr:
    first = {"vdst": _RESULT, "data0": _DATA[0], "vdata": _DATA[0], "data1": _DATA[1]}
    operands: list[Operand] = [
        OFF if spec.kinds is Kind.OFF else vgpr(first.get(spec.name, _ADDRESS), spec.count) for spec in row.operands
    ]  # fmt: skip
    return Instr(row, tuple(operands))


def _joined(machine: Machine, register: Register) -> list[int]:
    """A register of each lane, up to 128 bits."""
    words = [machine.read(register.part(i))[0] for i in range(register.count)]
    return [sum(int(word[lane]) << 32 * i for i, word in enumerate(words)) for lane in range(len(words[0]))]


def outcomes(subject: Subject, rng: np.random.Generator) -> list[Outcome]:
    """A location of each lane after the atomic, and the lane's result, on random operands."""
    row, lanes = subject.row, subject.lanes
    atomic = resolve(row.semantics)
    assert isinstance(atomic, AtomicUpdate)
    element = _ELEMENTS.get(atomic.dtype, f"b{8 * atomic.size}")
    cells = values(element, lanes, rng)
    given = {spec.name: _drawn(atomic, spec.type, cells, rng) for spec in row.operands if spec.name in _NAMES}
    got, memory = emulated(subject, cells, given)
    mask = (1 << 8 * atomic.size) - 1
    results: list[Outcome] = []
    for lane in range(lanes):
        held = int(cells[lane]) & mask
        sources = (held, *(int(x[lane]) for x in given.values()))
        state: State = {"MEM": {0: number(held)}, "ADDR": number(0), "RETURN_DATA": number(UNDEFINED)}
        state |= {_NAMES[name]: number(int(x[lane])) for name, x in given.items()}
        Evaluator(subject.manual.program).run(program(subject.manual, row.name), state)
        wanted = int(state["MEM"][0].value) & mask
        results.append(Outcome("memory", element, (wanted,), memory[lane] & mask, sources, row.name))
        if row.defines:
            results.append(Outcome("result", element, (held,), got[lane] & mask, sources, row.name))
    return results


def _drawn(atomic: AtomicUpdate, type_name: str, cells: Words, rng: np.random.Generator) -> Words:
    """Data, a quarter of which equals memory, in its upper half if it is of two values."""
    drawn, width = values(type_name, len(cells), rng), np.uint64(8 * atomic.size)
    same = cells if BITS[type_name] <= width else cells << width | drawn & np.uint64((1 << int(width)) - 1)
    return np.where(rng.integers(0, 4, len(cells)) == 0, same, drawn)


@cache
def program(manual: Manual, name: str) -> tuple[Node, ...]:
    """The parsed text, in which every access goes to location 0."""
    return parse(_CALCULATED.sub("0", manual.texts[name]))


def emulated(subject: Subject, cells: Words, given: dict[str, Words], mode: int = MODE) -> tuple[list[int], list[int]]:
    """The result of each lane, and its location afterwards, for the `cells` and the data `given` of each
    lane."""
    lanes, instr = subject.lanes, _instr(subject.row)
    layout = RegisterLayout(32, 0, target=subject.target)
    memory = Memory()
    region = memory.add("memory", lanes * _CELL)
    memory.freeze()
    waves = Waves(1, 1, layout.rows, layout.pairs, memory, lanes * _CELL, 0, layout.lanes)
    machine = Machine(waves, layout)
    in_lds = subject.row.unit is Unit.LDS
    store = waves.lds[0] if in_lds else memory.content(region)
    places = store.view(np.uint64)[:: _CELL // 8]
    places[:] = cells
    base = np.uint64(0 if in_lds else region.address)
    machine.write(vgpr(_ADDRESS, 2), (base + np.arange(lanes, dtype=np.uint64) * np.uint64(_CELL))[None])
    for name, content in given.items():
        machine.write(vgpr(_DATA[name == "data1"], 2), content[None])
    machine.step(instr, np.array([(1 << lanes) - 1], np.uint64), mode)
    result = instr.operands[subject.row.defines[0]] if subject.row.defines else None
    return _joined(machine, result) if isinstance(result, Register) else [], [int(x) for x in places]
