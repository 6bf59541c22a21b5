"""The parts of an AMDHSA assembly file: names, layout, code, descriptor, metadata, and the limits they
hold."""
