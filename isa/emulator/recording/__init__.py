"""Recordings of workgroups, for the clock model."""
