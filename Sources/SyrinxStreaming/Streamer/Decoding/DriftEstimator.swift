import SyrinxDSP

/// Decides the playback speed of a broadcast, which compensates for clock drift between the sender and the sound card.
///
/// It measures the amount of received audio that was not played, over tens of seconds, and adjusts the speed by at most
/// 500 parts per million, less than a cent. Until a drift is detected, playback is bit-exact. It has no clock: time is
/// the number of played frames.
struct DriftEstimator {
    /// The tolerance in seconds of the mean over ten seconds: the jitter of the sender's packets.
    private static let tolerance = 0.04

    private var control: DriftControl
    private var lastPlayed: Int64?

    init(sampleRate: Double) {
        control = DriftControl(sampleRate: sampleRate, tolerance: Self.tolerance * sampleRate, loop: .broadcasts)
    }

    /// Discards the measurements, because playback was interrupted.
    ///
    /// The estimated drift is kept.
    mutating func rest() {
        guard lastPlayed != nil else { return }
        lastPlayed = nil
        control.settle()
    }

    /// Notes that `held` frames have arrived and were not played, at the time when `played` frames were played.
    /// - Returns: The new ratio of input frames to output frames; `nil` if it does not change.
    mutating func note(held: Double, played: Int64) -> Double? {
        defer { lastPlayed = played }
        guard let lastPlayed, played > lastPlayed else { return nil }
        return control.note(distance: held, after: Int(played - lastPlayed))
    }
}
