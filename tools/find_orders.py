"""Find the orders of the loops that asmgen ships, and write asmgen/passes/schedule/orders/orders.json.

    python -m tools.find_orders --seconds 60          all loops, for at most 60 s each
    python -m tools.find_orders --again --seconds 60  search on from those of the table
    python -m tools.find_orders --check               exit 1 if a loop has no order in the table

It needs OR-tools (`pip install '.[exact]'`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping

import msgspec

from asmgen.cli.reading import source_of
from asmgen.compiler import start
from asmgen.frontends.sources import Source, read_text
from asmgen.loop_kernels import Loop, loops_of
from asmgen.options import Options
from asmgen.passes.schedule.modulo.exact import exact_order
from asmgen.passes.schedule.orders import TABLE, KnownOrder, known_order, shape, table
from asmgen.pipeline import advance
from isa.named_tuple import NamedTuple
from isa.targets import parse_target
from tools.scoreboard.products.shapes import Product

_SQUARE = (("m", "4096"), ("n", "4096"), ("k", "4096"), ("dtype", "f16"))
_PRODUCTS = [
    Product("square", 4096, 4096, 4096, type_, rows) for type_ in ("f16", "bf16") for rows in (False, True)
]
_SMALL = (("m", "544"), ("n", "512"), ("k", "512"), ("dtype", "f16"))
_PARTS = (("m", "4000"), ("n", "4000"), ("k", "4096"), ("dtype", "f16"))  # of tiles, at the ends of rows
_LONG = (("cols", "100000"),)
# four waves, which have a SIMD each and read a slice of the next trip while they multiply
SLICES = (
    "contract[m=256, n=256, k=64, waves=4, buffers=2, "
    "by=v_mfma_f32_32x32x16_f16, stages=2, copies=16, slices=2]"
)


class Program(NamedTuple):
    """A program with loops for some targets: a name with settings, or gen text with a title. Without
    `schedules`, they are chosen."""

    name: str
    settings: tuple[tuple[str, str], ...]
    targets: tuple[str, ...]
    schedules: tuple[str, ...] = ()
    text: str = ""

    def source(self) -> Source:
        return read_text(self.text, self.name) if self.text else source_of(self.name, list(self.settings))


PROGRAMS = (
    Program("gemm", _SQUARE, ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")),
    *(
        Program(str(product), (), ("gfx950",), (SLICES.replace("f16", product.element),), product.text)
        for product in _PRODUCTS
    ),
    Program("gemm", _PARTS, ("gfx950",)),
    Program("gemm", _SMALL, ("gfx942",)),
    Program("softmax", _LONG, ("gfx942",)),
    Program("layernorm", _LONG, ("gfx942",)),
    Program("examples/by_hand/gemm_wmma.py:gemm", (), ("gfx1201",)),
)


def loops() -> Iterator[tuple[str, str, Loop]]:
    """The source, the target and each loop."""
    for program in PROGRAMS:
        options = Options(schedules=program.schedules)
        for target in program.targets:
            compilation = start(program.source(), parse_target(target), options)
            advance(compilation, "machine")
            for kernel in compilation.stages.machine:
                for loop in loops_of(kernel, options):
                    yield program.name, target, loop


def found(loop: Loop, target: str, seconds: float) -> KnownOrder | None:
    """The order of a loop by a search, from that of the table on."""
    known = known_order(loop.problem, loop.values, target)
    made = exact_order(loop.problem, loop.values, seconds, known=known)
    if made.order is None:
        return None
    return KnownOrder(
        loop.kernel.name, target, made.order.interval, list(made.order.start), list(made.refuted),
        made.least_interval, made.least_vectors, made.restriction.in_order, made.restriction.copies,
        round(made.seconds, 1),
    )  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.find_orders", description=__doc__)
    _ = parser.add_argument("--seconds", type=float, default=60.0, help="of each search, 60 by default")
    _ = parser.add_argument("--again", action="store_true", help="search on from those of the table")
    _ = parser.add_argument("--check", action="store_true", help="only name the loops that have no order")
    given = parser.parse_args()
    known = {} if not TABLE.exists() else table()
    made: dict[str, KnownOrder] = {}
    missing = 0
    for source, target, loop in loops():
        key = shape(loop.problem, loop.values, target)
        order = known.get(key)
        if (order is None or given.again) and not given.check:
            order = found(loop, target, given.seconds)
        if order is None:
            missing += 1
        else:
            made[key] = order
        told = "no order" if order is None else f"{order.interval} clocks a trip"
        print(f"{target} {source} {loop.problem.label}: {told}", flush=True)
        if not given.check:
            _write(made)
    return 1 if missing else 0


def _write(orders: Mapping[str, KnownOrder]) -> None:
    lines = [f'"{key}": {msgspec.json.encode(order).decode()}' for key, order in sorted(orders.items())]
    _ = TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
