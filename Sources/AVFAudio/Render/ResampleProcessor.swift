import AudioDSP
import Synchronization

/// A change of sample rate on the way into a mixer.
final class ResampleProcessor: @unchecked Sendable {
    // Unchecked: the kernel is touched by the render thread alone once the connection is in a plan.
    private let kernel: ResamplerKernel
    private let maximumFrameCount: Int
    private var hasEnded = false
    /// How often control has asked for a fresh start.
    private let resets = Atomic<Int>(0)
    private var appliedResets = 0

    init(inputRate: Double, outputRate: Double, channelCount: Int, maximumFrameCount: Int) {
        self.maximumFrameCount = maximumFrameCount
        kernel = ResamplerKernel(
            inputRate: inputRate,
            outputRate: outputRate,
            channelCount: channelCount,
            maximumFrameCount: maximumFrameCount
        )
    }

    /// Drops what is held of the input, with the next block.
    func reset() { resets.wrappingAdd(1, ordering: .releasing) }

    func render(into output: RenderSlot, frames: Int, pass: RenderPass, pull: (Int) -> RenderSlot) {
        takeUp(pass)
        var hasContent = hasEnded
        while true {
            let needed = kernel.requiredInput(forOutput: frames)
            guard needed > 0 else { break }
            let count = min(needed, maximumFrameCount)
            let input = pull(count)
            let info = input.info.pointee
            if hasEnded {
                // An ended source has nothing more to give until it gives again: then this begins anew.
                guard !info.isEnd, info.contentFrames > 0 else { break }
                kernel.reset()
                hasEnded = false
            }
            hasContent = hasContent || info.contentFrames > 0
            kernel.write(UnsafePointer(input.channels), frameCount: info.isEnd ? info.contentFrames : count)
            if info.isEnd {
                kernel.endInput()
                hasEnded = true
                break
            }
        }
        let given = kernel.read(into: UnsafePointer(output.channels), frameCount: frames)
        output.clear(from: given, to: frames)
        output.leave(contentFrames: hasContent ? given : 0, isEnd: hasEnded && given < frames)
    }

    private func takeUp(_ pass: RenderPass) {
        let asked = resets.load(ordering: .acquiring)
        guard pass.appliesCommands, asked != appliedResets else { return }
        appliedResets = asked
        kernel.reset()
        hasEnded = false
    }
}
