"""Combines instructions of machine programs in SSA form."""
