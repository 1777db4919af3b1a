import Synchronization
import SyrinxDSP

/// The part of an environment node that runs on the render thread: the listener, the reverb and the volume.
final class EnvironmentKernel: @unchecked Sendable {
    // Unchecked: only the render thread accesses non-atomic state.
    let sampleRate: Double
    let maximumFrameCount: Int
    let sphericalHead: HeadResponses
    /// The sum of all HRTF sources.
    let binaural: BinauralMixer
    private let binauralReference: Unmanaged<BinauralMixer>
    private let values: PublishedValues
    private let reverbFilter: ParameterStore
    private let node: Unmanaged<AVAudioEnvironmentNode>
    private let volumeWord: UnsafeMutablePointer<Atomic<UInt64>>
    /// Twice the values, for `PublishedValues.read`.
    private let taken: UnsafeMutablePointer<Float>
    @exclusivity(unchecked) private var known = -1
    @exclusivity(unchecked) private(set) var listener = ListenerFrame(
        position: SIMD3(),
        forward: SIMD3(0, 0, -1),
        up: SIMD3(0, 1, 0)
    )
    @exclusivity(unchecked) private(set) var attenuation = DistanceAttenuation()
    /// The number of times that the listener or the attenuation has changed.
    @exclusivity(unchecked) private(set) var changes = 0
    @exclusivity(unchecked) private(set) var isOnSpeakers = false
    @exclusivity(unchecked) private var volume = RampedValue()
    @exclusivity(unchecked) private var reverb: Reverb
    @exclusivity(unchecked) private var filter: SmoothedFilter
    @exclusivity(unchecked) private var reverbGain: ParameterGlide
    @exclusivity(unchecked) private var hasRun = false
    @exclusivity(unchecked) private var reverbIsOn = false
    @exclusivity(unchecked) private var appliedResets = 0
    /// The number of resets that have been taken up: inputs follow it.
    @exclusivity(unchecked) private(set) var resets = 0
    /// The sum of all sources for the reverb, and the reverb's two channels.
    let send: UnsafeMutablePointer<Float>
    private let wet: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let memory: UnsafeMutablePointer<Float>
    @exclusivity(unchecked) private var content = 0

    init(
        sampleRate: Double,
        maximumFrameCount: Int,
        values: PublishedValues,
        reverbFilter: ParameterStore,
        volume: RampedParameter,
        node: AVAudioEnvironmentNode
    ) {
        self.sampleRate = sampleRate
        self.maximumFrameCount = maximumFrameCount
        self.values = values
        self.reverbFilter = reverbFilter
        // The plan keeps the node.
        self.node = Unmanaged.passUnretained(node)
        volumeWord = volume.word
        sphericalHead = HeadResponses(sphericalHeadAt: sampleRate)
        binaural = BinauralMixer(sampleRate: sampleRate, maximumFrameCount: maximumFrameCount)
        binauralReference = Unmanaged.passUnretained(binaural)
        taken = .allocate(capacity: 2 * EnvironmentValues.initial.count)
        taken.initialize(repeating: 0, count: 2 * EnvironmentValues.initial.count)
        reverb = Reverb(sampleRate: sampleRate, channelCount: 2)
        filter = SmoothedFilter(sampleRate: sampleRate, channelCount: 2)
        reverbGain = ParameterGlide(sampleRate: sampleRate)
        memory = .allocate(capacity: 3 * maximumFrameCount)
        memory.initialize(repeating: 0, count: 3 * maximumFrameCount)
        send = memory
        wet = .allocate(capacity: 2)
        wet.initialize(to: memory + maximumFrameCount)
        (wet + 1).initialize(to: memory + 2 * maximumFrameCount)
        appliedResets = node.resets.load(ordering: .acquiring)
        // Debug builds look up types when they first run code: here, and not on the render thread.
        reverb.set(ReverbSettings(.mediumHall), mix: 1)
        reverb.process(UnsafePointer(wet), frameCount: 1)
        reverb.reset()
        filter.process(UnsafePointer(wet), channelCount: 2, frameCount: 1)
        filter.reset()
    }

    deinit {
        taken.deallocate()
        memory.deallocate()
        wet.deallocate()
    }

    /// Applies new settings, and clears the sum of the inputs.
    func begin(_ output: RenderSlot, frames: Int) {
        content = 0
        output.clear(from: 0, to: frames)
        send.update(repeating: 0, count: frames)
        takeUpResets()
        let state = values.read(into: taken, known: known)
        guard state != known else { return }
        known = state
        changes &+= 1
        listener = ListenerFrame(position: vector(0), forward: vector(3), up: vector(6))
        attenuation.model = DistanceAttenuation.Model(rawValue: Int(taken[9])) ?? .inverse
        attenuation.reference = Double(taken[10])
        attenuation.maximum = Double(taken[11])
        attenuation.rolloff = Double(taken[12])
        isOnSpeakers = taken[16] >= 2
        let gain = taken[13] != 0 ? exp2(Double(taken[14]) / 20 * 3.321928094887362) : 0
        if hasRun {
            reverbGain.move(to: SIMD4(gain, 0, 0, 0))
        } else {
            reverbGain.jump(to: SIMD4(gain, 0, 0, 0))
        }
    }

    private func vector(_ first: Int) -> SIMD3<Double> {
        SIMD3(Double(taken[first]), Double(taken[first + 1]), Double(taken[first + 2]))
    }

    @_noLocks @_noAllocation
    private func requestedResets() -> Int { node._withUnsafeGuaranteedRef { $0.resets.load(ordering: .acquiring) } }

    private func takeUpResets() {
        let requested = requestedResets()
        guard requested != appliedResets else { return }
        appliedResets = requested
        resets &+= 1
        binauralReference._withUnsafeGuaranteedRef { $0.reset() }
        reverb.reset()
        filter.reset()
        reverbIsOn = false
    }

    func note(contentFrames: Int) { content = max(content, contentFrames) }

    /// Adds the HRTF sources and the reverb, and applies the volume.
    func end(_ output: RenderSlot, frames: Int, rampFrames: Int) {
        hasRun = true
        let isSounding = binauralReference._withUnsafeGuaranteedRef {
            $0.finish(left: output.channels[0], right: output.channels[1], frameCount: frames)
        }
        // The delayed output of HRTFs and reverb is content too.
        if isSounding { content = frames }
        let wantsReverb = reverbGain.isMoving ? true : reverbGain.current[0] > 0
        if wantsReverb { addReverb(output, frames) }
        if reverbIsOn, !wantsReverb {
            reverb.reset()
            filter.reset()
        }
        reverbIsOn = wantsReverb
        output.leave(contentFrames: wantsReverb ? frames : content, isEnd: false)
        volume.takeUp(volumeWord, usualFrames: rampFrames)
        if volume.ramp.remaining == 0, volume.ramp.current == 1 { return }
        for channel in 0..<output.channelCount {
            var ramp = volume.ramp
            let samples = output.channels[channel]
            for frame in 0..<frames { samples[frame] *= ramp.next() }
        }
        volume.ramp.skip(frames)
    }

    private func addReverb(_ output: RenderSlot, _ frames: Int) {
        for frame in 0..<frames { (wet[0][frame], wet[1][frame]) = (send[frame], send[frame]) }
        let preset = ReverbPreset(rawValue: Int(taken[15])) ?? .mediumHall
        reverb.set(ReverbSettings(preset), mix: 1)
        reverb.process(UnsafePointer(wet), frameCount: frames)
        // Of the band, which follows the global gain.
        filter.set(EQLayout.settings(reverbFilter, 1), isActive: reverbFilter.value(1 + EQLayout.bypass) == 0)
        filter.process(UnsafePointer(wet), channelCount: 2, frameCount: frames)
        for frame in 0..<frames {
            if reverbGain.isMoving { reverbGain.advance() }
            let gain = Float(reverbGain.current[0])
            output.channels[0][frame] += wet[0][frame] * gain
            output.channels[1][frame] += wet[1][frame] * gain
        }
    }
}
