"""`python -m tools.latency_page > docs/latencies.md`: the page on latencies, its table from the records
themselves."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from isa.latencies import LATENCIES, Latencies, Trust

PREAMBLE = """\
# Latencies

What the scheduler believes of each target, in clocks: `isa/latencies.py` has the records, and this page is
what `python -m tools.latency_page` prints of them. A wave's result is there for the next instruction after so
many clocks where no other wave is in the way. `issue` is the time between two instructions of a wave,
`quarter` that after one which runs at a quarter of the rate, `matrix_pass` that of each pass of a matrix
instruction.

Nothing that has to be right depends on these numbers: waits are counted, and wait states are rules
([hazards.md](hazards.md)). `vector_memory` is of loads that hit a near cache; a cold one takes 1,300 to 1,700
clocks on RDNA (traces of tinygrad), which no order within a block can hide.

Each number has a mark that says how far to trust it:
"""


def page() -> str:
    """The whole page."""
    lines = [PREAMBLE, "| mark | a number that was |", "|---|---|"]
    lines += [f"| {trust.name[0]} | {trust.value} |" for trust in Trust if trust is not Trust.DERIVED]
    lines += [f"| X | {Trust.DERIVED.value} |", ""]
    lines += [f"| what | {' | '.join(LATENCIES)} |", f"|---{'|---' * len(LATENCIES)}|"]
    for place, name in enumerate(Latencies._fields):
        cells = [record[place] for record in LATENCIES.values()]
        shown = [
            f"{cell.clocks} {'X' if cell.trust is Trust.DERIVED else cell.trust.name[0]}, {cell.source}"
            for cell in cells
        ]
        lines.append(f"| `{name}` | {' | '.join(shown)} |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    _ = sys.stdout.write(page())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
