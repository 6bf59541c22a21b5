"""Schedules: each writes a tile program for one fused kernel of the graph, from a small record of choices.

    row sums of {4096,1024}, on gfx942   row[rows=1, lanes=64, waves=1, teams=4, vector=4, repeat=4]

That is: a lane has 4 columns next to each other in one access, and the 64 lanes of 4 waves share a row, each
with one access. To change the program, change the record: no schedule computes its choices again from the
shapes.

From the bottom up:

| file or folder | role |
|---|---|
| `elements/` | index algebra: which elements of the buffers an element of a result is computed from |
| `work` | the inputs of a choice: merged dims, reduced dims, bytes read, number of reductions |
| `choices` | the records of choices, with their text |
| `choosing/` | chooses a record for a target, within bounds of registers and of code |
| `deals` | makes a layout by dealing elements to registers, lanes and waves |
| `tiles/` | turns statements of the graph into statements on tiles |
| `pages/` | the schedules, a file each, and the parts that they share |
| `misfit` | the rule that a choice breaks for a kernel |
| `schedule` | `schedule(module, choice, target)` writes the tile program |

No schedule knows an instruction, and no package below knows a schedule.
"""
