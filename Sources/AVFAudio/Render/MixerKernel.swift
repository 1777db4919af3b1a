import Synchronization

/// What an input of a mixer is given: read by the mixer, written by control through the node that owns it.
final class MixingParameters: Sendable {
    let volume = Atomic<Float>(1)
    let pan = Atomic<Float>(0)
}

/// The state of one input of a mixer between two blocks.
final class MixerInput: @unchecked Sendable {
    // Unchecked: the ramps are touched by the render thread alone.
    let parameters: MixingParameters
    var left = Ramp(1)
    var right = Ramp(1)
    var isPrimed = false

    /// The same object: reading through it retains nothing.
    private let unretained: Unmanaged<MixingParameters>

    init(parameters: MixingParameters) {
        self.parameters = parameters
        unretained = Unmanaged.passUnretained(parameters)
    }

    /// Takes up volume and pan.
    ///
    /// The first time there is nothing to ramp from.
    @_noLocks @_noAllocation
    func takeUp(rampFrames: Int) {
        let volume = unretained._withUnsafeGuaranteedRef { $0.volume.load(ordering: .relaxed) }
        let pan = unretained._withUnsafeGuaranteedRef { $0.pan.load(ordering: .relaxed) }
        // Balance: the middle leaves both channels as they are, so that what comes in goes out bit for bit.
        let leftGain = volume * min(1, 1 - pan)
        let rightGain = volume * min(1, 1 + pan)
        if isPrimed {
            left.head(to: leftGain, over: rampFrames)
            right.head(to: rightGain, over: rampFrames)
        } else {
            left.jump(to: leftGain)
            right.jump(to: rightGain)
            isPrimed = true
        }
    }
}

/// An input of a mixer's step: where it reads and how loud.
struct MixerSource {
    let slot: RenderSlot
    let input: Unmanaged<MixerInput>
}

/// The part of a mixer node that runs on the render thread: adds its inputs up.
final class MixerKernel: @unchecked Sendable {
    // Unchecked: the ramp is touched by the render thread alone.
    let outputVolume = Atomic<Float>(1)
    private var volume = Ramp(1)
    private var isPrimed = false

    @_noLocks @_noAllocation
    func render(
        _ sources: UnsafePointer<MixerSource>,
        count: Int,
        into output: RenderSlot,
        frames: Int,
        sampleRate: Double
    ) {
        output.clear(from: 0, to: frames)
        let rampFrames = RampTime.parameter(sampleRate)
        var content = 0
        var allEnded = count > 0
        for index in 0..<count {
            let source = sources[index]
            let info = source.slot.info.pointee
            content = max(content, info.contentFrames)
            allEnded = allEnded && (info.isEnd || info.contentFrames == 0)
            source.input._withUnsafeGuaranteedRef { input in
                input.takeUp(rampFrames: rampFrames)
                addSource(source.slot, input, to: output, frames: frames)
                input.left.skip(frames)
                input.right.skip(frames)
            }
        }
        let anyEnd = allEnded && content < frames && anySourceEnds(sources, count)
        output.leave(contentFrames: content, isEnd: anyEnd)
        applyVolume(output, frames: frames, rampFrames: rampFrames)
    }

    @_noLocks @_noAllocation
    private func applyVolume(_ output: RenderSlot, frames: Int, rampFrames: Int) {
        let target = outputVolume.load(ordering: .relaxed)
        if isPrimed {
            volume.head(to: target, over: rampFrames)
        } else {
            volume.jump(to: target)
            isPrimed = true
        }
        if volume.remaining == 0, volume.current == 1 { return }
        for channel in 0..<output.channelCount {
            var ramp = volume
            let samples = output.channels[channel]
            for frame in 0..<frames { samples[frame] *= ramp.next() }
        }
        volume.skip(frames)
    }
}

@_noLocks @_noAllocation
private func anySourceEnds(_ sources: UnsafePointer<MixerSource>, _ count: Int) -> Bool {
    for index in 0..<count where sources[index].slot.info.pointee.isEnd { return true }
    return false
}

/// Mono goes to all channels whole; to mono goes the mean; else channel goes to channel as far as there are any.
@_noLocks @_noAllocation
private func addSource(_ source: RenderSlot, _ input: MixerInput, to output: RenderSlot, frames: Int) {
    if output.channelCount == 1, source.channelCount > 1 {
        let share = 1 / Float(source.channelCount)
        for channel in 0..<source.channelCount {
            addSamples(source.channels[channel], to: output.channels[0], frames, input.left, scale: share)
        }
        return
    }
    let shared = source.channelCount == 1 ? output.channelCount : min(source.channelCount, output.channelCount)
    for channel in 0..<shared {
        let samples = source.channels[source.channelCount == 1 ? 0 : channel]
        // Pan moves between the left and the right; other channels have no side.
        let gain = output.channelCount > 1 && channel == 1 ? input.right : input.left
        addSamples(samples, to: output.channels[channel], frames, gain, scale: 1)
    }
}

@_noLocks @_noAllocation
private func addSamples(
    _ source: UnsafeMutablePointer<Float>,
    to target: UnsafeMutablePointer<Float>,
    _ frames: Int,
    _ gain: Ramp,
    scale: Float
) {
    if gain.remaining == 0 {
        let factor = gain.current * scale
        if factor == 1 {
            for frame in 0..<frames { target[frame] += source[frame] }
        } else if factor != 0 {
            for frame in 0..<frames { target[frame] += source[frame] * factor }
        }
        return
    }
    var ramp = gain
    for frame in 0..<frames { target[frame] += source[frame] * ramp.next() * scale }
}
