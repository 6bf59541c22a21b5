"""`list`: one catalogue kernel a line, its name first, then its parameters with their defaults."""

from __future__ import annotations

import argparse

from asmgen.kernels import CATALOGUE


def execute(_arguments: argparse.Namespace) -> int:
    for kernel in CATALOGUE.values():
        print(kernel.name, *(f"{name}={value}" for name, value in kernel.parameters.items()))
    return 0
