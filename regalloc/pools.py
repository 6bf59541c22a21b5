"""The physical registers that an allocation may hand out."""

from __future__ import annotations

from functools import lru_cache
from math import prod

from isa.diagnostics import InputError
from isa.named_tuple import NamedTuple
from isa.program import Kernel
from isa.registers import FIRST_AGPR, FIRST_VGPR, FIRST_VIRTUAL, VCC, Register, RegisterClass, register_name
from isa.target import ACCUMULATOR_STEP, Target, round_up


class Pool(NamedTuple):
    """A register file: `first` is the unit of its register 0, and `mask` has a bit for every usable register.

    `limit` names the reason for the size, for messages. No tuple spans `seam`: it is the number of
    VCC, which follows the last SGPR of some targets.
    """

    register_class: RegisterClass
    first: int
    mask: int
    limit: str
    seam: int = 0

    def starts(self, count: int) -> int:
        """The numbers at which a tuple of `count` registers may begin, as a mask; they are not aligned."""
        inside = max(0, min(count - 1, self.seam))
        return self.mask & ~((1 << inside) - 1 << self.seam - inside)

    def units(self) -> frozenset[int]:
        """The physical units that may be used."""
        return _units(self.first, self.mask)


@lru_cache(64)
def _units(first: int, mask: int) -> frozenset[int]:
    return frozenset([first + i for i in range(mask.bit_length()) if mask >> i & 1])


def kernel_target(kernel: Kernel) -> Target:
    """The record of a kernel's target."""
    return kernel.target.target


def build_pools(
    kernel: Kernel, reserved: frozenset[int], max_vgprs: int | None, max_unified: int | None = None
) -> dict[RegisterClass, Pool]:
    """The pools of a kernel: SGPRs with VCC last, VGPRs and AGPRs within the workgroup's share.

    `max_vgprs` limits the VGPRs alone, `max_unified` both vector files together on targets with a unified
    file.
    """
    target = kernel_target(kernel)
    reserved |= {unit for register in (*kernel.spill_lanes, *kernel.reserved) for unit in register.units}
    threads = prod(kernel.workgroup)
    share = target.workgroup_vgprs(threads)
    vgprs, limit = (
        min(share, target.arch_vgprs),
        f"a workgroup of {threads} leaves each lane {share} registers",
    )
    if share >= target.arch_vgprs:
        limit = f"{target.name} addresses {target.arch_vgprs}"
    if max_vgprs is not None and max_vgprs < vgprs:
        vgprs, limit = max_vgprs, f"--max-vgprs {max_vgprs}"
    if kernel.reserved:
        limit += f"; reserved: {', '.join(map(register_name, kernel.reserved))}"
    both = min(share, max_unified or share)
    left = both - round_up(vgprs, ACCUMULATOR_STEP) if target.has_agprs else 0
    agprs = min(max(left, 0), target.arch_vgprs)
    scalar = ((1 << target.sgprs) - 1) | (((1 << VCC.count) - 1) << VCC.first)
    return {
        pool.register_class: pool
        for pool in (
            Pool(
                RegisterClass.SGPR, 0, _without(scalar, reserved, 0),
                f"{target.name} has {target.sgprs} and VCC", VCC.first,
            ),
            Pool(RegisterClass.VGPR, FIRST_VGPR, _without((1 << vgprs) - 1, reserved, FIRST_VGPR), limit),
            Pool(RegisterClass.AGPR, FIRST_AGPR, _without((1 << agprs) - 1, reserved, FIRST_AGPR), limit),
        )
    }  # fmt: skip


def _without(mask: int, reserved: frozenset[int], first: int) -> int:
    for unit in sorted(reserved):
        if unit >= first:
            mask &= ~(1 << (unit - first))
    return mask


def refuse_reserved(kernel: Kernel, reserved: frozenset[int]) -> None:
    """Raise `error[RA004]` at the first instruction that names or implies any of the physical units
    `reserved`."""
    if not reserved:
        return
    for block in kernel.blocks:
        for instr in block.code:
            for register in (*instr.used(), *instr.defined()):
                if register.first < FIRST_VIRTUAL and not reserved.isdisjoint(register.units):
                    origin = instr.origin
                    raise InputError(
                        (origin.place if origin is not None else None) or kernel.name,
                        "RA004",
                        f"{instr.row.mnemonic} names {register}, wanted a register that is not reserved",
                        (f"in block {block.label}; reserved: {_listed(reserved)}",),
                        "a virtual register, which gets a free physical register",
                    )


def _listed(reserved: frozenset[int]) -> str:
    return ", ".join(str(Register(unit)) for unit in sorted(reserved))
