internal import Foundation
internal import Synchronization
public import SyrinxByteStream
public import SyrinxMediaCodec

/// An update while a waveform is built.
public enum WaveformUpdate: Sendable {
    /// The recording is open; the first update.
    case opened(MediaInfo)
    /// Blocks are known; the first one has the index `index`.
    ///
    /// `WaveformPyramid.insert` accepts them.
    ///
    /// The last block of the recording may be shorter than the others: it has `lastFrameCount` frames.
    case blocks(PeakWaveform, index: Int, lastFrameCount: Int?)
    /// The analysis has ended; the last update, also for a damaged recording.
    case ended(RecordingScan.Outcome)
}

/// An update while loudness is measured.
public enum LoudnessUpdate: Sendable {
    /// The recording is open; the first update.
    case opened(MediaInfo)
    /// The measurement up to `time` seconds.
    case measured(LoudnessReport, time: Double)
    /// The final measurement, and the extent of the analysis; the last update.
    case ended(LoudnessReport, RecordingScan.Outcome)
}

/// Analyzes recordings in the background, one at a time: a new request cancels the current one.
///
/// Any thread may use it. If a sequence is abandoned or its task is cancelled, its request and its stream are cancelled
/// at once.
///
/// ```swift
/// let analyzer = RecordingAnalyzer()
/// for try await update in analyzer.loudness(of: try FileByteStream(url: url)) {
///     guard case .ended(let report, let outcome) = update else { continue }
///     if let failure = outcome.failure { throw failure }
///     print(report.integrated ?? -.infinity, "LUFS")
/// }
/// ```
public final class RecordingAnalyzer: Sendable {
    /// An analysis that can be cancelled.
    package final class Request: Sendable {
        let stream: any ByteStream
        let isCancelled = Atomic<Bool>(false)
        /// The bit pattern of the playback position in seconds.
        let focus = Atomic<UInt64>(0)

        /// Creates a request for the recording in `stream`.
        package init(_ stream: any ByteStream) { self.stream = stream }

        /// Whether the request was cancelled.
        package var hasBeenCancelled: Bool { isCancelled.load(ordering: .relaxed) }

        /// Cancels the analysis and its stream.
        package func cancel() {
            isCancelled.store(true, ordering: .relaxed)
            stream.cancel()
        }

        /// Moves the analysis to the playback position.
        /// - Parameter time: The playback position in seconds; values that are not finite are ignored.
        package func prefer(time: Double) {
            guard time.isFinite else { return }
            focus.store(max(time, 0).bitPattern, ordering: .relaxed)
            (stream as? AttentiveStream)?.reporting?.endArrivalWaits()
        }
    }

    let current = Mutex<Request?>(nil)

    /// Creates an idle analyzer.
    public init() {}

    deinit { cancel() }

    /// Cancels the running request; its sequence throws `CancellationError`.
    public func cancel() { replace(nil) }

    /// Builds the waveform of a recording while it is read from its start.
    ///
    /// ```swift
    /// let analyzer = RecordingAnalyzer()
    /// var waveform: PeakWaveform?
    /// for try await update in analyzer.waveform(of: try FileByteStream(url: url), samplesPerPixel: 512) {
    ///     guard case .blocks(let blocks, _, _) = update else { continue }
    ///     if waveform == nil { waveform = blocks } else { waveform?.append(blocks) }
    /// }
    /// ```
    /// - Parameters:
    ///   - stream: The bytes of the recording.
    ///   - samplesPerPixel: The number of frames in a block; 256 by default. A value below 1 stops the program.
    ///   - mixesChannels: Whether all channels are mixed into one; true by default.
    /// - Throws: In the sequence: `SyrinxError` if the recording cannot be opened, `CancellationError` if another
    ///   request started.
    public func waveform(
        of stream: any ByteStream,
        samplesPerPixel: Int = 256,
        mixesChannels: Bool = true
    ) -> AsyncThrowingStream<WaveformUpdate, any Error> {
        run(stream, roundsIntegersDown: true) { reader, request, tell in
            let info = reader.info
            tell(.opened(info))
            var builder = PeakBuilder(
                PeakBuilder.Settings(
                    sampleRate: Int(info.sampleRate),
                    channelCount: info.channelCount,
                    samplesPerPixel: samplesPerPixel,
                    mixesChannels: mixesChannels,
                    rounding: SampleRounding(codec: info.codec)
                )
            )
            var told = 0
            func hand(lastFrameCount: Int? = nil) {
                let blocks = builder.takeBlocks()
                guard blocks.count > 0 else { return }
                tell(.blocks(blocks, index: told, lastFrameCount: lastFrameCount))
                told += blocks.count
            }
            // An update for every six seconds of audio: smooth for the eye, and cheap.
            let enough = Int64(6 * info.sampleRate)
            var since: Int64 = 0
            let outcome = RecordingScan.read(reader, while: { !request.isCancelled.load(ordering: .relaxed) }) {
                channels,
                count,
                _ in
                builder.append(channels, frameCount: count)
                since += Int64(count)
                if since >= enough || told == 0 && builder.waveform.count > 0 {
                    since = 0
                    hand()
                }
            }
            hand()
            let pending = builder.pendingFrameCount
            builder.finish()
            hand(lastFrameCount: pending)
            tell(.ended(outcome))
        }
    }

    /// Measures the loudness of a recording, with an update for every ten seconds of audio.
    /// - Throws: In the sequence: `SyrinxError` if the recording cannot be opened or its sample rate is below 100 Hz,
    ///   `CancellationError` if another request started.
    public func loudness(of stream: any ByteStream) -> AsyncThrowingStream<LoudnessUpdate, any Error> {
        run(stream) { reader, request, tell in
            let info = reader.info
            guard info.sampleRate >= 100 else {
                throw SyrinxError(.unsupported, "Its sample rate is too low to measure loudness.", name: stream.name)
            }
            tell(.opened(info))
            var meter = LoudnessMeter(
                sampleRate: info.sampleRate,
                weights: ChannelWeights(layout: info.channelLayout, channelCount: info.channelCount)
            )
            let enough = Int64(10 * info.sampleRate)
            var since: Int64 = 0
            let outcome = RecordingScan.read(reader, while: { !request.isCancelled.load(ordering: .relaxed) }) {
                meter.append($0, frameCount: $1)
                since += Int64($1)
                guard since >= enough else { return }
                since = 0
                tell(.measured(meter.report, time: Double($2 + Int64($1)) / info.sampleRate))
            }
            tell(.ended(meter.report, outcome))
        }
    }

    private func replace(_ request: Request?) {
        let former = current.withLock { current in
            defer { current = request }
            return current
        }
        former?.cancel()
    }

    func run<Update: Sendable>(
        _ stream: any ByteStream,
        roundsIntegersDown: Bool = false,
        _ body: @escaping @Sendable (MediaReader, Request, (Update) -> Void) throws -> Void
    ) -> AsyncThrowingStream<Update, any Error> {
        let request = Request(stream)
        replace(request)
        return AsyncThrowingStream { continuation in
            continuation.onTermination = { _ in request.cancel() }
            // On a thread of its own, because reads block and tasks must not.
            let thread = Thread {
                do {
                    let reader = try MediaReader.open(stream, roundsIntegersDown: roundsIntegersDown)
                    try body(reader, request) { continuation.yield($0) }
                    let isCancelled = request.hasBeenCancelled
                    continuation.finish(throwing: isCancelled ? CancellationError() : nil)
                } catch {
                    let isCancelled = request.hasBeenCancelled
                    continuation.finish(throwing: isCancelled ? CancellationError() : error)
                }
            }
            thread.name = "syrinx.analysis"
            thread.start()
        }
    }
}
