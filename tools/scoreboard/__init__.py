"""What `python -m tools.bench_peers` is made of: programs with their peers, figures of a sample of workgroups
run on the emulator, and in which of them ours is worse."""
