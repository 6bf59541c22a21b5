"""Kernels that are wrong on purpose: `--verify` must name each of them.

There are three kinds: wrong results as a fault would produce them (`wrong_results`), faults planted in the
compiler (`faults`), and edited assembly (`edits`). `python -m tests.mutants` prints the verdicts as Markdown.
"""
