"""`python -m asmgen`."""

from __future__ import annotations

import sys

from asmgen.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
