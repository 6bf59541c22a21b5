"""Instructions to assembly text and back.

The printer prints the same text as llvm-mc: the encoding suffix is spelt, inline constants are decimal or
`1.0`, literals are hexadecimal, modifiers are in LLVM's order. The parser also accepts mnemonics without the
suffix: it tries the encodings in the assembler's order and takes the first that is legal. Labels, comments
and directives are left to the caller.
"""
