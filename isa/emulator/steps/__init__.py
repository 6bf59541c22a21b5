"""Steps: each instruction is decoded once to a closure on `Waves`."""
