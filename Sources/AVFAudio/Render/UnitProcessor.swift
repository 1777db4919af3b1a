import Synchronization
import SyrinxByteStream

/// A unit's place in a plan: runs its kernel, fades it in and out, and lets it sound on.
final class UnitProcessor: @unchecked Sendable {
    // Unchecked: only the render thread accesses mutable state.
    let format: AVAudioFormat
    private let sampleRate: Double
    private let kernel: AVAudioUnitKernel
    private let control: UnitControl
    private let fadeFrames: Int
    private let tailFrames: Int
    private var tail = EffectTail()
    /// Whether the input had content since its end was last seen.
    private var hadContent = false
    // Exclusivity is unchecked at run time: one thread has all accesses, and each is over before the next begins.
    /// 1 is the kernel's output, 0 the input.
    @exclusivity(unchecked) private var mix = Ramp(1)
    private var isPrimed = false
    private var isResting = false
    private var appliedResets: Int

    /// Returns the length of a tail in frames.
    ///
    /// An infinite tail counts as several years, so that sums of lengths do not overflow.
    private static func frames(_ tailTime: Double, _ sampleRate: Double) -> Int {
        min(max(0, Int(clamped: (tailTime * sampleRate).rounded(.up))), 1 << 48)
    }

    init(kernel: AVAudioUnitKernel, format: AVAudioFormat, tailTime: Double, control: UnitControl) {
        self.kernel = kernel
        self.format = format
        sampleRate = format.sampleRate
        tailFrames = Self.frames(tailTime, format.sampleRate)
        self.control = control
        fadeFrames = RampTime.fade(format.sampleRate)
        appliedResets = control.resets.load(ordering: .acquiring)
    }

    func render(_ input: RenderSlot, into output: RenderSlot, frames: Int, pass: RenderPass) {
        takeUp(pass)
        process(input, into: output, frames: frames, pass: pass)
        note(input.info.pointee, on: output, frames: frames, pass: pass)
    }

    private func process(_ input: RenderSlot, into output: RenderSlot, frames: Int, pass: RenderPass) {
        guard frames > 0 else { return }
        if mix.remaining == 0, mix.current == 0 {
            isResting = true
            for channel in 0..<output.channelCount {
                copySamples(from: input.channels[channel], to: output.channels[channel], count: frames)
            }
            return
        }
        if isResting {
            kernel.reset()
            isResting = false
        }
        kernel.blockTime = pass.sampleTime
        kernel.blockHostTime = pass.hostTime
        kernel.process(UnsafePointer(input.channels), into: UnsafePointer(output.channels), frameCount: frames)
        if mix.remaining > 0 { fade(input, output, frames: frames) }
        // Rest as soon as the kernel is inaudible, not at the next block, so that the result does not depend on block
        // sizes.
        isResting = mix.remaining == 0 && mix.current == 0
    }

    private func takeUp(_ pass: RenderPass) {
        let target: Float = control.bypass.load(ordering: .relaxed) ? 0 : 1
        if isPrimed {
            mix.head(to: target, over: fadeFrames)
        } else {
            mix.jump(to: target)
            isPrimed = true
        }
        let resets = control.resets.load(ordering: .acquiring)
        guard pass.appliesCommands, resets != appliedResets else { return }
        appliedResets = resets
        kernel.reset()
        (tail, hadContent) = (EffectTail(), false)
    }

    /// Marks the content of the block: the input's content, and after its end the tail.
    private func note(_ info: SlotInfo, on output: RenderSlot, frames: Int, pass: RenderPass) {
        if info.contentFrames > 0 { hadContent = true }
        guard info.isEnd else {
            output.info.pointee = info
            return
        }
        if hadContent {
            hadContent = false
            tail = makeTail(after: info.tailFrames, isBounded: pass.manner.fades)
        }
        let content = tail.advance(output, from: min(info.contentFrames, frames), to: frames)
        output.leave(contentFrames: content, isEnd: content < frames, tailFrames: tail.length)
    }

    /// Returns the tail that begins now, after `length` frames of the tails of earlier units.
    /// - Parameter isBounded: Whether it ends when it is inaudible. Manual rendering ends when the program stops it.
    private func makeTail(after length: Int, isBounded: Bool) -> EffectTail {
        let isOut = mix.remaining == 0 && mix.current == 0
        let seconds = isOut ? 0 : kernel.currentTailTime(sampleRate: sampleRate)
        let frames = seconds < 0 ? tailFrames : Self.frames(seconds, sampleRate)
        guard isBounded else { return EffectTail(frames: frames, gap: frames, after: length) }
        let gap = kernel.longestGap(sampleRate: sampleRate)
        return EffectTail(
            frames: min(frames, Self.frames(EffectTail.longest, sampleRate) - length),
            gap: gap < 0 ? frames : Self.frames(gap, sampleRate),
            after: length
        )
    }

    /// Crossfades for the length of the ramp.
    ///
    /// Afterwards the output is exactly the kernel's output or the input.
    @_noLocks @_noAllocation
    private func fade(_ input: RenderSlot, _ output: RenderSlot, frames: Int) {
        let faded = min(frames, mix.remaining)
        let endsDry = mix.isHeading(to: 0)
        for channel in 0..<output.channelCount {
            var ramp = mix
            let dry = input.channels[channel]
            let wet = output.channels[channel]
            for frame in 0..<faded { wet[frame] = dry[frame] + (wet[frame] - dry[frame]) * ramp.next() }
            if endsDry { for frame in faded..<frames { wet[frame] = dry[frame] } }
        }
        mix.skip(frames)
    }
}
