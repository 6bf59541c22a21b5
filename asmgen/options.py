"""The options of a compile, and those of its arithmetic."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from isa.diagnostics import InputError, close_names
from isa.named_tuple import NamedTuple

PROPAGATE = "propagate"
NAN_MODES = ("ieee", PROPAGATE)
STRICT = "strict"
PROMOTIONS = ("numpy", STRICT)
BUILTIN = "builtin"
ASSEMBLERS = ("clang", BUILTIN)
EXACT = "f32"  # the precision of factors of f32, unless the user asks for less
TF32 = "tf32"
BF16_PARTS = {"bf16x1": 1, "bf16x3": 2, "bf16x6": 3}  # by precision: parts of a factor
EXACT_ORDER = "exact"
ORDERS = ("heuristic", EXACT_ORDER)
MATRIX_PRECISIONS = (EXACT, TF32, *BF16_PARTS)
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
    - `order`: how orders of overlapping trips are searched: by a `heuristic`, or `exact` by a solver, for at
      most `order_seconds` a loop.
    - `schedules`: the schedules of launches, `row[rows=1, ...]` or `LAUNCH=row[...]`; others are chosen.
    - `nan`: the NaN rule of max and min (`ieee`: a NaN loses; `propagate`: it wins); empty is the rule of the
      source's language.
    - `matrix_precision`: the precision of f32 factors of matrix products. `f32` multiplies them exactly,
      `tf32` rounds them to 11 bits, `bf16x1`, `bf16x3` and `bf16x6` multiply 1, 3 or 6 pairs of their bf16
      parts (docs/numerics.md).
    - `assembler`: clang (with lld) or builtin; empty is clang if it is installed, else builtin.
    - `verify_passes`: verify after every pass; without it after select, allocation and the last pass.
    """

    fast_math: bool = False
    contract: bool = True
    max_vgprs: int | None = None
    waves_per_eu: int | None = None
    spill: bool = True
    schedule: bool = True
    order: str = ORDERS[0]
    order_seconds: float = 60.0
    schedules: tuple[str, ...] = ()
    nan: str = ""
    promotion: str = PROMOTIONS[0]
    verify_passes: bool = False
    assembler: str = ""
    matrix_precision: str = EXACT

    @property
    def is_strict(self) -> bool:
        """Whether a traced array keeps its type unless the function converts it."""
        return self.promotion == STRICT

    @property
    def propagates_nan(self) -> bool:
        """Whether a NaN wins in max and min."""
        return self.nan == PROPAGATE

    @property
    def nan_rule(self) -> str:
        """The NaN rule of max and min; `ieee` if it is left open."""
        return self.nan or NAN_MODES[0]

    def __post_init__(self) -> None:
        if self.nan not in ("", *NAN_MODES):
            raise InputError("nan", "OPT001", f"got {self.nan!r}, wanted one of {', '.join(NAN_MODES)}")
        if self.promotion not in PROMOTIONS:
            message = f"got {self.promotion!r}, wanted one of {', '.join(PROMOTIONS)}"
            raise InputError("promotion", "OPT007", message)
        if self.matrix_precision not in MATRIX_PRECISIONS:
            wanted = f"wanted one of {', '.join(MATRIX_PRECISIONS)}"
            raise InputError("matrix_precision", "OPT009", f"got {self.matrix_precision!r}, {wanted}")
        if self.order not in ORDERS:
            raise InputError("order", "OPT012", f"got {self.order!r}, wanted one of {', '.join(ORDERS)}")
        if not 0 < self.order_seconds < float("inf"):
            message = f"got {self.order_seconds}, wanted seconds above 0"
            raise InputError("order_seconds", "OPT013", message)
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


class MathOptions(NamedTuple):
    """The user's choices about arithmetic, and the facts about the target that it needs.

    `fast` gives up the error bounds of docs/numerics.md for fewer instructions; `contract` fuses a
    multiply into the add that alone reads it; `nan` is the rule of max and min for a NaN: `ieee` (it loses)
    or `propagate`. `wave` is the target's wave size, `slow_f64` whether f64 takes many times the clocks
    of f32 on it, and `keeps_nan` whether it has a maximum and a minimum of f32 in which a NaN stays, and
    `keeps_nan_of_lanes` whether these read other lanes."""

    fast: bool = False
    contract: bool = True
    nan: str = "ieee"
    wave: int = 64
    slow_f64: bool = False
    keeps_nan: bool = False
    keeps_nan_of_lanes: bool = False


_TYPES: dict[str, tuple[type, ...]] = {
    "fast_math": (bool,),
    "contract": (bool,),
    "max_vgprs": (int, type(None)),
    "waves_per_eu": (int, type(None)),
    "spill": (bool,),
    "schedule": (bool,),
    "order": (str,),
    "order_seconds": (float,),
    "schedules": (tuple,),
    "nan": (str,),
    "promotion": (str,),
    "verify_passes": (bool,),
    "assembler": (str,),
    "matrix_precision": (str,),
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
