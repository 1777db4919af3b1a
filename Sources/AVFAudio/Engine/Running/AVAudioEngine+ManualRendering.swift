public import CoreAudioTypes
import Foundation
import MediaCodec

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

extension AVAudioEngine {
    /// Sets the engine, which has to be stopped, to render when it is called.
    func beginManualRendering(
        _ mode: AVAudioEngineManualRenderingMode,
        _ format: AVAudioFormat,
        _ maximumFrameCount: AVAudioFrameCount
    ) throws {
        finishRequestedStop()
        try lock.withLock {
            guard case .stopped = phase else {
                throw AVAudioEngineError(.initialized, "Stop the engine before changing how it renders.")
            }
            guard let settings = ManualRendering(mode: mode, format: format, maximumFrameCount: maximumFrameCount)
            else {
                throw AVAudioEngineError(
                    .formatMismatch,
                    "Manual rendering gives uncompressed sound of at least 1 frame, not \(format)."
                )
            }
            manual = settings
        }
    }

    /// Stops the engine, and has it render for its device again.
    func endManualRendering() {
        endRendering()
        lock.withLock {
            manual = nil
            input?.kernel.clear()
        }
    }

    /// Renders the next `numberOfFrames` frames offline.
    func render(
        _ numberOfFrames: AVAudioFrameCount,
        into buffer: AVAudioPCMBuffer
    ) throws -> AVAudioEngineManualRenderingStatus {
        finishRequestedStop()
        let renderer = try lock.withLock { try offlineRenderer(for: buffer, numberOfFrames) }
        buffer.frameLength = numberOfFrames
        var failure: OSStatus = 0
        let list = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
        let status = bridge.render(Int(numberOfFrames), into: list, failure: &failure)
        guard status != .error else {
            throw AVAudioEngineError(.notRunning, "The engine was stopped while it rendered.")
        }
        serve(renderer)
        return status
    }

    private func offlineRenderer(for buffer: AVAudioPCMBuffer, _ count: AVAudioFrameCount) throws -> EngineRenderer {
        guard let manual, manual.mode == .offline else {
            throw AVAudioEngineError(
                .invalidMode,
                "The engine does not render offline: enable manual rendering in that mode first."
            )
        }
        guard case .running = phase, let renderer else {
            throw AVAudioEngineError(.notRunning, "Start the engine before rendering.")
        }
        guard buffer.format == manual.format, count <= manual.maximumFrameCount, count <= buffer.frameCapacity else {
            throw AVAudioEngineError(
                .badBuffer,
                "The buffer is to be \(manual.format) with room for \(count) of at most "
                    + "\(manual.maximumFrameCount) frames."
            )
        }
        return renderer
    }
}

extension AVAudioEngine {
    /// Returns a function that renders a number of frames into memory allocated beforehand, as a device's thread would.
    ///
    /// For tests that watch the render path. `nil` unless the engine renders manually and runs.
    package func renderCrank() -> ((Int) -> Void)? {
        lock.withLock {
            guard let manual, let renderer else { return nil }
            let planes = FloatPlanes<Float>(
                channelCount: Int(manual.format.channelCount),
                capacity: Int(manual.maximumFrameCount)
            )
            return { count in _ = renderer.render(planes.channels, frames: count, hostTime: nil) }
        }
    }
}
