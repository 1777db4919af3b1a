// One import is enough: the codes of errors, and the options of the network that the interface names.
@_exported public import SyrinxByteStream
@_exported public import SyrinxHTTPStream
