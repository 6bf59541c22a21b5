"""Search of schedules: the neighbours of a schedule, and the search that follows the best of them."""
