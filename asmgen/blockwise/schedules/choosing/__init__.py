"""Choosers: the schedule of a launch by estimates of its clocks."""
