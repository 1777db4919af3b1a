public import CoreAudioTypes
import Foundation
import SyrinxMediaCodec

/// The modes of manual rendering.
public enum AVAudioEngineManualRenderingMode: Int, Sendable {
    /// Rendering faster or slower than real time; nodes may wait for data.
    case offline = 0
    /// Rendering under a deadline; nodes never wait.
    case realtime = 1
}

/// The outcome of a manual render.
public enum AVAudioEngineManualRenderingStatus: Int, Sendable {
    /// The render failed, and the buffer has no valid content.
    case error = -1
    /// The render has filled the buffer.
    case success = 0
    /// The input block supplied too few frames; silence replaces the missing ones.
    case insufficientDataFromInputNode = 1
    /// The render is not possible at the moment; try again later.
    case cannotDoInCurrentContext = 2
}

/// The error of a manual render, with Core Audio's number: the `code` of the error as an `NSError`.
public enum AVAudioEngineManualRenderingError: OSStatus, Sendable {
    /// The call requires another rendering mode.
    case invalidMode = -80_800
    /// The call requires a stopped engine.
    case initialized = -80_801
    /// The call requires a running engine.
    case notRunning = -80_802
}

/// A block that renders the next frames of an engine, without locks and memory allocation.
///
/// It returns a status. For `.error`, the last argument receives Core Audio's error number.
public typealias AVAudioEngineManualRenderingBlock = (
    _ numberOfFrames: AVAudioFrameCount,
    _ outBuffer: UnsafeMutablePointer<AudioBufferList>,
    _ outError: UnsafeMutablePointer<OSStatus>?
) -> AVAudioEngineManualRenderingStatus

/// The settings of an engine that renders manually.
struct ManualRendering {
    let mode: AVAudioEngineManualRenderingMode
    let format: AVAudioFormat
    let maximumFrameCount: AVAudioFrameCount
    /// The format with one buffer a channel, in which the graph works.
    let graphFormat: AVAudioFormat

    init?(mode: AVAudioEngineManualRenderingMode, format: AVAudioFormat, maximumFrameCount: AVAudioFrameCount) {
        guard PCMLayout(format.streamDescription.pointee) != nil, maximumFrameCount > 0,
            let standard = format.asStandard
        else { return nil }
        self.mode = mode
        self.format = format
        self.maximumFrameCount = maximumFrameCount
        graphFormat = standard
    }
}
