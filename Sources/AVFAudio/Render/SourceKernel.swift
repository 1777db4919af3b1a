public import CoreAudioTypes
public import Foundation

/// Makes samples: fills `outputData` with `frameCount` frames for the moment `timestamp`.
///
/// Called on the render thread: it must not allocate, lock, log or wait. Set `isSilence` to true if what it gives is
/// silence. A result other than 0 is an error, and gives silence.
public typealias AVAudioSourceNodeRenderBlock = (
    _ isSilence: UnsafeMutablePointer<ObjCBool>,
    _ timestamp: UnsafePointer<AudioTimeStamp>,
    _ frameCount: AVAudioFrameCount,
    _ outputData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus

/// The part of a source node that runs on the render thread: calls the node's block.
final class SourceKernel: @unchecked Sendable {
    // Unchecked: everything but the constants is touched by the render thread alone.
    private let block: AVAudioSourceNodeRenderBlock
    private let list: UnsafeMutableAudioBufferListPointer
    private let stamp: UnsafeMutablePointer<AudioTimeStamp>
    private let silence: UnsafeMutablePointer<ObjCBool>
    private var frames: Int64 = 0

    init(channelCount: Int, block: @escaping AVAudioSourceNodeRenderBlock) {
        self.block = block
        list = AudioBufferList.allocate(maximumBuffers: channelCount)
        stamp = .allocate(capacity: 1)
        stamp.initialize(to: AudioTimeStamp())
        stamp.pointee.mFlags = [.sampleTimeValid, .hostTimeValid]
        silence = .allocate(capacity: 1)
        silence.initialize(to: false)
    }

    deinit {
        list.unsafeMutablePointer.deallocate()
        stamp.deallocate()
        silence.deallocate()
    }

    func render(into slot: RenderSlot, frames count: Int, pass: RenderPass) {
        for channel in 0..<slot.channelCount {
            list[channel] = AudioBuffer(
                mNumberChannels: 1,
                mDataByteSize: UInt32(count * MemoryLayout<Float>.stride),
                mData: UnsafeMutableRawPointer(slot.channels[channel])
            )
        }
        stamp.pointee.mSampleTime = Double(frames)
        stamp.pointee.mHostTime = pass.hostTime
        silence.pointee = false
        let status = block(silence, stamp, AVAudioFrameCount(count), list.unsafeMutablePointer)
        if status != noErr || silence.pointee.boolValue { slot.clear(from: 0, to: count) }
        frames += Int64(count)
        slot.leave(contentFrames: count, isEnd: false)
    }
}
