"""`python -m tools.plant_faults` plants faults in a copy of the tree, and shows the faults that no test
detects.

The faults come from the syntax trees of the packages. A record of the tests that run each block of code
selects the tests for each fault.
"""
