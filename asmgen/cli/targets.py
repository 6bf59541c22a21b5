"""`targets`: the known targets, one a line."""

from __future__ import annotations

import argparse

from isa.targets import TARGETS


def execute(_arguments: argparse.Namespace) -> int:
    for target in TARGETS.values():
        features = (
            f"wave{target.wave_size}, {target.vgpr_budget} VGPRs, {target.sgprs} SGPRs, "
            f"{target.lds_bytes} bytes of LDS"
        )
        print(f"{target.name}  {target.products}, {features}, workgroups of up to {target.max_workgroup}")
    return 0
