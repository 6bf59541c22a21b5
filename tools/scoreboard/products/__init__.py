"""Matrix products of the scoreboard: shapes, other compilers' kernels, and clocks by the clock model."""
