"""Judges the thresholds of the choosers by the clock model; the command is
`python -m tools.judge_choices`."""
