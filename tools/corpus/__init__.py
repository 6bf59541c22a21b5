"""A corpus of kernels from a seed: each is compiled, checked, run against its reference and timed by the
clock model, and two runs are compared."""
