"""The rules of tile programs: types of results, memory, LDS, stages and races."""
