public import AVFAudio
internal import Synchronization

/// Measures what a node of an engine gives out, while it plays.
///
/// It is a tap beside any others; the render thread does nothing for it but copy. Any thread may read it, as often as a
/// screen is drawn: a reading is a copy of numbers.
public final class NodeMeter: Sendable {
    /// The levels at one moment.
    public struct Reading: Sendable, Equatable {
        /// The level of each channel; empty until something has been rendered.
        public var levels: [LevelMeter.Level] = []
        /// The loudness of the last 400 ms in LUFS; `nil` before so much has come, or if it is not measured.
        public var momentary: Double?
        /// The loudness of the last 3 s in LUFS; `nil` as above.
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

    /// Begins to measure an output of `node`.
    /// - Parameters:
    ///   - node: The node whose output is measured.
    ///   - bus: The bus of the node.
    ///   - bufferSize: Frames between readings: 1024 are 43 a second at 44.1 kHz, 512 enough for 60.
    ///   - ballistics: How peaks are held and the needle moves.
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

    /// All loudness since the start, or the last change of the node's format; `nil` if it is not measured.
    public var report: LoudnessReport? { state.withLock { $0.loudness?.report } }

    /// A reading after each buffer; a slow reader gets the newest.
    ///
    /// It ends with `stop()`. Each caller has a sequence of its own.
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

    /// Takes the tap away; nothing is measured after it.
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
