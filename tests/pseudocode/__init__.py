"""An interpreter of the pseudocode in AMD's instruction-set manuals: `lexer`, `parser` and `evaluator`, over
`values`.

The texts are those that the PyPI package `tinygrad` extracts from the manuals of CDNA4, RDNA3.5 and RDNA4
(`source`). `judge` compares rows of `isa.table`, as a machine has them (`subjects`), with them on random
operands and modifiers (`trial`).
"""
