// One import is enough: the basic types, and the devices that `AVAudioEngine.init(device:)` takes.
@_exported public import AudioDevice
@_exported public import CoreAudioTypes
@_exported public import Foundation
