"""The parts of `run`: its arguments and run files, what it shows, and the comparison of results."""
