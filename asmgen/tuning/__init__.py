"""Search of schedules.

| file | role |
|---|---|
| `candidates` | a candidate: the schedule of a launch, and the options that change its registers and order |
| `build` | those options |
| `neighbours` | the candidates next to a candidate |
| `seeds` | other candidates to begin with |
| `judge` | the launch of a candidate, and its time by the clock model |
| `device` | the time of launches on the device |
| `search` | successive halving of the neighbours of the best candidates |
| `combined` | the fastest candidates of all launches together |
| `subject` | a program to tune, and the result of a search |
| `kept` | results in the cache, which later compiles use |
"""
