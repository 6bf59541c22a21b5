"""How programs are read: gen text, Python functions, and files by their suffix.

    asmgen.compile("squares.gen")                                                a file
    asmgen.compile("x = @param:x -> f32, {8}\\ny = mul(x, x)\\n@return(y)\\n")    a text
    asmgen.compile(lambda x: x * x, inputs=[asmgen.spec("f32", 8)])              a function

The last two give the same graph. `sources` decides the kind of a source, `asmgen.gentext` reads gen text,
`asmgen.mlir` reads kernels of MLIR, `tensors` reads its tensor functions, and `traced` runs a function once
with arrays that record its operations.
"""
