// One import is enough: the engine, and the types of options, caches, information and devices that the interface names.
@_exported public import AVFAudio
@_exported public import AudioDevice
@_exported public import ByteStream
@_exported public import HTTPStream
@_exported public import MediaCodec
