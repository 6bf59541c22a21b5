"""Rewritings: functions from a graph to a simpler graph with the same results."""
