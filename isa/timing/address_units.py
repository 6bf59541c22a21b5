"""The address units of the first caches. The table has a source for each number."""

from __future__ import annotations

from isa.named_tuple import NamedTuple
from isa.trust import Figure, Trust


class AddressUnit(NamedTuple):
    """A target's address unit.

    * `requests`: that it makes in a clock
    * `bytes`: that the first cache returns in a clock
    * `narrow_from`: bytes a lane from which on a group has only four lanes
    * `queue`: accesses that may wait for it; 0 if no limit is known
    * `fills`: 1 if the lines of a load take their places in the first cache before their data are there
    * `as_ready`: 1 if loads wait for their data before the unit, which serves a wave as soon as its data are
      there (`isa.timing.returns`); 0 if it serves loads in the order of their issue
    """

    requests: Figure
    bytes: Figure
    narrow_from: Figure
    queue: Figure
    fills: Figure
    as_ready: Figure


_TUTORIAL = "AMD's tutorial kernels, gemm v8: dwordx4 and dwordx2 16 clocks, dword 4"
_TRACES = "tinygrad SQTT traces, r_2_8_16: loads of 8 rows return 16 clocks apart"
_SLIDE = "AMD's slides of RDNA 4, by Chips and Cheese: out-of-order memory accesses"
_ROOFLINE = "rocprof-compute, roofline of MI250 and MI300A: 51 to 52 of 64 bytes a clock"

_CDNA3 = AddressUnit(
    requests=Figure(1, _TUTORIAL, Trust.MEASURED),
    bytes=Figure(64, _ROOFLINE, Trust.MEASURED),
    narrow_from=Figure(8, _TUTORIAL, Trust.MEASURED),
    queue=Figure(12, _TUTORIAL, Trust.MEASURED),
    fills=Figure(1, _TUTORIAL, Trust.MEASURED),
    as_ready=Figure(0, _TUTORIAL, Trust.ASSUMED),
)
_RDNA3 = AddressUnit(
    requests=Figure(2, _TRACES, Trust.DERIVED),
    bytes=Figure(128, "tinygrad SQTT traces, trips of r_2_8_16 and r_32_16", Trust.DERIVED),
    narrow_from=Figure(16, "bytes of a request", Trust.ASSUMED),
    queue=Figure(0, _TRACES, Trust.ASSUMED),
    fills=Figure(0, _TRACES, Trust.ASSUMED),
    as_ready=Figure(0, _SLIDE, Trust.DOCUMENTED),
)

ADDRESS_UNITS: dict[str, AddressUnit] = {
    "gfx90a": _CDNA3._replace(
        requests=_CDNA3.requests._replace(trust=Trust.ASSUMED),
        narrow_from=_CDNA3.narrow_from._replace(trust=Trust.ASSUMED),
        queue=_CDNA3.queue._replace(trust=Trust.ASSUMED),
        fills=_CDNA3.fills._replace(trust=Trust.ASSUMED),
    ),
    "gfx942": _CDNA3,
    "gfx950": _CDNA3._replace(bytes=_CDNA3.bytes._replace(trust=Trust.ASSUMED)),
    "gfx1100": _RDNA3,
    "gfx1201": _RDNA3._replace(as_ready=Figure(1, _SLIDE, Trust.DOCUMENTED)),
}
