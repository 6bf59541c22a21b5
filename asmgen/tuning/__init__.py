"""Search of schedules.

| file | role |
|---|---|
| `candidates` | a candidate: the schedule of a launch, and the options that change its registers and order |
| `build` | those options |
| `neighbours` | the candidates next to a candidate |
| `seeds` | other candidates to begin with |
| `judge` | the time of a candidate, by the clock model |
| `search` | successive halving of the neighbours of the best candidates |
| `combined` | the fastest candidates of all launches together |
| `subject` | a program to tune, and the result of a search |
| `kept` | results in the cache, which later compiles use |
"""
