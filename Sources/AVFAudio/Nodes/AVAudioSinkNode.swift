public import CoreAudioTypes
import Foundation

/// Takes samples: called with what reaches a sink node.
///
/// Called on the render thread: it must not allocate, lock, log or wait. `inputData` is valid during the call. What it returns
/// is not looked at.
public typealias AVAudioSinkNodeReceiverBlock = (
    _ timestamp: UnsafePointer<AudioTimeStamp>,
    _ frameCount: AVAudioFrameCount,
    _ inputData: UnsafePointer<AudioBufferList>
) -> OSStatus

/// An end of the graph that hands what comes to a block, on the render thread.
///
/// It takes the format of its input as it is: 32-bit float, one buffer a channel. Beyond Apple's, which only takes what comes
/// from the input node and does not work in manual rendering, any node may be connected to it, in any mode.
open class AVAudioSinkNode: AVAudioNode, @unchecked Sendable {
    // Unchecked: `kernel` is touched under the engine's lock only.
    private let block: AVAudioSinkNodeReceiverBlock
    private var known: SinkKernel?

    /// A sink that hands what comes to `block`.
    public init(receiverBlock block: @escaping AVAudioSinkNodeReceiverBlock) {
        self.block = block
        super.init()
    }

    /// One.
    open override var numberOfInputs: Int { 1 }

    /// None.
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
    // Unchecked: everything but the constants is touched by the render thread alone.
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
        // Apple does not say what a failure of the block would mean; there is no caller to report it to.
        _ = block(stamp, AVAudioFrameCount(count), UnsafePointer(list.unsafeMutablePointer))
        frames += Int64(count)
    }
}
