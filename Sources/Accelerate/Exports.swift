// The functions, types and constants that are C's on Apple's systems: `vDSP_vadd`, `DSPSplitComplex`, `vvsqrtf` and so
// on.
@_exported public import CSyrinxAccelerate
