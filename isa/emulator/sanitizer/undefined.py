"""Undefined values: their places, and whether they decide anything.

A read of a register or memory that was never written may be harmless: compilers copy unused parts of tuples,
save registers for a caller, and combine masks with unused lanes. So an operation that reads undefined bits
runs twice, once with other bits in their place, and the bits of the result that differ are undefined in turn.
It is a fault if such a difference decides an address, a branch, EXEC, a mode, or the contents of global
memory.

This is the idea of Valgrind's memcheck (Seward and Nethercote, 2005), to the bit, with a second run in place
of rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Step, Waves
from isa.named_tuple import NamedTuple
from isa.registers import SCC, Register

Words = NDArray[np.uint32]


class FirstRead(NamedTuple):
    """The first read of an undefined value: the operation, the register, and whether only a part of it is
    undefined. `computed`: a number was computed from it since, so it is no longer a copy."""

    operation: int
    what: str
    partial: bool
    computed: bool = False


class Doubt(NamedTuple):
    """Registers that may be undefined when an operation runs: `units` that it reads, `kept` units that it
    writes. `waves` are the affected waves, None for all of the group; `partial` units are in a tuple with
    other units that were written."""

    units: tuple[int, ...]
    kept: tuple[int, ...]
    partial: frozenset[int]
    waves: NDArray[np.intp] | None = None


class Undefined:
    """The registers of a chunk of waves as they would be with other bits in place of all undefined bits."""

    def __init__(self, w: Waves, layout: RegisterLayout) -> None:
        self._layout = layout
        self._other: dict[int, Words] = {}
        self._origins: dict[int, FirstRead] = {}
        self._w = w

    def _whole(self, unit: int) -> Words:
        """A register of every wave of the chunk: [wave, lane], or [wave]."""
        if self._layout.is_vector(Register(unit)):
            return self._w.u32[self._layout.row(unit)]
        pair, half = self._layout.place(unit)
        return self._w.s32[pair, :, half]

    def _opposite(self, unit: int) -> Words:
        """Values with every bit inverted; SCC is a truth value."""
        whole = self._whole(unit)
        return (whole == 0).astype(np.uint32) if unit == SCC.first else ~whole

    def others(self, doubts: Iterable[Doubt]) -> dict[int, Words]:
        """The alternative values of the registers in doubt in the group, by unit."""
        w = self._w
        words: dict[int, Words] = {}
        for doubt in doubts:
            for unit in doubt.units:
                other = self._other.get(unit)
                if other is None:
                    other = self._other[unit] = self._opposite(unit)
                self._take(words, unit, other, doubt.waves)
            for unit in doubt.kept:
                if unit in self._other:
                    self._take(words, unit, self._other[unit], doubt.waves)
        return {unit: values[w.select] for unit, values in words.items()}

    def _take(self, words: dict[int, Words], unit: int, other: Words, waves: NDArray[np.intp] | None) -> None:
        if waves is None:
            words[unit] = other
            return
        mixed = words.get(unit)
        if mixed is None:
            mixed = self._whole(unit).copy()
        mixed[waves] = other[waves]
        words[unit] = mixed

    def origin(self, unit: int, index: int, partial: bool) -> FirstRead:
        """The first read of a unit's value; this operation if it was never read before."""
        return self._origins.get(unit) or FirstRead(index, str(Register(unit)), partial)

    def differences(
        self, others: dict[int, Words], units: Iterable[int]
    ) -> tuple[int, NDArray[np.bool_]] | None:
        """The first of these units that would differ in an active lane (a scalar: in a wave), and its
        lanes."""
        w = self._w
        for unit in units:
            other = others.get(unit)
            if other is None:
                continue
            wrong = other != self._whole(unit)[w.select]
            if wrong.ndim == 2 and not w.full:
                wrong &= w.active
            if wrong.any():
                return unit, wrong
        return None

    def twice(self, step: Step, others: dict[int, Words], defines: tuple[int, ...]) -> dict[int, Words]:
        """Run a step with the alternative values, then with the real values. Returns the alternative results
        of the registers that it writes."""
        w = self._w
        kept = {unit: self._whole(unit)[w.select].copy() for unit in others}
        for unit, values in others.items():
            self._whole(unit)[w.select] = values
        result = self.tried(step, defines)
        for unit, values in kept.items():
            self._whole(unit)[w.select] = values
        step(w)
        return result

    def tried(self, step: Step, defines: tuple[int, ...]) -> dict[int, Words]:
        """The results of a step; its registers are then restored."""
        w = self._w
        kept = {unit: self._whole(unit)[w.select].copy() for unit in defines}
        step(w)
        result = {unit: self._whole(unit)[w.select].copy() for unit in defines}
        for unit, values in kept.items():
            self._whole(unit)[w.select] = values
        w.refresh_exec()
        return result

    def hold(self, unit: int, values: Words | None, origin: FirstRead) -> None:
        """Record the alternative value of a register of the group after an operation; None if it would be the
        same."""
        other = self._other.get(unit)
        if other is None:
            other = self._other[unit] = self._opposite(unit)
        other[self._w.select] = self._whole(unit)[self._w.select] if values is None else values
        self._origins[unit] = origin

    def bits(self, others: dict[int, Words], unit: int) -> Words | None:
        """uint32[wave, lane]: the undefined bits of a vector register (or a scalar, in every lane); None if
        it is defined."""
        w = self._w
        other = others.get(unit)
        if other is None:
            return None
        differ = other ^ self._whole(unit)[w.select]
        if not differ.any():
            return None
        return np.broadcast_to(differ if differ.ndim == 2 else differ[:, None], (w.width, w.lanes))


def first_wave(wrong: NDArray[Any]) -> tuple[int, list[int]]:
    """The first wave of a group in which something is wrong, and its lanes; none of a scalar."""
    if wrong.ndim == 1:
        return int(np.argmax(wrong)), []
    wave = int(np.argmax(wrong.any(axis=1)))
    return wave, [int(lane) for lane in np.flatnonzero(wrong[wave])]
