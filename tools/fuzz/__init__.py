"""Random programs of every row of a target, put through our waits, delays and hazards, and judged by LLVM."""
