"""Observers of a run on the emulator: traces, breakpoints, dumps, coverage, counters, and all findings.

Each is an observer of the run (`isa.emulator.observers`), or takes the sanitizer's reports. `watching` makes
them from the options of a run.
"""
