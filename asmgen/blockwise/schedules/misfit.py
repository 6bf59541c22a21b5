"""Whether a choice fits a kernel: what a person writes into text is honoured, or refused with the rule."""

from __future__ import annotations

from msgspec.structs import asdict

from asmgen.blockwise.schedules import product_misfit
from asmgen.blockwise.schedules.choices import Choice, Column, Contract, Transpose, name_of
from asmgen.blockwise.schedules.pages import transpose
from asmgen.blockwise.schedules.work import Graph
from isa.target import Target

_POWERS = ("rows", "lanes", "waves", "teams", "vector", "tile", "m", "n", "k")
_LARGEST_ACCESS = 16  # elements


def misfit(graph: Graph, choice: Choice, target: Target) -> str:
    """The rule that a choice breaks for a kernel, in words; empty where it keeps them all."""
    broken = _of_kind(graph, choice) or _of_numbers(choice, target)
    if broken or not isinstance(choice, Contract):
        return broken
    return product_misfit.of_choice(graph, choice, target)


def _of_kind(graph: Graph, choice: Choice) -> str:
    if choice.body is not graph.body:
        return f"{name_of(choice)} is for kernels with {choice.body.value}"
    match choice:
        case Column() if graph.work.reduces_fast:
            return "column is for a last dim that is kept; row is for a last dim that is reduced"
        case Transpose() if transpose.axes_of(graph) is None:
            return "transpose is for buffers that are contiguous along another dim than the output"
        case Contract():
            return product_misfit.of_kind(graph)
        case _:
            return ""


def _of_numbers(choice: Choice, target: Target) -> str:
    values = asdict(choice)
    given = {name: value for name, value in values.items() if isinstance(value, int)}
    for name in _POWERS:
        count = given.get(name, 1)
        if count < 1 or count & (count - 1):
            return f"{name} is {count}, wanted a power of two"
    wave, most = target.wave_size, target.max_workgroup
    if isinstance(choice, Transpose) and choice.tile**2 < choice.vector * wave * choice.waves:
        return (
            f"a square of {choice.tile} by {choice.tile} has fewer elements than the workgroup's lanes read"
        )
    if given.get("lanes", 1) > wave:
        return f"lanes is {given['lanes']}, and a wave has {wave}"
    if given.get("vector", 1) > _LARGEST_ACCESS:
        return f"vector is {given['vector']}, wanted {_LARGEST_ACCESS} at most"
    lanes = wave * given.get("waves", 1) * given.get("teams", 1)
    return f"a workgroup of {lanes} lanes, and the target's has {most} at most" if lanes > most else ""
