"""Waits, wait states and delays, on physical registers."""
