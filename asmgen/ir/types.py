"""Element types, and the types of values: tensors in the graph, lane values in the late stages."""

from __future__ import annotations

from enum import Enum
from functools import cache

from asmgen.index.size import Dim, Sizes, at_most, number, numbers
from isa.diagnostics import close_names
from isa.named_tuple import NamedTuple


class NumberKind(Enum):
    BOOL = "bool"
    SIGNED = "signed"
    UNSIGNED = "unsigned"
    FLOAT = "float"
    CODE = "code"  # the bits of a number that ops move and convert, and never compute with

    __hash__ = object.__hash__  # as of `isa.registers.RegisterClass`


class ElementType(NamedTuple):
    """An element type: its gen name, how its bits are read, its width in memory, and its numpy or ml_dtypes
    name."""

    name: str
    kind: NumberKind
    bits: int
    numpy: str
    also: tuple[str, ...] = ()  # the other spellings that are read

    @property
    def bytes(self) -> int:
        return self.bits // 8

    @property
    def is_float(self) -> bool:
        return self.kind is NumberKind.FLOAT

    @property
    def is_code(self) -> bool:
        """Whether the type is a microscaling scale or element: a byte that ops move and convert."""
        return self.kind is NumberKind.CODE

    def __str__(self) -> str:
        return self.name


def _types(*types: ElementType) -> dict[str, ElementType]:
    return {name: type_ for type_ in types for name in (type_.name, *type_.also)}


ELEMENT_TYPES: dict[str, ElementType] = _types(
    ElementType("bool", NumberKind.BOOL, 8, "bool", ("bool_type",)),
    ElementType("i8", NumberKind.SIGNED, 8, "int8", ("int8_type",)),
    ElementType("u8", NumberKind.UNSIGNED, 8, "uint8", ("uint8_type",)),
    ElementType("i16", NumberKind.SIGNED, 16, "int16", ("int16_type",)),
    ElementType("u16", NumberKind.UNSIGNED, 16, "uint16", ("uint16_type",)),
    ElementType("i32", NumberKind.SIGNED, 32, "int32", ("int32_type",)),
    ElementType("u32", NumberKind.UNSIGNED, 32, "uint32", ("uint32_type",)),
    ElementType("i64", NumberKind.SIGNED, 64, "int64", ("int64_type",)),
    ElementType("u64", NumberKind.UNSIGNED, 64, "uint64", ("uint64_type",)),
    ElementType("f16", NumberKind.FLOAT, 16, "float16", ("half_type",)),
    ElementType("bf16", NumberKind.FLOAT, 16, "bfloat16", ("bf16_type",)),
    ElementType("f32", NumberKind.FLOAT, 32, "float32", ("float_type",)),
    ElementType("f64", NumberKind.FLOAT, 64, "float64", ("double_type",)),
    ElementType("fp8e4m3fn", NumberKind.FLOAT, 8, "float8_e4m3fn", ("fp8e4m3fn_type",)),
    ElementType("fp8e5m2", NumberKind.FLOAT, 8, "float8_e5m2", ("fp8e5m2_type",)),
    ElementType("fp8e4m3fnuz", NumberKind.FLOAT, 8, "float8_e4m3fnuz", ("fp8e4m3fnuz_type",)),
    ElementType("fp8e5m2fnuz", NumberKind.FLOAT, 8, "float8_e5m2fnuz", ("fp8e5m2fnuz_type",)),
    ElementType("fp8e8m0fnu", NumberKind.CODE, 8, "float8_e8m0fnu"),
    ElementType("fp6e2m3fn", NumberKind.CODE, 8, "float6_e2m3fn"),
    ElementType("fp6e3m2fn", NumberKind.CODE, 8, "float6_e3m2fn"),
    ElementType("fp4e2m1fn", NumberKind.CODE, 8, "float4_e2m1fn"),
)

E8M0 = ELEMENT_TYPES["fp8e8m0fnu"]
BOOL, I8, U8, I32, U32, I64, U64, F16, BF16, F32, F64 = (
    ELEMENT_TYPES[name]
    for name in ("bool", "i8", "u8", "i32", "u32", "i64", "u64", "f16", "bf16", "f32", "f64")
)
HALVES = (F16, BF16)

# Names of C and of other compilers.
_OF_OTHER_LANGUAGES = {
    "half": "f16", "float": "f32", "double": "f64", "fp16": "f16", "fp32": "f32", "fp64": "f64",
    "char": "i8", "short": "i16", "int": "i32", "long": "i64", "uint": "u32",
}  # fmt: skip


TYPE_NAMES = tuple(name for name, type_ in ELEMENT_TYPES.items() if name == type_.name)


def close_types(name: str) -> str:
    """`did you mean f32?` for the name that another language has for a type, or for a close name."""
    same = next((known for known in TYPE_NAMES if ELEMENT_TYPES[known].numpy == name), None)
    same = same or _OF_OTHER_LANGUAGES.get(name)
    return f"did you mean {same}?" if same else close_names(name, TYPE_NAMES)


class TensorType(NamedTuple):
    """A tensor in memory: element type, dims, and strides for each dim, counted in elements."""

    element: ElementType
    dims: Sizes
    strides: Sizes

    @property
    def rank(self) -> int:
        return len(self.dims)

    @property
    def shape(self) -> tuple[int, ...]:
        """The dims of a tensor if every dim is a number; `InternalError` otherwise."""
        return numbers(self.dims)

    @property
    def elements(self) -> Dim:
        """How many elements the shape has (1 for rank 0)."""
        count: Dim = 1
        for dim in self.dims:
            count *= dim
        return count

    @property
    def is_packed(self) -> bool:
        """Row-major without gaps; the stride of a dim of size 0 or 1 does not matter."""
        return all(
            at_most(dim, 1).is_shown or stride == packed
            for dim, stride, packed in zip(self.dims, self.strides, row_major(self.dims), strict=True)
        )

    @property
    def size(self) -> int:
        """`elements` of a tensor if every dim is a number; `InternalError` otherwise."""
        return number(self.elements)

    @property
    def span(self) -> Dim:
        """How many elements of memory the layout reaches over: 1 + the largest index, 0 for an empty
        tensor."""
        if 0 in self.dims:
            return 0
        return 1 + sum((dim - 1) * stride for dim, stride in zip(self.dims, self.strides, strict=True))


class LaneType(NamedTuple):
    """A value of a lane: an element (`f32`), or a vector of `lanes` elements (`f32x4`)."""

    element: ElementType
    lanes: int = 1

    def __str__(self) -> str:
        return self.element.name if self.lanes == 1 else f"{self.element.name}x{self.lanes}"


ValueType = TensorType | LaneType


@cache
def row_major(dims: Sizes) -> Sizes:
    """The strides, in elements, of a row-major layout without gaps."""
    strides: list[Dim] = []
    step: Dim = 1
    for dim in reversed(dims):
        strides.append(step)
        step *= max(dim, 1) if isinstance(dim, int) else dim
    return tuple(reversed(strides))


def tensor(element: ElementType, dims: Sizes, strides: Sizes | None = None) -> TensorType:
    return TensorType(element, dims, row_major(dims) if strides is None else strides)


_WORDS = {NumberKind.FLOAT: F32, NumberKind.SIGNED: I32, NumberKind.UNSIGNED: U32}


def computed(element: ElementType) -> ElementType:
    """The 32-bit type to which a narrower type is widened when it is read; else the type itself.

    f32 has every f16, bf16 and float of 8 bits. i32 and u32 have the integers of 8 and 16 bits: the narrow
    result is the lower bits. A result that may be out of the type's range is cut to it before an op uses
    more than the lower bits (`Op.modular`).
    """
    return _WORDS.get(element.kind, element) if element.bits < F32.bits else element


def is_cut(element: ElementType) -> bool:
    """Whether results of the type are the lower bits of a wider computation: integers of 8 and 16 bits."""
    return computed(element) is not element and not element.is_float
