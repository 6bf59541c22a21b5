"""Loops with published times, as traces made by hand.

`writing` turns lines of assembly with addresses into a trace; the other files are the loops, each after the
recipe that its source gives.
"""
