"""`python -m tests.mutants` writes the tables. The processes that plant faults must not have loaded the compiler: they import
the file that was started again, unless its name is this one's.
"""

from __future__ import annotations

from tests.mutants.table import main

main()
