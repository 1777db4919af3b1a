internal import Foundation
internal import Synchronization
internal import SyrinxByteStream
package import SyrinxMediaCodec

/// Analyzes a recording while it arrives, in the order of an `ArrivalPlan`.
///
/// Use it on one thread.
package final class ArrivalScan {
    private let reader: any SampleReader
    private let stream: AttentiveStream
    private let sink: any ArrivalSink
    private let request: RecordingAnalyzer.Request
    /// The frames to analyze.
    private let frames: Range<Int64>
    private let sampleRate: Double
    private let block: Int64
    private var plan: ArrivalPlan?
    private var failure: SyrinxError?
    /// The index after the last block that was handed over.
    private var nextBlock = 0
    private var lastReport = DispatchTime(uptimeNanoseconds: 0)
    private var analysed: Int64 = 0
    /// The minimum number of frames of the recording: its stated length may be too short.
    private var leastFrameCount: Int64 = 0

    /// The minimum interval between two updates, in nanoseconds.
    private static let reportInterval: UInt64 = 100_000_000
    /// The interval between checks for new bytes in seconds, which grows from `least` to `greatest`.
    ///
    /// For streams that do not report arrivals, it grows to `greatestUntold`.
    private static let pauses = (least: 0.02, greatest: 0.25, greatestUntold: 1.0)
    /// The change of the focus in seconds after which another run of bytes is considered.
    private static let focusStep = 2.0

    /// Creates the analysis of a recording.
    /// - Parameters:
    ///   - reader: The reader of the recording, which reads from `stream`.
    ///   - stream: The bytes that have arrived.
    ///   - frames: The frames to analyze, all by default; a part starts with its first whole block.
    ///   - sink: The receiver of the samples.
    ///   - request: The request for this analysis, which can be cancelled.
    package init(
        _ reader: any SampleReader,
        _ stream: AttentiveStream,
        frames: Range<Int64> = 0..<Int64.max,
        to sink: any ArrivalSink,
        for request: RecordingAnalyzer.Request
    ) {
        (self.reader, self.stream, self.sink, self.request) = (reader, stream, sink, request)
        self.frames = frames
        sampleRate = reader.info.sampleRate
        block = Int64(max(sink.blockLength, 1))
        if reader.info.isSeekable, let length = stream.length, let count = frameCount {
            var plan = ArrivalPlan(frameCount: count, byteCount: length, blockLength: sink.blockLength)
            if frames.lowerBound > 0 { plan.note(0..<frames.lowerBound) }
            if frames.upperBound < .max { plan.note(frames.upperBound..<Int64.max) }
            self.plan = plan
            stream.waits = false
        }
    }

    private var frameCount: Int64? {
        let info = reader.info
        let frames = info.frameCount ?? info.duration.map { Int64(clamped: ($0 * info.sampleRate).rounded()) }
        return frames.flatMap { $0 > 0 ? max($0, leastFrameCount) : nil }
    }

    /// Analyzes everything that arrives; returns when the recording is complete or the request is cancelled.
    ///
    /// A recording that is not seekable is analyzed from its start only.
    /// - Returns: The extent of the analysis.
    package func run() -> RecordingScan.Outcome {
        if plan != nil {
            followPlan()
        } else if frames.lowerBound <= 0 {
            _ = analyse(from: 0)
        }
        return RecordingScan.Outcome(
            frameCount: analysed,
            damagedPacketCount: reader.corruptPacketCount,
            failure: failure
        )
    }

    private func followPlan() {
        var pause = Self.pauses.least
        while !request.isCancelled.load(ordering: .relaxed) {
            let arrivals = stream.reporting?.arrivalCount ?? 0
            if let frameCount { plan?.setFrameCount(frameCount) }
            switch plan?.next(held: stream.heldRanges, focus: focus) {
            case .analyze(let frame):
                if analyse(from: frame) {
                    pause = Self.pauses.least
                } else {
                    plan?.noteFailure()
                }
            case .wait:
                stream.reporting?.waitForArrival(after: arrivals)
                guard !request.isCancelled.load(ordering: .relaxed) else { return }
                Thread.sleep(forTimeInterval: pause)
                let greatest = stream.reporting == nil ? Self.pauses.greatestUntold : Self.pauses.greatest
                pause = min(pause * 1.3, greatest)
            case .finish, nil: return
            }
        }
    }

    private var focus: Int64 {
        Int64(clamped: Double(bitPattern: request.focus.load(ordering: .relaxed)) * sampleRate)
    }

    /// Analyzes from `start` up to the first block that is already analyzed or not yet downloaded.
    /// - Returns: Whether any block was analyzed.
    private func analyse(from start: Int64) -> Bool {
        sink.begin(at: start)
        nextBlock = Int(clamping: start / block)
        let before = analysed
        // The first blocks are reported at once.
        lastReport = DispatchTime(uptimeNanoseconds: 0)
        let limit = plan?.limit(from: start) ?? frames.upperBound
        let firstFocus = focus
        do throws(SyrinxError) {
            if plan != nil { try seek(to: start) }
            guard reader.position == start else {
                // The recording is shorter than its stated length.
                plan?.noteEnd(at: min(reader.position, start))
                return true
            }
            var hasLeft = false
            let outcome = RecordingScan.read(
                reader,
                frames: start..<limit,
                while: { !hasLeft && !request.isCancelled.load(ordering: .relaxed) }
            ) { channels, count, position in
                if position == start { plan?.notePlace(frame: start, byte: stream.runStart) }
                sink.append(channels, frameCount: count)
                guard isDue else { return }
                hand()
                let distance = abs(focus.subtractingClamped(firstFocus))
                if distance > Int64(clamped: Self.focusStep * sampleRate) {
                    hasLeft = leaves(at: position.addingClamped(Int64(count)), focus)
                }
            }
            if let failure = outcome.failure { throw failure }
            if request.isCancelled.load(ordering: .relaxed) { return true }
            if !hasLeft, reader.position < limit {
                end()
            } else {
                hand()
            }
        } catch {
            hand()
            take(error, from: start)
        }
        return analysed > before
    }

    private func seek(to frame: Int64) throws(SyrinxError) {
        // Does not wait for missing bytes, because another part may be available.
        stream.setInterrupted(true)
        defer { stream.setInterrupted(false) }
        try reader.seek(toFrame: frame)
    }

    /// Returns whether another run of bytes has become more urgent.
    private func leaves(at position: Int64, _ focus: Int64) -> Bool {
        guard var plan else { return false }
        guard case .analyze(let frame) = plan.next(held: stream.heldRanges, focus: focus) else { return false }
        return abs(frame.subtractingClamped(position)) > block.multipliedClamped(by: 64)
    }

    private func take(_ error: SyrinxError, from start: Int64) {
        switch error.code {
        case .interrupted:
            if reader.position > start {
                leastFrameCount = max(leastFrameCount, reader.position.addingClamped(1))
                plan?.notePlace(frame: reader.position, byte: stream.missing)
            }
        case .cancelled: break
        case .truncated:
            failure = error
            end()
        default:
            failure = error
            plan?.noteDamage(at: reader.position, length: Int64(clamped: sampleRate))
        }
    }

    // MARK: Handing blocks over

    private var isDue: Bool {
        sink.blockCount > 0
            && DispatchTime.now().uptimeNanoseconds &- lastReport.uptimeNanoseconds >= Self.reportInterval
    }

    private func hand(lastFrameCount: Int? = nil) {
        let count = sink.blockCount
        guard count > 0 else { return }
        sink.handOver(from: nextBlock, lastFrameCount: lastFrameCount)
        lastReport = .now()
        let start = Int64(nextBlock).multipliedClamped(by: block)
        let length = Int64(count).multipliedClamped(by: block)
        plan?.note(start..<start.addingClamped(length))
        analysed = analysed.addingClamped(length)
        nextBlock = nextBlock.addingClamped(count)
    }

    /// Hands over the last, incomplete block at the end of the recording.
    private func end() {
        hand()
        let pending = sink.pendingFrameCount
        sink.finish()
        hand(lastFrameCount: pending > 0 ? pending : nil)
        plan?.noteEnd(at: reader.position)
    }
}
