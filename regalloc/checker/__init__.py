"""Checks allocations and spills, independently of the allocator."""
