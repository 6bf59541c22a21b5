"""Spelling of a kernel's virtual registers, in `.mir` text and in traces."""

from __future__ import annotations

import re
from collections.abc import Iterator

from isa.program import VirtualRegister
from isa.registers import FIRST_VIRTUAL, Register, register_name


def in_order(owners: list[VirtualRegister]) -> Iterator[VirtualRegister]:
    """Every virtual register once, by its number."""
    return (owner for unit, owner in enumerate(owners, FIRST_VIRTUAL) if owner.first == unit)


class RegisterNames:
    """Spells a virtual register by its name, followed by its number if the name is taken or is not a word."""

    def __init__(self, owners: list[VirtualRegister]) -> None:
        self._owners = owners
        self._spelling: dict[int, str] = {}
        taken: set[str] = set()
        for owner in in_order(owners):
            name = re.sub(r"\W", "_", owner.name, flags=re.ASCII) or "t"
            while name in taken:
                name = f"{name}_{owner.first}"
            taken.add(name)
            self._spelling[owner.first] = name

    def __call__(self, register: Register) -> str:
        """`%name` for a virtual register, `%name[2:3]` for a part of it, and a physical register's own
        name."""
        if not register.is_virtual:
            return register_name(register)
        owner = self._owners[register.first - FIRST_VIRTUAL]
        name, first = f"%{self._spelling[owner.first]}", register.first - owner.first
        if register.count == owner.count:
            return name
        return f"{name}[{first}]" if register.count == 1 else f"{name}[{first}:{first + register.count - 1}]"
