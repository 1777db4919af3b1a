// Code written for Apple's systems imports this one name and finds the engine, the procedural interface, Core Media, Core Video, their types,
// Foundation and Dispatch.
@_exported public import AVFAudio
@_exported public import AudioToolbox
@_exported public import CoreAudioTypes
@_exported public import CoreMedia
@_exported public import CoreVideo
@_exported public import Dispatch
@_exported public import Foundation

/// Calls `body`.
///
/// On Apple's systems a pool of the Objective-C runtime is emptied afterwards; Swift's own objects need none.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
