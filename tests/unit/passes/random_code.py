"""Random legal instructions on few registers, so that they depend on one another, as lines that LLVM assembles."""

from __future__ import annotations

from random import Random

from isa.constants import constant_width
from isa.hwreg import encode
from isa.instruction import OFF, Encoding, Immediate, Instr, Kind, Label, ModifierSpec, ModifierValue, Operand, OperandSpec, Row, Trait, Unit
from isa.program import Block, Edge, Kernel
from isa.registers import EXEC, M0, VCC, Register, agpr, sgpr, vgpr
from isa.table import table_named
from isa.text import format_instr
from isa.verify import find_fault

PLAIN = "gfx942:xnack-"
CONTROL_FLOW = (Trait.BRANCH, Trait.CONDITIONAL_BRANCH, Trait.END, Trait.WAIT, Trait.NOP)
HARDWARE_REGISTERS = (encode(1, 0, 32), encode(3, 0, 32))  # MODE, TRAPSTS


def groups(target: str = PLAIN) -> list[list[Row]]:
    """The rows by what the rules ask of them, so that rare kinds come up as often as frequent ones.

    Left out: compares in SDWA, which LLVM takes to write VCC beside the mask they name.
    """
    found: dict[tuple[object, ...], list[Row]] = {}
    for r in table_named(target).rows:
        if r.encoding is Encoding.SDWA and r.operands[r.defines[0]].type == "mask":
            continue
        if any(trait in r.traits for trait in CONTROL_FLOW) or r.unit is Unit.CONTROL or r.unit is Unit.BRANCH or r.name == "s_getpc_b64":
            continue
        halves = any(spec.name in ("op_sel", "op_sel_hi", "dst_sel") for spec in r.modifiers)
        wide = any(spec.count > 2 for spec in r.operands)
        marks = tuple(sorted(trait.value for trait in r.traits if trait not in (Trait.COMMUTES, Trait.MOVE)))
        writes_scalar = any(r.operands[i].kinds & Kind.SGPR for i in r.defines)
        key = (r.unit, r.encoding in (Encoding.DPP, Encoding.SDWA) and r.encoding, marks, halves, wide, writes_scalar, r.reads, r.writes, r.passes)
        found.setdefault(key, []).append(r)
    return list(found.values())


class Generator:
    """Draws instructions of one target; `vector` and `scalar` bound the registers drawn from."""

    def __init__(self, seed: int, vector: int = 12, scalar: int = 12, target: str = PLAIN) -> None:
        self.random = Random(seed)
        self.target = target
        self.table = table_named(target)
        self.groups = groups(target)
        self.vector = vector
        self.scalar = scalar

    def instr(self, rows: list[Row] | None = None) -> Instr:
        """A legal instruction of a random row, or of one of `rows`."""
        while True:
            chosen = self.random.choice(rows) if rows else self.random.choice(self.random.choice(self.groups))
            instr = self._draw(chosen)
            if find_fault(instr) is None and not _overlaps_wrongly(instr):
                return instr

    def _draw(self, chosen: Row) -> Instr:
        operands: list[Operand] = []
        for spec in chosen.operands:
            if spec.tied:
                source = operands[[s.name for s in chosen.operands].index(spec.tied)]
                operands.append(source)
            else:
                operands.append(self._operand(spec, chosen.encoding is not Encoding.SDWA))
        modifiers: list[tuple[str, ModifierValue]] = []
        for spec in chosen.modifiers:
            value = self._modifier(spec)
            if value != spec.default:
                modifiers.append((spec.name, value))
        return Instr(chosen, tuple(operands), tuple(modifiers))

    def _operand(self, spec: OperandSpec, constants: bool) -> Operand:
        """A random operand; LLVM's code generation has no constants in SDWA instructions."""
        random = self.random
        if spec.fixed is not None:
            return spec.fixed
        if spec.kinds & Kind.HWREG:
            return Immediate(random.choice(HARDWARE_REGISTERS))
        if spec.kinds & Kind.OFF:
            return OFF
        if spec.kinds & (Kind.SIMM | Kind.FIELDS):
            return Immediate(random.randrange(16))
        choices: list[Operand] = []
        if spec.kinds & Kind.VGPR:
            choices += [vgpr(self._first(spec, self.vector), spec.count)] * 4
        if spec.kinds & Kind.AGPR and not spec.kinds & Kind.VGPR:
            choices += [agpr(self._first(spec, self.vector), spec.count)]
        if spec.kinds & Kind.SGPR:
            choices += [sgpr(self._first(spec, self.scalar), spec.count)] * 2
            choices += [VCC if spec.count == 2 else Register(106)] if spec.count <= 2 else []
        if spec.kinds & Kind.M0 and spec.count == 1:
            choices.append(M0)
        if spec.kinds & Kind.EXEC and spec.count == 2 and spec.name != "sdst":
            choices.append(EXEC)
        if spec.kinds & (Kind.INLINE | Kind.LITERAL) and not choices:
            choices.append(Immediate(0x3F800000 if constant_width(spec.type) == 32 else 1))
        if constants and spec.kinds & Kind.INLINE and random.random() < 0.2:
            return Immediate(random.randrange(64))
        return random.choice(choices)

    def _first(self, spec: OperandSpec, bound: int) -> int:
        last = max(bound - spec.count, 0 if spec.count <= bound else spec.count)
        return self.random.randrange(0, last + 1) // spec.align * spec.align

    def _modifier(self, spec: ModifierSpec) -> ModifierValue:
        if spec.syntax == "word" and spec.name == "dst_sel":
            return self.random.choice((0, 5, 6))
        if spec.name == "half":
            return self.random.randrange(spec.maximum + 1) & spec.maximum
        if spec.name in ("op_sel", "op_sel_hi") and isinstance(spec.default, tuple):
            return tuple(self.random.randrange(2) for _ in spec.default)
        return spec.default

    def straight_line(self, length: int) -> list[Instr]:
        """Instructions drawn from few groups, for hazards between neighbours."""
        pools = [self.random.choice(self.groups) for _ in range(self.random.randrange(2, 5))]
        return [self.instr(self.random.choice(pools)) for _ in range(length)]

    def program(self, blocks: int, length: int) -> Kernel:
        """A kernel of random blocks with conditional branches, forward and back.

        One matrix row at most: where two paths bring different ones, LLVM takes the distance of one and the kind of the other.
        """
        kernel = Kernel("random", self.target)
        others = [group for group in groups(self.target) if group[0].unit is not Unit.MATRIX]
        matrices = [r for r in self.table.rows if r.unit is Unit.MATRIX]
        self.groups = others + ([[self.random.choice(matrices)]] * 4 if matrices else [])
        scc1 = self.table.row("s_cbranch_scc1")
        for number in range(blocks):
            block = Block(f"L{number}", instructions=self.straight_line(self.random.randrange(1, length)))
            following = f"L{number + 1}"
            if number + 1 == blocks:
                block.terminator = Instr(self.table.row("s_endpgm"), ())
            elif self.random.random() < 0.7:
                target = f"L{self.random.randrange(blocks)}"
                block.terminator = Instr(scc1, (Label(target),))
                block.linear = block.logical = (Edge(target), Edge(following))
            else:
                block.linear = block.logical = (Edge(following),)
            kernel.blocks.append(block)
        return kernel


def _overlaps_wrongly(instr: Instr) -> bool:
    """What LLVM refuses: a matrix result that partly overlaps a source, or a result tuple that two defines share."""
    defines = [o for i in instr.row.defines if isinstance(o := instr.operands[i], Register)]
    if len(defines) == 2 and defines[0].overlaps(defines[1]):
        return True
    uses = [o for i in instr.row.uses if isinstance(o := instr.operands[i], Register)]
    return instr.row.unit is Unit.MATRIX and any(d.overlaps(u) and d != u for d in defines for u in uses)


def lines(kernel: Kernel) -> list[str]:
    """The kernel as the oracle takes it: labels, instructions, branches."""
    text: list[str] = []
    for block in kernel.blocks:
        text.append(f"{block.label}:")
        text += [format_instr(instr) for instr in block.instructions]
        if block.terminator is not None:
            text.append(format_instr(block.terminator))
    return text


def one_block(instructions: list[Instr], target: str = PLAIN) -> Kernel:
    """A kernel of just these instructions."""
    end = Instr(table_named(target).row("s_endpgm"), ())
    return Kernel("straight", target, blocks=[Block("entry", instructions=list(instructions), terminator=end)])
