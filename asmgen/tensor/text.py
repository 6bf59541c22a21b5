"""Gen text: `parse` reads it, `print_program` prints it, and what is printed parses back to the same program."""

from __future__ import annotations

from asmgen.tensor.parser import parse
from asmgen.tensor.printer import print_module, print_program

__all__ = ["parse", "print_module", "print_program"]
