"""Reads gen text of the graph and of what one lane does; `asmgen.graph.printer` prints it, and the printed
text reads back to the same program."""
