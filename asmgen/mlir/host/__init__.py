"""Functions of the host: those outside of a `gpu.module` that launch kernels.

`functions` finds them, and refuses what none of them may have. `run` runs one as the interpreter runs a
thread, in the file's order, and hands each of its launches to whoever has the kernels.
"""
