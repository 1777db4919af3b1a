/// The speed at which to read what another clock writes, so that the difference of two clocks does not add up.
///
/// It has no clock and allocates nothing.
///
/// Watches how many frames lie between what has been written and what has been read, as a mean of an interval. As long as that
/// stays where it was at first, within the tolerance, the ratio is exactly 1, so that clocks which are one cost nothing. After
/// that a loop of second order, critically damped, brings it back: crystals are some 100 parts in a million apart, which it
/// soon knows. Use from one thread at a time.
package struct DriftControl: Sendable {
    /// The speed and the range in which a difference is followed.
    package struct Loop: Sendable {
        /// The most that is done about it, either way, as a part of 1.
        package let limit: Double
        /// Radians a second.
        fileprivate let naturalFrequency: Double
        /// Seconds of which a mean is taken.
        fileprivate let interval: Double

        /// For two devices, whose blocks come evenly and of which little is held: at most 2000 parts in a million, which are
        /// 3.5 cents, and settled in about two minutes; what it adds on the way to a crystal's difference is below a cent.
        package static var devices: Loop { Loop(limit: 0.002, naturalFrequency: 0.03, interval: 1) }

        /// For what comes over a network, unevenly, and of which more is held: at most 500 parts in a million, which are
        /// 0.87 cents, and settled in about twenty minutes.
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
    /// The estimated difference of the clocks; `nil` before one is detected.
    private var drift: Double?

    /// A control that has seen nothing.
    /// - Parameters:
    ///   - sampleRate: Frames a second.
    ///   - tolerance: Frames that the distance may be off before anything is done.
    ///   - loop: How quickly it follows.
    package init(sampleRate: Double, tolerance: Double, loop: Loop) {
        self.sampleRate = sampleRate
        self.tolerance = tolerance
        self.loop = loop
    }

    /// Takes the distance to keep anew, after a break; what is known of the clocks stays known.
    package mutating func settle() {
        sum = 0
        frames = 0
        intervals = 0
    }

    /// Notes the distance after `count` frames have been read.
    /// - Returns: Frames to take from now on for each that is read; `nil` where that does not change.
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
            // What has added up since the target was taken.
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
