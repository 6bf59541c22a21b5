"""The ops of tile programs as the work of a lane."""
