"""Faults in the order of a seed. Each package and each kind of fault gets its share."""

from __future__ import annotations

import random
from collections import Counter
from math import sqrt
from typing import NamedTuple

from tools.plant_faults.faults import Fault, faults_of


class Drawn(NamedTuple):
    fault: Fault
    source: str


def package_of(file: str) -> str:
    """The folder whose faults share a weight."""
    return "/".join(file.split("/")[:-1][:2])


def drawn(sources: dict[str, str], seed: int, below: str = "") -> list[Drawn]:
    """All faults of the files below a folder. A larger count goes on where a smaller one ends.

    The weight of a package is the square root of its number of faults, so that tables do not crowd out the
    rest. All kinds of a package weigh the same. A change of one file leaves the order of the others' faults.
    """
    found = [
        Drawn(fault, source)
        for file, source in sources.items()
        if file.startswith(below)
        for fault in faults_of(file, source)
    ]
    of_package = Counter(package_of(each.fault.block.file) for each in found)
    of_kind = Counter((package_of(each.fault.block.file), each.fault.kind) for each in found)

    def place(each: Drawn) -> float:
        """Weighted sampling without replacement (Efraimidis and Spirakis, 2006)."""
        package = package_of(each.fault.block.file)
        weight = sqrt(of_package[package]) / of_kind[package, each.fault.kind]
        return random.Random(f"{seed} {each.fault.name}").expovariate(weight)

    return sorted(found, key=place)
