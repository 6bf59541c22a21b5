"""Registers that a program is to leave alone, and names itself."""

from __future__ import annotations

from isa.diagnostics import InputError
from isa.program import Kernel
from isa.registers import FIRST_VIRTUAL, Register


def refuse_reserved(kernel: Kernel, reserved: frozenset[int]) -> None:
    """`error[RA004]` at the first instruction that names one of the physical units `reserved`, or implies
    it."""
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
                        "a virtual register, which is given one that is free",
                    )


def _listed(reserved: frozenset[int]) -> str:
    return ", ".join(str(Register(unit)) for unit in sorted(reserved))
