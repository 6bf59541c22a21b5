"""The inputs that a program is verified on."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from asmgen.ir.program import Statement, tensor_type
from asmgen.runtime.arrays import Array
from asmgen.verification import patterns
from asmgen.verification.samples import ordinary_inputs, sample_inputs


class Inputs(Struct, frozen=True):
    """One array per parameter, and what they are called in a report.

    `in_every_setting` says whether their values reach what settings differ in: the results of approximate
    instructions. Patterns tell where elements go, which one setting shows.
    """

    name: str
    arrays: list[Array]
    in_every_setting: bool = True


def seeded_inputs(parameters: Sequence[Statement], seed: int) -> list[Inputs]:
    """Ordinary numbers, what shows where elements go, and every magnitude with the corners of the types."""
    fewest = min((patterns.rows_of(tensor_type(parameter.result)) for parameter in parameters), default=1)
    turns = range(1) if fewest >= patterns.ROWS_FOR_ALL else range(patterns.TURNS)
    return [
        Inputs("ordinary numbers", ordinary_inputs(parameters, seed)),
        *(
            Inputs("numbers that add up exactly", patterns.exact_inputs(parameters, seed, turn), False)
            for turn in turns
        ),
        Inputs("peaks", patterns.peak_inputs(parameters, seed), False),
        Inputs("troughs", patterns.trough_inputs(parameters, seed), False),
        Inputs("factors", patterns.factor_inputs(parameters, seed), False),
        Inputs("every magnitude", sample_inputs(parameters, seed)),
    ]
