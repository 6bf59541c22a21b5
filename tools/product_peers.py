"""`python -m tools.product_peers [TARGET...]`: the figures of clang's and Triton's kernels for the products.

It takes the clocks of each kernel of clang that a person tries for a product, and of the choices of Triton's
tuned matmul, and keeps the best of each compiler in tools/product-peers.json. A row that the file has is
measured again only with `--again`. A target takes some ten CPU minutes. `--best` takes
two: it measures the best kernel of clang in each row again, after a small change of the model.

`--triton PATH` measures Triton in place of clang; PATH is a Python with Triton 3.9 (`pip install triton` in
an environment of its own: it needs no GPU). `--space DIRECTORY` keeps Triton's code objects, and uses those
that are there.
"""

from __future__ import annotations

import argparse
import datetime as dt
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from isa.targets import TARGETS, parse_target
from tools.scoreboard.products.clang import kernels_for
from tools.scoreboard.products.file import FILE, Measured, PeerRow, read_rows
from tools.scoreboard.products.measured import arrays_of, clang_of, measured
from tools.scoreboard.products.shapes import PRODUCTS, Product
from tools.scoreboard.products.triton import Choice, choices_for, is_right, launch_of

_KERNELS = Path(__file__).parent / "triton-kernels" / "matmul.py"


def compile_space(python: Path, directory: Path, target: str) -> list[Choice]:
    """Triton's choices for a target. Raises CalledProcessError if Triton refuses the kernel, and ValueError
    if a choice does not give numpy's result."""
    listed = directory / f"{target}.json"
    if listed.exists():
        return msgspec.json.decode(listed.read_bytes(), type=list[Choice])
    directory.mkdir(parents=True, exist_ok=True)
    _ = subprocess.run([str(python), str(_KERNELS), str(directory), target], check=True)
    space = msgspec.json.decode(listed.read_bytes(), type=list[Choice])
    if wrong := [choice.file for choice in space if not is_right(choice, directory)]:
        listed.unlink()
        raise ValueError(f"{', '.join(wrong)}: the result is not numpy's")
    return space


def clang_figures(product: Product, target: str, best: str = "") -> Iterator[Measured]:
    """The figures of clang's kernels, or of the kernel that was the best."""
    for kernel in kernels_for(product, parse_target(target).target):
        if best in ("", f"clang {kernel.name}"):
            yield clang_of(kernel, product, target)


def triton_figures(
    product: Product, target: str, space: Sequence[Choice], directory: Path
) -> Iterator[Measured]:
    """The figures of Triton's choices."""
    for choice in choices_for(product, parse_target(target).target, space):
        yield measured(choice.name, [launch_of(choice, product, directory, arrays_of(product))])


def keep(rows: Sequence[PeerRow]) -> None:
    """Put rows into the file, in place of those of the same target, product and compiler."""
    known = {(row.target, row.product, row.compiler): row for row in (*read_rows(), *rows)}
    names = [str(product) for product in PRODUCTS]
    kept = sorted(
        (row for row in known.values() if row.product in names),
        key=lambda row: (list(TARGETS).index(row.target), names.index(row.product), row.compiler),
    )
    _ = FILE.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")
    read_rows.cache_clear()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.product_peers", description=__doc__)
    _ = parser.add_argument("targets", nargs="*", metavar="TARGET", help="all targets by default")
    _ = parser.add_argument("--triton", type=Path, help="a Python that has Triton, to measure it")
    _ = parser.add_argument("--space", type=Path, help="keep Triton's code objects in this directory")
    _ = parser.add_argument("--again", action="store_true", help="also measure rows that the file has")
    _ = parser.add_argument("--best", action="store_true", help="measure the best kernels of clang again")
    options = parser.parse_args(arguments)
    targets: list[str] = options.targets or list(TARGETS)
    compiler = "triton 3.9.0" if options.triton else "clang 22.1"
    known = {(row.target, row.product): row.best.name for row in read_rows() if row.compiler == compiler}
    today = dt.datetime.now(tz=dt.UTC).date().isoformat()
    with TemporaryDirectory(prefix="asmgen-") as temporary:
        directory: Path = options.space or Path(temporary)
        for target in targets:
            space = compile_space(options.triton, directory, target) if options.triton else []
            for product in PRODUCTS:
                was_best = known.get((target, str(product)))
                if was_best is not None and not (options.again or options.best):
                    continue
                found = (
                    triton_figures(product, target, space, directory)
                    if options.triton
                    else clang_figures(product, target, "" if options.again else was_best or "")
                )
                best = min(found, key=lambda each: each.clocks, default=None)
                if best is not None:
                    keep([PeerRow(target, str(product), compiler, today, best)])
                    print(f"{target} {product}: {best.name} {best.clocks:,}", file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
