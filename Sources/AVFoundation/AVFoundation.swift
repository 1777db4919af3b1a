// As on Apple's systems, one import provides the engine, Audio Toolbox, Core Media, Core Video, Core Audio types,
// Foundation and Dispatch.
@_exported public import AVFAudio
@_exported public import AudioToolbox
@_exported public import CoreAudioTypes
@_exported public import CoreMedia
@_exported public import CoreVideo
@_exported public import Dispatch
@_exported public import Foundation

/// Calls `body` and returns its result.
///
/// On Apple's systems, this function drains an autorelease pool afterwards. Swift objects on Linux do not need a pool.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
