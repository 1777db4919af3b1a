/// The rate at which to read data that is written with another clock, so that the clock difference does not
/// accumulate.
///
/// It uses no clock itself and allocates nothing.
///
/// It measures the number of frames between the write and read positions, averaged over an interval. As long as this
/// distance stays within the tolerance of its initial value, the rate is exactly 1, so that identical clocks cost
/// nothing. Otherwise a critically damped second-order loop restores the distance. Clocks usually differ by about 100
/// parts per million. Use from one thread at a time.
package struct DriftControl: Sendable {
    /// The speed and the range in which a difference is followed.
    package struct Loop: Sendable {
        /// The maximum correction of the rate in both directions, as a fraction of 1.
        package let limit: Double
        /// Radians a second.
        fileprivate let naturalFrequency: Double
        /// Seconds of which a mean is taken.
        fileprivate let interval: Double

        /// For two devices, with regular blocks and a short buffer: at most 2,000 parts per million, or 3.5 cents.
        ///
        /// The loop settles in about two minutes, with an overshoot of less than one cent.
        package static var devices: Loop { Loop(limit: 0.002, naturalFrequency: 0.03, interval: 1) }

        /// For a network stream, with irregular blocks and a longer buffer: at most 500 parts per million, or 0.87
        /// cents.
        ///
        /// The loop settles in about twenty minutes.
        package static var broadcasts: Loop { Loop(limit: 0.0005, naturalFrequency: 0.003, interval: 10) }
    }

    private let loop: Loop
    private let sampleRate: Double
    private let tolerance: Double
    private var sum = 0.0
    private var frames = 0.0
    /// Whole intervals seen.
    private var intervals = 0
    /// The distance to keep, in frames: the mean of the second interval, when all that begins has begun.
    private var target = 0.0
    /// The estimated difference between the clocks; `nil` until one is detected.
    private var drift: Double?

    /// Creates a control without measurements.
    /// - Parameters:
    ///   - sampleRate: The sample rate in Hz.
    ///   - tolerance: The tolerated deviation of the distance in frames.
    ///   - loop: The speed and limits of the control loop.
    package init(sampleRate: Double, tolerance: Double, loop: Loop) {
        self.sampleRate = sampleRate
        self.tolerance = tolerance
        self.loop = loop
    }

    /// Measures the target distance again after an interruption; the estimated clock difference is kept.
    package mutating func settle() {
        sum = 0
        frames = 0
        intervals = 0
    }

    /// Records the distance after `count` frames were read.
    /// - Returns: The new number of frames to consume per frame read; `nil` if it does not change.
    @_noLocks @_noAllocation
    package mutating func note(distance: Double, after count: Int) -> Double? {
        sum += distance * Double(count)
        frames += Double(count)
        guard frames >= sampleRate * loop.interval else { return nil }
        let mean = sum / frames
        let time = frames / sampleRate
        sum = 0
        frames = 0
        intervals += 1
        if intervals <= 2 {
            target = mean
            return nil
        }
        return correct(mean - target, time)
    }

    @_noLocks @_noAllocation
    private mutating func correct(_ error: Double, _ time: Double) -> Double? {
        let frequency = loop.naturalFrequency
        var known: Double
        if let drift {
            known = drift + frequency * frequency * error / sampleRate * time
        } else {
            guard error > tolerance || error < -tolerance else { return nil }
            // The deviation accumulated since the target was measured.
            known = error / (Double(intervals - 2) * loop.interval * sampleRate)
        }
        known = limited(known)
        drift = known
        return 1 + limited(known + 2 * frequency * error / sampleRate)
    }

    @_noLocks @_noAllocation
    private func limited(_ value: Double) -> Double {
        value > loop.limit ? loop.limit : value < -loop.limit ? -loop.limit : value
    }
}
