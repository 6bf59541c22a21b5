"""Assembly text to code objects, in process, in the bytes that clang and lld give. See
`isa.assembler.assembling`."""
