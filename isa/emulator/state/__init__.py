"""The state of a launch: registers and memory of its waves, and the waves that run next."""
