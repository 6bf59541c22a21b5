"""Calls of instructions: operands from Python values, addresses from objects and offsets."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, cast

import sympy

from asmgen.assembly.addresses import Placed, place
from asmgen.assembly.instructions import (
    Call,
    Given,
    Loose,
    ModifierGiven,
    forms_of,
    rows_of,
    sources_of,
    write,
)
from asmgen.assembly.recorder import Recorder
from asmgen.assembly.symbols import Symbols
from asmgen.assembly.values import (
    Address,
    Lds,
    Modified,
    Pointer,
    Registers,
    Scalar,
    Target,
    registers,
    require_own,
)
from isa.instruction import Immediate, Off

_OPERANDS = "a loaded value, k.vgpr() and k.sgpr() are registers; k.thread_id.x + 1 is an index"


class Calls:
    """Appends the instructions that a person names."""

    def __init__(self, recorder: Recorder, symbols: Symbols) -> None:
        self._recorder = recorder
        self._symbols = symbols

    def call(
        self, name: str, given: tuple[object, ...], modifiers: Mapping[str, ModifierGiven], into: object
    ) -> Any:
        """Append an instruction: None, its result, or a tuple of its results."""
        self._recorder.at(name)
        for modifier, value in modifiers.items():
            if not isinstance(value, bool | int | str | tuple | list):
                message = f"{name}: modifier {modifier} is {value!r}, wanted a word, a number or several"
                raise self._recorder.fault("ASM004", message)
        call = self._addressed(name, given, modifiers, self._into(into))
        results = write(self._recorder, call)
        return None if not results else results[0] if len(results) == 1 else results

    def _addressed(
        self, name: str, given: tuple[object, ...], modifiers: Mapping[str, ModifierGiven],
        into: tuple[Registers[Any], ...] | None,
    ) -> Call:  # fmt: skip
        """The call as given, or with the address of an object and an offset: (object, offset, data...)."""
        placed = None
        if given and isinstance(given[0], Address):
            given = (given[0].base, given[0].offset, *given[1:])
        base, offset = (*given, 0, 0)[:2]
        if isinstance(base, Pointer | Lds) and isinstance(offset, int | sympy.Expr):
            placed = place(self._recorder, self._symbols, name, base, self._symbols.index_of(offset))
        if placed is None:
            return Call(name, tuple(map(self.given, given)), dict(modifiers), into)
        data = tuple(map(self.given, given[2:]))
        offset_of = {"offset": placed.offset} if placed.offset else {}
        return Call(
            name, self._with_address(name, placed, data), {**modifiers, **offset_of}, into, placed.touches
        )

    def _with_address(self, name: str, placed: Placed, data: tuple[Given, ...]) -> tuple[Given, ...]:
        """The operands of the row that takes an address of this form, in its order."""
        rows = rows_of(self._recorder.table, name)
        spelt = {spec: value for spec, value in placed.operands.items() if not isinstance(value, Off)}
        for row in rows:
            specs = {row.operands[i].name: row.operands[i] for i in sources_of(row)}
            if len(specs) == len(spelt) + len(data) and all(
                spec in specs and isinstance(value, Registers) and specs[spec].count == len(value)
                for spec, value in spelt.items()
            ):
                left = iter(data)
                return tuple([spelt[spec] if spec in spelt else next(left) for spec in specs])
        message = f"{name}: got {len(data)} operands after the offset"
        raise self._recorder.fault("ASM003", message, notes=forms_of(rows))

    def given(self, value: object) -> Given:
        """An operand as the rows take it; an index expression is computed."""
        if isinstance(value, Registers | Modified | Immediate | Off | Target):
            return cast("Given", value)
        if isinstance(value, int | float):
            return Loose(int(value) if isinstance(value, bool) else value)
        if isinstance(value, sympy.Expr):
            return self._computed(value)
        if isinstance(value, Integral | Real):  # of numpy
            return Loose(int(value) if isinstance(value, Integral) else float(value))
        message = f"got {type(value).__name__} as an operand, wanted registers, a number or an index"
        raise self._recorder.fault("HND005", message, _OPERANDS)

    def _computed(self, expression: sympy.Expr) -> Given:
        if expression.is_Float:
            return Loose(float(cast("Any", expression)))
        index = self._symbols.index_of(expression)
        part = self._symbols.part(index)
        if isinstance(part, Immediate):
            return Loose(index.constant)
        value = registers(self._recorder, part, self._recorder.kernel.register_class(part))
        return Loose(value) if isinstance(value, Scalar) else value

    def _into(self, into: object) -> tuple[Registers[Any], ...] | None:
        if into is None:
            return None
        given = cast("tuple[object, ...]", into) if isinstance(into, tuple) else (into,)
        for value in given:
            if not isinstance(value, Registers):
                raise self._recorder.fault("HND005", f"got {value} in into, wanted registers")
            require_own(self._recorder, cast("Registers[Any]", value))
            self._recorder.require_writable(cast("Registers[Any]", value).register)
        return cast("tuple[Registers[Any], ...]", given)
