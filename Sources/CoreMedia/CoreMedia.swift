// Times, formats and buffers of media. The C structures are part of the interface, so the module that holds them is re-exported.
@_exported public import CSyrinxCoreMedia
@_exported public import CoreAudioTypes
@_exported public import CoreVideo
@_exported public import Foundation
