"""Code objects as files: what their ELF, kernel descriptors, notes and line tables say, and how they are
made."""
