// The names of Core Foundation are part of the interface, so their modules are re-exported.
@_exported public import CoreAudioTypes
@_exported public import Foundation
