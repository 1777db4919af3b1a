import Synchronization

/// The parameters of a mixer's input: read by the mixer, written by control.
final class MixingParameters: Sendable {
    /// Linear gain.
    let volume = RampedParameter(1)
    /// −1, left, to 1, right.
    let pan = RampedParameter(0)
    /// The place in an environment.
    let spatial = SpatialParameters()
}

/// The state of one input of a mixer between two blocks.
final class MixerInput: @unchecked Sendable {
    // Unchecked: only the render thread accesses the ramps.
    let parameters: MixingParameters
    // Exclusivity is unchecked at run time: one thread has all accesses, and each is over before the next begins.
    @exclusivity(unchecked) private var volume = RampedValue()
    @exclusivity(unchecked) private var pan = RampedValue()

    // Of `parameters`, which lives as long.
    private let volumeWord: UnsafeMutablePointer<Atomic<UInt64>>
    private let panWord: UnsafeMutablePointer<Atomic<UInt64>>

    init(parameters: MixingParameters) {
        self.parameters = parameters
        volumeWord = parameters.volume.word
        panWord = parameters.pan.word
    }

    /// Adds `source` to `output` along the routes between their channels.
    @_noLocks @_noAllocation
    func add(_ source: RenderSlot, to output: RenderSlot, _ routes: MixRoutes, frames: Int) {
        volume.takeUp(volumeWord, usualFrames: routes.rampFrames)
        pan.takeUp(panWord, usualFrames: routes.rampFrames)
        let level = volume.ramp
        let balance = pan.ramp
        guard max(level.remaining, balance.remaining) > 0 else {
            mix(source, into: output, routes, frames: frames, volume: level.current, pan: balance.current)
            return
        }
        mix(source, into: output, routes, frames: frames, volume: level, pan: balance)
        volume.ramp.skip(frames)
        pan.ramp.skip(frames)
    }
}

/// The part of a mixer node that runs on the render thread: it sums the inputs one after another.
///
/// An input is added as soon as it is rendered, so a mixer with a thousand inputs needs memory for only two.
final class MixerKernel: @unchecked Sendable {
    // Unchecked: only the render thread accesses state other than parameters.
    let outputVolume = RampedParameter(1)
    /// The memory of `outputVolume`, which has the same lifetime.
    private let volumeWord: UnsafeMutablePointer<Atomic<UInt64>>
    // Exclusivity: as in `MixerInput`.
    @exclusivity(unchecked) private var volume = RampedValue()

    // Of the block that is being mixed.
    private var content = 0
    private var tail = Int.max
    private var allEnded = true
    private var anyEnd = false

    init() { volumeWord = outputVolume.word }

    @_noLocks @_noAllocation
    func begin() {
        content = 0
        tail = .max
        allEnded = true
        anyEnd = false
    }

    /// Records the content and end flags of an input.
    @_noLocks @_noAllocation
    func note(_ info: SlotInfo) {
        content = max(content, info.contentFrames)
        if info.contentFrames > 0 { tail = min(tail, info.tailFrames) }
        if !info.isEnd, info.contentFrames > 0 { allEnded = false }
        if info.isEnd { anyEnd = true }
    }

    @_noLocks @_noAllocation
    func end(_ output: RenderSlot, frames: Int, rampFrames: Int) {
        let hasEnded = anyEnd ? allEnded : false
        output.leave(
            contentFrames: content,
            isEnd: hasEnded ? content < frames : false,
            tailFrames: content > 0 ? tail : 0
        )
        volume.takeUp(volumeWord, usualFrames: rampFrames)
        if volume.ramp.remaining == 0, volume.ramp.current == 1 { return }
        for channel in 0..<output.channelCount {
            var ramp = volume.ramp
            let samples = output.channels[channel]
            if ramp.remaining == 0 {
                let gain = ramp.current
                for frame in 0..<frames { samples[frame] *= gain }
            } else {
                for frame in 0..<frames { samples[frame] *= ramp.next() }
            }
        }
        volume.ramp.skip(frames)
    }
}
