import Foundation

/// How an engine renders that has no device.
public enum AVAudioEngineManualRenderingMode: Int, Sendable {
    /// As fast as it is called; nodes may wait.
    case offline = 0
    /// Called under a deadline: nothing may wait.
    case realtime = 1
}

/// How a manual render went.
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

/// What a manually rendering engine is set to.
final class ManualRendering: @unchecked Sendable {
    // Unchecked: constant.
    let mode: AVAudioEngineManualRenderingMode
    let format: AVAudioFormat
    let maximumFrameCount: AVAudioFrameCount
    /// The format with one buffer a channel, in which the graph works.
    let graphFormat: AVAudioFormat
    let scratch: AVAudioPCMBuffer

    init?(mode: AVAudioEngineManualRenderingMode, format: AVAudioFormat, maximumFrameCount: AVAudioFrameCount) {
        guard format.commonFormat == .pcmFormatFloat32, maximumFrameCount > 0,
            let graphFormat = format.asStandard,
            let scratch = AVAudioPCMBuffer(pcmFormat: graphFormat, frameCapacity: maximumFrameCount)
        else { return nil }
        self.mode = mode
        self.format = format
        self.maximumFrameCount = maximumFrameCount
        self.graphFormat = graphFormat
        self.scratch = scratch
    }
}

extension AVAudioEngine {
    /// Has the engine render when it is called instead of for a device.
    ///
    /// The engine has to be stopped.
    /// - Parameters:
    ///   - mode: Whether renders may wait.
    ///   - pcmFormat: What `renderOffline` fills: 32-bit float.
    ///   - maximumFrameCount: The most that one render is asked for.
    /// - Throws: `AVAudioEngineError` if the engine runs (`.initialized`) or the format cannot be rendered.
    public func enableManualRenderingMode(
        _ mode: AVAudioEngineManualRenderingMode,
        format pcmFormat: AVAudioFormat,
        maximumFrameCount: AVAudioFrameCount
    ) throws {
        try lock.withLock {
            guard case .stopped = phase else {
                throw AVAudioEngineError(.initialized, "Stop the engine before changing how it renders.")
            }
            guard
                let settings = ManualRendering(mode: mode, format: pcmFormat, maximumFrameCount: maximumFrameCount)
            else {
                throw AVAudioEngineError(
                    .formatMismatch,
                    "Manual rendering gives 32-bit float of at least 1 frame, not \(pcmFormat)."
                )
            }
            manual = settings
        }
    }

    /// Has the engine render for its device again.
    ///
    /// Stops it.
    public func disableManualRenderingMode() {
        stop()
        lock.withLock { manual = nil }
    }

    /// Whether the engine renders when it is called.
    public var isInManualRenderingMode: Bool { lock.withLock { manual != nil } }

    /// The mode set last, or `.offline`.
    public var manualRenderingMode: AVAudioEngineManualRenderingMode { lock.withLock { manual?.mode ?? .offline } }

    /// The format that renders fill.
    public var manualRenderingFormat: AVAudioFormat { lock.withLock { manual?.format ?? Self.fallbackFormat } }

    /// The most that one render may be asked for.
    public var manualRenderingMaximumFrameCount: AVAudioFrameCount {
        lock.withLock { manual?.maximumFrameCount ?? 0 }
    }

    /// Frames rendered since the start.
    public var manualRenderingSampleTime: AVAudioFramePosition {
        lock.withLock { manual == nil ? 0 : renderer?.time.read().0 ?? 0 }
    }

    /// Renders the next `numberOfFrames` frames into `buffer`, and sets its length.
    ///
    /// Two renders of the same graph give the same samples, bit for bit. One thread at a time.
    /// - Throws: `AVAudioEngineError`: `.invalidMode` outside of manual mode, `.notRunning` before `start()`, `.badBuffer`
    ///   for another format, too little room, or more frames than the maximum.
    public func renderOffline(
        _ numberOfFrames: AVAudioFrameCount,
        to buffer: AVAudioPCMBuffer
    ) throws -> AVAudioEngineManualRenderingStatus {
        let (settings, renderer): (ManualRendering, EngineRenderer) = try lock.withLock {
            guard let manual else {
                throw AVAudioEngineError(
                    .invalidMode,
                    "The engine renders for a device: enable manual rendering first."
                )
            }
            guard case .running = phase, let renderer = self.renderer else {
                throw AVAudioEngineError(.notRunning, "Start the engine before rendering.")
            }
            return (manual, renderer)
        }
        guard buffer.format == settings.format, numberOfFrames <= settings.maximumFrameCount,
            numberOfFrames <= buffer.frameCapacity
        else {
            throw AVAudioEngineError(
                .badBuffer,
                "The buffer is to be \(settings.format) with room for \(numberOfFrames) of at most "
                    + "\(settings.maximumFrameCount) frames."
            )
        }
        render(Int(numberOfFrames), to: buffer, settings, renderer)
        serve(renderer)
        return .success
    }

    private func render(
        _ count: Int,
        to buffer: AVAudioPCMBuffer,
        _ settings: ManualRendering,
        _ renderer: EngineRenderer
    ) {
        buffer.frameLength = AVAudioFrameCount(count)
        let isDirect = settings.format.isStandard
        guard let channels = (isDirect ? buffer : settings.scratch).floatChannelData else { return }
        _ = renderer.render(channels, frames: count, hostTime: nil)
        guard !isDirect, let interleaved = buffer.floatChannelData else { return }
        for channel in 0..<Int(settings.format.channelCount) {
            for frame in 0..<count { interleaved[channel][frame * buffer.stride] = channels[channel][frame] }
        }
    }
}

extension AVAudioEngine {
    /// What a device's thread would do, and nothing else: renders a number of frames into memory made beforehand.
    ///
    /// For tests that watch the render path. `nil` unless the engine renders manually and runs.
    package func renderCrank() -> ((Int) -> Void)? {
        lock.withLock {
            guard let manual, let renderer, let channels = manual.scratch.floatChannelData else { return nil }
            return { count in _ = renderer.render(channels, frames: count, hostTime: nil) }
        }
    }
}
