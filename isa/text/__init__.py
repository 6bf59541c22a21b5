"""Instructions to assembly text and back.

The printer prints the same text as llvm-mc: the encoding suffix is spelt, inline constants are decimal or
`1.0`, literals are hexadecimal, modifiers are in LLVM's order. The parser also accepts mnemonics without the
suffix: it tries the encodings in the assembler's order and takes the first that is legal. Labels, comments
and directives are left to the caller.
"""

from isa.text.operands import parse_register
from isa.text.parsing import parse_instr, parse_machine_instr
from isa.text.printing import format_instr

__all__ = ["format_instr", "parse_instr", "parse_machine_instr", "parse_register"]
