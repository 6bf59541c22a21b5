"""Finds races in LDS: an element that a wave writes and another wave accesses with no barrier between.

- `path`: an access that follows another with no barrier between, with the ids and counters of both.
- `walk`: finds the paths of a kernel.
- `meeting`: the element that two accesses have in common in different waves.
- `judge`: asks whether the accesses of a path meet, and says for which ids and trips.
"""
