"""The parts of every stage above selection: element types, value types, ops, statements, programs, and
their text."""
