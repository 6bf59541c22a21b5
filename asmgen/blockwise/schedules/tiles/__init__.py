"""Parts of tile programs that several schedules write: loads, bodies, conditions and indices."""
