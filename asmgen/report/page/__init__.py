"""The HTML page of a kernel: its listing with registers, live ranges, sources, and clocks if there is a
profile.

* `data`: the contract, records that Python fills and the page's scripts read as JSON
* `listing`: the listing of a loaded kernel
* `html`: the page, a file without external resources

`report` fills the page's registers; `profile` also fills `Profile`.
"""
