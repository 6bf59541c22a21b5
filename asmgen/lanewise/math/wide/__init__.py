"""Expansions of elements of 64 bits: i64, u64 and f64."""
