import Synchronization

/// What an input of a mixer is given: read by the mixer, written by control.
final class MixingParameters: Sendable {
    /// Linear gain.
    let volume = RampedParameter(1)
    /// −1, left, to 1, right.
    let pan = RampedParameter(0)
}

/// The state of one input of a mixer between two blocks.
final class MixerInput: @unchecked Sendable {
    // Unchecked: the ramps are touched by the render thread alone.
    let parameters: MixingParameters
    private var volume = RampedValue()
    private var pan = RampedValue()

    // Of `parameters`, which lives as long.
    private let volumeWord: UnsafeMutablePointer<Atomic<UInt64>>
    private let panWord: UnsafeMutablePointer<Atomic<UInt64>>

    init(parameters: MixingParameters) {
        self.parameters = parameters
        volumeWord = parameters.volume.word
        panWord = parameters.pan.word
    }

    /// Adds what `source` holds to `output`, by the routes between their channels.
    @_noLocks @_noAllocation
    func add(
        _ source: RenderSlot,
        to output: RenderSlot,
        routes: UnsafePointer<ChannelRoute>,
        routeCount: Int,
        frames: Int,
        rampFrames: Int
    ) {
        volume.takeUp(volumeWord, usualFrames: rampFrames)
        pan.takeUp(panWord, usualFrames: rampFrames)
        let moves = max(volume.ramp.remaining, pan.ramp.remaining) > 0
        for index in 0..<routeCount {
            let route = routes[index]
            let input = source.channels[route.source]
            let target = output.channels[route.target]
            if moves {
                addMoving(input, to: target, frames, route)
            } else {
                let gain = volume.ramp.current * panGain(pan.ramp.current, route.side) * route.gain
                addSteady(input, to: target, frames, gain)
            }
        }
        volume.ramp.skip(frames)
        pan.ramp.skip(frames)
    }

    @_noLocks @_noAllocation
    private func addMoving(
        _ source: UnsafePointer<Float>,
        to target: UnsafeMutablePointer<Float>,
        _ frames: Int,
        _ route: ChannelRoute
    ) {
        var volume = volume.ramp
        var pan = pan.ramp
        for frame in 0..<frames {
            target[frame] += source[frame] * (volume.next() * panGain(pan.next(), route.side) * route.gain)
        }
    }
}

/// Balance: the middle leaves both sides as they are, so that what comes in goes out bit for bit.
@_noLocks @_noAllocation
@inline(__always)
private func panGain(_ pan: Float, _ side: ChannelSide) -> Float {
    switch side {
    case .left: pan > 0 ? 1 - pan : 1
    case .right: pan < 0 ? 1 + pan : 1
    case .middle: 1
    }
}

@_noLocks @_noAllocation
private func addSteady(
    _ source: UnsafePointer<Float>,
    to target: UnsafeMutablePointer<Float>,
    _ frames: Int,
    _ gain: Float
) {
    if gain == 1 {
        for frame in 0..<frames { target[frame] += source[frame] }
    } else if gain != 0 {
        for frame in 0..<frames { target[frame] += source[frame] * gain }
    }
}

/// The part of a mixer node that runs on the render thread: adds its inputs up, one after the other.
///
/// An input is added as soon as it is rendered, so that a mixer of a thousand inputs needs memory for two.
final class MixerKernel: @unchecked Sendable {
    // Unchecked: what is not a parameter is touched by the render thread alone.
    let outputVolume = RampedParameter(1)
    /// Of `outputVolume`, which lives as long.
    private let volumeWord: UnsafeMutablePointer<Atomic<UInt64>>
    private var volume = RampedValue()

    // Of the block that is being mixed.
    private var content = 0
    private var allEnded = true
    private var anyEnd = false

    init() { volumeWord = outputVolume.word }

    @_noLocks @_noAllocation
    func begin(_ output: RenderSlot, frames: Int) {
        output.clear(from: 0, to: frames)
        content = 0
        allEnded = true
        anyEnd = false
    }

    /// Takes note of what an input left beside its samples.
    @_noLocks @_noAllocation
    func note(contentFrames: Int, isEnd: Bool) {
        content = max(content, contentFrames)
        if !isEnd, contentFrames > 0 { allEnded = false }
        if isEnd { anyEnd = true }
    }

    @_noLocks @_noAllocation
    func end(_ output: RenderSlot, frames: Int, rampFrames: Int) {
        let hasEnded = anyEnd ? allEnded : false
        output.leave(contentFrames: content, isEnd: hasEnded ? content < frames : false)
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
