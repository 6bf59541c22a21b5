// y = max(x, slope * x), element by element.
gpu.module @relu {
  gpu.func @relu(%x: memref<?xf32>, %y: memref<?xf32>, %slope: f32, %count: i32) kernel {
    %zero = arith.constant 0.0 : f32
    %i = gpu.global_id x
    %n = arith.index_cast %count : i32 to index
    %inside = arith.cmpi slt, %i, %n : index
    scf.if %inside {
      %value = memref.load %x[%i] : memref<?xf32>
      %is_positive = arith.cmpf ogt, %value, %zero : f32
      %scaled = arith.mulf %value, %slope : f32
      %result = arith.select %is_positive, %value, %scaled : f32
      memref.store %result, %y[%i] : memref<?xf32>
    }
    gpu.return
  }
}
