"""The cost of a launch on its machine, without the machine: clocks by line and cause, and changes to try.

* `launches`, `programs`, `mlir_launches`, `files`: the launches of a source, with their arguments
* `recorded`: which workgroups of a launch the emulator records and the clock model (`isa.timing`) replays
* `build`: a launch as a profile: `charged`, `limits` and `advice` sum up its replay
* `model`: the records of a profile
* `text`, `document`, `perfetto`, `page`: their forms
* `compare`: two builds, line by line
"""
