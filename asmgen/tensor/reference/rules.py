"""What a program may do that its graph does not settle."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rules:
    """What a program may do: `contract` a multiply and an add; `nan` as `--nan` has it (`ieee`, `propagate`)."""

    contract: bool = True
    nan: str = "ieee"

    @property
    def propagates_nan(self) -> bool:
        return self.nan == "propagate"
