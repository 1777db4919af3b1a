import SyrinxByteStream
import SyrinxMediaCodec

/// A segment that could not be had or decoded, and the reason.
struct HLSLoss: Equatable, Sendable {
    let segment: HLSMediaPlaylist.Segment
    let error: SyrinxError

    static func == (a: HLSLoss, b: HLSLoss) -> Bool { a.segment == b.segment && a.error.code == b.error.code }
}

/// The gaps and lost segments before a segment, or at the end of a presentation.
struct HLSHole: Equatable, Sendable {
    /// The seconds that the playlist itself omits (`EXT-X-GAP`).
    var gap = 0.0
    /// The segments that ought to be there.
    var losses: [HLSLoss] = []
}

/// The audio that is missing in a presentation, as far as it has been read.
struct HLSMissing {
    private var parts: [MissingSound] = []

    /// The maximum number of stored stretches; later ones extend the last one.
    private static let mostParts = 1_000
    /// The tolerance in seconds between segments: timestamps are rounded, and frame headers may be miscounted.
    private static let tolerance = 0.15
    /// The share of a gap by which the playlist may state it wrongly.
    private static let gapTolerance = 0.1
    /// The minimum duration in seconds that is reported for a missing segment.
    private static let shortest = 0.001

    /// Returns the stretches that have been noted since the last call.
    mutating func take() -> [MissingSound] {
        defer { parts = [] }
        return parts
    }

    /// Notes that the audio of `duration` seconds is missing, starting at `time`.
    /// - Parameters:
    ///   - hole: The missing segments, which share the duration; stretches that the playlist omits are not reported.
    ///   - reason: Creates the error for a stretch without a missing segment. If it is `nil`, such a stretch is not
    ///     reported.
    mutating func note(
        at time: Double,
        lasting duration: Double,
        _ hole: HLSHole,
        otherwise reason: (() -> SyrinxError)? = nil
    ) {
        let lacking = duration - hole.gap
        let tolerance = hole.losses.isEmpty ? Self.tolerance + hole.gap * Self.gapTolerance : Self.shortest
        guard lacking > tolerance else { return }
        guard let last = hole.losses.last else {
            if let error = reason?() { add(time, lacking, error, name: error.name) }
            return
        }
        var done = 0.0
        for loss in hole.losses.dropLast() where lacking - done > Self.shortest {
            let length = min(loss.segment.duration, lacking - done)
            add(time + done, length, loss)
            done += length
        }
        if lacking - done > Self.shortest { add(time + done, lacking - done, last) }
    }

    private mutating func add(_ time: Double, _ duration: Double, _ loss: HLSLoss) {
        add(time, duration, loss.error, name: StreamingInput.url(loss.segment.resource.url).name)
    }

    private mutating func add(_ time: Double, _ duration: Double, _ error: SyrinxError, name: String) {
        let text = "\(Self.text(duration)) s of the sound are missing at \(Self.text(time)) s. \(error.message)"
        let reason = SyrinxError(error.code, text, name: name, underlying: error)
        var part = MissingSound(time: time, duration: duration, error: reason)
        if parts.count >= Self.mostParts, let last = parts.popLast() {
            part = MissingSound(time: last.time, duration: last.duration + duration, error: last.error)
        }
        parts.append(part)
    }

    /// Seconds with up to two places.
    private static func text(_ seconds: Double) -> String {
        let hundredths = (max(seconds, 0.01) * 100).rounded()
        return hundredths.truncatingRemainder(dividingBy: 100) == 0
            ? "\(Int(clamped: hundredths / 100))" : "\(hundredths / 100)"
    }
}

extension HLSReader {
    func takeMissing() -> [MissingSound] { missing.take() }

    /// Notes the missing audio between the next frame and the first frame of `next`.
    func noteHole(before next: HLSRun, at start: Int64) {
        let plan = next.stream.first
        var length = seconds(at: start.subtractingClamped(position))
        if plan.joint == .jump {
            // A live presentation restarts its times: its window shows how much was skipped.
            guard let last, last.entry.epoch == plan.entry.epoch else { return }
            length = plan.entry.start - last.entry.end
        }
        missing.note(at: seconds(at: position), lasting: length, plan.hole) {
            if plan.joint == .jump {
                let message = "The server no longer has this part of the live stream."
                return SyrinxError(.incomplete, message, name: self.name)
            }
            let message = "The segment ends before the next one begins."
            let segment = self.last.map { StreamingInput.url($0.segment.resource.url).name }
            return SyrinxError(.incomplete, message, name: segment ?? next.stream.name)
        }
    }

    /// Notes the missing audio between a frame and the end of the presentation.
    func noteHoleAtEnd(from frame: Int64) {
        guard let window = loader.window, !window.isLive else { return }
        let hole = loader.state.read { $0.scheduler.holeAtEnd }
        missing.note(at: seconds(at: frame), lasting: window.end - seconds(at: frame), hole)
    }

    /// Notes the missing audio at a crossfade between two renditions.
    func noteHole(in fade: HLSFade) {
        missing.note(at: seconds(at: position), lasting: seconds(at: fade.missing), fade.next.stream.first.hole) {
            let message = "The rendition that is switched to begins later than the one before ends."
            return SyrinxError(.incomplete, message, name: fade.next.stream.name)
        }
    }
}
