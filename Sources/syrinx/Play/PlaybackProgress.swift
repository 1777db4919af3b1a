import SyrinxListening

/// The progress of the current input.
struct PlaybackProgress: Equatable, Sendable {
    /// The state that was told last.
    var state = PlayState.opening
    /// The time of what is being heard, in seconds of the input.
    var time = 0.0
    /// The length of the input in seconds, if it is known.
    var duration: Double?
    /// Whether `duration` is an estimate.
    var durationIsEstimate = false
    /// Whether it waits for a sound output.
    var lacksOutput = false
    /// The parts of the input that have been received, as fractions of it in 0…1; whole for a file.
    var received: [Range<Double>] = []

    /// Takes note of the ranges of bytes that are held, out of `total`.
    mutating func setReceived(_ ranges: [Range<Int64>], total: Int64?) {
        guard let total, total > 0 else {
            received = []
            return
        }
        received = ranges.map { Double($0.lowerBound) / Double(total)..<Double($0.upperBound) / Double(total) }
    }
}
