// One import is enough: the basic types, error codes, and the devices that `AVAudioEngine.outputDevice` takes.
@_exported public import AudioDevice
@_exported public import ByteStream
@_exported public import CoreAudioTypes
@_exported public import Foundation
