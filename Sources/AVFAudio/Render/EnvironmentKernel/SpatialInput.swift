import SyrinxDSP

/// The state of one input of an environment between two blocks.
final class SpatialInput: @unchecked Sendable {
    // Unchecked: only the render thread accesses mutable state.
    private let parameters: MixingParameters
    private let spatial: Unmanaged<PublishedValues>
    private let speakers: [ChannelSpeaker]
    private let measuredHead: HeadResponses?
    private let kernel: EnvironmentKernel
    /// Mixes sources that have no position.
    private let mixer: MixerInput
    private let channelCount: Int
    /// One for each channel, of which a point source uses the first; the owners are kept in `voices`.
    private let voices: [SpatialVoice]
    private let voiceList: UnsafeMutablePointer<Unmanaged<SpatialVoice>>
    /// The azimuths of the channels of an ambience bed.
    private let azimuths: UnsafeMutablePointer<Double>
    /// Twice the values, for `PublishedValues.read`.
    private let taken: UnsafeMutablePointer<Float>
    private let mono: UnsafeMutablePointer<Float>
    @exclusivity(unchecked) private var known = -1
    @exclusivity(unchecked) private var knownChanges = -1
    @exclusivity(unchecked) private var knownResets = 0
    @exclusivity(unchecked) private var volume = RampedValue()
    /// 0 for a mix, 1 for a point, 2 for a bed.
    @exclusivity(unchecked) private var mode = 0

    init(parameters: MixingParameters, speakers: [ChannelSpeaker], kernel: EnvironmentKernel) {
        self.parameters = parameters
        self.speakers = speakers
        self.kernel = kernel
        spatial = Unmanaged.passUnretained(parameters.spatial.values)
        let measuredHead =
            parameters.spatial.wantsMeasuredHead ? MeasuredHead.responses(sampleRate: kernel.sampleRate) : nil
        self.measuredHead = measuredHead
        mixer = MixerInput(parameters: parameters)
        channelCount = speakers.count
        voices = speakers.map { _ in
            SpatialVoice(
                sampleRate: kernel.sampleRate,
                mixer: kernel.binaural,
                sphericalHead: kernel.sphericalHead,
                measuredHead: measuredHead
            )
        }
        voiceList = .allocate(capacity: max(channelCount, 1))
        azimuths = .allocate(capacity: max(channelCount, 1))
        for (index, speaker) in speakers.enumerated() {
            (voiceList + index).initialize(to: Unmanaged.passUnretained(voices[index]))
            let azimuth = speaker.azimuth ?? (speakers.count == 1 ? 0 : index == 0 ? -30 : index == 1 ? 30 : 0)
            (azimuths + index).initialize(to: azimuth)
        }
        taken = .allocate(capacity: 2 * SpatialParameters.count)
        taken.initialize(repeating: 0, count: 2 * SpatialParameters.count)
        mono = .allocate(capacity: kernel.maximumFrameCount)
        mono.initialize(repeating: 0, count: kernel.maximumFrameCount)
    }

    deinit {
        voiceList.deallocate()
        azimuths.deallocate()
        taken.deallocate()
        mono.deallocate()
    }

    /// Returns whether it can render an input with these settings.
    ///
    /// A measured HRTF is loaded by the first plan that needs it.
    func fits(_ parameters: MixingParameters, _ speakers: [ChannelSpeaker], _ kernel: EnvironmentKernel) -> Bool {
        let hasHead = measuredHead != nil || !parameters.spatial.wantsMeasuredHead || !MeasuredHead.isInstalled
        return self.parameters === parameters && self.speakers == speakers && self.kernel === kernel && hasHead
    }

    /// Adds an input to both channels of the output, and to the reverb's input.
    func add(_ source: RenderSlot, to output: RenderSlot, _ routes: MixRoutes, frames: Int) {
        takeUp()
        if mode == 0 {
            mixer.add(source, to: output, routes, frames: frames)
            return
        }
        volume.takeUp(parameters.volume.word, usualFrames: routes.rampFrames)
        if mode == 1 {
            render(0, mixed(source, channels: source.channelCount, from: 0, frames), output, frames)
        } else {
            for channel in 0..<min(channelCount, source.channelCount) {
                render(channel, mixed(source, channels: 1, from: channel, frames), output, frames)
            }
        }
        volume.ramp.skip(frames)
    }

    private func render(_ index: Int, _ input: UnsafePointer<Float>, _ output: RenderSlot, _ frames: Int) {
        let (left, right, send) = (output.channels[0], output.channels[1], kernel.send)
        voiceList[index]._withUnsafeGuaranteedRef {
            $0.process(input, left: left, right: right, send: send, frameCount: frames)
        }
    }

    /// Returns the mean of the channels with the volume applied; a channel itself if the result would be equal.
    private func mixed(
        _ source: RenderSlot,
        channels: Int,
        from first: Int,
        _ frames: Int
    ) -> UnsafePointer<Float> {
        var ramp = volume.ramp
        if channels == 1, ramp.remaining == 0 {
            let (samples, gain) = (source.channels[first], ramp.current)
            if gain == 1 { return UnsafePointer(samples) }
            for frame in 0..<frames { mono[frame] = samples[frame] * gain }
            return UnsafePointer(mono)
        }
        let share = 1 / Float(channels)
        for frame in 0..<frames {
            var sum = source.channels[first][frame]
            for channel in 1..<max(channels, 1) { sum += source.channels[first + channel][frame] }
            mono[frame] = sum * (ramp.next() * share)
        }
        return UnsafePointer(mono)
    }

    /// Updates the positions of source and listener.
    private func takeUp() {
        if kernel.resets != knownResets {
            knownResets = kernel.resets
            for index in 0..<channelCount { voiceList[index]._withUnsafeGuaranteedRef { $0.reset() } }
        }
        let before = known
        let seen = taken
        known = spatial._withUnsafeGuaranteedRef { $0.read(into: seen, known: before) }
        if known == before, kernel.changes == knownChanges { return }
        knownChanges = kernel.changes
        let (direction, distance) = kernel.listener.location(of: point)
        mode = modeNow(distance)
        if mode == 1 { placePoint(direction, distance) }
        if mode == 2 { placeBed() }
    }

    private var point: SIMD3<Double> { SIMD3(Double(taken[0]), Double(taken[1]), Double(taken[2])) }

    private func modeNow(_ distance: Double) -> Int {
        let isInHead = distance < 0.01
        switch Int(taken[4]) {
        case 0:
            if channelCount > 1 { return 0 }
            return isInHead && taken[5] == 1 ? 0 : 1
        case 2: return isInHead && taken[5] == 1 ? 0 : 1
        case 3: return 2
        default: return 0
        }
    }

    private var target: SpatialTarget {
        var target = SpatialTarget()
        switch Int(taken[3]) {
        case 1: target.rendering = .sphericalHead
        case 2, 6: target.rendering = .measuredHead
        case 7: target.rendering = kernel.isOnSpeakers ? .gains : .measuredHead
        default: target.rendering = .gains
        }
        (target.obstruction, target.occlusion) = (Double(taken[7]), Double(taken[8]))
        return target
    }

    private func placePoint(_ direction: SpatialDirection, _ distance: Double) {
        var target = target
        let gain = kernel.attenuation.gain(at: distance)
        (target.directGain, target.sendGain) = (gain * Double(1 - taken[6]), gain * Double(taken[6]))
        if distance < 0.01 {
            // On both sides, as a mixer plays mono.
            target.rendering = .gains
        } else {
            target.direction = direction
            // Through, all but the distance is left out.
            if taken[3] != 5 { (target.left, target.right) = direction.equalPowerGains }
        }
        voiceList[0]._withUnsafeGuaranteedRef { $0.set(target) }
    }

    private func placeBed() {
        for channel in 0..<channelCount {
            var target = target
            (target.directGain, target.sendGain) = (Double(1 - taken[6]), Double(taken[6]))
            let way = SpatialDirection(azimuth: azimuths[channel], elevation: 0).vector
            let place = kernel.listener.position + SIMD3(way.x, way.y, -way.z)
            target.direction = kernel.listener.location(of: place).direction
            (target.left, target.right) = target.direction.equalPowerGains
            voiceList[channel]._withUnsafeGuaranteedRef { $0.set(target) }
        }
    }
}

extension ChannelSpeaker {
    /// The azimuth of a loudspeaker in degrees, positive to the right (ITU-R BS.775-3, figure 1); `nil` if unknown.
    var azimuth: Double? {
        switch self {
        case .mono, .center, .lowFrequency: 0
        case .left: -30
        case .right: 30
        case .leftCenter: -15
        case .rightCenter: 15
        case .leftSurround: -110
        case .rightSurround: 110
        case .rearLeft: -150
        case .rearRight: 150
        case .centerSurround: 180
        case .unknown: nil
        }
    }
}
