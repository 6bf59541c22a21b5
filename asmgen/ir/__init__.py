"""What every stage above selection is made of: element types, value types, ops, statements, programs."""
