// One import is enough: errors have codes of `ByteStream`.
@_exported public import ByteStream
