"""Reads tensor programs of MLIR: functions of StableHLO ops become graphs.

    func.func @main(%x: tensor<4x8xf32>) -> tensor<4xf32>        x = @param:x -> f32, {4,8}
    %zero = stablehlo.constant dense<0.0> : tensor<f32>          reduce_sum = reduce_sum[axes={1}](x)
    %0 = stablehlo.reduce(%x init: %zero) ...                    squeeze = squeeze[axes={1}](reduce_sum)
    return %0                                                    @return(squeeze)

* **Shared with the kernels of MLIR** (`asmgen.mlir`): the parser, the records of operations and types, the
  places, and the codes MLIR001 to MLIR008. A file with kernels is a file of kernels, unless `--entry` names a
  tensor function.
* **Rules.** Each dialect has tables from the name of an op to its rule (`table`). A rule takes an `OpCall`,
  the operation with its operands as traced arrays, and returns the results. Traced arrays are those of Python
  functions (`asmgen.frontends.traced`): the same formulas serve both front ends, such as that of `logaddexp`.
* **Places.** The builder has an `origin` for each operation, so each statement has the place of its MLIR
  operation. An error of a rule or of the graph's inference is raised there, with the operation's name.
* **Regions.** A body that depends on nothing but the order of its operands is known by its results for all
  orders (`regions`): so argmax, maxima and sorts are found. Other bodies are computed for arrays of elements.
* **Constants.** A constant with equal elements is a literal of rank 0 that is broadcast to its shape. A
  rule may ask for its number, such as the value of a pad or the count of a shift.
* **Types.** Signless integers are signed, i1 is bool. Types that gen text does not have are refused by name.
* **Functions.** Calls are inlined. Each entry is a module of the graph with the results of the function.
* **NaN.** In StableHLO's maximum and minimum a NaN wins, so `nan` is `propagate` unless the user chooses.
"""
