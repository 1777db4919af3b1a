// One import is enough: the codes of errors, and the options of the network that the interface names.
@_exported public import ByteStream
@_exported public import HTTPStream
