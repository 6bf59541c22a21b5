"""The text form of machine programs, `.mir`, with virtual registers before allocation and physical registers
after it.

    stage machine gfx942                                   # or: stage allocated gfx942
    kernel scale
    workgroup 256 1 1
    groups 4096
    argument x offset=0 size=8 kind=global_buffer space=global access=read_only type=f32
    entry kernarg_segment_ptr s[0:1]
    preload 0
    lds 0
    scratch 0
    register %p sgpr 2 align 2 at ["scale.gen", 3, 1]
    block entry
      s_load_dwordx2 %p, s[0:1], 0x0 !origin ["load", "scale.gen", 3, 1]
      linear loop(0x0)
      logical loop(%acc)
    block loop scalar(%i) vector(%sum)
      v_fmac_f32_e32 %x, %a[0], %b[0:0] !tied(%y) !contract
      global_load_dword %b, %at, %p !touches {"global": "x", "bytes": ["0", 0, 1020, 4, 4]}
      terminator s_cbranch_scc1 loop
      linear loop(%j), exit

A line is a statement, or a comment if it begins with `#`. A part of a tuple is `%name[2]` or `%name[2:3]`.
`!tied(...)` gives the implicit tied operands if they differ from their results' registers, `!awaits(N)` marks
asynchronous copies to LDS and the waits for them (`Instr.awaits`), `!phase(N)` states the order of accesses
and matrix instructions (`Instr.phase`), `!touches` is the memory that an access may touch
(`footprints.py`). The printed text parses to the same kernel, and prints the same again; a
register name that occurs twice is printed with its number. A text may have several kernels in a row, each
from its `stage` line on.
"""
