"""Faults in the order of a seed. Each package and each kind of fault gets its share."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from math import sqrt
from typing import NamedTuple

from tools.plant_faults.faults import Fault, faults_of


class Drawn(NamedTuple):
    fault: Fault
    source: str


def package_of(file: str) -> str:
    """The folder whose faults share a weight."""
    return "/".join(file.split("/")[:-1][:2])


def drawn(sources: dict[str, str], seed: int, below: str = "") -> Iterator[Drawn]:
    """All faults of the files below a folder. A larger count goes on where a smaller one ends.

    The weight of a package is the square root of its number of faults, so that tables do not crowd out the
    rest. All kinds of a package weigh the same.
    """
    chosen = {file: text for file, text in sources.items() if file.startswith(below)}
    left: dict[str, dict[str, list[Drawn]]] = defaultdict(lambda: defaultdict(list))
    for file, source in chosen.items():
        for fault in faults_of(file, source):
            left[package_of(file)][fault.kind].append(Drawn(fault, source))
    weights = {package: sqrt(sum(map(len, kinds.values()))) for package, kinds in left.items()}
    order = random.Random(seed)
    while left:
        package = order.choices(list(left), [weights[name] for name in left])[0]
        kind = order.choice(sorted(left[package]))
        faults = left[package][kind]
        at = order.randrange(len(faults))
        faults[at], faults[-1] = faults[-1], faults[at]
        yield faults.pop()
        if not faults:
            del left[package][kind]
        if not left[package]:
            del left[package]
