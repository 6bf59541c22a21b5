"""Instructions to assembly text and back.

What is printed is what llvm-mc prints for the same bytes: the encoding suffix is spelt, constants that the
encoding holds inline are decimal or `1.0`, literals are hexadecimal, modifiers are in LLVM's order. What is
read may leave the suffix out: the encodings are tried in the assembler's order and the first legal one is
taken. Labels, comments and directives are the caller's business.
"""

from isa.text.operands import parse_register
from isa.text.parsing import parse_instr, parse_machine_instr
from isa.text.printing import format_instr

__all__ = ["format_instr", "parse_instr", "parse_machine_instr", "parse_register"]
