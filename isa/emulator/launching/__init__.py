"""Launches: arguments, the state at the entry of a kernel, and the machine that runs a grid."""
