"""Independent matrix instructions of a block as a single step: for few waves, numpy's calls cost more than
their work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set

import numpy as np

from isa.emulator.state.waves import Step, Waves
from isa.emulator.steps.matrices import MatrixStep

Steps = tuple[tuple[int, Step], ...]
_FEW_WAVES = 4  # of more waves, the products of one instruction take 0.8 of the time or more


def products_together(steps: Sequence[tuple[int, Step]], touched: Callable[[int], Set[int] | None]) -> Steps:
    """The steps of a block, by their operations' numbers, in which products of a kind that do not need each
    other's results are one step, in the place of the first.

    `touched` gives the rows that an operation may read or write, or None if they are unknown.
    """
    joined: list[tuple[int, Step]] = []
    run: list[MatrixStep] = []
    between: set[int] = set()  # rows that other operations touch from the run's first product on
    place = 0  # of the run in `joined`
    for index, step in steps:
        if isinstance(step, MatrixStep) and run and _joins(step, run, between):
            run.append(step)
            joined[place] = joined[place][0], _joined(tuple(run))
            continue
        rows = touched(index)
        if isinstance(step, MatrixStep):
            run, place = [step], len(joined)
            between.clear()
        elif rows is None:
            run = []
        else:
            between |= rows
        joined.append((index, step))
    return tuple(joined)


def _joins(step: MatrixStep, run: Sequence[MatrixStep], between: Set[int]) -> bool:
    """Whether a product may run beside those of `run`, before the operations that touch the rows
    `between`."""
    if step.rows is None or not all(before.rows and before.kind == step.kind for before in run):
        return False
    own = {row for rows in step.rows for row in range(*rows)}
    results = {row for before in run if before.rows is not None for row in range(*before.rows[3])}
    return own.isdisjoint(results) and own.isdisjoint(between)


def _joined(steps: tuple[MatrixStep, ...]) -> Step:
    """One step that does these products as if each were a wave's."""
    *sources, results = zip(*[step.rows for step in steps if step.rows is not None], strict=True)
    multiply = steps[0].multiply

    def step(w: Waves) -> None:
        if w.width > _FEW_WAVES:
            for each in steps:
                each.run(w)
            return
        a, b, c = (np.concatenate([w.blocks[rows] for rows in operand]) for operand in sources)
        words, first = multiply(a, b, c), 0
        for rows in results:
            w.blocks[rows] = words[first : first + w.width]
            first += w.width

    return step
