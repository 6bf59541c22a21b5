"""Many independent pieces of work on processes: the workers and their limits, the pool that deals pieces to
them, and the file of results that a later run continues."""
