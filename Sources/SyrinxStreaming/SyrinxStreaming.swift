// One import is enough: the engine, and the types of options, caches, information and devices that the interface names.
@_exported public import AVFAudio
@_exported public import SyrinxByteStream
@_exported public import SyrinxDevice
@_exported public import SyrinxHTTPStream
@_exported public import SyrinxMediaCodec
