public import CoreAudioTypes
import Foundation
import SyrinxMediaCodec

/// The ways in which an engine renders without a device.
public enum AVAudioEngineManualRenderingMode: Int, Sendable {
    /// As fast as it is called; nodes may wait.
    case offline = 0
    /// Called under a deadline: nothing may wait.
    case realtime = 1
}

/// The outcome of a manual render.
public enum AVAudioEngineManualRenderingStatus: Int, Sendable {
    /// Something failed, and the buffer holds nothing.
    case error = -1
    /// The buffer is full.
    case success = 0
    /// The input had too little to give.
    case insufficientDataFromInputNode = 1
    /// It cannot be done just now; try again.
    case cannotDoInCurrentContext = 2
}

/// The error of a manual render, with Core Audio's number: the `code` of the error as an `NSError`.
public enum AVAudioEngineManualRenderingError: OSStatus, Sendable {
    /// The call is for another manner of rendering.
    case invalidMode = -80_800
    /// The call is for an engine that is stopped.
    case initialized = -80_801
    /// The call is for an engine that runs.
    case notRunning = -80_802
}

/// Renders the next frames of an engine, without a lock and without allocating.
///
/// Gives a status and, for `.error`, in the last argument the reason as Core Audio numbers it.
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
