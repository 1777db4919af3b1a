// Re-exports the modules whose types appear in this module's interface, so that programs need one import only.
@_exported public import AVFAudio
@_exported public import SyrinxByteStream
@_exported public import SyrinxMediaCodec
