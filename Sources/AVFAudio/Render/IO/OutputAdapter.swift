import CoreAudioTypes
import SyrinxDSP
import SyrinxDevice

/// Between a graph that renders in one format and a device that has come to take another.
final class OutputAdapter: @unchecked Sendable {
    // Unchecked: everything but the constants is touched by the device's thread alone.
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

    /// - Parameters:
    ///   - source: What `renderer` gives.
    ///   - target: What the device takes.
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

    /// Returns how many of the last frames given to the device are silence, if the last `count` frames rendered are.
    func frameCount(ofSilence count: Int) -> Int {
        // What was rendered before still sounds in the filter, and the filter is ahead by as much.
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
