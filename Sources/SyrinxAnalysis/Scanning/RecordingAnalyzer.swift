internal import Foundation
internal import Synchronization
public import SyrinxByteStream
public import SyrinxMediaCodec

/// An update while a waveform is made.
public enum WaveformUpdate: Sendable {
    /// The description of the recording; the first update.
    case opened(MediaInfo)
    /// Blocks that have become known, the first of them number `index`; `WaveformPyramid.insert` takes them.
    ///
    /// The last block of the recording may have fewer frames than the others, `lastFrameCount`.
    case blocks(PeakWaveform, index: Int, lastFrameCount: Int?)
    /// The extent of what was read; the last update, also for a damaged recording.
    case ended(RecordingScan.Outcome)
}

/// An update while loudness is measured.
public enum LoudnessUpdate: Sendable {
    /// The description of the recording; the first update.
    case opened(MediaInfo)
    /// The measurement up to `time` seconds.
    case measured(LoudnessReport, time: Double)
    /// The measurement and the extent of what was read; the last update.
    case ended(LoudnessReport, RecordingScan.Outcome)
}

/// Analyses recordings one after the other, on threads of its own: a second request takes the place of the first.
///
/// Any thread. A sequence that is no longer listened to, or whose task is cancelled, ends its request at once, and with it
/// the stream.
public final class RecordingAnalyzer: Sendable {
    /// One analysis, which can be cancelled.
    package final class Request: Sendable {
        let stream: any ByteStream
        let isCancelled = Atomic<Bool>(false)
        /// The bits of the time that is heard, in seconds.
        let focus = Atomic<UInt64>(0)

        /// Creates a request for the analysis of the recording whose bytes a stream gives.
        package init(_ stream: any ByteStream) { self.stream = stream }

        /// Whether the request has been cancelled.
        package var hasBeenCancelled: Bool { isCancelled.load(ordering: .relaxed) }

        /// Ends the analysis, and the stream with it.
        package func cancel() {
            isCancelled.store(true, ordering: .relaxed)
            stream.cancel()
        }

        /// Has what is heard from a time on be analysed first.
        /// - Parameter time: Seconds from the start of the recording; what is infinite or no number is left out.
        package func prefer(time: Double) {
            guard time.isFinite else { return }
            focus.store(max(time, 0).bitPattern, ordering: .relaxed)
            (stream as? AttentiveStream)?.reporting?.endArrivalWaits()
        }
    }

    let current = Mutex<Request?>(nil)

    /// An analyser without anything to do.
    public init() {}

    deinit { cancel() }

    /// Ends what is going on; its sequence throws `CancellationError`.
    public func cancel() { replace(nil) }

    /// Makes the waveform of a recording while it arrives.
    /// - Throws: In the sequence: `SyrinxError` if it cannot be opened, `CancellationError` if another request came.
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
            // Some ten times a minute of sound: often enough for the eye, seldom enough to cost nothing.
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

    /// Measures the loudness of a recording, with an update every ten seconds of sound.
    /// - Throws: In the sequence: `SyrinxError` if it cannot be opened or its rate is below 100 Hz, `CancellationError` if
    ///   another request came.
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
            // A thread, since reading waits: tasks may not.
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
