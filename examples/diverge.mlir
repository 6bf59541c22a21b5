// Branches and a loop whose trips depend on the data of each work-item.
gpu.module @diverge {
  gpu.func @diverge(%data: memref<?xi32>, %out: memref<?xi32>, %count: i32) kernel {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %i = gpu.global_id x
    %n = arith.index_cast %count : i32 to index
    %inside = arith.cmpi slt, %i, %n : index
    scf.if %inside {
      %value = memref.load %data[%i] : memref<?xi32>
      %rest = arith.remui %value, %three : i32
      %is_whole = arith.cmpi eq, %rest, %zero : i32
      %result = scf.if %is_whole -> (i32) {
        %thirds = arith.divui %value, %three : i32
        scf.yield %thirds : i32
      } else {
        // how often the number is halved, or tripled and raised, until it is 1
        %steps:2 = scf.while (%x = %value, %trips = %zero) : (i32, i32) -> (i32, i32) {
          %more = arith.cmpi ugt, %x, %one : i32
          scf.condition(%more) %x, %trips : i32, i32
        } do {
        ^bb0(%x: i32, %trips: i32):
          %odd = arith.andi %x, %one : i32
          %is_odd = arith.cmpi ne, %odd, %zero : i32
          %next = scf.if %is_odd -> (i32) {
            %tripled = arith.muli %x, %three : i32
            %raised = arith.addi %tripled, %one : i32
            scf.yield %raised : i32
          } else {
            %half = arith.divui %x, %two : i32
            scf.yield %half : i32
          }
          %counted = arith.addi %trips, %one : i32
          scf.yield %next, %counted : i32, i32
        }
        scf.yield %steps#1 : i32
      }
      memref.store %result, %out[%i] : memref<?xi32>
    }
    gpu.return
  }
}
