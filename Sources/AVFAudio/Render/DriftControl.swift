/// How fast to read what another clock writes, so that the difference of two clocks never adds up: no clock, no memory.
///
/// Watches how many frames lie between what has been written and what has been read, as a mean of a second. As long as that
/// stays where it was at first, within the tolerance, the ratio is exactly 1, so that clocks which are one cost nothing. After
/// that a loop of second order, critically damped with a natural frequency of 0.03 radians a second (about two minutes to
/// settle), brings it back: crystals are some 100 parts in a million apart, which it soon knows, and what it adds on the way
/// stays below a cent.
struct DriftControl {
    /// The most that is done about it, either way: 2000 parts in a million, which are 3.5 cents.
    static var limit: Double { 0.002 }

    private static var naturalFrequency: Double { 0.03 }

    private let sampleRate: Double
    private let tolerance: Double
    private var sum = 0.0
    private var frames = 0.0
    /// Whole seconds seen.
    private var seconds = 0
    /// The distance to keep, in frames: the mean of the second second, when all that begins has begun.
    private var target = 0.0
    /// What is known of the difference of the clocks; `nil` while there is none to be seen.
    private var drift: Double?

    /// - Parameter tolerance: Frames that the distance may be off before anything is done.
    init(sampleRate: Double, tolerance: Double) {
        self.sampleRate = sampleRate
        self.tolerance = tolerance
    }

    /// Notes the distance after `count` frames have been read.
    /// - Returns: Frames to take from now on for each that is read; `nil` where that does not change.
    @_noLocks @_noAllocation
    mutating func note(distance: Double, after count: Int) -> Double? {
        sum += distance * Double(count)
        frames += Double(count)
        guard frames >= sampleRate else { return nil }
        let mean = sum / frames
        let time = frames / sampleRate
        sum = 0
        frames = 0
        seconds += 1
        if seconds <= 2 {
            target = mean
            return nil
        }
        return correct(mean - target, time)
    }

    @_noLocks @_noAllocation
    private mutating func correct(_ error: Double, _ time: Double) -> Double? {
        let frequency = Self.naturalFrequency
        var known: Double
        if let drift {
            known = drift + frequency * frequency * error / sampleRate * time
        } else {
            guard error > tolerance || error < -tolerance else { return nil }
            // What has added up since the target was taken.
            known = error / (Double(seconds - 2) * sampleRate)
        }
        known = Self.limited(known)
        drift = known
        return 1 + Self.limited(known + 2 * frequency * error / sampleRate)
    }

    @_noLocks @_noAllocation
    private static func limited(_ value: Double) -> Double {
        value > limit ? limit : value < -limit ? -limit : value
    }
}
