"""A row on the emulator and in AMD's words, on the same operands."""

from __future__ import annotations

from typing import Any, NamedTuple

from isa.constants import BITS, FLOAT_TYPES
from isa.instruction import Encoding, ExecMode, Immediate, Instr, Kind, OperandSpec, Row, Trait, Unit
from isa.lane_masks import MASK_TYPES
from isa.registers import EXEC, FIRST_VGPR, SCC, VCC, Register
from tests.pseudocode.evaluator import Evaluator, State
from tests.pseudocode.machine import IEEE_MODE, MODE, Machine
from tests.pseudocode.modifiers import DWORD, finished, half, has, lane_read, lane_written, modifier, op_sel, placed, source
from tests.pseudocode.source import Manual
from tests.pseudocode.subjects import WAVE_WIDE
from tests.pseudocode.trial import LANE_CONTROLLED, Outcome, Trial
from tests.pseudocode.values import Value

UNDEFINED = 0xA5A5A5A5A5A5A5A5  # the emulator's registers before
TARGET, SOURCE = 0, 1  # the numbers of the registers that a text names by VDST and SRC0


class Part(NamedTuple):
    """One operation of the trial's instruction, and the place of its first operand there."""

    instr: Instr
    first: int


class Seen(NamedTuple):
    """A lane before the instruction, as the pseudocode has it: `written` says whether its results are kept."""

    state: State
    sources: tuple[int, ...]
    old: int
    written: bool


def _neighbours(row: Row, spec: OperandSpec, pattern: int) -> tuple[int, ...]:
    """The patterns that a result may have: of a transcendental instruction, those within 1 ULP."""
    if row.unit is not Unit.TRANS:
        return (pattern,)
    width = BITS[spec.type]
    sign, magnitude = pattern >> (width - 1) << (width - 1), pattern & ((1 << (width - 1)) - 1)
    below = sign | magnitude - 1 if magnitude else 1 << (width - 1) | 1
    return pattern, sign | magnitude + 1, below


def parts(instr: Instr) -> list[Part]:
    found: list[Part] = []
    for part in instr.parts():
        found.append(Part(part, found[-1].first + len(found[-1].instr.operands) if found else 0))
    return found


def emulate(case: Trial, waves: int) -> Machine:
    machine = Machine.of(waves, case.subject.target)
    machine.write(VCC, case.vcc)
    machine.write(SCC, case.scc)
    for i, content in case.contents.items():
        operand = case.instr.operands[i]
        assert isinstance(operand, Register)
        machine.write(operand, content)
    machine.step(case.instr, case.exec_masks, MODE if case.ieee else MODE & ~IEEE_MODE)
    return machine


def number(value: int) -> Value:
    return Value("b", 64, value)


def _common(case: Trial, instr: Instr, wave: int) -> State:
    """The names that the pseudocode knows in every lane."""
    omod, absolute, negative = (modifier(instr, "bitop3", 0) >> shift & mask for shift, mask in ((6, 3), (3, 7), (0, 7)))
    return {
        "WAVE_MODE": {"IEEE": Value("u", 1, int(case.ieee))}, "TRAPSTS": {}, "ROUND_MODE": Value("u", 2, 0), "BYTES": case.subject.bytes,
        "WAVE32": Value("u", 1, int(case.subject.lanes == 32)), "wave32": Value("u", 1, int(case.subject.lanes == 32)),
        "WAVE64": Value("u", 1, int(case.subject.lanes == 64)), "VCC": number(int(case.vcc[wave])), "SCC": Value("u", 1, int(case.scc[wave])),
        "D0": number(0), "D1": number(0), "VDST": Value("u", 8, TARGET), "SRC0": Value("u", 8, SOURCE),
        "INST": {"OMOD": Value("b", 2, omod), "ABS": Value("b", 3, absolute), "NEG": Value("b", 3, negative)},
        "NEG": Value("b", 3, sum(bit << i for i, bit in enumerate(modifier(instr, "neg_lo", ())))),
        "OPSEL_HI": Value("b", 3, sum(bit << i for i, bit in enumerate(modifier(instr, "op_sel_hi", ())))), "OPSEL": Value("b", 4, op_sel(instr)),
        "SDWA_SRC0_SEL": Value("b", 3, modifier(instr, "src0_sel", DWORD)),
    }  # fmt: skip


def _state(case: Trial, part: Part, common: State, wave: int, lane: int, scalar: bool) -> Seen:
    instr, row = part.instr, part.instr.row
    text = case.subject.manual.texts[row.name]
    mask = int(case.exec_masks[wave])
    vgprs: dict[int, dict[int, Value]] = {lane: {}}
    sources: list[Value] = [number(0)] * 3
    state = common | {
        "laneId": Value("i", 32, lane), "EXEC": number(mask if scalar else 0), "VGPR": vgprs, "S": sources,
    }  # fmt: skip
    preselected, whole = "SDWA_SRC0_SEL" in text, "OPSEL[0]" in text
    seen: list[int] = []
    old, written = UNDEFINED, scalar or bool(mask >> lane & 1)
    for i in row.uses:
        spec, operand = row.operands[i], instr.operands[i]
        place = lane
        if row.encoding in LANE_CONTROLLED and i == row.uses[0]:
            given = lane_read(instr, lane, case.subject.lanes)
            active = given is not None and (bool(mask >> given & 1) or bool(modifier(instr, "fi", 0)))
            written = written and lane_written(instr, lane) and (active or bool(modifier(instr, "bound_ctrl", has(instr, "dpp8"))))
            place = given if active and given is not None else -1
        raw = operand.bits if isinstance(operand, Immediate) else _content(case, part.first + i, wave, place)
        if spec.tied and spec.tied == row.operands[row.defines[0]].name:
            old = raw
            state["D0"] = number(raw >> 16 & 0xFFFF if spec.half and half(instr, i) else raw)
            continue
        if spec.type in MASK_TYPES and not scalar:
            state["VCC"] = number(raw)
            continue
        bits = raw if whole else source(instr, i, len(seen), raw, preselected)
        if isinstance(operand, Immediate) and spec.kinds is Kind.LITERAL:
            state["SIMM32"] = state["SIMM16"] = number(bits)
        else:
            state[f"S{len(seen) - ('SIMM32' in state)}"] = number(bits)
            if isinstance(operand, Immediate):
                state["SIMM16"] = number(bits)
        seen.append(bits)
        if len(seen) <= len(sources):
            sources[len(seen) - 1] = number(bits)
        vgprs[lane].setdefault(SOURCE, number(raw))
    state.setdefault("S2", state["D0"])  # the name of the accumulator in some texts
    vgprs[lane][TARGET] = number(old)
    return Seen(state, tuple(seen), old, written)


def _content(case: Trial, index: int, wave: int, lane: int) -> int:
    """The contents of a register; 0 of lane -1."""
    content = case.contents[index]
    if lane < 0:
        return 0
    operand = case.instr.operands[index]
    vector = isinstance(operand, Register) and operand.first >= FIRST_VGPR
    return _joined(content[..., wave, lane] if vector else content[..., wave])


def _joined(words: Any) -> int:
    """A register's content, or that of a tuple's registers as one number."""
    return sum(int(word) << 32 * i for i, word in enumerate(words)) if words.ndim else int(words)


def run(case: Trial, waves: int) -> None:
    """Fill in the outcomes of a trial, one per lane (or wave) and result."""
    row = case.instr.row
    machine = emulate(case, waves)
    if row.traits & WAVE_WIDE:
        for wave in range(waves):
            _judge_wave(case, wave, machine)
        return
    for part in parts(case.instr):
        _run_part(case, part, waves, machine)


def _run_part(case: Trial, part: Part, waves: int, machine: Machine) -> None:
    row, manual = part.instr.row, case.subject.manual
    scalar = row.exec_mode is ExecMode.SCALAR
    evaluator = evaluator_of(manual, bool(modifier(part.instr, "clamp", 0)))
    body = manual.program(row.name)
    after = [machine.read(operand) for i in row.defines if isinstance(operand := part.instr.operands[i], Register)]
    implicit = {"EXEC": EXEC, "SCC": SCC}
    scalars = {name: machine.read(register) for name, register in implicit.items() if register in row.writes}
    for wave in range(waves):
        common = _common(case, part.instr, wave)
        for lane in (0,) if scalar else case.lanes:
            seen = _state(case, part, common, wave, lane, scalar)
            if seen.written:
                evaluator.run(body, seen.state)
            for index, found in zip(row.defines, after, strict=True):
                got = _joined(found[..., wave] if scalar or row.operands[index].type in MASK_TYPES else found[..., wave, lane])
                _judge(Result(case, part, index, seen, lane, got))
            for name, found in scalars.items():
                got, wanted = int(found[wave]), int(seen.state[name].value)
                if not scalar:
                    got, wanted = got >> lane & 1, wanted >> lane & 1 if seen.written else 0
                elif name == "EXEC":
                    got, wanted = (x & ((1 << case.subject.lanes) - 1) for x in (got, wanted))
                case.outcomes.append(Outcome(name, "mask", (wanted,), got, seen.sources, row.name))


def evaluator_of(manual: Manual, exact: bool) -> Evaluator:
    return Evaluator(manual.program, exact)


class Result(NamedTuple):
    """One explicit result of one lane: operand `define` of the part, of which `got` came."""

    case: Trial
    part: Part
    define: int
    seen: Seen
    lane: int
    got: int

    @property
    def spec(self) -> OperandSpec:
        return self.part.instr.row.operands[self.define]

    @property
    def text(self) -> str:
        return self.case.subject.manual.texts[self.part.instr.row.name]

    @property
    def first(self) -> bool:
        return self.define == self.part.instr.row.defines[0]

    def add(self, result: str, type_name: str, wanted: tuple[int, ...], found: int) -> None:
        self.case.outcomes.append(Outcome(result, type_name, wanted, found, self.seen.sources, self.part.instr.row.name))

    def patterns(self, exact: int) -> tuple[int, ...]:
        """The right results if the text gives `exact`: that after the output modifiers and, of an
        approximation, its neighbours."""
        instr = self.part.instr
        return tuple(finished(instr, self.spec.type, pattern) for pattern in _neighbours(instr.row, self.spec, exact))


def _judge(result: Result) -> None:
    """Add the outcomes of a result."""
    row, spec, state, got = result.part.instr.row, result.spec, result.seen.state, result.got
    width = BITS[spec.type]
    if spec.type in MASK_TYPES and row.exec_mode is not ExecMode.SCALAR:
        _judge_mask(result)
    elif not result.seen.written:
        kept = max(width, 32)
        if result.first and kept <= 64:
            result.add("kept", f"b{kept}", (result.seen.old & ((1 << kept) - 1),), got & ((1 << kept) - 1))
    elif "[VDST." in result.text and result.first:
        _judge_register(result, state["VGPR"][result.lane][TARGET].value & 0xFFFFFFFF)
    elif spec.half:
        _judge_half(result)
    elif not result.first:
        result.add(spec.name, spec.type, (state["S0"].value & ((1 << width) - 1),), got)
    else:
        _judge_value(result)


def _judge_mask(result: Result) -> None:
    """A lane's bit of a mask: 0 if the lane is not written."""
    name = "D0" if result.first else "D1" if "D1." in result.text or "D1 " in result.text else "VCC"
    whole = name == "D1" or "VCC = " in result.text
    wanted = int(result.seen.state[name].value) >> (0 if whole else result.lane)
    result.add(name, "mask", (wanted & 1 if result.seen.written else 0,), result.got >> result.lane & 1)


def _judge_register(result: Result, wanted: int) -> None:
    """A whole register, as the text writes it; a half that is a float is compared as a float."""
    spec = result.spec
    if spec.type not in FLOAT_TYPES or BITS[spec.type] != 16:
        result.add(spec.name, "b32", (wanted,), result.got)
        return
    for upper in (0, 16):
        type_name = spec.type if bool(upper) == bool(op_sel(result.part.instr) >> 3) else "b16"
        result.add(f"bits from {upper}", type_name, (wanted >> upper & 0xFFFF,), result.got >> upper & 0xFFFF)


def _judge_half(result: Result) -> None:
    """A half that the instruction names; the other half stays."""
    row, spec, got = result.part.instr.row, result.spec, result.got
    upper = 16 * half(result.part.instr, result.define)
    old = result.seen.old
    if not result.first:
        place = result.part.first + next(use for use, define in row.ties if define == result.define)
        old = _content(result.case, place, 0, result.lane)
    result.add("other half", "b16", (old >> (16 - upper) & 0xFFFF,), got >> (16 - upper) & 0xFFFF)
    exact = result.seen.state["D0" if result.first else "S0"].value & 0xFFFF
    result.add(spec.name, spec.type, result.patterns(exact), got >> upper & 0xFFFF)


def _judge_value(result: Result) -> None:
    """D0, wherever the instruction puts it."""
    instr, spec, got, old = result.part.instr, result.spec, result.got, result.seen.old
    width = BITS[spec.type]
    high = width == 16 and "D0[31 : 16].f16" in result.text  # v_fma_mixhi
    patterns = result.patterns(result.seen.state["D0"].value >> (16 if high else 0) & ((1 << width) - 1))
    if instr.row.encoding is Encoding.SDWA and has(instr, "dst_sel") and instr.modifier("dst_sel") != DWORD:
        result.add(f"{patterns[0]:#x} of {spec.type}", "sdwa", tuple(placed(instr, pattern, old) for pattern in patterns), got)
    elif Trait.HALF_WRITE in instr.row.traits and width == 16 and instr.row.encoding is not Encoding.SDWA:
        upper = 16 if high or op_sel(instr) >> 3 else 0
        result.add("other half", "b16", (old >> (16 - upper) & 0xFFFF,), got >> (16 - upper) & 0xFFFF)
        result.add(spec.name, spec.type, patterns, got >> upper & 0xFFFF)
    else:
        result.add(spec.name, spec.type, patterns, got & ((1 << width) - 1))


def _judge_wave(case: Trial, wave: int, machine: Machine) -> None:
    """The outcomes of an instruction with a text about a whole wave: registers by their numbers, in every
    lane."""
    instr, row, lanes = case.instr, case.instr.row, range(case.subject.lanes)
    state = _common(case, instr, wave) | {"EXEC": number(int(case.exec_masks[wave])), "EXEC_LO": number(int(case.exec_masks[wave]) & 0xFFFFFFFF)}
    vgprs: dict[int, dict[int, Value]] = {lane: {} for lane in lanes}
    state["VGPR"] = vgprs
    position = 0
    for i in row.uses:
        spec, operand = row.operands[i], instr.operands[i]
        if isinstance(operand, Immediate):
            state[f"S{position}"] = number(operand.bits)
        elif isinstance(operand, Register) and operand.first >= FIRST_VGPR:
            for lane in lanes:
                vgprs[lane][operand.first - FIRST_VGPR] = number(int(case.contents[i][wave, lane]))
            state[f"SRC{position}"] = Value("u", 8, operand.first - FIRST_VGPR)
        else:
            state[f"S{position}"] = number(int(case.contents[i][wave]))
        position += not spec.tied
    target = instr.operands[row.defines[0]]
    assert isinstance(target, Register)
    state["VDST"] = Value("u", 8, max(target.first - FIRST_VGPR, 0))
    if len(row.defines) == 2:  # the text names the second register as a source
        second = instr.operands[row.defines[1]]
        assert isinstance(second, Register)
        state["SRC0"] = Value("u", 8, second.first - FIRST_VGPR)
    evaluator_of(case.subject.manual, exact=False).run(case.subject.manual.program(row.name), state)
    for i in row.defines:
        operand = instr.operands[i]
        assert isinstance(operand, Register)
        found = machine.read(operand)
        if operand.first < FIRST_VGPR:
            case.outcomes.append(Outcome("D0", "b32", (state["D0"].value & 0xFFFFFFFF,), int(found[wave]), (), row.name))
            continue
        for lane in lanes:
            wanted = vgprs[lane].get(operand.first - FIRST_VGPR, number(UNDEFINED)).value & 0xFFFFFFFF
            case.outcomes.append(Outcome(row.operands[i].name, "b32", (wanted,), int(found[wave, lane]), (lane,), row.name))
