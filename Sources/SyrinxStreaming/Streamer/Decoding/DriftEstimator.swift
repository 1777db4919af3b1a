import SyrinxDSP

/// Decides how fast a broadcast is played, so that the sender's clock and the sound card's may differ for hours without
/// anything running dry or piling up.
///
/// It watches how much has come and has not been played, over tens of seconds, and has less or more of it taken for each frame
/// that is played: at most 500 parts in a million, less than a cent. Until clocks are seen to differ it is one for one, bit
/// for bit. No clock of its own: time is what the sound card has played.
struct DriftEstimator {
    /// Seconds that the mean of ten seconds may be off before anything is done: what the sender's packets leave of unrest.
    private static let tolerance = 0.04

    private var control: DriftControl
    private var lastPlayed: Int64?

    init(sampleRate: Double) {
        control = DriftControl(sampleRate: sampleRate, tolerance: Self.tolerance * sampleRate, loop: .broadcasts)
    }

    /// Forgets the measurements: the stream does not play, or was interrupted.
    ///
    /// What is known of them stays known.
    mutating func rest() {
        guard lastPlayed != nil else { return }
        lastPlayed = nil
        control.settle()
    }

    /// Notes that `held` frames have come and not been played, when `played` have been.
    /// - Returns: Frames of the broadcast for each that is played, where that changes.
    mutating func note(held: Double, played: Int64) -> Double? {
        defer { lastPlayed = played }
        guard let lastPlayed, played > lastPlayed else { return nil }
        return control.note(distance: held, after: Int(played - lastPlayed))
    }
}
