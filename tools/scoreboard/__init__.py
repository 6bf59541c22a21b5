"""The parts of `python -m tools.bench_peers`: programs with their peers, figures from sample workgroups on
the emulator, and the table with its verdicts."""
