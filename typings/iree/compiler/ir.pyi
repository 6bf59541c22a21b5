"""What is used of MLIR's Python bindings, which state no types of their own."""

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from types import TracebackType

class MLIRError(Exception):
    message: str
    error_diagnostics: Sequence[DiagnosticInfo]

class DiagnosticInfo:
    message: str
    location: Location
    notes: Sequence[DiagnosticInfo]

class Context:
    def __enter__(self) -> Context: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

class Location: ...

class FileLineColLoc(Location):
    filename: str
    start_line: int
    start_col: int

class NameLoc(Location):
    child_loc: Location

class CallSiteLoc(Location):
    callee: Location

class FusedLoc(Location):
    locations: Sequence[Location]

class Value:
    type: Type
    location: Location

class BlockArgument(Value): ...

class Block:
    arguments: Sequence[BlockArgument]

class Region:
    blocks: Sequence[Block]

class AttributeMap:
    def __iter__(self) -> Iterator[str]: ...
    def __getitem__(self, name: str) -> Attribute: ...

class WalkResult(Enum):
    ADVANCE = ...

class WalkOrder(Enum):
    PRE_ORDER = ...

class Operation:
    def get_asm(self, *, print_generic_op_form: bool = ...) -> str: ...
    def walk(self, callback: Callable[[Operation], WalkResult], walk_order: WalkOrder) -> None: ...
    block: Block
    name: str
    location: Location
    attributes: AttributeMap
    operands: Sequence[Value]
    results: Sequence[Value]
    regions: Sequence[Region]
    successors: Sequence[Block]

class Module:
    operation: Operation
    @staticmethod
    def parse(asm: str, context: Context | None = None) -> Module: ...

class Type: ...
class IndexType(Type): ...

class IntegerType(Type):
    width: int
    is_signless: bool
    is_unsigned: bool

class FunctionType(Type):
    inputs: Sequence[Type]
    results: Sequence[Type]

class ShapedType(Type):
    element_type: Type
    shape: Sequence[int]
    @staticmethod
    def get_dynamic_size() -> int: ...
    @staticmethod
    def get_dynamic_stride_or_offset() -> int: ...

class RankedTensorType(ShapedType):
    encoding: Attribute | None

class VectorType(ShapedType):
    scalable: bool

class MemRefType(ShapedType):
    memory_space: Attribute | None
    def get_strides_and_offset(self) -> tuple[list[int], int]: ...

class Attribute:
    @property
    def type(self) -> Type: ...
    @staticmethod
    def parse(asm: str, context: Context | None = None) -> Attribute: ...

class BoolAttr(Attribute):
    value: bool

class IntegerAttr(Attribute):
    value: int

class FloatAttr(Attribute):
    value: float

class StringAttr(Attribute):
    value: str

class UnitAttr(Attribute): ...

class TypeAttr(Attribute):
    value: Type

class FlatSymbolRefAttr(Attribute):
    value: str

class SymbolRefAttr(Attribute):
    value: Sequence[str]

class ArrayAttr(Attribute):
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> Attribute: ...

class NamedAttribute:
    @property
    def name(self) -> str: ...

class DictAttr(Attribute):
    def __iter__(self) -> Iterator[NamedAttribute]: ...
    def __getitem__(self, name: str) -> Attribute: ...

class _IntegerList(Attribute):
    def __iter__(self) -> Iterator[int]: ...

class _FloatList(Attribute):
    def __iter__(self) -> Iterator[float]: ...

class DenseI8ArrayAttr(_IntegerList): ...
class DenseI16ArrayAttr(_IntegerList): ...
class DenseI32ArrayAttr(_IntegerList): ...
class DenseI64ArrayAttr(_IntegerList): ...
class DenseBoolArrayAttr(_IntegerList): ...
class DenseF32ArrayAttr(_FloatList): ...
class DenseF64ArrayAttr(_FloatList): ...

class DenseIntElementsAttr(_IntegerList):
    @property
    def type(self) -> ShapedType: ...
    is_splat: bool

class DenseFPElementsAttr(_FloatList):
    @property
    def type(self) -> ShapedType: ...
    is_splat: bool

class AffineMapAttr(Attribute):
    value: AffineMap

class IntegerSetAttr(Attribute): ...

class AffineMap:
    n_dims: int
    n_symbols: int
    results: Sequence[AffineExpr]

class AffineExpr: ...

class AffineConstantExpr(AffineExpr):
    value: int

class AffineDimExpr(AffineExpr):
    position: int

class AffineSymbolExpr(AffineExpr):
    position: int

class AffineBinaryExpr(AffineExpr):
    lhs: AffineExpr
    rhs: AffineExpr

class AffineAddExpr(AffineBinaryExpr): ...
class AffineMulExpr(AffineBinaryExpr): ...
class AffineModExpr(AffineBinaryExpr): ...
class AffineFloorDivExpr(AffineBinaryExpr): ...
class AffineCeilDivExpr(AffineBinaryExpr): ...
