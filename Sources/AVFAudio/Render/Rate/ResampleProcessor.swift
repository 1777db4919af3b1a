import Synchronization
import SyrinxDSP

/// A sample rate converter: with a constant ratio at a mixer input, or with an adjustable rate in a varispeed unit.
final class ResampleProcessor: @unchecked Sendable {
    // Unchecked: once the connection is in a plan, only the render thread accesses the kernel.
    private let kernel: ResamplerKernel
    private let maximumFrameCount: Int
    let inputRate: Double
    let channelCount: Int
    /// The parameters of a varispeed unit; `nil` on a connection.
    private let control: RateEffectParameters?
    /// `control`, for the render thread, which counts no references.
    private let told: Unmanaged<RateEffectParameters>?
    /// The number of resets that control threads have requested.
    private let resets = Atomic<Int>(0)
    private var appliedResets = 0
    private var hasEnded = false
    /// Whether all has been read of an input that has ended.
    private var isDrained = false
    /// Whether the last input had content.
    ///
    /// A block that needs no new input can still have sound.
    private var isFed = false

    init(
        inputRate: Double,
        outputRate: Double,
        channelCount: Int,
        maximumFrameCount: Int,
        control: RateEffectParameters? = nil
    ) {
        self.maximumFrameCount = maximumFrameCount
        self.inputRate = inputRate
        self.channelCount = channelCount
        self.control = control
        told = control.map { Unmanaged.passUnretained($0) }
        appliedResets = control?.resets.load(ordering: .acquiring) ?? 0
        kernel = ResamplerKernel(
            inputRate: inputRate,
            outputRate: outputRate,
            channelCount: channelCount,
            maximumFrameCount: maximumFrameCount,
            maximumRatio: control == nil ? nil : 4
        )
    }

    /// Renders the next frames.
    /// - Parameter pull: Runs the preceding steps for a number of frames and returns their output.
    func render(into output: RenderSlot, frames: Int, pass: RenderPass, pull: (Int) -> RenderSlot) {
        takeUp(pass)
        // A pass without frames does not pull the input either: the preceding steps apply requests and output nothing.
        if hasEnded, isDrained, frames == 0 || !begins(frames: frames, pull: pull) {
            output.clear(from: 0, to: frames)
            output.leave(contentFrames: 0, isEnd: true)
            return
        }
        var hasPulled = false
        var hasContent = false
        var decided = frames
        while !hasEnded {
            let needed = kernel.requiredInput(forOutput: frames)
            guard needed > 0 else { break }
            let count = min(needed, maximumFrameCount)
            let input = pull(count)
            // The rest of an input that breaks off is silence, of which no content may be made.
            let info = input.info.pointee
            if !info.isEnd, info.contentFrames < count {
                decided = min(decided, kernel.outputCount(decidedBy: info.contentFrames, upTo: frames))
            }
            hasContent = take(input, frames: count) || hasContent
            hasPulled = true
        }
        if hasPulled { isFed = hasContent }
        let given = kernel.read(into: UnsafePointer(output.channels), frameCount: frames)
        isDrained = hasEnded && given < frames
        output.clear(from: given, to: frames)
        output.leave(contentFrames: isFed || hasEnded ? min(given, decided) : 0, isEnd: isDrained)
    }

    /// Adds input, and returns whether it had content.
    private func take(_ input: RenderSlot, frames: Int) -> Bool {
        let info = input.info.pointee
        kernel.write(UnsafePointer(input.channels), frameCount: info.isEnd ? info.contentFrames : frames)
        if info.isEnd {
            kernel.endInput()
            hasEnded = true
        }
        return info.contentFrames > 0
    }

    /// Whether an ended source outputs content again, after which the converter restarts.
    private func begins(frames: Int, pull: (Int) -> RenderSlot) -> Bool {
        kernel.reset()
        let count = min(max(kernel.requiredInput(forOutput: frames), 1), maximumFrameCount)
        let input = pull(count)
        guard input.info.pointee.contentFrames > 0 else { return false }
        hasEnded = false
        isDrained = false
        isFed = take(input, frames: count)
        return true
    }

    /// Clears the internal audio at the next block.
    func reset() { resets.wrappingAdd(1, ordering: .releasing) }

    private func takeUp(_ pass: RenderPass) {
        var asked = resets.load(ordering: .acquiring)
        if let told {
            asked &+= told._withUnsafeGuaranteedRef { control in
                let bypass = control.bypass.load(ordering: .relaxed)
                kernel.setRatio(bypass ? 1 : control.rate.load(ordering: .relaxed))
                return control.resets.load(ordering: .acquiring)
            }
        }
        guard pass.appliesCommands, asked != appliedResets else { return }
        appliedResets = asked
        kernel.reset()
        hasEnded = false
        isDrained = false
        isFed = false
    }
}
