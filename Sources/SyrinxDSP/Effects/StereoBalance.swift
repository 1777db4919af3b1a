/// Mono and balance for two channels.
///
/// For other channel counts only mono has an effect.
///
/// Mono gives every channel the mean of all. Balance attenuates one of two channels linearly, and does not change the
/// other. Both ramp with `ParameterGlide`. With the default settings samples pass unchanged. Use from one thread at a
/// time; `process` neither allocates nor locks.
package struct StereoBalance: ~Copyable {
    private let channelCount: Int
    private var glide: ParameterGlide
    private var isPrimed = false

    package init(sampleRate: Double, channelCount: Int) {
        self.channelCount = channelCount
        glide = ParameterGlide(sampleRate: sampleRate)
    }

    /// Makes the next frames start with the values set by then, without a ramp.
    package mutating func reset() { isPrimed = false }

    /// Sets the values, with ramps.
    /// - Parameters:
    ///   - mono: The share of the mean in each channel, 0…1.
    ///   - balance: −1 is left only, 1 is right only.
    package mutating func set(mono: Double, balance: Double) {
        let values = SIMD4(mono, min(1, 1 - balance), min(1, 1 + balance), 0)
        if isPrimed { glide.move(to: values) } else { glide.jump(to: values) }
        isPrimed = true
    }

    /// Processes `frameCount` frames of each channel in place.
    package mutating func process(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        guard channelCount > 1 else { return }
        let rest = glide.current
        if !glide.isMoving, rest.x == 0, rest.y == 1, rest.z == 1 { return }
        let share = 1 / Float(channelCount)
        var frame = 0
        while frame < frameCount {
            if glide.isMoving { glide.advance() }
            let values = glide.current
            let mono = Float(values.x)
            if mono > 0 {
                var sum: Float = 0
                for channel in 0..<channelCount { sum += channels[channel][frame] }
                let mean = sum * share
                for channel in 0..<channelCount {
                    channels[channel][frame] += (mean - channels[channel][frame]) * mono
                }
            }
            if channelCount == 2 {
                channels[0][frame] *= Float(values.y)
                channels[1][frame] *= Float(values.z)
            }
            frame &+= 1
        }
    }
}
