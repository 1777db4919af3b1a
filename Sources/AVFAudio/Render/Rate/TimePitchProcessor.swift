import Synchronization
import SyrinxDSP

/// The part of a time-pitch unit that runs on the render thread.
///
/// It pulls as much input as it needs from the preceding steps, and publishes its time map from output to input.
final class TimePitchProcessor: @unchecked Sendable {
    // Unchecked: once the unit is in a plan, only the render thread accesses the kernel.
    private let kernel: TimePitchKernel
    let sampleRate: Double
    let channelCount: Int
    let maximumFrameCount: Int
    private let parameters: RateEffectParameters
    private var appliedResets: Int
    private var hasEnded = false
    /// Whether the last input had content.
    ///
    /// A block that needs no new input can still have sound.
    private var isFed = false

    init(sampleRate: Double, channelCount: Int, maximumFrameCount: Int, parameters: RateEffectParameters) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.maximumFrameCount = maximumFrameCount
        self.parameters = parameters
        appliedResets = parameters.resets.load(ordering: .acquiring)
        kernel = TimePitchKernel(
            sampleRate: sampleRate,
            channelCount: channelCount,
            maximumFrameCount: maximumFrameCount
        )
    }

    /// Renders the next frames.
    /// - Parameter pull: Runs the preceding steps for a number of frames and returns their output.
    func render(into output: RenderSlot, frames: Int, pass: RenderPass, pull: (Int) -> RenderSlot) {
        takeUp(pass)
        var hasPulled = false
        var hasContent = false
        var decided = frames
        while !hasEnded {
            let needed = kernel.requiredInput(forOutput: frames)
            guard needed > 0 else { break }
            let count = min(needed, maximumFrameCount)
            let input = pull(count)
            let info = input.info.pointee
            hasPulled = true
            // The rest of an input that breaks off is silence, of which no content may be made.
            if !info.isEnd, info.contentFrames < count {
                decided = min(decided, kernel.outputCount(decidedBy: info.contentFrames, upTo: frames))
            }
            hasContent = hasContent || info.contentFrames > 0
            kernel.write(UnsafePointer(input.channels), frameCount: info.isEnd ? info.contentFrames : count)
            if info.isEnd {
                kernel.endInput()
                hasEnded = true
            }
        }
        let given = kernel.read(into: UnsafePointer(output.channels), frameCount: frames)
        output.clear(from: given, to: frames)
        if hasPulled { isFed = hasContent }
        output.leave(
            contentFrames: isFed || hasEnded ? min(given, decided) : 0,
            isEnd: hasEnded && given < frames
        )
        parameters.responseTime.store(kernel.responseTime, ordering: .relaxed)
        parameters.position.publish(
            Int64(bitPattern: kernel.inputPosition.bitPattern),
            Int64(bitPattern: parameters.rate.load(ordering: .relaxed).bitPattern),
            Int64(appliedResets)
        )
    }

    private func takeUp(_ pass: RenderPass) {
        let bypass = parameters.bypass.load(ordering: .relaxed)
        kernel.setRate(bypass ? 1 : parameters.rate.load(ordering: .relaxed))
        kernel.setPitch(cents: bypass ? 0 : parameters.pitch.load(ordering: .relaxed))
        kernel.setOverlap(parameters.overlap.load(ordering: .relaxed))
        kernel.setAlgorithm(TimePitchAlgorithm(rawValue: parameters.algorithm.load(ordering: .relaxed)) ?? .automatic)
        kernel.setPreservesFormants(parameters.preservesFormants.load(ordering: .relaxed))
        guard pass.appliesCommands else { return }
        let resets = parameters.resets.load(ordering: .acquiring)
        guard resets != appliedResets else { return }
        appliedResets = resets
        kernel.reset()
        hasEnded = false
        isFed = false
    }
}

/// The parameters of a rate-changing unit, set by control threads, and the values that it reports.
final class RateEffectParameters: Sendable {
    let rate = Atomic<Double>(1)
    let pitch = Atomic<Double>(0)
    let overlap = Atomic<Double>(8)
    /// A raw value of `TimePitchAlgorithm`.
    let algorithm = Atomic<Int>(0)
    let preservesFormants = Atomic<Bool>(false)
    /// `TimePitchKernel.responseTime`, after the last block.
    let responseTime = Atomic<Double>(0)
    let bypass = Atomic<Bool>(false)
    let resets = Atomic<Int>(0)
    /// Whether the rate was ever different from 1, after which an input position may be between two frames.
    let hasMoved = Atomic<Bool>(false)
    /// The input position of the next output frame and the rate, both as bits of a `Double`, and which of `resets`
    /// the position counts from.
    let position = PublishedTriple()
}
