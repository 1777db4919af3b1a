import CoreAudioTypes
import SyrinxDSP
import SyrinxDevice

/// Converts between the format of a graph and the different format of a replacement device.
final class OutputAdapter: @unchecked Sendable {
    // Unchecked: only the device's thread accesses mutable state.
    private let renderer: EngineRenderer
    private let kernel: ResamplerKernel
    private let routes: MixRoutes
    private let targetChannelCount: Int
    private let sourceRate: Double
    private let targetRate: Double
    private let memory = RenderMemory(maximumFrameCount: EngineRun.maximumFrameCount)
    private let rendered: RenderSlot
    private let resampled: RenderSlot
    private let maximumFrameCount = EngineRun.maximumFrameCount

    /// Creates an adapter.
    /// - Parameters:
    ///   - source: The output format of `renderer`.
    ///   - target: The format of the device.
    init(_ renderer: EngineRenderer, from source: AVAudioFormat, to target: AVAudioFormat) {
        self.renderer = renderer
        let channelCount = Int(source.channelCount)
        targetChannelCount = Int(target.channelCount)
        sourceRate = source.sampleRate
        targetRate = target.sampleRate
        kernel = ResamplerKernel(
            inputRate: source.sampleRate,
            outputRate: target.sampleRate,
            channelCount: channelCount,
            maximumFrameCount: maximumFrameCount
        )
        routes = memory.routes(ChannelMatrix(from: source, to: target).routes, rampFrames: 0, begins: false)
        rendered = memory.slot(channelCount: channelCount)
        resampled = memory.slot(channelCount: channelCount)
    }

    /// The callback of the device.
    ///
    /// `self` has to outlive its use.
    var callback: RenderCallback {
        RenderCallback(
            context: Unmanaged.passUnretained(self).toOpaque(),
            render: { context, channels, count, time in
                Unmanaged<OutputAdapter>.fromOpaque(context)._withUnsafeGuaranteedRef {
                    $0.render(channels, frames: Int(count), hostTime: time.map { $0.pointee.mHostTime })
                    return count
                }
            },
            didRender: { context in
                Unmanaged<OutputAdapter>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.renderer.wakeService() }
            }
        )
    }

    /// Returns the number of silent frames at the end of the device's data, if the last `count` rendered frames are
    /// silent.
    func frameCount(ofSilence count: Int) -> Int {
        // Earlier sound is still in the filter, and the filter reads ahead by the same duration.
        let tail = 2 * ResamplerKernel.tailTime(inputRate: sourceRate, ratio: sourceRate / targetRate)
        return max(0, Int((Double(count) / sourceRate - tail) * targetRate))
    }

    private func render(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int, hostTime: UInt64?) {
        var done = 0
        while true {
            let needed = min(kernel.requiredInput(forOutput: frames), maximumFrameCount)
            guard needed > 0 else { break }
            let time = hostTime.map { $0 &+ UInt64(Double(done) / sourceRate * 1e9) }
            _ = renderer.render(UnsafePointer(rendered.channels), frames: needed, hostTime: time)
            done += needed
            kernel.write(UnsafePointer(rendered.channels), frameCount: needed)
        }
        let given = kernel.read(into: UnsafePointer(resampled.channels), frameCount: frames)
        for channel in 0..<targetChannelCount { channels[channel].update(repeating: 0, count: frames) }
        for index in 0..<routes.count {
            let route = routes.list[index]
            let source = resampled.channels[route.source]
            let target = channels[route.target]
            for frame in 0..<given { target[frame] += source[frame] * route.gain }
        }
    }
}
