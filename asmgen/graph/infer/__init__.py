"""How result types follow from operand types: a function for each family of graph ops.

Each has the signature `asmgen.ir.program.InferResult` and raises `InputError` at the statement's place:
GEN301 for element types, GEN302 for shapes, GEN303 for values of attributes. The strides of a result are
row-major, but a view (`multibroadcast`, `transpose`, `slice`, ...) reaches its operand's elements through
the operand's own strides.
"""
