"""`Row`, which describes an instruction in an encoding completely, and `Instr`, a use of a row.

The builder, verifier, liveness, waits, hazards, printer, parser and emulator all read the row; none of them
tests a mnemonic. Adding an instruction is adding a row and a sample (docs/adding-an-instruction.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum, Flag, auto
from functools import cache, lru_cache
from typing import ClassVar, overload

from msgspec import Struct
from msgspec.structs import force_setattr

from isa.diagnostics import Place
from isa.footprint import Footprint
from isa.named_tuple import NamedTuple
from isa.registers import FIRST_VGPR, FIRST_VIRTUAL, SCC, Register, Units, tracked, units_among


class Fact(Enum):
    """A fact about an instruction. Passes look up facts in sets often, so members hash by identity, as they
    compare: Enum's own hash is a Python call that hashes the name."""

    __hash__ = object.__hash__


class Kind(Flag):
    """The kinds of operand."""

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
    NULL = auto()  # the register that reads as zero and ignores writes (RDNA)
    ZERO_FLAGS = auto()  # src_vccz, src_execz: read-only scalar sources (CDNA)
    # an immediate of named fields, spelt as `isa.fields` has them (s_waitcnt_depctr, s_delay_alu, s_sendmsg)
    FIELDS = auto()


class Role(Fact):
    DEFINE = "define"
    USE = "use"


class Unit(Fact):
    """The unit that issues the instruction."""

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
    DUAL = "dual"  # two operations in an instruction (VOPD); its rows spell their mnemonics out


class ExecMode(Fact):
    """How EXEC acts on an instruction (docs/architecture.md, "Machine programs")."""

    SCALAR = "scalar"  # not a per-lane instruction
    MASKED = "masked"  # inactive lanes keep their destination
    IGNORED = "ignored"  # writes whatever EXEC says (v_writelane, matrix)
    FULL = "full"  # meaningful only if EXEC covers every lane


class Event(Fact):
    """An event that increments a wait counter. The target's record maps events to counters."""

    VMEM_LOAD = "vmem_load"
    VMEM_STORE = "vmem_store"
    SMEM_LOAD = "smem_load"  # returns out of order
    LDS = "lds"
    FLAT_LDS = "flat_lds"  # a flat access may be LDS or memory: counts in both
    MESSAGE = "message"
    EXPORT = "export"


class OperandSpec(Struct, frozen=True):
    """An explicit operand.

    * `type`: the type of its bits (`f32 f16 f64 b32 u32 i32 b16 b64 f16x2 f32x2 mask ...`).
    * `count`: its width in units.
    * `align`, `scalar_align`: the alignment of its first unit in its file, and of an SGPR if that differs.
    * `reach`: the number of VGPRs that its field can name, if not all.
    * `tied`: the define that a use shares its register with; assembly text leaves out a `hidden` use.
    * `fixed`: the only register that it can be.
    * `same_file`: the operand with which it shares the file, VGPRs or AGPRs.
    * `half`: half of a register. The instruction's modifier `half` chooses which, a bit for each operand;
      a half define preserves the other half.
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
    """A modifier: `offset:16`, `glc`, `row_shr:1`, `op_sel:[0,1]`.

    `syntax` is:

    * `flag`: spelt or not; its value is 1
    * `number`, `hex`: `name:N`, `name:0xN`
    * `list`: `name:[a,b]`; the value is a tuple
    * `counter`: `name(N)`, of s_waitcnt
    * `word`: `name:WORD`; the value is the index into `words`
    * `phrase`: `mul:2`; `words` are the whole spellings, the first is empty
    * `source`: `neg`, `abs` and `sext`, a bit mask over the source operands, spelt at the operand; `maximum`
      is the mask of the operands that may have it
    * `dpp`: a lane control of `isa.dpp`; `words` are the controls that the row takes
    * `dpp8`, `swizzle`: the eight lanes of DPP8, the pattern of ds_swizzle_b32 (`isa.dpp`)
    * `truth table`: `bitop3:0xca`

    `tail` are further list elements that the row itself fixes (the destination half of op_sel). A `spelt`
    modifier is printed at its default too. A `required` modifier must be in the text, because it
    distinguishes this row from another of the same name. `bits` are the pieces of a counter in the raw
    immediate of s_waitcnt, low bits first, as first bit and width. `constraints` are values that restrict
    another modifier: the value, the other modifier's name, and its allowed values.
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


ImplicitUnits = tuple[Units, Units, bool]
"""Units, those of them with tracked values, and whether SCC is among them."""


@cache
def _implicit(registers: tuple[Register, ...]) -> ImplicitUnits:
    """The units of the registers that a row reads or writes; most rows have one of a few lists."""
    units = units_among(registers)
    return units, tracked(units), SCC.first in units


class Row(Struct, frozen=True, eq=False):
    """An instruction in an encoding. Rows are compared by identity.

    * `name`: the mnemonic without encoding suffix; `mnemonic` is printed.
    * `form`: distinguishes rows of the same mnemonic (`saddr`, `offen`, `return`, `preserve`, `high`, ...);
      the plain row has none.
    * `reads`, `writes`: the implicit registers.
    * `semantics`: a key into `isa.semantics`, resolved by the emulator.
    * `traits`: the facts that passes ask for (`isa.instruction.Trait`).
    * `passes`: the number of matrix passes (4 cycles each).
    * `opposite`: the mnemonic of the conditional branch with the opposite condition.
    * `operation`: the name by which the compiler asks for the instruction, the same on every target that has
      it: CDNA3's name if CDNA3 has it.
    * `targets`, `waves`: the targets and wave sizes that have the row.
    * `components`: the two operations of a VOPD row. The row's operands are those of the first, then those of
      the second; all reads come before all writes.
    * `banks`: pairs of operands that need VGPRs in different banks, with the bits of a register's number that
      choose its bank; with `reads_one_twice` two sources may still be the same VGPR.
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
    read_units: ImplicitUnits = ((), (), False)  # of `reads` and of `writes`
    written_units: ImplicitUnits = ((), (), False)

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
        force_setattr(self, "read_units", _implicit(self.reads))
        force_setattr(self, "written_units", _implicit(self.writes))

    def __repr__(self) -> str:
        return f"Row({self.mnemonic})"


class Trait(Fact):
    """A yes-or-no fact about a row that some pass asks for."""

    COMMUTES = "commutes"  # src0 and src1 may be exchanged
    MOVE = "move"  # vdst := src0, nothing else
    MIXES = "mixes"  # every bit of the result is a bit of each source, as a checksum's: an exclusive or
    CONDITIONAL_BRANCH = "conditional branch"
    ZERO = "zero"  # a conditional branch that is taken if its source is 0
    BRANCH = "branch"
    CALL = "call"  # calls a function or returns from it
    END = "end"  # s_endpgm
    BARRIER = "barrier"  # the wave stops until others are there
    SIGNAL = "signal"  # tells other waves that this wave's LDS accesses are done
    WAIT = "wait"
    NOP = "nop"
    SLEEP = "sleep"  # the wave issues nothing for 64 clocks a unit of the immediate
    LOAD = "load"
    STORE = "store"
    ATOMIC = "atomic"
    SIDE_EFFECT = "side effect"  # must stay although its results are unused
    CACHE = "cache"  # cache control
    AFTER_LOADS = "after loads"  # cache control that the loads under way have to be done for
    QUARTER = "quarter rate"  # takes four times as long to issue, as products of whole 32-bit integers do
    MULTIPLY = "multiply"  # a product in the scalar ALU, which takes longer than other results
    HALF_WRITE = "half write"  # writes only part of its destination unit (d16_hi, op_sel high, SDWA, fp8)
    LANE_READ = "lane read"  # v_readlane, v_readfirstlane: VGPR to SGPR
    LANE_WRITE = "lane write"
    # v_permlane16, v_permlanex16, v_permlane64 and the swaps: lanes exchanged without LDS
    PERMLANE = "permlane"
    CROSS_LANE = "cross lane"  # a lane's result depends on other lanes
    DOT = "dot"  # issued by the dot-product unit
    XDL = "xdl"  # a matrix instruction with A and B of neither f32 nor f64
    DIV_FMAS = "div fmas"  # reads the VCC of v_div_scale later than a mask is read
    # a 64-bit shift by a VGPR; gfx90a reads it wrongly if it is the last allocated VGPR
    WIDE_SHIFT = "wide shift"
    DOUBLE_FMA = "double fma"  # shares the double-precision pipe with f64 matrix instructions
    ROUNDS = "rounds"  # a matrix instruction that rounds its factors before it multiplies them (xf32)
    # a product of f16 or bf16 that takes denormals for zeros, and gives zeros for denormal results
    FLUSHES = "flushes"
    SPARSE = "sparse"  # a matrix instruction with half of A's elements, placed by an index
    IDLE = (
        "idle"  # s_wait_idle: waits for everything that the wave has under way, results inside the ALUs too
    )
    WAIT_ALU = "wait alu"  # s_waitcnt_depctr, s_wait_alu: waits for results inside the ALUs
    DOUBLE_LENGTH = "double length"  # takes twice the bytes of other rows of its encoding
    DELAY = "delay"  # s_delay_alu: a hint, no promise
    CLAUSE = "clause"  # s_clause: keeps the memory instructions after it together
    PRIORITY = "priority"  # sets the wave's priority: the lower two bits of the immediate
    LDS_DMA = "lds dma"  # memory to LDS without a VGPR; the LDS base is in M0


_ACCESSES = frozenset({Trait.LOAD, Trait.STORE, Trait.ATOMIC, Trait.LDS_DMA})


def has_phases(row: Row) -> bool:
    """Whether a program may state the order of a row's instructions: accesses of memory, but by scalar loads,
    and matrix instructions."""
    return row.unit is Unit.MATRIX or (row.unit is not Unit.SMEM and not row.traits.isdisjoint(_ACCESSES))


class Origin(NamedTuple):
    """The source op of an instruction, and its place; `line` is the instruction's own line, in assembly that
    names a source."""

    op: str
    place: Place | None = None
    line: Place | None = None


class InstrUnits(Struct, frozen=True):
    """The units that an instruction reads and writes, those of them with tracked values, and whether SCC is
    among them."""

    read: Units
    written: Units
    tracked_read: Units
    tracked_written: Units
    reads_scc: bool
    writes_scc: bool


def _spelt(operands: Sequence[Operand], places: Iterable[int]) -> tuple[Units, bool]:
    """The units of the registers among the operands at some places, and whether any is below the VGPRs."""
    units: list[int] = []
    is_low = False
    for i in places:
        operand = operands[i]
        if isinstance(operand, Register):
            first, count = operand
            if first < FIRST_VGPR:
                is_low = True
            if count == 1:
                units.append(first)
            elif count == 2:
                units += first, first + 1
            else:
                units += range(first, first + count)
    return tuple(units), is_low


def _units_of(row: Row, operands: tuple[Operand, ...]) -> InstrUnits:
    """The units that an instruction names, tied and implicit units included."""
    (read, reads_low), (written, writes_low) = _spelt(operands, row.uses), _spelt(operands, row.defines)
    others_read, tracked_read, reads_scc = row.read_units
    others_written, tracked_written, writes_scc = row.written_units
    if reads_low or writes_low:
        return InstrUnits(
            read + others_read, written + others_written,
            tracked(read) + tracked_read, tracked(written) + tracked_written,
            reads_scc or SCC.first in read, writes_scc or SCC.first in written,
        )  # fmt: skip
    every_read, every_written = read + others_read, written + others_written
    return InstrUnits(
        every_read, every_written,
        every_read if others_read is tracked_read else read + tracked_read,
        every_written if others_written is tracked_written else written + tracked_written,
        reads_scc, writes_scc,
    )  # fmt: skip


class _RememberedUnits:
    """The units of an instruction, computed when they are first asked for: `functools.cached_property`, but
    without the lock that it takes in Python 3.11."""

    @overload
    def __get__(self, instr: None, owner: type[Instr]) -> _RememberedUnits: ...

    @overload
    def __get__(self, instr: Instr, owner: type[Instr]) -> InstrUnits: ...

    def __get__(self, instr: Instr | None, owner: type[Instr]) -> InstrUnits | _RememberedUnits:
        if instr is None:
            return self
        operands = instr.operands
        is_physical = operands and isinstance(operands[0], Register) and operands[0].first < FIRST_VIRTUAL
        units = (_physical_units if is_physical else _units_of)(instr.row, operands)
        vars(instr)["units"] = units
        return units


# programs on physical registers repeat few instructions
_physical_units = lru_cache(1 << 12)(_units_of)


class Instr(Struct, frozen=True, dict=True):
    """An instruction: `operands` match `row.operands`, hidden tied operands included.

    `modifiers` has only those that differ from their default, in the row's order. `contract` marks a float
    multiply or add of the source program, which may be fused into an fma; an expansion's own arithmetic is
    never marked.

    `awaits` marks copies to LDS that run asynchronously. A load straight to LDS has 0: only a marked wait
    waits for it, not its readers and not a barrier. A wait has N: after it at most the last N marked loads of
    the wave are under way; the pass of waits finds the largest count that promises it.

    `touches` is the memory that an access may touch, an object for each element; an access without it may
    touch any memory that its row reaches.

    `phase` is a number of a part of the source program, from 1, for an access of memory or a matrix
    instruction that stays behind those of earlier parts; 0 if the program states no order.
    """

    row: Row
    operands: tuple[Operand, ...]
    modifiers: tuple[tuple[str, ModifierValue], ...] = ()
    origin: Origin | None = None
    contract: bool = False
    comment: str = ""
    awaits: int | None = None
    touches: tuple[Footprint, ...] = ()
    phase: int = 0

    units: ClassVar[_RememberedUnits] = _RememberedUnits()
    """The units that the instruction names, tied and implicit units included. Many passes ask for them, and
    most instructions go through many passes unchanged."""

    def modifier(self, name: str) -> ModifierValue:
        """The value of a modifier of this row, or its default; KeyError if the row lacks the modifier."""
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
        """This instruction by another row: its origin, its marks, its comment, the memory that it touches and
        its phase stay."""
        return Instr(
            row, operands, modifiers, self.origin, self.contract, self.comment, self.awaits, self.touches,
            self.phase,
        )  # fmt: skip

    def parts(self) -> tuple[Instr, ...]:
        """An instruction for each component of the row; the instruction itself if the row has none."""
        if not self.row.components:
            return (self,)
        components: list[Instr] = []
        first = 0
        for component in self.row.components:
            last = first + len(component.operands)
            components.append(
                Instr(component, self.operands[first:last], (), self.origin, self.contract, self.comment)
            )
            first = last
        return tuple(components)

    def defined(self) -> tuple[Register, ...]:
        """Every register written, explicit and implicit."""
        operands = self.operands
        return (*[o for i in self.row.defines if isinstance(o := operands[i], Register)], *self.row.writes)

    def used(self) -> tuple[Register, ...]:
        """Every register read, explicit (tied operands too) and implicit."""
        operands = self.operands
        return (*[o for i in self.row.uses if isinstance(o := operands[i], Register)], *self.row.reads)
