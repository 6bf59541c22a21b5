"""The parts of `run`: arguments, run files, traces and counters, and the comparison of results."""
