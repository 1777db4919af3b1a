// One import is enough: errors have codes of `SyrinxByteStream`.
@_exported public import SyrinxByteStream
