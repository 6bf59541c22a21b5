"""`python -m tools.plant_faults` plants faults in a copy of the tree, one by one.

It draws them from the syntax trees of the packages. A record of which tests run which block of code says what
to run for each.
"""
