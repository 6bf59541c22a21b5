"""A row on the emulator and in AMD's words, on the same operands."""

from __future__ import annotations

from isa.constants import BITS
from isa.dpp import quad_perm
from isa.instruction import Encoding, ExecMode, Immediate, Instr, Kind, OperandSpec, Row, Trait, Unit
from isa.registers import EXEC, SCC, VCC, Register
from tests.pseudocode.evaluator import Evaluator, State
from tests.pseudocode.machine import Machine
from tests.pseudocode.modifiers import DWORD, finished, has, modifier, placed, source
from tests.pseudocode.source import program, texts
from tests.pseudocode.trial import LANES, QUAD, Outcome, Trial
from tests.pseudocode.values import TRUE, Value

WRAPPING, EXACT = Evaluator(program), Evaluator(program, exact=True)


def _neighbours(row: Row, spec: OperandSpec, pattern: int) -> tuple[int, ...]:
    """The patterns that a result may have: of a transcendental instruction, those within 1 ULP."""
    if row.unit is not Unit.TRANS:
        return (pattern,)
    width = BITS[spec.type]
    sign, magnitude = pattern >> (width - 1) << (width - 1), pattern & ((1 << (width - 1)) - 1)
    below = sign | magnitude - 1 if magnitude else 1 << (width - 1) | 1
    return pattern, sign | magnitude + 1, below


def emulate(case: Trial, waves: int) -> Machine:
    machine = Machine.of(waves)
    machine.write(VCC, case.vcc)
    machine.write(SCC, case.scc)
    for i, content in case.contents.items():
        operand = case.instr.operands[i]
        assert isinstance(operand, Register)
        machine.write(operand, content)
    machine.step(case.instr, case.exec_masks)
    return machine


def _state(case: Trial, wave: int, lane: int, scalar: bool) -> tuple[State, tuple[int, ...], int]:
    """The names that the pseudocode knows, the sources it sees, and what the destination held."""
    instr, row = case.instr, case.instr.row
    state: State = {
        "laneId": Value("i", 32, lane), "WAVE_MODE": {"IEEE": TRUE}, "ROUND_MODE": Value("u", 2, 0),
        "EXEC": Value("b", 64, int(case.exec_masks[wave]) if scalar else 0), "VCC": Value("b", 64, int(case.vcc[wave])),
        "SCC": Value("u", 1, int(case.scc[wave])), "D0": Value("b", 64, 0), "D1": Value("b", 64, 0), "VDST": Value("u", 8, 0),
        "S": [Value("b", 64, 0)] * 3, "OPSEL_HI": Value("b", 3, sum(bit << i for i, bit in enumerate(modifier(instr, "op_sel_hi", ())))),
        "SDWA_SRC0_SEL": Value("b", 3, modifier(instr, "src0_sel", DWORD)), "OPSEL": Value("b", 4, _op_sel(instr)),
    }  # fmt: skip
    preselected = "SDWA_SRC0_SEL" in texts()[row.name]
    whole = "OPSEL[0]" in texts()[row.name]
    seen: list[int] = []
    old = 0
    for i in row.uses:
        spec, operand = row.operands[i], instr.operands[i]
        raw = operand.bits if isinstance(operand, Immediate) else _content(case, i, spec, wave, lane, scalar)
        if spec.tied and spec.tied == row.operands[row.defines[0]].name:
            old = raw
            state["D0"] = Value("b", 64, raw)
            state["VGPR"] = {lane: {0: Value("b", 64, raw)}}
            continue
        if spec.type == "mask" and not scalar:
            state["VCC"] = Value("b", 64, raw)
            continue
        bits = raw if whole else source(instr, len(seen), spec, raw, preselected)
        literal = isinstance(operand, Immediate) and spec.kinds is Kind.LITERAL
        state["SIMM32" if literal else f"S{len(seen) - ('SIMM32' in state)}"] = Value("b", 64, bits)
        seen.append(bits)
        state["S"][len(seen) - 1] = Value("b", 64, bits)
    return state, tuple(seen), old


def _op_sel(instr: Instr) -> int:
    """Four bits: one a source, and the destination's."""
    chosen = modifier(instr, "op_sel", ())
    tail = next((spec.tail for spec in instr.row.modifiers if spec.name == "op_sel"), ())
    return sum(bit << i for i, bit in enumerate(chosen)) | (8 if 1 in tail else 0)


def _content(case: Trial, index: int, spec: OperandSpec, wave: int, lane: int, scalar: bool) -> int:
    content = case.contents[index]
    if scalar or spec.type == "mask":
        return int(content[wave])
    if case.instr.row.encoding is Encoding.DPP and index == case.instr.row.uses[0]:
        control = modifier(case.instr, "dpp_ctrl", None)
        if control == quad_perm(*QUAD):
            lane = lane & ~3 | QUAD[lane & 3]
        elif control >= 0x150:  # row_newbcast
            lane = lane & ~15 | control & 15
    return int(content[wave, lane])


def run(case: Trial, waves: int) -> None:
    """Fill in the outcomes of a trial, one per lane (or wave) and result."""
    row = case.instr.row
    scalar = row.exec_mode is ExecMode.SCALAR
    machine = emulate(case, waves)
    evaluator = EXACT if modifier(case.instr, "clamp", 0) else WRAPPING
    body = program(row.name)
    after = [machine.read(operand) for i in row.defines if isinstance(operand := case.instr.operands[i], Register)]
    scalars = {"EXEC": machine.read(EXEC), "SCC": machine.read(SCC)}
    for wave in range(waves):
        for lane in range(1 if scalar else LANES):
            active = scalar or int(case.exec_masks[wave]) >> lane & 1
            state, seen, old = _state(case, wave, lane, scalar)
            if active:
                evaluator.run(body, state)
            for index, found in zip(row.defines, after, strict=True):
                got = int(found[wave] if found.ndim == 1 else found[wave, lane])
                _judge(case, index, state, seen, old, lane, bool(active), got)
            for name in ("EXEC", "SCC"):
                if {"EXEC": EXEC, "SCC": SCC}[name] in row.writes:
                    got = int(scalars[name][wave])
                    wanted = int(state[name].value)
                    if not scalar:
                        got, wanted = got >> lane & 1, wanted >> lane & 1 if active else 0
                    case.outcomes.append(Outcome(name, "mask", (wanted,), got, seen))


def _judge(case: Trial, index: int, state: State, seen: tuple[int, ...], old: int, lane: int, active: bool, got: int) -> None:
    """Add the outcome of one explicit result of one lane."""
    row, instr = case.instr.row, case.instr
    spec, text = row.operands[index], texts()[row.name]
    width = BITS[spec.type]

    def add(result: str, type_name: str, wanted: tuple[int, ...], found: int) -> None:
        case.outcomes.append(Outcome(result, type_name, wanted, found, seen))

    if spec.type == "mask" and row.exec_mode is not ExecMode.SCALAR:
        name = "D0" if index == row.defines[0] else "D1" if "D1." in text else "VCC"
        whole = name == "D1" or "VCC = " in text
        wanted = int(state[name].value) >> (0 if whole else lane)
        add(name, "mask", (wanted & 1 if active else 0,), got >> lane & 1)
    elif not active:
        if index == row.defines[0] and any(row.operands[use].tied for use in row.uses):
            kept = max(width, 32)
            add("kept", f"b{kept}", (old & ((1 << kept) - 1),), got & ((1 << kept) - 1))
    elif index != row.defines[0]:
        add(spec.name, spec.type, (state["S0"].value & ((1 << width) - 1),), got)
    elif "VGPR[" in text:
        add(spec.name, "b32", (state["VGPR"][lane][0].value,), got)
    else:
        high = width == 16 and "D0[31 : 16]" in text  # v_fma_mixhi
        exact = state["D0"].value >> (16 if high else 0) & ((1 << width) - 1)
        patterns = tuple(finished(instr, spec.type, pattern) for pattern in _neighbours(row, spec, exact))
        if row.encoding is Encoding.SDWA and has(instr, "dst_sel") and instr.modifier("dst_sel") != DWORD:
            add(f"{patterns[0]:#x} of {spec.type}", "sdwa", tuple(placed(instr, pattern, old) for pattern in patterns), got)
        elif Trait.HALF_WRITE in row.traits and width == 16 and row.encoding is not Encoding.SDWA:
            upper = 16 if high or _op_sel(instr) >> 3 else 0
            add("other half", "b16", (old >> (16 - upper) & 0xFFFF,), got >> (16 - upper) & 0xFFFF)
            add(spec.name, spec.type, patterns, got >> upper & 0xFFFF)
        else:
            add(spec.name, spec.type, patterns, got & ((1 << width) - 1))
