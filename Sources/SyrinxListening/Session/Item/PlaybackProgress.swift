/// The progress of the current input.
package struct PlaybackProgress: Equatable, Sendable {
    /// The state that was told last.
    package var state = PlayState.opening
    /// The time of what is being heard, in seconds of the input.
    package var time = 0.0
    /// The length of the input in seconds, if it is known.
    package var duration: Double?
    /// Whether `duration` is an estimate.
    package var durationIsEstimate = false
    /// Whether it waits for a sound output.
    package var lacksOutput = false
    /// The parts of the input that have been received, as fractions of it in 0…1; whole for a file.
    package var received: [Range<Double>] = []

    /// Creates the progress of an input.
    package init(
        state: PlayState = .opening,
        time: Double = 0,
        duration: Double? = nil,
        durationIsEstimate: Bool = false,
        received: [Range<Double>] = []
    ) {
        (self.state, self.time, self.duration) = (state, time, duration)
        (self.durationIsEstimate, self.received) = (durationIsEstimate, received)
    }

    /// Takes note of the ranges of bytes that are held, out of `total`.
    mutating func setReceived(_ ranges: [Range<Int64>], total: Int64?) {
        guard let total, total > 0 else {
            received = []
            return
        }
        received = ranges.map { Double($0.lowerBound) / Double(total)..<Double($0.upperBound) / Double(total) }
    }
}
