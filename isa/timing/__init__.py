"""The clock model: how many clocks a kernel takes on a target, instruction by instruction, and why.

`trace` is what waves did, as the emulator saw it; the model replays it and gives a `timeline`: when each
instruction was issued, and the cause of each clock in which a wave issued nothing.
"""
