"""The opcodes of rdna by target and list. Made by `python -m tools.opcodes`."""

TABLE: tuple[tuple[str, str, str], ...] = ()
