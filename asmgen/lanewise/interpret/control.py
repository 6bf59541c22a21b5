"""Branches and loops of a lanewise module, as `asmgen.lanewise.interpret.run` runs them: a mask says which
work-items take part."""

from __future__ import annotations

import numpy as np

from asmgen.ir.program import Region, Statement
from asmgen.lanewise.interpret.state import Array, Run


def if_(run: Run, statement: Statement) -> None:
    before = run.mask
    condition = run.values[statement.operands[0]]
    yielded: list[tuple[Array, ...]] = []
    for region, mask in zip(statement.regions, (before & condition, before & ~condition), strict=False):
        run.mask = mask
        yielded.append(_region(run, region))
    run.mask = before
    for position, result in enumerate(statement.results):
        run.define(result, _chosen(condition, yielded[0][position], yielded[1][position]))


def for_(run: Run, statement: Statement) -> None:
    before = run.mask
    counter, stop, step, *carried = [run.values[operand] for operand in statement.operands]
    (region,) = statement.regions
    index, *parameters = region.parameters
    active: Array = before & (counter < stop)
    while active.any():
        run.mask = active
        run.values[index] = counter
        run.values.update(zip(parameters, carried, strict=True))
        following = _region(run, region)
        carried = [_chosen(active, new, old) for new, old in zip(following, carried, strict=True)]
        counter = _chosen(active, counter + step, counter)
        active = active & (counter < stop)
    run.mask = before
    for result, value in zip(statement.results, carried, strict=True):
        run.define(result, value)


def while_(run: Run, statement: Statement) -> None:
    """Each lane leaves the loop at the trip in which its own test fails, with the values of that trip."""
    before = run.mask
    carried = [run.values[operand] for operand in statement.operands]
    test, body = statement.regions
    active: Array = before
    while True:
        run.mask = active
        run.values.update(zip(test.parameters, carried, strict=True))
        (goes_on,) = _region(run, test)
        active = active & goes_on
        if not active.any():
            break
        run.mask = active
        run.values.update(zip(body.parameters, carried, strict=True))
        carried = [_chosen(active, new, old) for new, old in zip(_region(run, body), carried, strict=True)]
    run.mask = before
    for result, value in zip(statement.results, carried, strict=True):
        run.define(result, value)


def _region(run: Run, region: Region) -> tuple[Array, ...]:
    for statement in region.statements[:-1]:
        run.step(statement)
    return tuple(run.values[operand] for operand in region.statements[-1].operands)


def _chosen(condition: Array, a: Array, b: Array) -> Array:
    return np.where(condition if a.ndim == 1 else condition[:, None], a, b)
