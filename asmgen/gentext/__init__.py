"""Reads gen text of the graph and of the stages of lanes; `asmgen.graph.printer` prints it, and the printed
text reads back to the same program."""
