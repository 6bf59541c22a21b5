"""Running a selected program on the emulator beside the interpretation of its module."""

from __future__ import annotations

from typing import Any

import numpy as np

from asmgen.graph.ops import PARAM
from asmgen.ir.program import Module
from asmgen.lanewise.interpret import interpret
from asmgen.select import select
from asmgen.select.selection import buffer_type
from isa.emulator import run_kernel
from isa.program import Kernel
from isa.targets import TargetId, parse_target
from regalloc import allocate, check, rewrite
from regalloc.verify import verify

TARGET = parse_target("gfx942")
OTHERS = tuple(parse_target(name) for name in ("gfx90a", "gfx1100", "gfx1100:wave64", "gfx1201"))
TARGETS = (TARGET, *OTHERS)
Array = Any
SPECIAL = (0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, -1e-40, 1.0, -1.0, 3.4e38, 0.5, -2.5)


def selected(module: Module, target: TargetId = TARGET) -> Kernel:
    kernel = select(module, target)
    verify(kernel)
    return kernel


def allocated(kernel: Kernel) -> Kernel:
    """The program on physical registers, proven by the checker."""
    allocation = allocate(kernel)
    rewritten = rewrite(kernel, allocation)
    check(kernel, allocation, rewritten)
    return rewritten


def input_arrays(module: Module, seed: int, outputs: int) -> list[Array]:
    """One array per buffer: random numbers with special numbers among them, and zeros for the last
    `outputs`."""
    rng = np.random.default_rng(seed)
    parameters = [buffer_type(s.result) for s in module.statements if s.op is PARAM]
    arrays: list[Array] = []
    for i, type_ in enumerate(parameters):
        size, name = type_.size, type_.element.name
        if i >= len(parameters) - outputs:
            arrays.append(np.zeros(size, type_.element.numpy))
        elif type_.element.is_float:
            values = (rng.normal(size=size) * rng.choice([1.0, 5.0, 1e3], size=size)).astype(type_.element.numpy)
            places = rng.permutation(size)[: min(size, 2 * len(SPECIAL))]
            with np.errstate(over="ignore"):
                values[places] = np.resize(np.array(SPECIAL), len(places)).astype(type_.element.numpy)
            arrays.append(values)
        elif name == "bool":
            arrays.append(rng.integers(0, 2, size).astype(bool))
        else:
            values = rng.integers(-20, 20, size).astype(np.int64)
            wide = rng.random(size) < 0.3
            values[wide] = rng.integers(-(2**31), 2**31, int(wide.sum()))
            arrays.append(values.astype(np.uint64).astype(type_.element.numpy) if name == "u32" else values.astype(type_.element.numpy))
    return arrays


def interpreted(module: Module, arrays: list[Array], target: TargetId = TARGET) -> list[Array]:
    memory = [array.copy() for array in arrays]
    interpret(module, memory, wave=target.target.wave_size)
    return memory


def emulated(kernel: Kernel, module: Module, arrays: list[Array]) -> list[Array]:
    grid = module.statements[0].attributes["grid"]
    assert isinstance(grid, tuple)
    x, y, z = (int(str(size)) for size in grid)
    return run_kernel(kernel, (x, y, z), [array.copy() for array in arrays])


def difference(wanted: list[Array], got: list[Array]) -> str:
    """The differences of two sets of buffers: bit by bit, any NaN as good as another; empty if they agree."""
    for number, (a, b) in enumerate(zip(wanted, got, strict=True)):
        b = b.view(a.dtype)
        equal = a == b
        if a.dtype.kind == "f":
            equal = (equal & (np.signbit(a) == np.signbit(b))) | (np.isnan(a) & np.isnan(b))
        if not equal.all():
            places = np.flatnonzero(~equal)[:4]
            return f"buffer {number} at {places.tolist()}: wanted {a[places].tolist()}, got {b[places].tolist()}"
    return ""
