"""Races: unordered accesses of different waves to the same word of memory."""
