@_exported public import CoreAudioTypes
@_exported public import Foundation
@_exported public import SyrinxByteStream
// One import is enough: the basic types, error codes, and the devices that `AVAudioEngine.outputDevice` takes.
@_exported public import SyrinxDevice
