// The C structures are part of the interface, so their module is re-exported.
@_exported public import CSyrinxCoreMedia
@_exported public import CoreAudioTypes
@_exported public import CoreVideo
@_exported public import Foundation
