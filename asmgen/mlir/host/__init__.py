"""Functions of the host: functions outside of a `gpu.module` that launch kernels.

`functions` finds them, refuses operations that they may not have, and runs them in the order of the file, as
the interpreter runs a thread. The caller gives a function that runs each launch.
"""
