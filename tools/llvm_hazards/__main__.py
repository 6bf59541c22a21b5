"""`python -m tools.llvm_hazards CPU [PASS,...] < sequence`: prints the lines, with LLVM's insertions marked
by a plus."""

from __future__ import annotations

import sys

from tools.llvm_hazards import Oracle, Refusal
from tools.llvm_hazards.decode import BLOCK


def main(arguments: list[str]) -> int:
    cpu = arguments[0] if arguments else "gfx942"
    passes = tuple(arguments[1].split(",")) if len(arguments) > 1 else ("post-RA-hazard-rec",)
    sequence = [line.strip() for line in sys.stdin if line.strip()]
    answer = Oracle(cpu).run([sequence], passes)[0]
    if isinstance(answer, Refusal):
        print(f"refused: {answer}", file=sys.stderr)
        return 1
    for tag, text in answer:
        if text != BLOCK:
            print(f"+ {text}" if tag is None else f"  {sequence[tag]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
