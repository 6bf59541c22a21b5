"""Passes on physical registers that shorten encodings, pair instructions and remove moves."""
