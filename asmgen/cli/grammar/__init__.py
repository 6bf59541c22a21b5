"""The grammar of the command line: the options and words of each command, and how they are parsed."""
