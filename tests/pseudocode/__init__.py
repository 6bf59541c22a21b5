"""An interpreter of the pseudocode in AMD's instruction-set manuals: `lexer`, `parser` and `evaluator`, over `values`.

The text is what the PyPI package `tinygrad` extracts from the CDNA4 manual. `judge` holds rows of `isa.table` against it.
"""
