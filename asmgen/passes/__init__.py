"""Passes on machine programs. Each is a function from a kernel to a kernel."""
