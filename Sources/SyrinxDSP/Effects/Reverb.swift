#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A reverb for any number of channels: a pre-delay, three diffusion steps, and a feedback delay network of sixteen
/// lines.
///
/// Diffusion and network mix with Hadamard matrices, so that every line feeds all others equally (J.-M. Jot, A.
/// Chaigne, 1991). Four lines are modulated. Even channels feed one side and odd channels the other; each output has
/// its own taps at eight lines. New settings crossfade within 50 ms while the sound continues. The output does not
/// depend on the division into blocks. Use from one thread at a time; `process` neither allocates nor locks, for any
/// settings within the limits.
package struct Reverb: ~Copyable {
    private let channelCount: Int
    private var network: ReverbNetwork
    /// The length of the current step in frames, and the number of its frames already output.
    private var stepFrames = 0
    private var played = 0
    private var frame = 0
    private var settings: ReverbSettings?
    private var wanted: ReverbSettings?
    private var isChanged = false
    /// The gains of the input and of the reverb.
    private var mix: ParameterGlide
    /// The filter of the network's input, and its two channels.
    private var filter: SmoothedFilter
    private let sides: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private var hasBegun = false

    package init(sampleRate: Double, channelCount: Int, limits: ReverbLimits = .matrix) {
        self.channelCount = channelCount
        network = ReverbNetwork(sampleRate: sampleRate, channelCount: channelCount, limits: limits)
        mix = ParameterGlide(sampleRate: sampleRate)
        mix.jump(to: SIMD4(1, 0, 0, 0))
        filter = SmoothedFilter(sampleRate: sampleRate, channelCount: 2)
        sides = .allocate(capacity: 2)
        sides.initialize(to: network.inputSide(0))
        (sides + 1).initialize(to: network.inputSide(1))
        warmUp()
    }

    /// Runs a change of settings once and discards the result.
    ///
    /// Debug builds look up types when code runs for the first time. This has to happen here, not on the render
    /// thread.
    private mutating func warmUp() {
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: 256)
        samples.initialize(repeating: 0, count: 256)
        // Silence would be passed over.
        samples[0] = 1
        let channels = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: max(1, channelCount))
        channels.initialize(repeating: samples, count: max(1, channelCount))
        defer {
            samples.deallocate()
            channels.deallocate()
        }
        set(ReverbSettings(.smallRoom), mix: 1)
        process(UnsafePointer(channels), frameCount: 256)
        set(ReverbSettings(MatrixReverbParameters()), mix: 0.5)
        process(UnsafePointer(channels), frameCount: 256)
        reset()
        mix.jump(to: SIMD4(1, 0, 0, 0))
    }

    deinit { sides.deallocate() }

    /// Forgets the input and finishes all changes with the next `set`.
    package mutating func reset() {
        network.clear()
        filter.reset()
        settings = nil
        (hasBegun, isChanged) = (false, false)
        (stepFrames, played, frame) = (0, 0, 0)
    }

    /// Sets the settings and the wet share, 0…1, at equal power; with a crossfade, or immediately before the first
    /// `process`.
    package mutating func set(_ settings: ReverbSettings, mix share: Double, gain: Double = 1) {
        let (wet, dry) = ReverbLayout.equalPower(share)
        let gains = SIMD4(dry, wet * gain, 0, 0)
        wanted = settings
        if hasBegun {
            mix.move(to: gains)
            isChanged = self.settings != settings
        } else {
            mix.jump(to: gains)
            if self.settings != settings { network.apply(settings) }
            self.settings = settings
        }
    }

    /// Sets or bypasses the filter of the reverb's input, with a ramp.
    package mutating func setFilter(_ settings: FilterSettings, isActive: Bool) {
        filter.set(settings, isActive: isActive)
    }

    /// Processes `frameCount` frames of each channel in place.
    package mutating func process(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        hasBegun = true
        var done = 0
        while done < frameCount {
            if played == stepFrames { begin() }
            let count = min(stepFrames &- played, frameCount &- done)
            take(channels, done, count)
            if mix.isMoving { glide(channels, done, count) } else { play(channels, done, count) }
            played &+= count
            done &+= count
        }
    }

    private mutating func begin() {
        if stepFrames > 0 { network.close(stepFrames) }
        if isChanged, network.isSettled, let wanted {
            network.move(to: wanted)
            settings = wanted
            isChanged = false
        }
        stepFrames = network.step(at: frame)
        frame &+= stepFrames
        played = 0
    }

    /// Keeps the two sides of the input.
    private mutating func take(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ start: Int, _ count: Int) {
        let gain = channelCount > 2 ? 1 / Float(channelCount / 2).squareRoot() : 1
        for side in 0..<2 {
            let target = network.inputSide(side) + played
            sides[side] = target
            let first = channels[min(side, channelCount &- 1)] + start
            // NaN or infinity would stay in the delay lines forever.
            for index in 0..<count { target[index] = first[index].magnitude < 1e6 ? first[index] * gain : 0 }
            var channel = side &+ 2
            while channel < channelCount {
                let samples = channels[channel] + start
                for index in 0..<count {
                    target[index] += samples[index].magnitude < 1e6 ? samples[index] * gain : 0
                }
                channel &+= 2
            }
        }
        filter.process(UnsafePointer(sides), channelCount: 2, frameCount: count)
    }

    private func play(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ start: Int, _ count: Int) {
        let (dry, wet) = (Float(mix.current[0]), Float(mix.current[1]))
        for channel in 0..<channelCount {
            let samples = channels[channel] + start
            let reverb = network.outputChannel(channel) + played
            for index in 0..<count { samples[index] = samples[index] * dry + reverb[index] * wet }
        }
    }

    private mutating func glide(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ start: Int, _ count: Int) {
        for index in 0..<count {
            if mix.isMoving { mix.advance() }
            let (dry, wet) = (Float(mix.current[0]), Float(mix.current[1]))
            for channel in 0..<channelCount {
                let place = channels[channel] + (start &+ index)
                place.pointee = place.pointee * dry + network.outputChannel(channel)[played &+ index] * wet
            }
        }
    }
}
