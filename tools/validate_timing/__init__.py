"""`python -m tools.validate_timing --data DIR`: the clock model beside traces, loops and times of real
machines.

`thread_traces` reads the traces, `code_lines` their listings.
"""
