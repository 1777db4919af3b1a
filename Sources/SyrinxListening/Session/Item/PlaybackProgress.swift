/// The progress of the current input.
package struct PlaybackProgress: Equatable, Sendable {
    /// The last reported status.
    package var state = PlayState.opening
    /// The playback position, in seconds.
    package var time = 0.0
    /// The duration of the input in seconds; `nil` if it is unknown.
    package var duration: Double?
    /// Whether `duration` is an estimate.
    package var durationIsEstimate = false
    /// Whether playback waits for a sound output.
    package var lacksOutput = false
    /// The received parts of the input, as fractions 0…1; the whole for a file.
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

    /// Sets the received parts from byte ranges of `total` bytes.
    mutating func setReceived(_ ranges: [Range<Int64>], total: Int64?) {
        guard let total, total > 0 else {
            received = []
            return
        }
        received = ranges.map { Double($0.lowerBound) / Double(total)..<Double($0.upperBound) / Double(total) }
    }
}
