"""The ops that kernels may have: a file for each dialect, with a rule for each op."""
