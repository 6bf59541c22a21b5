"""The options of a compile."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from isa.diagnostics import InputError, close_names

PROPAGATE = "propagate"
NAN_MODES = ("ieee", PROPAGATE)
STRICT = "strict"
PROMOTIONS = ("numpy", STRICT)
BUILTIN = "builtin"
ASSEMBLERS = ("clang", BUILTIN)
MAX_STEPS = 2_000_000  # instructions of a run on the emulator, which takes seconds for them


class Options(Struct, frozen=True):
    """Options of a compile.

    - `promotion`: how the types of a traced function follow from its operands. `numpy` converts arrays as
      numpy does, `strict` refuses a conversion (TRC009).
    - `fast_math`: exceed the stated error bounds for speed.
    - `contract`: a multiply and an add may become an fma.
    - `max_vgprs`: most VGPRs of a wave. `waves_per_eu`: waves that a SIMD must have registers for at once.
    - `spill`: values that do not fit into registers go to memory; without it they are an error.
    - `schedule`: reorder instructions so that they wait less.
    - `schedules`: the schedules of launches, `row[rows=1, ...]` or `LAUNCH=row[...]`; others are chosen.
    - `nan`: the NaN rule of max and min (`ieee`: a NaN loses; `propagate`: it wins).
    - `assembler`: clang (with lld) or builtin; empty is clang if it is installed, else builtin.
    - `verify_passes`: verify after every pass; without it after select, allocation and the last pass.
    """

    fast_math: bool = False
    contract: bool = True
    max_vgprs: int | None = None
    waves_per_eu: int | None = None
    spill: bool = True
    schedule: bool = True
    schedules: tuple[str, ...] = ()
    nan: str = "ieee"
    promotion: str = PROMOTIONS[0]
    verify_passes: bool = False
    assembler: str = ""

    @property
    def is_strict(self) -> bool:
        """Whether a traced array keeps its type unless the function converts it."""
        return self.promotion == STRICT

    @property
    def propagates_nan(self) -> bool:
        """Whether a NaN wins in max and min."""
        return self.nan == PROPAGATE

    def __post_init__(self) -> None:
        if self.nan not in NAN_MODES:
            raise InputError("nan", "OPT001", f"got {self.nan!r}, wanted one of {', '.join(NAN_MODES)}")
        if self.promotion not in PROMOTIONS:
            message = f"got {self.promotion!r}, wanted one of {', '.join(PROMOTIONS)}"
            raise InputError("promotion", "OPT007", message)
        if self.assembler not in ("", *ASSEMBLERS):
            raise InputError(
                "assembler", "OPT005", f"got {self.assembler!r}, wanted one of {', '.join(ASSEMBLERS)}"
            )
        if self.max_vgprs is not None and self.max_vgprs < 1:
            raise InputError(
                "max_vgprs", "OPT002", f"got {self.max_vgprs}, wanted a number of registers from 1 on"
            )
        if self.waves_per_eu is not None and self.waves_per_eu < 1:
            raise InputError(
                "waves_per_eu", "OPT006", f"got {self.waves_per_eu}, wanted a number of waves from 1 on"
            )


_TYPES: dict[str, tuple[type, ...]] = {
    "fast_math": (bool,),
    "contract": (bool,),
    "max_vgprs": (int, type(None)),
    "waves_per_eu": (int, type(None)),
    "spill": (bool,),
    "schedule": (bool,),
    "schedules": (tuple,),
    "nan": (str,),
    "promotion": (str,),
    "verify_passes": (bool,),
    "assembler": (str,),
}


def make_options(given: dict[str, object]) -> Options:
    """Options by name; `InputError` for an unknown name or a value of another type than the option has."""
    for name, value in given.items():
        if name not in _TYPES:
            raise InputError(
                name,
                "OPT003",
                f"unknown option, wanted one of {', '.join(_TYPES)}",
                help=close_names(name, _TYPES),
            )
        if type(value) not in _TYPES[name]:
            raise InputError(name, "OPT004", f"got {value!r}, wanted {_TYPES[name][0].__name__}")
    return replace(Options(), **given)
