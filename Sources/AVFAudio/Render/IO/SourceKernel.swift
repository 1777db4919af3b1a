public import CoreAudioTypes
public import Foundation
import SyrinxMediaCodec

/// A block that fills `outputData` with `frameCount` frames for the time `timestamp`.
///
/// Called on the render thread: it must not allocate, lock, log or wait. Set `isSilence` to `true` for silent output.
/// A result other than 0 is an error, and is rendered as silence.
///
/// ```swift
/// var phase: Float = 0
/// let sine = AVAudioSourceNode { isSilence, timestamp, frameCount, outputData in
///     for buffer in UnsafeMutableAudioBufferListPointer(outputData) {
///         let samples = buffer.mData!.assumingMemoryBound(to: Float.self)
///         for frame in 0..<Int(frameCount) { samples[frame] = 0.2 * sin(phase + Float(frame) * 0.0576) }
///     }
///     phase = (phase + Float(frameCount) * 0.0576).truncatingRemainder(dividingBy: 2 * .pi)
///     return noErr
/// }
/// ```
public typealias AVAudioSourceNodeRenderBlock = (
    _ isSilence: UnsafeMutablePointer<ObjCBool>,
    _ timestamp: UnsafePointer<AudioTimeStamp>,
    _ frameCount: AVAudioFrameCount,
    _ outputData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus

/// The part of a source node that runs on the render thread: calls the node's block.
final class SourceKernel: @unchecked Sendable {
    // Unchecked: only the render thread accesses mutable state.
    private let block: AVAudioSourceNodeRenderBlock
    private let list: UnsafeMutableAudioBufferListPointer
    private let stamp: UnsafeMutablePointer<AudioTimeStamp>
    private let silence: UnsafeMutablePointer<ObjCBool>
    private var frames: Int64 = 0
    private var timeline = 0
    /// The layout of the block's samples, if it differs from the engine's.
    private let form: PCMLayout?
    private let frameBytes: Int
    /// Memory for the block's samples of another kind: `bufferBytes` for each buffer.
    private let store: UnsafeMutableRawPointer
    private let bufferBytes: Int

    init(
        channelCount: Int,
        form: PCMLayout?,
        maximumFrameCount: Int,
        block: @escaping AVAudioSourceNodeRenderBlock
    ) {
        self.block = block
        self.form = form
        let isInterleaved = form?.isInterleaved ?? false
        let buffers = isInterleaved ? 1 : channelCount
        frameBytes = (form?.bytesPerSample ?? MemoryLayout<Float>.stride) * (isInterleaved ? channelCount : 1)
        bufferBytes = form == nil ? 0 : frameBytes * maximumFrameCount
        store = .allocate(byteCount: max(1, bufferBytes * buffers), alignment: 64)
        list = AudioBufferList.allocate(maximumBuffers: buffers)
        stamp = .allocate(capacity: 1)
        stamp.initialize(to: AudioTimeStamp())
        stamp.pointee.mFlags = [.sampleTimeValid, .hostTimeValid]
        silence = .allocate(capacity: 1)
        silence.initialize(to: false)
        let channels = UInt32(isInterleaved ? channelCount : 1)
        for index in 0..<buffers {
            let data = store + index * bufferBytes
            list[index] = AudioBuffer(mNumberChannels: channels, mDataByteSize: 0, mData: data)
        }
    }

    deinit {
        list.unsafeMutablePointer.deallocate()
        stamp.deallocate()
        silence.deallocate()
        store.deallocate()
    }

    func render(into slot: RenderSlot, frames count: Int, pass: RenderPass) {
        guard count > 0 else {
            slot.leave(contentFrames: 0, isEnd: false)
            return
        }
        if pass.timeline != timeline {
            timeline = pass.timeline
            frames = 0
        }
        for index in 0..<list.count {
            list[index].mDataByteSize = UInt32(count * frameBytes)
            if form == nil { list[index].mData = UnsafeMutableRawPointer(slot.channels[index]) }
        }
        stamp.pointee.mSampleTime = Double(frames)
        stamp.pointee.mHostTime = pass.hostTime
        silence.pointee = false
        let status = block(silence, stamp, AVAudioFrameCount(count), list.unsafeMutablePointer)
        if status != noErr || silence.pointee.boolValue {
            slot.clear(from: 0, to: count)
        } else if let form {
            form.load(list, from: 0, count: count, into: slot.channels, at: 0)
        }
        frames += Int64(count)
        slot.leave(contentFrames: count, isEnd: false)
    }
}
