public import AVFAudio
internal import Synchronization

/// Measures the output of an engine's node during playback.
///
/// The meter is a tap, in addition to others; the render thread only copies samples for it. Any thread may read it, for
/// example whenever the screen is drawn: a reading is a small copy.
///
/// ```swift
/// let meter = NodeMeter(node: engine.mainMixerNode, measuresLoudness: true)
/// for await reading in meter.readings {
///     print(reading.levels.map(\.rms), reading.momentary ?? -.infinity)
/// }
/// ```
public final class NodeMeter: Sendable {
    /// The levels at one moment.
    public struct Reading: Sendable, Equatable {
        /// The level of each channel; empty until a buffer was rendered.
        public var levels: [LevelMeter.Level] = []
        /// The momentary loudness, of the last 400 ms, in LUFS; `nil` before 400 ms were rendered, or if it is not
        /// measured.
        public var momentary: Double?
        /// The short-term loudness, of the last 3 s, in LUFS; `nil` before 3 s were rendered, or if it is not measured.
        public var shortTerm: Double?
    }

    private struct State {
        var level: LevelMeter?
        var loudness: LoudnessMeter?
        var format: (sampleRate: Double, channelCount: Int) = (0, 0)
        var listeners: [Int: AsyncStream<Reading>.Continuation] = [:]
        var nextListener = 0
        var tap: AVAudioTap?
        var isStopped = false
    }

    private let state = Mutex(State())
    private let ballistics: LevelMeter.Ballistics
    private let measuresLoudness: Bool

    /// Starts measuring an output of `node`.
    /// - Parameters:
    ///   - node: The node whose output is measured.
    ///   - bus: The output bus of the node.
    ///   - bufferSize: The number of frames between readings: at 44.1 kHz, 1024 give 43 readings a second, and 512 give
    ///     86.
    ///   - ballistics: The hold time of peaks, and the speed of the needle.
    ///   - measuresLoudness: Whether loudness is measured too.
    public init(
        node: AVAudioNode,
        bus: AVAudioNodeBus = 0,
        bufferSize: AVAudioFrameCount = 512,
        ballistics: LevelMeter.Ballistics = LevelMeter.Ballistics(),
        measuresLoudness: Bool = false
    ) {
        self.ballistics = ballistics
        self.measuresLoudness = measuresLoudness
        let tap = node.addQuickTap(onBus: bus, bufferSize: bufferSize) { [weak self] buffer, _ in self?.take(buffer) }
        state.withLock { $0.tap = tap }
    }

    deinit { stop() }

    /// The current levels.
    public var reading: Reading { state.withLock { Self.reading(of: $0) } }

    /// The loudness since the start, or since the last change of the node's format; `nil` if it is not measured.
    public var report: LoudnessReport? { state.withLock { $0.loudness?.report } }

    /// A sequence with a reading after each buffer; a slow consumer receives only the newest.
    ///
    /// The sequence ends with `stop()`. Each access returns an independent sequence.
    public var readings: AsyncStream<Reading> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let number = state.withLock { state -> Int? in
                guard !state.isStopped else { return nil }
                state.nextListener += 1
                state.listeners[state.nextListener] = continuation
                return state.nextListener
            }
            guard let number else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
            }
        }
    }

    /// Removes the tap and ends the measurement.
    public func stop() {
        let (tap, listeners) = state.withLock { state in
            defer {
                state.tap = nil
                state.listeners = [:]
                state.isStopped = true
            }
            return (state.tap, Array(state.listeners.values))
        }
        tap?.remove()
        for listener in listeners { listener.finish() }
    }

    private func take(_ buffer: AVAudioPCMBuffer) {
        let format = (sampleRate: buffer.format.sampleRate, channelCount: Int(buffer.format.channelCount))
        let (reading, listeners) = state.withLock { state in
            if state.format != format {
                state.format = format
                state.level = LevelMeter(
                    sampleRate: format.sampleRate,
                    channelCount: format.channelCount,
                    ballistics: ballistics
                )
                if measuresLoudness, format.sampleRate >= 100, format.channelCount > 0 {
                    state.loudness = LoudnessMeter(
                        sampleRate: format.sampleRate,
                        channelCount: format.channelCount
                    )
                }
            }
            state.level?.append(buffer)
            state.loudness?.append(buffer)
            return (Self.reading(of: state), Array(state.listeners.values))
        }
        for listener in listeners { listener.yield(reading) }
    }

    private static func reading(of state: State) -> Reading {
        Reading(
            levels: state.level?.levels ?? [],
            momentary: state.loudness?.momentary,
            shortTerm: state.loudness?.shortTerm
        )
    }
}
