import CoreAudioTypes
import Foundation
import Glibc
import Synchronization
import SyrinxMediaCodec

/// The part of an output unit that runs on the device's thread: it gets frames to play from the program and passes
/// recorded frames to it.
///
/// Settings change only while nothing renders.
final class DeviceFeed: @unchecked Sendable {
    // Unchecked: except for callbacks and atomics, state is accessed on the device's thread or while nothing renders.
    private let callbacks: CallbackSlot
    /// The handle of the thread that is in `fill` or `take`.
    private let thread = Atomic<UInt>(0)
    /// Whether the first frame after a start has the sample time 0.
    let startsAtZero = Atomic<Bool>(true)
    /// Renders the graph of a unit without a device.
    var manual: AVAudioEngineManualRenderingBlock?

    @exclusivity(unchecked) private var maximumFrameCount = 1
    @exclusivity(unchecked) private var sampleRate = 44_100.0
    @exclusivity(unchecked) private var frameBytes = 4
    @exclusivity(unchecked) private var firstTime = 0.0
    private let list: UnsafeMutableAudioBufferListPointer
    private let stamp: UnsafeMutablePointer<AudioTimeStamp>
    private let flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>
    @exclusivity(unchecked) private var recorded: RecordedFrames?
    /// `recorded`, for the device's thread, which counts no references.
    @exclusivity(unchecked) private var recording: Unmanaged<RecordedFrames>?

    /// The most channels of a format.
    private static let channelLimit = 64

    init(_ callbacks: CallbackSlot) {
        self.callbacks = callbacks
        list = AudioBufferList.allocate(maximumBuffers: Self.channelLimit)
        stamp = .allocate(capacity: 1)
        stamp.initialize(to: AudioTimeStamp())
        flags = .allocate(capacity: 1)
        flags.initialize(to: [])
    }

    deinit {
        list.unsafeMutablePointer.deallocate()
        stamp.deallocate()
        flags.deallocate()
    }

    /// Settles the formats of the program's side.
    func set(output: AVAudioFormat, input: AVAudioFormat?, maximumFrameCount: Int) {
        self.maximumFrameCount = max(maximumFrameCount, 1)
        sampleRate = output.sampleRate
        let layout = PCMLayout(output.basicDescription)
        let channelCount = layout?.channelCount ?? 1
        frameBytes = (layout?.bytesPerSample ?? 4) * (layout?.isInterleaved == true ? channelCount : 1)
        recorded = input.flatMap { RecordedFrames($0) }
        recording = recorded.map { Unmanaged.passUnretained($0) }
    }

    // MARK: Playing

    /// Calls the program to fill the buffers of a source node.
    func fill(
        _ silence: UnsafeMutablePointer<ObjCBool>,
        _ time: UnsafePointer<AudioTimeStamp>,
        _ frameCount: AVAudioFrameCount,
        _ data: UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus {
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        let table = callbacks.enter()
        callbacks.noteThread()
        let target = UnsafeMutableAudioBufferListPointer(data)
        if time.pointee.mSampleTime == 0 { begin(at: time.pointee.mHostTime) }
        list.count = min(target.count, 64)
        var done = 0
        var isSilent = true
        while done < Int(frameCount) {
            let count = min(Int(frameCount) &- done, maximumFrameCount)
            point(at: target, from: done, count: count)
            stamp.pointee = time.pointee
            stamp.pointee.mSampleTime = firstTime + time.pointee.mSampleTime + Double(done)
            if time.pointee.mHostTime > 0 {
                stamp.pointee.mHostTime = time.pointee.mHostTime &+ UInt64(Double(done) / sampleRate * 1e9)
            }
            if !fillSlice(table, target, from: done, count: count) { isSilent = false }
            done &+= count
        }
        if isSilent { silence.pointee = true }
        callbacks.leave()
        thread.store(0, ordering: .relaxed)
        return noErr
    }

    private func begin(at hostTime: UInt64) {
        let isAtZero = startsAtZero.load(ordering: .relaxed)
        firstTime = isAtZero ? 0 : (Double(hostTime) / 1e9 * sampleRate).rounded()
    }

    /// Sets the buffers of `list` to a slice of the buffers of `target`.
    private func point(at target: UnsafeMutableAudioBufferListPointer, from first: Int, count: Int) {
        var index = 0
        while index < list.count {
            list[index] = AudioBuffer(
                mNumberChannels: target[index].mNumberChannels,
                mDataByteSize: UInt32(truncatingIfNeeded: count &* frameBytes),
                mData: target[index].mData.map { $0 + first &* frameBytes }
            )
            index &+= 1
        }
    }

    /// Renders one slice.
    /// - Returns: Whether it is silent.
    private func fillSlice(
        _ table: Unmanaged<CallbackTable>?,
        _ target: UnsafeMutableAudioBufferListPointer,
        from first: Int,
        count: Int
    ) -> Bool {
        let frames = UInt32(truncatingIfNeeded: count)
        let data = list.unsafeMutablePointer
        flags.pointee = AudioUnitRenderActionFlags(rawValue: 0)
        var status = kAudioUnitErr_NoConnection
        table?._withUnsafeGuaranteedRef { table in
            table.notify(flags, AudioUnitRenderActionFlags.unitRenderAction_PreRender.rawValue, stamp, frames, 0, data)
            status = table.pull(flags, stamp, frames, 0, data)
        }
        let isSilence =
            flags.pointee.rawValue & AudioUnitRenderActionFlags.unitRenderAction_OutputIsSilence.rawValue != 0
        let isSilent = status != noErr || isSilence
        bring(to: target, from: first, count: count, silent: isSilent)
        if status != noErr, status != kAudioUnitErr_NoConnection {
            callbacks.lastError.store(status, ordering: .relaxed)
        }
        var moment = AudioUnitRenderActionFlags.unitRenderAction_PostRender.rawValue
        if status != noErr { moment |= AudioUnitRenderActionFlags.unitRenderAction_PostRenderError.rawValue }
        table?._withUnsafeGuaranteedRef { $0.notify(flags, moment, stamp, frames, 0, data) }
        return isSilent
    }

    /// Copies the output if the program has returned it in its own memory, as it is allowed to; otherwise clears the
    /// slice.
    private func bring(
        to target: UnsafeMutableAudioBufferListPointer,
        from first: Int,
        count: Int,
        silent: Bool
    ) {
        var index = 0
        while index < list.count {
            if let place = target[index].mData.map({ $0 + first &* frameBytes }) {
                if silent {
                    memset(place, 0, count &* frameBytes)
                } else if let data = list[index].mData, data != place {
                    memcpy(place, data, count &* frameBytes)
                }
            }
            index &+= 1
        }
    }

    // MARK: Recording

    /// Hands frames that were recorded to the program.
    func take(
        _ time: UnsafePointer<AudioTimeStamp>,
        _ frameCount: AVAudioFrameCount,
        _ data: UnsafePointer<AudioBufferList>
    ) -> OSStatus {
        guard let recording else { return noErr }
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        let table = callbacks.enter()
        callbacks.noteThread()
        let source = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: data))
        var done = 0
        while done < Int(frameCount) {
            let count = min(Int(frameCount) &- done, maximumFrameCount)
            recording._withUnsafeGuaranteedRef { $0.write(source, from: done, count: count) }
            stamp.pointee = time.pointee
            stamp.pointee.mSampleTime = time.pointee.mSampleTime + Double(done)
            flags.pointee = AudioUnitRenderActionFlags(rawValue: 0)
            let frames = UInt32(truncatingIfNeeded: count)
            table?._withUnsafeGuaranteedRef { $0.announceInput(flags, stamp, frames, 1) }
            done &+= count
        }
        callbacks.leave()
        thread.store(0, ordering: .relaxed)
        return noErr
    }

    /// Supplies the oldest recorded frames on the device's thread.
    func giveInput(_ frameCount: UInt32, _ data: UnsafeMutablePointer<AudioBufferList>) -> OSStatus {
        guard thread.load(ordering: .relaxed) == UInt(pthread_self()) else {
            return kAudioUnitErr_CannotDoInCurrentContext
        }
        guard let recording else { return kAudioUnitErr_InvalidElement }
        return recording._withUnsafeGuaranteedRef {
            $0.read(into: UnsafeMutableAudioBufferListPointer(data), count: Int(frameCount))
        }
    }

    // MARK: Without a device

    /// Renders the graph of a unit without a device.
    func renderGraph(_ frameCount: UInt32, _ data: UnsafeMutablePointer<AudioBufferList>) -> OSStatus {
        guard let manual else { return kAudioUnitErr_Uninitialized }
        var failure: OSStatus = 0
        switch manual(frameCount, data, &failure) {
        case .success, .insufficientDataFromInputNode: return noErr
        case .cannotDoInCurrentContext: return kAudioUnitErr_CannotDoInCurrentContext
        case .error: return failure
        }
    }
}
