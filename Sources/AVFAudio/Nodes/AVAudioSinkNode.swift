public import CoreAudioTypes
import Foundation

/// A block that receives the samples of a sink node.
///
/// Called on the render thread: it must not allocate, lock, log or wait. `inputData` is valid only during the call.
/// The result is ignored.
public typealias AVAudioSinkNodeReceiverBlock = (
    _ timestamp: UnsafePointer<AudioTimeStamp>,
    _ frameCount: AVAudioFrameCount,
    _ inputData: UnsafePointer<AudioBufferList>
) -> OSStatus

/// A node that passes its input to a block on the render thread.
///
/// The block receives the format of the connection: 32-bit float, one buffer per channel. Unlike Apple's sink node, it
/// accepts a connection from any node, in any rendering mode.
///
/// ```swift
/// let sink = AVAudioSinkNode { time, frameCount, inputData in
///     // Real-time code: copy the samples to a ring buffer that you have allocated before.
///     noErr
/// }
/// engine.attach(sink)
/// engine.connect(engine.inputNode, to: sink, format: nil)
/// ```
open class AVAudioSinkNode: AVAudioNode, @unchecked Sendable {
    // Unchecked: `kernel` requires the engine's lock.
    private let block: AVAudioSinkNodeReceiverBlock
    private var known: SinkKernel?

    /// Creates a sink node that passes its input to `block`.
    public init(receiverBlock block: @escaping AVAudioSinkNodeReceiverBlock) {
        self.block = block
        super.init()
    }

    /// Always 1.
    open override var numberOfInputs: Int { 1 }

    /// Always 0.
    open override var numberOfOutputs: Int { 0 }

    func kernel(channelCount: Int) -> SinkKernel {
        if let known, known.channelCount == channelCount { return known }
        let new = SinkKernel(channelCount: channelCount, block: block)
        known = new
        return new
    }
}

/// The part of a sink node that runs on the render thread.
final class SinkKernel: @unchecked Sendable {
    // Unchecked: only the render thread accesses mutable state.
    let channelCount: Int
    private let block: AVAudioSinkNodeReceiverBlock
    private let list: UnsafeMutableAudioBufferListPointer
    private let stamp: UnsafeMutablePointer<AudioTimeStamp>
    private var frames: Int64 = 0
    private var timeline = 0

    init(channelCount: Int, block: @escaping AVAudioSinkNodeReceiverBlock) {
        self.channelCount = channelCount
        self.block = block
        list = AudioBufferList.allocate(maximumBuffers: channelCount)
        stamp = .allocate(capacity: 1)
        stamp.initialize(to: AudioTimeStamp())
        stamp.pointee.mFlags = [.sampleTimeValid, .hostTimeValid]
    }

    deinit {
        list.unsafeMutablePointer.deallocate()
        stamp.deallocate()
    }

    func render(_ input: RenderSlot, frames count: Int, pass: RenderPass) {
        guard count > 0 else { return }
        if pass.timeline != timeline {
            timeline = pass.timeline
            frames = 0
        }
        for channel in 0..<channelCount {
            list[channel] = AudioBuffer(
                mNumberChannels: 1,
                mDataByteSize: UInt32(count * MemoryLayout<Float>.stride),
                mData: UnsafeMutableRawPointer(input.channels[channel])
            )
        }
        stamp.pointee.mSampleTime = Double(frames)
        stamp.pointee.mHostTime = pass.hostTime
        // Apple does not document the meaning of an error from the block, and no caller could receive it.
        _ = block(stamp, AVAudioFrameCount(count), UnsafePointer(list.unsafeMutablePointer))
        frames += Int64(count)
    }
}
