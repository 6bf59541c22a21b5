"""What a launch costs on its machine, without the machine: clocks by line and cause, and what to try.

* `launches`, `programs`, `mlir_launches`, `files`: the launches of a source, with their arguments
* `build`: a launch, recorded on the emulator and replayed by the clock model (`isa.timing`), as a profile
* `model`: the records of a profile
* `text`, `document`, `perfetto`, `page`: their forms
* `compare`: two builds, line by line
"""
