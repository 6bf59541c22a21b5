"""Random programs from every row of a target: our passes insert waits, delays and NOPs, and LLVM judges
them."""
