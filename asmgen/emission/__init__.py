"""From a kernel with its registers to an AMDHSA assembly file, and from that to a code object:

    .amdgcn_target "amdgcn-amd-amdhsa--gfx942"
    double:                                         `code`: the instructions, after the prologue of `entry`
            s_load_dwordx2 s[2:3], s[0:1], 0x0
            ...
            s_endpgm
    .amdhsa_kernel double                           `descriptor`: the launch state that the hardware sets up
            .amdhsa_next_free_vgpr 5
            ...
    .end_amdhsa_kernel
    .amdgpu_metadata                                `metadata`: arguments and sizes, for a runtime
            ...

- `emit` puts these parts together, for a kernel or several kernels. `entry` names the registers of a kernel's
  arguments and ids, `usage` the registers that it uses, and refuses kernels that a target cannot launch.
- `verify` checks an allocated kernel before it is printed.
- `assemble` makes the code object, with the clang that `toolchain` finds, or in process. `includes` refuses
  text that would read other files.
"""
