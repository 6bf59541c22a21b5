"""The model beside the published loops."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from isa.named_tuple import NamedTuple
from tools.validate_timing.goals import Goal, table
from tools.validate_timing.loops.published import FIGURES, WITHOUT_A_RECIPE, Figure

_WITHIN = 0.10
_EQUAL = 0.02  # times that differ by less are the same


class LoopResult(NamedTuple):
    """A published figure and the model's."""

    figure: Figure
    modelled: float

    @property
    def error(self) -> float:
        return self.modelled / self.figure.measured - 1


def compare_loops() -> list[LoopResult]:
    return [LoopResult(figure, figure.modelled()) for figure in FIGURES]


def loop_goals(results: Sequence[LoopResult]) -> Iterator[Goal]:
    """Each loop within 10 %, and the ablation in its order."""
    for result in results:
        yield Goal(f"{result.figure.row}, {result.figure.what}: relative error", abs(result.error), _WITHIN)
    ablation = [result for result in results if "ablation" in result.figure.row]
    wrong = sum(map(_is_other_step, ablation, ablation[1:]))
    yield Goal("steps of the ablation in another order", wrong, 0)


def _is_other_step(before: LoopResult, after: LoopResult) -> bool:
    """Whether the model has a step of the ablation as another step than it is: longer, or of no length."""
    measured, modelled = after.figure.measured - before.figure.measured, after.modelled - before.modelled
    if abs(measured) < _EQUAL * before.figure.measured:
        return abs(modelled) > _EQUAL * before.modelled
    return (measured > 0) != (modelled > 0)


def loop_table(results: Sequence[LoopResult], data: Path) -> str:
    """The loops; and the rows of the data that have no loop here, with the reason."""
    rows = [
        (one.figure.row, one.figure.what, one.figure.trust.name.lower(), one.figure.measured, one.modelled,
         f"{100 * one.error:+.1f} %")
        for one in results
    ]  # fmt: skip
    parts = [table(("loop", "figure", "trust", "measured", "modelled", "error"), rows)]
    known = {one.figure.row for one in results}
    if data.exists():
        for row in json.loads(data.read_text())["loops"]:
            if row["id"] not in known and "trace" not in row:
                parts.append(f"not modelled: {row['id']}: {WITHOUT_A_RECIPE.get(row['id'], 'no recipe')}")
    return "\n\n".join(parts)
