import Foundation
import Glibc
import Synchronization
import SyrinxAnalysis
import SyrinxByteStream
import SyrinxDSP
import SyrinxHTTPStream
import SyrinxMediaCodec

/// Measures the loudness of an input ahead of decoding, as far as its bytes have arrived, on a low-priority thread.
///
/// It never fetches. The part at the playback position is measured first.
final class LoudnessScan: Sendable {
    /// The input, and its output format.
    struct Settings {
        var item: StreamingItem
        /// The number of output channels.
        var channelCount: Int
        /// The pieces of the same album before it, which count too.
        var earlier = MeasuredLoudness()
    }

    /// A measurement.
    struct Result {
        var measurement: LoudnessNormalization.Measurement
        /// The same, to go on with.
        var programme: MeasuredLoudness

        init(_ programme: MeasuredLoudness, isWhole: Bool) {
            self.programme = programme
            measurement = LoudnessNormalization.Measurement(
                loudness: programme.blocks.integrated,
                peak: Double(programme.peak),
                duration: programme.duration,
                isWhole: isWhole
            )
        }

        /// Whether it has measured more of the input than `duration`.
        func isAhead(of duration: TimeInterval?) -> Bool {
            measurement.isWhole || duration.map { measurement.duration >= $0 } ?? true
        }
    }

    /// An event of a measurement.
    enum Event {
        case measured(Result)
        /// The measurement has ended.
        case ended
    }

    private struct State {
        var request: RecordingAnalyzer.Request?
        var isCancelled = false
        var hasEnded = false
    }

    /// The priority of the thread: that of a program started by `nice`.
    private static let niceness: Int32 = 10

    let channelCount: Int
    private let settings: Settings
    private let makeStream: @Sendable () throws -> any ByteStream
    private let report: @Sendable (Event) -> Void
    private let state = Mutex(State())

    /// Creates a measurement; `run()` starts it.
    /// - Parameters:
    ///   - settings: The input, and its output format.
    ///   - makeStream: Opens the bytes that have arrived, on the measuring thread.
    ///   - report: Receives results up to ten times a second, the final result, and the end, on that thread.
    init(
        _ settings: Settings,
        of makeStream: @escaping @Sendable () throws -> any ByteStream,
        report: @escaping @Sendable (Event) -> Void
    ) {
        self.settings = settings
        channelCount = settings.channelCount
        self.makeStream = makeStream
        self.report = report
    }

    /// Whether the measurement has ended.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    func run() {
        let thread = Thread { [self] in
            // Of this thread, and not of the process: see setpriority(2), "C library/kernel differences".
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
            // What cannot be measured ahead is measured as it is decoded.
            try? measure()
            state.withLock { $0.hasEnded = true }
            report(.ended)
        }
        thread.name = "syrinx.loudness"
        thread.start()
    }

    func cancel() {
        let request = state.withLock { state in
            state.isCancelled = true
            return state.request
        }
        request?.cancel()
    }

    private func measure() throws {
        let stream = AttentiveStream(try makeStream())
        defer { stream.cancel() }
        let request = RecordingAnalyzer.Request(stream)
        let isWanted = state.withLock { state in
            state.request = request
            return !state.isCancelled
        }
        guard isWanted else { return }
        let item = settings.item
        let reader = try item.input.open(stream, preference: item.preference)
        request.prefer(time: (item.input.part?.start ?? 0) + item.startTime)
        var last: MeasuredLoudness?
        let sink = try LoudnessSink(reader.info, channelCount: channelCount, following: settings.earlier) { [report] in
            last = $0
            report(.measured(Result($0, isWhole: false)))
        }
        let outcome = ArrivalScan(reader, stream, frames: frames(of: reader.info), to: sink, for: request).run()
        guard !request.hasBeenCancelled, outcome.failure?.code != .cancelled, let last else { return }
        report(.measured(Result(last, isWhole: true)))
    }

    /// The frames of the part that is played.
    private func frames(of info: MediaInfo) -> Range<Int64> {
        let (item, part) = (settings.item, settings.item.input.part)
        let offset = part?.start ?? 0
        let ends = [part?.end, item.endTime.map { $0 + offset }].compactMap(\.self)
        let range = InputPart(start: offset + item.startTime, end: ends.min(), isRequired: false, of: info)
        return max(0, range.start)..<max(0, range.start, range.end)
    }
}
