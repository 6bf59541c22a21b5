"""The report of an allocation that ran out of registers.

A special case is a register that encodings imply for two values at once:

    v_cmp_lt_u32_e32 vcc, 9, v0            VCC has a value of the program from here on
    v_cmp_lt_u32_e32 %n, 19, v0            the short comparison writes VCC, so %n must be there
    v_cndmask_b32_e32 %a, 0, v0, vcc
"""

from __future__ import annotations

from math import prod

from isa.diagnostics import InputError, Place
from isa.instruction import Instr
from isa.program import Kernel, VirtualRegister
from isa.registers import FIRST_VIRTUAL, Register, RegisterClass
from isa.target import Target
from regalloc.constraints import gather_constraints
from regalloc.liveness import Liveness, compute_liveness
from regalloc.pools import Pool, kernel_target
from regalloc.scan.linear_scan import OutOfRegisters
from regalloc.slots import slot_instruction, unit_class

CODE = "RA001"


def shortage(kernel: Kernel, pools: dict[RegisterClass, Pool], out: OutOfRegisters) -> InputError:
    """`error[RA001]`: the live values at the tightest point, the state of the pool, and possible remedies.

    `error[RA003]` if an encoding implies the register.
    """
    liveness, pool = compute_liveness(kernel), pools[out.owner.register_class]
    implied = implied_twice(kernel, liveness, out.owner, out.block, out.index)
    if implied is not None:
        return implied
    budget = pool.mask.bit_count()
    label, index = liveness.flow.labels[out.block], max(out.index, 0)
    pressure = liveness.pressure[pool.register_class]
    wanted = _count(out.owner.count, pool.register_class)
    if pressure.units > budget:
        label, index = pressure.label, pressure.index
        message = f"{_count(pressure.units, pool.register_class)} are live, the budget is {budget}"
    else:
        message = (
            f"no room for %{out.owner.name} ({wanted}, aligned to {out.owner.align}), the budget is {budget}"
        )
    instr = slot_instruction(kernel.block(label), index)
    live = [
        unit
        for unit in _live_through(liveness, label, index)
        if unit_class(kernel, unit) is pool.register_class
    ]
    where = f"at {_describe_point(kernel, label, index, instr)}"
    notes = (
        (
            f"the pool: {_describe_pool(pool)}, {len(live)} in use there, "
            f"{budget - len(live) if len(live) < budget else 'none'} free; {pool.limit}"
        ),
        *_live_notes(kernel, liveness, label, live),
    )
    place = (
        instr.origin.place
        if instr is not None and instr.origin is not None and instr.origin.place is not None
        else None
    )
    needed = max(pressure.units, budget + 1)
    return InputError(
        place or out.owner.place or kernel.name, CODE, f"{message} ({where})", notes,
        _help(kernel, pool, needed),
    )  # fmt: skip


def _count(units: int, register_class: RegisterClass) -> str:
    return f"{units} {register_class.name}{'' if units == 1 else 's'}"


def _live_through(liveness: Liveness, label: str, index: int) -> list[int]:
    """The values live before an instruction, and those born at it that live on."""
    slots = liveness.slots[liveness.flow.index[label]]
    live = set(liveness.live_at(label, index))
    if index == 0:
        live.update(slots.parameters)
    after = (
        set(liveness.live_at(label, index + 1))
        if index + 1 < len(slots.uses)
        else set(liveness.live_out(label))
    )
    return sorted(max((live, after | set(slots.defines[index])), key=len))


def _describe_point(kernel: Kernel, label: str, index: int, instr: Instr | None) -> str:
    block = kernel.block(label)
    if instr is None:
        return f"the end of {label}"
    if instr is block.terminator:
        return f"{instr.row.mnemonic} at the end of {label}"
    same = sum(1 for other in block.instructions[: index + 1] if other.row is instr.row)
    return f"the {_ordinal(same)} {instr.row.mnemonic} of {label}"


def _ordinal(number: int) -> str:
    suffix = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


def _describe_pool(pool: Pool) -> str:
    """The registers of a pool as ranges: `v0-v127`."""
    ranges: list[str] = []
    start = None
    for i in range(pool.mask.bit_length() + 1):
        inside = pool.mask >> i & 1
        if inside and start is None:
            start = i
        elif not inside and start is not None:
            first, last = Register(pool.first + start), Register(pool.first + i - 1)
            ranges.append(str(first) if start == i - 1 else f"{first}-{last}")
            start = None
    return ", ".join(ranges) or "empty"


def _live_notes(kernel: Kernel, liveness: Liveness, label: str, live: list[int]) -> tuple[str, ...]:
    """Every range live there: first those that a loop around the point only carries, then the others."""
    across = _across_loop(liveness, label)
    notes: list[str] = []
    for title, units in (
        ("live across the loop", [unit for unit in live if unit in across]),
        ("live there", [unit for unit in live if unit not in across]),
    ):
        ranges = [_describe_range(owner, count) for owner, count in _by_owner(kernel, units)]
        ranges += [str(Register(unit)) for unit in units if unit < FIRST_VIRTUAL]
        if ranges:
            notes.append(f"{title}: {', '.join(ranges)}")
    return tuple(notes)


def _across_loop(liveness: Liveness, label: str) -> set[int]:
    """Units that are live wherever the innermost loop around a block begins: it keeps them for itself or for
    later."""
    flow = liveness.flow
    number = flow.index[label]
    around = [loop for loop in flow.linear.loops if number in loop.blocks]
    return set(liveness.entering(around[-1].header)) if around else set()


def _by_owner(kernel: Kernel, units: list[int]) -> list[tuple[VirtualRegister, int]]:
    counts: dict[int, int] = {}
    for unit in units:
        if unit >= FIRST_VIRTUAL:
            first = kernel.owners[unit - FIRST_VIRTUAL].first
            counts[first] = counts.get(first, 0) + 1
    return [(kernel.owners[first - FIRST_VIRTUAL], count) for first, count in counts.items()]


def _describe_range(owner: VirtualRegister, count: int) -> str:
    size = str(count) if count == owner.count else f"{count} of {owner.count}"
    return f"%{owner.name} ({size}{_line(owner.place)})"


def _line(place: Place | None) -> str:
    return f", line {place.line}" if place is not None and place.line else ""


def _help(kernel: Kernel, pool: Pool, needed: int) -> str:
    if pool.register_class is RegisterClass.SGPR:
        return (
            "keep fewer uniform values at once: fewer arguments or carried values, or values that differ "
            "by lane instead"
        )
    target = kernel_target(kernel)
    lighter = "fewer elements per lane (a smaller vector width or tile) keeps fewer values live"
    threads = prod(kernel.workgroup)
    share = min(target.workgroup_vgprs(threads), target.arch_vgprs)
    if share >= needed:
        return f"--max-vgprs {needed} or more, at most {share} here; {lighter}"
    fitting = _largest_workgroup(target, needed)
    if fitting:
        return (
            f"a workgroup of {fitting} leaves {min(target.workgroup_vgprs(fitting), target.arch_vgprs)}; "
            f"{lighter}"
        )
    return lighter


def _largest_workgroup(target: Target, needed: int) -> int:
    """The largest number of threads in a workgroup with `needed` VGPRs for each lane; 0 if no workgroup is
    small enough."""
    if needed > target.arch_vgprs:
        return 0
    sizes = range(target.max_workgroup, 0, -target.wave_size)
    return next((size for size in sizes if target.workgroup_vgprs(size) >= needed), 0)


def implied_twice(
    kernel: Kernel, liveness: Liveness, owner: VirtualRegister, block: int, index: int
) -> InputError | None:
    """`error[RA003]` if another value must be in the implied place of a virtual register, in a slot of a
    block. None if either may be in another register."""
    pinned = gather_constraints(kernel, liveness.slots).pinned
    first = pinned.get(owner.first)
    if first is None:
        return None
    wanted = Register(first, owner.count)
    slots = liveness.slots[block]
    after = set(liveness.leaving(block)).union(*slots.uses[index + 1 :], *slots.defines[index + 1 :])
    holders = [
        "a value of the program's own"
        if unit < FIRST_VIRTUAL
        else f"%{kernel.owners[unit - FIRST_VIRTUAL].name}"
        for unit in sorted(after.intersection(liveness.live_at(liveness.flow.labels[block], max(index, 0))))
        if pinned.get(unit, unit) in wanted.units
    ]
    if not holders:
        return None
    instr = slot_instruction(kernel.blocks[block], index) if index >= 0 else None
    what = f"{instr.row.mnemonic} has %{owner.name}" if instr is not None else f"%{owner.name} is"
    place = instr.origin.place if instr is not None and instr.origin is not None else None
    return InputError(
        place or owner.place or kernel.name,
        "RA003",
        f"{what} in {wanted}, which contains {', '.join(dict.fromkeys(holders))} there",
        (f"in block {liveness.flow.labels[block]}; an instruction that has %{owner.name} implies {wanted}",),
        "the long form of either instruction, which names its register",
    )
