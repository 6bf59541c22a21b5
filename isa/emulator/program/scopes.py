"""The effect of instructions on the order of memory between waves (LLVM's AMDGPUUsage, the memory models of
each target).

A release waits for the wave's accesses, and writes back a cache if the target has a cache that other units do
not see; an acquire invalidates caches. Code does not mark atomic accesses. An access counts as atomic if it
has the bits of a scope, or if it is a load that a loop repeats at the same address: a compiler would move any
other load out of the loop.
"""

from __future__ import annotations

from enum import IntEnum

from isa.emulator.program.code import Code, Operation, ends_block
from isa.instruction import Instr, Label, Trait, Unit
from isa.named_tuple import NamedTuple
from isa.registers import Register, units_of
from isa.semantics import resolve
from isa.semantics.control import Control

_SCOPE_BITS = ("sc0", "sc1", "glc", "scope")
_SYSTEM = 3  # of the modifier `scope`
_ACCESSES = frozenset({Trait.LOAD, Trait.STORE, Trait.ATOMIC})
_FIRST_ROUND = 24  # operations between a loop's load and the same in its first round
_LONGEST_LOOP = 160  # operations of a loop that may only wait


class CacheScope(IntEnum):
    """How far a cache operation reaches."""

    NONE = 0
    WORKGROUP = 1
    AGENT = 2


class CacheEffect(NamedTuple):
    """A cache operation: the scope that it invalidates for, and whether it writes back for the whole device.
    `outer` and `inner` are the two halves of an invalidation of two caches in a row; both are needed."""

    invalidates: CacheScope = CacheScope.NONE
    writes_back: bool = False
    outer: bool = False
    inner: bool = False


class MemoryKind(NamedTuple):
    """The kind of a memory operation.

    * `atomic`: it changes memory atomically
    * `returns`: it also returns the previous value
    * `scoped`: its bits make it atomic
    * `waits`: a loop repeats it and does nothing else
    * `copies`: it copies memory to LDS
    * `volatile`: a volatile access may have the same bits
    """

    atomic: bool = False
    returns: bool = False
    scoped: bool = False
    waits: bool = False
    copies: bool = False
    volatile: bool = False


def cache_effect(instr: Instr) -> CacheEffect:
    """The effect of an instruction of `Trait.CACHE`."""
    names = {spec.name for spec in instr.row.modifiers}
    scope = _number(instr, "scope") if "scope" in names else 0
    match instr.row.operation:
        case "buffer_inv":
            return CacheEffect(CacheScope.AGENT if _number(instr, "sc1") else CacheScope.WORKGROUP)
        case "buffer_wbinvl1" | "buffer_wbinvl1_vol":
            return CacheEffect(CacheScope.AGENT)
        case "buffer_gl0_inv":
            return CacheEffect(CacheScope.WORKGROUP, inner=True)
        case "buffer_gl1_inv":
            return CacheEffect(outer=True)
        case "global_inv":
            return CacheEffect(CacheScope.AGENT if scope >= 2 else CacheScope.WORKGROUP)
        case "global_wb" | "global_wbinv":
            return CacheEffect(
                CacheScope.AGENT if instr.row.operation == "global_wbinv" else CacheScope.NONE, scope >= 2
            )
        case "buffer_wbl2":
            return CacheEffect(writes_back=not names or bool(_number(instr, "sc1")))
        case _:
            return CacheEffect()


def writes_back_for_agent(code: Code) -> bool:
    """Whether a release for the device must write back a cache: if accesses have a bit for the device
    only."""
    return _has_modifier(code, "sc1")


def says_what_is_atomic(code: Code) -> bool:
    """Whether atomic stores to memory have bits that plain stores lack."""
    return _has_modifier(code, "sc1") or _has_modifier(code, "scope")


def _has_modifier(code: Code, name: str) -> bool:
    return any(spec.name == name for instr in code.instructions for spec in instr.row.modifiers)


def _number(instr: Instr, name: str) -> int:
    if name not in {spec.name for spec in instr.row.modifiers}:
        return 0
    value = instr.modifier(name)
    return value if isinstance(value, int) else 0


def kinds_of(code: Code) -> list[MemoryKind]:
    """The kind of every operation."""
    loops = _loops(code)
    waiting = [_waiting(code, index, operation, loops) for index, operation in enumerate(code.operations)]
    for index in [index for index, waits in enumerate(waiting) if waits]:
        first = _first_round(code, index)
        waiting[first] |= first >= 0 and _same_access(code.operations[first], code.operations[index])
    return [_kind(operation, waits) for operation, waits in zip(code.operations, waiting, strict=True)]


def _same_access(first: Operation, second: Operation) -> bool:
    """Whether two loads may be the same load of the source: a compiler peels the first trip of a loop."""
    return isinstance(first, Instr) and isinstance(second, Instr) and first.row is second.row


def _first_round(code: Code, index: int) -> int:
    """The same access shortly before a loop's load; -1 if there is none."""
    for before in range(index - 1, max(-1, index - _FIRST_ROUND), -1):
        operation = code.operations[before]
        if isinstance(operation, Instr) and not operation.row.traits.isdisjoint(_ACCESSES):
            return before
    return -1


def _kind(operation: Operation, waits: bool) -> MemoryKind:
    if not isinstance(operation, Instr):
        return MemoryKind()
    traits = operation.row.traits
    atomic = Trait.ATOMIC in traits
    scoped = not atomic and any(_number(operation, name) for name in _SCOPE_BITS)
    returns = atomic and bool(operation.row.defines)
    volatile = scoped and _may_be_volatile(operation)
    return MemoryKind(atomic, returns, scoped, waits, Trait.LDS_DMA in traits, volatile)


def _may_be_volatile(access: Instr) -> bool:
    """Whether an access has the bits of system scope, as a volatile access has; gfx1100 has a bit of its own
    for it."""
    names = {spec.name for spec in access.row.modifiers}
    if "scope" in names:
        return _number(access, "scope") == _SYSTEM
    if "sc1" in names:
        return bool(_number(access, "sc0") and _number(access, "sc1"))
    return bool(_number(access, "dlc" if "dlc" in names else "glc"))


def _loops(code: Code) -> list[tuple[int, int]]:
    """First and last operation of every short stretch that a branch at its end repeats."""
    loops: list[tuple[int, int]] = []
    for index, operation in enumerate(code.operations):
        target = operation.operands[-1] if isinstance(operation, Instr) and operation.operands else None
        if ends_block(operation) and isinstance(target, Label):
            start = code.labels.get(target.name, index + 1)
            if start <= index <= start + _LONGEST_LOOP:
                loops.append((start, index))
    return loops


def _waiting(code: Code, index: int, operation: Operation, loops: list[tuple[int, int]]) -> bool:
    """Whether a loop without stores and barriers repeats a load, or a returning atomic, at the same
    address."""
    if not isinstance(operation, Instr) or Trait.LDS_DMA in operation.row.traits:
        return False
    returns = Trait.ATOMIC in operation.row.traits and bool(operation.row.defines)
    if not (returns or Trait.LOAD in operation.row.traits) or operation.row.unit in (Unit.SMEM, Unit.SCRATCH):
        return False
    for start, end in loops:
        if not start <= index <= end:
            continue
        body = [other for other in code.operations[start : end + 1] if isinstance(other, Instr)]
        sleeps = any(resolve(other.row.semantics) is Control.GIVE_WAY for other in body)
        if any(_does_something(other, sleeps) for other in body if other is not operation):
            continue
        if returns or (sleeps and operation.row.unit is Unit.FLAT) or _fixed(operation, body):
            return True
    return False


def _does_something(instr: Instr, sleeps: bool) -> bool:
    """Whether an instruction has no place in a loop that only waits. Variables of a lane may be kept in
    scratch there, which unoptimised code for gfx90a accesses by flat addresses: nothing in it says that those
    are not in memory, so a loop that sleeps is believed to wait."""
    traits = instr.row.traits
    private = (Unit.SCRATCH, Unit.FLAT) if sleeps else (Unit.SCRATCH,)
    stores = Trait.STORE in traits and instr.row.unit not in private
    return stores or not traits.isdisjoint({Trait.BARRIER, Trait.ATOMIC, Trait.LDS_DMA, Trait.END})


def _fixed(load: Instr, body: list[Instr]) -> bool:
    """Whether the load's address is the same in every round: made of nothing that the body loads or carries
    on."""
    saves = any(Trait.STORE in instr.row.traits for instr in body)
    varying = {unit for instr in body for register in instr.defined() for unit in register.units}
    for instr in body:
        used = {
            unit
            for use in instr.row.uses
            if isinstance(operand := instr.operands[use], Register)
            for unit in operand.units
        }
        if instr is load:
            return not used & varying
        loads = Trait.LOAD in instr.row.traits and (saves or instr.row.unit is not Unit.SCRATCH)
        written = units_of(instr.defined())
        varying = varying | written if loads or used & varying else varying - written
    return False
