"""Gen text: read by `parser`, printed by `printer`; what is printed reads back to the same program."""
