"""`python -m tests.mutants` prints the tables.

It is a file of its own because a process that plants faults imports the started file again, unless its name is
`__main__.py`, and must not load the compiler.
"""

from __future__ import annotations

from tests.mutants.table import main

main()
