// One import is enough: the buffers, streams and information that the interface names.
@_exported public import AVFAudio
@_exported public import SyrinxByteStream
@_exported public import SyrinxMediaCodec
