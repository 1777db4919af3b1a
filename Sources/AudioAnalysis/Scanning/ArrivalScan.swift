internal import ByteStream
internal import Foundation
internal import MediaCodec
internal import Synchronization

/// The analysis of a recording that arrives, by the steps of an `ArrivalPlan`.
///
/// One thread.
final class ArrivalScan {
    private let reader: MediaReader
    private let stream: AttentiveStream
    private let sampleRate: Double
    private let block: Int64
    private var builder: PeakBuilder
    private var plan: ArrivalPlan?
    private var failure: MediaError?
    /// The block behind the last one that was handed over.
    private var nextBlock = 0
    private var lastReport = DispatchTime(uptimeNanoseconds: 0)
    private var analysed: Int64 = 0
    /// The frames that there are at least: a length may be an estimate that is too short.
    private var leastFrameCount: Int64 = 0

    /// Nanoseconds between two updates.
    private static let reportInterval: UInt64 = 100_000_000
    /// Seconds between two looks for what has arrived, at first and in the end.
    private static let pauses = (least: 0.02, greatest: 1.0)
    /// Seconds by which the focus moves before another run of bytes is considered.
    private static let focusStep = 2.0

    init(_ reader: MediaReader, _ stream: AttentiveStream, _ settings: PeakBuilder.Settings) {
        (self.reader, self.stream) = (reader, stream)
        sampleRate = reader.info.sampleRate
        block = Int64(settings.samplesPerPixel)
        builder = PeakBuilder(settings)
        if reader.info.isSeekable, let length = stream.length, let frames = frameCount {
            plan = ArrivalPlan(frameCount: frames, byteCount: length, blockLength: settings.samplesPerPixel)
            stream.waits = false
        }
    }

    private var frameCount: Int64? {
        let info = reader.info
        let frames = info.frameCount ?? info.duration.map { Int64(clamped: ($0 * info.sampleRate).rounded()) }
        return frames.flatMap { $0 > 0 ? max($0, leastFrameCount) : nil }
    }

    func run(_ request: RecordingAnalyzer.Request, _ tell: (WaveformUpdate) -> Void)
        -> RecordingScan.Outcome
    {
        if plan == nil {
            _ = analyse(from: 0, request, tell)
        } else {
            followPlan(request, tell)
        }
        return RecordingScan.Outcome(
            frameCount: analysed,
            damagedPacketCount: reader.corruptPacketCount,
            failure: failure
        )
    }

    private func followPlan(_ request: RecordingAnalyzer.Request, _ tell: (WaveformUpdate) -> Void) {
        var pause = Self.pauses.least
        while !request.isCancelled.load(ordering: .relaxed) {
            if let frameCount { plan?.setFrameCount(frameCount) }
            switch plan?.next(held: stream.heldRanges, focus: focus(request)) {
            case .analyze(let frame):
                if analyse(from: frame, request, tell) {
                    pause = Self.pauses.least
                } else {
                    plan?.noteFailure()
                }
            case .wait:
                Thread.sleep(forTimeInterval: pause)
                pause = min(pause * 1.3, Self.pauses.greatest)
            case .finish, nil: return
            }
        }
    }

    private func focus(_ request: RecordingAnalyzer.Request) -> Int64 {
        Int64(clamped: Double(bitPattern: request.focus.load(ordering: .relaxed)) * sampleRate)
    }

    /// Analyses from a frame on, up to what is known or has not arrived.
    /// - Returns: Whether anything became known.
    private func analyse(
        from start: Int64,
        _ request: RecordingAnalyzer.Request,
        _ tell: (WaveformUpdate) -> Void
    ) -> Bool {
        builder.dropPending()
        _ = builder.takeBlocks()
        nextBlock = Int(clamping: start / block)
        let before = analysed
        // The first blocks are shown at once.
        lastReport = DispatchTime(uptimeNanoseconds: 0)
        let limit = plan?.limit(from: start) ?? .max
        let firstFocus = focus(request)
        do throws(MediaError) {
            if plan != nil { try seek(to: start) }
            guard reader.position == start else {
                // It ends before the length that was taken for true.
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
                builder.append(channels, frameCount: count)
                guard isDue else { return }
                hand(tell)
                let distance = abs(focus(request).subtractingClamped(firstFocus))
                if distance > Int64(clamped: Self.focusStep * sampleRate) {
                    hasLeft = leaves(at: position.addingClamped(Int64(count)), focus(request))
                }
            }
            if let failure = outcome.failure { throw failure }
            if request.isCancelled.load(ordering: .relaxed) { return true }
            if !hasLeft, reader.position < limit {
                end(tell)
            } else {
                hand(tell)
            }
        } catch {
            hand(tell)
            take(error, from: start, tell)
        }
        return analysed > before
    }

    private func seek(to frame: Int64) throws(MediaError) {
        // What has not arrived is not waited for: another place may have.
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

    private func take(_ error: MediaError, from start: Int64, _ tell: (WaveformUpdate) -> Void) {
        switch error.code {
        case .interrupted:
            if reader.position > start {
                leastFrameCount = max(leastFrameCount, reader.position.addingClamped(1))
                plan?.notePlace(frame: reader.position, byte: stream.missing)
            }
        case .cancelled: break
        case .truncated:
            failure = error
            end(tell)
        default:
            failure = error
            plan?.noteDamage(at: reader.position, length: Int64(clamped: sampleRate))
        }
    }

    // MARK: Handing over

    private var isDue: Bool {
        builder.waveform.count > 0
            && DispatchTime.now().uptimeNanoseconds &- lastReport.uptimeNanoseconds >= Self.reportInterval
    }

    private func hand(_ tell: (WaveformUpdate) -> Void, lastFrameCount: Int? = nil) {
        let blocks = builder.takeBlocks()
        guard blocks.count > 0 else { return }
        lastReport = .now()
        let start = Int64(nextBlock).multipliedClamped(by: block)
        let length = Int64(blocks.count).multipliedClamped(by: block)
        plan?.note(start..<start.addingClamped(length))
        analysed = analysed.addingClamped(length)
        tell(.blocks(blocks, index: nextBlock, lastFrameCount: lastFrameCount))
        nextBlock = nextBlock.addingClamped(blocks.count)
    }

    /// Hands over what the last block has: the recording ends here.
    private func end(_ tell: (WaveformUpdate) -> Void) {
        hand(tell)
        let pending = builder.pendingFrameCount
        builder.finish()
        hand(tell, lastFrameCount: pending > 0 ? pending : nil)
        plan?.noteEnd(at: reader.position)
    }
}
