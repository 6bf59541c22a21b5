"""The machine: targets, instructions, hazards, assembly text, bytes, code objects, and the emulator."""
