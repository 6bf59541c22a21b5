"""The row type, which says everything about one instruction in one encoding, and `Instr`, one use of a row.

The builder, verifier, liveness, waits, hazards, printer, parser and emulator all read the row; none of them
tests a mnemonic. Adding an instruction is adding a row and a sample (docs/adding-an-instruction.md).
"""

from __future__ import annotations

from enum import Enum, Flag, auto
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import force_setattr

from isa.diagnostics import Place
from isa.registers import Register


class Fact(Enum):
    """What a row says of an instruction. Passes look for facts in sets all the time, so members hash by
    identity, which is how they compare: Enum's own hash is that of the name, a call of Python each time."""

    __hash__ = object.__hash__


class Kind(Flag):
    """What an operand may be."""

    VGPR = auto()
    SGPR = auto()  # s0-s101, VCC, FLAT_SCRATCH, XNACK_MASK, ttmp
    AGPR = auto()
    M0 = auto()
    EXEC = auto()
    SCALAR_STATUS = auto()  # src_scc, the aperture registers: read-only scalar sources
    INLINE = auto()  # -16..64, and 0.5 1 2 4 of either sign, 1/(2 pi)
    LITERAL = auto()  # a 32-bit literal after the instruction
    SIMM = auto()  # an immediate of the encoding itself, `type` gives its width (s_nop, s_movk, s_sleep)
    LABEL = auto()
    OFF = auto()  # the keyword `off` in place of a register
    HWREG = auto()  # hwreg(NAME, offset, width) of s_setreg and s_getreg
    NULL = auto()  # the register that reads as zero and drops what is written (RDNA)
    ZERO_FLAGS = auto()  # src_vccz, src_execz: read-only scalar sources (CDNA)
    # an immediate of named fields, spelt as `isa.fields` has them (s_waitcnt_depctr, s_delay_alu, s_sendmsg)
    FIELDS = auto()


class Role(Fact):
    DEFINE = "define"
    USE = "use"


class Unit(Fact):
    """Which unit issues the instruction."""

    SALU = "salu"
    SMEM = "smem"
    VALU = "valu"
    TRANS = "trans"  # transcendental VALU, a quarter of the rate
    MATRIX = "matrix"
    VMEM = "vmem"  # buffer and global
    FLAT = "flat"
    SCRATCH = "scratch"
    LDS = "lds"
    BRANCH = "branch"
    CONTROL = "control"  # s_nop, s_waitcnt, s_barrier, s_endpgm, cache control


class Encoding(Fact):
    """The encoding of a row; the value is the suffix that assembly text may carry."""

    PLAIN = ""
    E32 = "_e32"
    E64 = "_e64"
    DPP = "_dpp"  # of the short encoding; `form` tells DPP8 apart
    E64_DPP = "_e64_dpp"  # of the three-operand encoding (RDNA)
    SDWA = "_sdwa"
    DUAL = "dual"  # two operations in one instruction (VOPD); its rows spell their mnemonics out


class ExecMode(Fact):
    """How EXEC acts on an instruction (docs/architecture.md, "Machine programs")."""

    SCALAR = "scalar"  # not a per-lane instruction
    MASKED = "masked"  # inactive lanes keep their destination
    IGNORED = "ignored"  # writes whatever EXEC says (v_writelane, matrix)
    FULL = "full"  # meaningful only where EXEC covers every lane


class Event(Fact):
    """What an instruction adds to a wait counter. The target's record maps events to counters."""

    VMEM_LOAD = "vmem_load"
    VMEM_STORE = "vmem_store"
    SMEM_LOAD = "smem_load"  # returns out of order
    LDS = "lds"
    FLAT_LDS = "flat_lds"  # a flat access may be LDS or memory: counts in both
    MESSAGE = "message"
    EXPORT = "export"


class OperandSpec(Struct, frozen=True):
    """One explicit operand.

    `type` names how its bits are read (`f32 f16 f64 b32 u32 i32 b16 b64 f16x2 f32x2 mask ...`), `count` its
    width in units, `align` the alignment of its first unit within its file, `scalar_align` that of an SGPR
    where it is another, and `reach` how many VGPRs its field can name where that is not all of them. A use
    that is `tied` names the define it shares a register with; if `hidden`, assembly text does not spell it.
    `fixed` is the one register it can be. `same_file` names the operand with which it lies in one file, VGPRs
    or AGPRs. A `half` operand is one half of a register, which the instruction's modifier `half` chooses, bit
    by operand; a half define keeps the other half.
    """

    name: str
    role: Role
    kinds: Kind
    type: str
    count: int = 1
    align: int = 1
    tied: str = ""
    hidden: bool = False
    early_clobber: bool = False
    fixed: Register | None = None
    same_file: str = ""
    half: bool = False
    scalar_align: int = 0
    reach: int = 0


class ModifierSpec(Struct, frozen=True):
    """One modifier: `offset:16`, `glc`, `row_shr:1`, `op_sel:[0,1]`.

    `syntax` is one of `flag` (spelt or not; value 1), `number` (`name:N`), `hex` (`name:0xN`), `list`
    (`name:[a,b]`; the value is a tuple), `counter` (`name(N)`, of s_waitcnt), `word` (`name:WORD`, the value
    is the index into `words`), `phrase` (`mul:2`: `words` are the whole spellings, the first is empty),
    `source` (`neg`, `abs` and `sext`: a bit mask over the source operands, spelt at the operand; `maximum` is
    the mask of those that may have it), `dpp` (a lane control of `isa.dpp`; `words` are those that the row
    takes), `dpp8` (the eight lanes of it), `swizzle` (the pattern of ds_swizzle_b32, `isa.dpp` too), `truth
    table` (`bitop3:0xca`). `tail` are further list elements that the row itself fixes (the destination half
    of op_sel). `spelt` ones are printed at their default too; a `required` one has to be in the text, since
    it tells this row from another of its name. `bits` are the pieces of a counter in the raw immediate of
    s_waitcnt, low bits first, each its first bit and its width. `constraints` are values that bind another
    modifier: the value, the other's name, and the values that it may have there.
    """

    name: str
    syntax: str
    default: int | tuple[int, ...]
    minimum: int = 0
    maximum: int = 1
    words: tuple[str, ...] = ()
    tail: tuple[int, ...] = ()
    spelt: bool = False
    required: bool = False
    bits: tuple[tuple[int, int], ...] = ()
    constraints: tuple[tuple[int, str, tuple[int, ...]], ...] = ()


class Immediate(NamedTuple):
    """A constant operand by its bit pattern, as unsigned bits of the operand's width (16, 32 or 64)."""

    bits: int


class Label(NamedTuple):
    name: str


class Off(NamedTuple):
    """The keyword `off`."""


OFF = Off()
Operand = Register | Immediate | Label | Off
ModifierValue = int | tuple[int, ...]


class Row(Struct, frozen=True, eq=False):
    """An instruction in one encoding. Rows are compared by identity.

    `name` is the mnemonic without encoding suffix and `mnemonic` the one printed. `form` tells rows of one
    mnemonic apart (`saddr`, `offen`, `return`, `preserve`, `high`, ...); the plain one has none. `reads` and
    `writes` are the implicit registers. `semantics` is a key into `isa.semantics`, resolved by the emulator.
    `traits` are the facts that passes ask for (`isa.instruction.Trait`). `passes` counts matrix passes (4
    cycles each). `opposite` is, of a conditional branch, the mnemonic of the one that is taken where this one
    is not. `operation` is the name by which the compiler asks for what the instruction does, the same on
    every target that has it: CDNA3's name where that has one. `targets` and `waves` say on which targets and
    at which wave sizes the row holds. A row of two operations has them as `components`, whose operands are
    one after the other in its own; all are read before any is written. `banks` are pairs of operands whose
    VGPRs lie in different banks, each with the bits of a register's number that tell its bank;
    `reads_one_twice` says that two sources may be one VGPR all the same.
    """

    name: str
    mnemonic: str
    encoding: Encoding
    unit: Unit
    operands: tuple[OperandSpec, ...]
    modifiers: tuple[ModifierSpec, ...] = ()
    reads: tuple[Register, ...] = ()
    writes: tuple[Register, ...] = ()
    exec_mode: ExecMode = ExecMode.SCALAR
    events: tuple[Event, ...] = ()
    traits: frozenset[Trait] = frozenset()
    constant_bus_limit: int = 0
    passes: int = 0
    memory_bytes: int = 0
    targets: frozenset[str] = frozenset()
    waves: frozenset[int] = frozenset({32, 64})
    operation: str = ""
    semantics: str = ""
    form: str = ""
    opposite: str = ""
    components: tuple[Row, ...] = ()
    banks: tuple[tuple[int, int, int], ...] = ()
    reads_one_twice: bool = False
    defines: tuple[int, ...] = ()  # this and what follows is made from `operands`
    uses: tuple[int, ...] = ()
    ties: tuple[tuple[int, int], ...] = ()  # (index of the use, index of the define)

    def __post_init__(self) -> None:
        defines: list[int] = []
        uses: list[int] = []
        ties: list[tuple[int, int]] = []
        for i, spec in enumerate(self.operands):
            (defines if spec.role is Role.DEFINE else uses).append(i)
            if spec.tied:
                ties.append((i, next(j for j, other in enumerate(self.operands) if other.name == spec.tied)))
        force_setattr(self, "defines", tuple(defines))
        force_setattr(self, "uses", tuple(uses))
        force_setattr(self, "ties", tuple(ties))

    def __repr__(self) -> str:
        return f"Row({self.mnemonic})"


class Trait(Fact):
    """A yes-or-no fact about a row that some pass asks for."""

    COMMUTES = "commutes"  # src0 and src1 may be exchanged
    MOVE = "move"  # vdst := src0, nothing else
    MIXES = "mixes"  # every bit of the result is a bit of each source, as a checksum's: an exclusive or
    CONDITIONAL_BRANCH = "conditional branch"
    ZERO = "zero"  # a conditional branch that is taken where what it reads is 0
    BRANCH = "branch"
    CALL = "call"  # goes to a function, or comes back from one
    END = "end"  # s_endpgm
    BARRIER = "barrier"  # the wave stops until others are there
    SIGNAL = "signal"  # tells other waves that this one's LDS accesses are done
    WAIT = "wait"
    NOP = "nop"
    LOAD = "load"
    STORE = "store"
    ATOMIC = "atomic"
    SIDE_EFFECT = "side effect"  # must stay although its results are unused
    CACHE = "cache"  # cache control
    AFTER_LOADS = "after loads"  # cache control that the loads under way have to be done for
    QUARTER = "quarter rate"  # takes four times as long to issue, as products of whole 32-bit integers do
    HALF_WRITE = "half write"  # writes only part of its destination unit (d16_hi, op_sel high, SDWA, fp8)
    LANE_READ = "lane read"  # v_readlane, v_readfirstlane: VGPR to SGPR
    LANE_WRITE = "lane write"
    # v_permlane16, v_permlanex16, v_permlane64 and the swaps: lanes exchanged without LDS
    PERMLANE = "permlane"
    CROSS_LANE = "cross lane"  # a lane's result depends on other lanes
    DOT = "dot"  # issued by the dot-product unit
    XDL = "xdl"  # a matrix instruction whose A and B are not f32 or f64
    DIV_FMAS = "div fmas"  # reads the VCC of v_div_scale later than a mask is read
    # a 64-bit shift by a VGPR, which on gfx90a reads wrongly where that is the last allocated
    WIDE_SHIFT = "wide shift"
    DOUBLE_FMA = "double fma"  # shares the double-precision pipe with f64 matrix instructions
    SPARSE = "sparse"  # a matrix instruction whose A has half of its elements, placed by an index
    IDLE = (
        "idle"  # s_wait_idle: waits for everything that the wave has under way, results inside the ALUs too
    )
    WAIT_ALU = "wait alu"  # s_waitcnt_depctr, s_wait_alu: waits for results inside the ALUs
    DOUBLE_LENGTH = "double length"  # takes twice the bytes of other rows of its encoding
    DELAY = "delay"  # s_delay_alu: a hint, no promise
    CLAUSE = "clause"  # s_clause: holds memory instructions after it together
    PRIORITY = "priority"  # sets the wave's priority: the lower two bits of the immediate
    LDS_DMA = "lds dma"  # memory to LDS without a VGPR; the LDS base is in M0


class Origin(NamedTuple):
    """The source op an instruction comes from, and where that is; `line` is the instruction's own, in
    assembly that names a source."""

    op: str
    place: Place | None = None
    line: Place | None = None


class Instr(Struct, frozen=True):
    """One instruction: `operands` match `row.operands`, hidden tied ones included.

    `modifiers` holds only those that differ from their default, in the row's order. `contract` marks a float
    multiply or add of the source program, which may be fused into an fma; an expansion's own arithmetic is
    never marked.
    """

    row: Row
    operands: tuple[Operand, ...]
    modifiers: tuple[tuple[str, ModifierValue], ...] = ()
    origin: Origin | None = None
    contract: bool = False
    comment: str = ""

    def modifier(self, name: str) -> ModifierValue:
        """The value of a modifier of this row, its default where none was given; KeyError if the row lacks
        it."""
        for key, value in self.modifiers:
            if key == name:
                return value
        for spec in self.row.modifiers:
            if spec.name == name:
                return spec.default
        raise KeyError(f"{self.row.mnemonic} has no modifier {name}")

    def as_row(
        self, row: Row, operands: tuple[Operand, ...], modifiers: tuple[tuple[str, ModifierValue], ...] = ()
    ) -> Instr:
        """What takes this instruction's place: its origin, its contraction mark and its comment stay."""
        return Instr(row, operands, modifiers, self.origin, self.contract, self.comment)

    def parts(self) -> tuple[Instr, ...]:
        """An instruction for each component of the row; itself where it has none."""
        if not self.row.components:
            return (self,)
        found: list[Instr] = []
        first = 0
        for component in self.row.components:
            last = first + len(component.operands)
            found.append(
                Instr(component, self.operands[first:last], (), self.origin, self.contract, self.comment)
            )
            first = last
        return tuple(found)

    def defined(self) -> tuple[Register, ...]:
        """Every register written, explicit and implicit."""
        operands = self.operands
        return (*[o for i in self.row.defines if isinstance(o := operands[i], Register)], *self.row.writes)

    def used(self) -> tuple[Register, ...]:
        """Every register read, explicit (tied ones too) and implicit."""
        operands = self.operands
        return (*[o for i in self.row.uses if isinstance(o := operands[i], Register)], *self.row.reads)
