"""Finds races in LDS and in buffers: an element that a wave writes and another wave accesses with no barrier
between, and an element of a buffer that a workgroup writes and another workgroup accesses.

- `accesses`: the accesses of a statement.
- `path`: an access that follows another with no barrier between, with the ids and counters of both.
- `walk`: finds the paths of a kernel.
- `meeting`, `lds`: the element of LDS that two accesses have in common in different waves.
- `limited`, `forms`, `digits`, `common`, `buffers`: the element of a buffer that two accesses have in common.
- `same`: stores of equal values, which may overlap.
- `judge`: asks whether accesses meet; `words` says for which ids and trips.
"""
