"""The parts of `tune`: its answers, its judges and its output."""
