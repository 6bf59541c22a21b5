"""From a kernel with its registers to an AMDHSA assembly file, and from that to a code object:

    .amdgcn_target "amdgcn-amd-amdhsa--gfx942"
    double:                                         `code`: the instructions, after `prologue`
            s_load_dwordx2 s[2:3], s[0:1], 0x0
            ...
            s_endpgm
    .amdhsa_kernel double                           `descriptor`: what the hardware sets up for a launch
            .amdhsa_next_free_vgpr 5
            ...
    .end_amdhsa_kernel
    .amdgpu_metadata                                `metadata`: what a runtime is told, arguments and sizes
            ...

- `emit` puts these parts together, for one kernel or several. `entry` says in which registers the hardware
  puts what a kernel is given, `usage` which registers it uses, `limits` what a target cannot launch.
- `verify` checks an allocated kernel before it is printed. `names` makes symbols, strings and comments.
- `assemble` makes the code object, with the clang that `toolchain` finds, or in process. `includes` refuses
  text that would read other files, and `directives` finds text that only an assembler can expand.
"""
