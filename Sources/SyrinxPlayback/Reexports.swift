// Reexported, because errors use its codes.
@_exported public import SyrinxByteStream
