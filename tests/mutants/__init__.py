"""Wrong kernels, made on purpose: `--verify` has to name every one of them.

Three kinds: wrong results, as a fault would make them (`wrong_results`), faults planted in the compiler
(`faults`), and assembly edited by hand (`edits`). `python -m tests.mutants` prints what was named as
Markdown.
"""
