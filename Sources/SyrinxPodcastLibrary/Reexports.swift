// Reexported, because the interface uses its error codes and network options.
@_exported public import SyrinxByteStream
@_exported public import SyrinxHTTPStream
