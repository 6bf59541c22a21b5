"""Waits and hazards of any assembly: finds missing and wasted waits, and inserts the missing waits."""
