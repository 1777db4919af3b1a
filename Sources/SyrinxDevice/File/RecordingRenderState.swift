import CoreAudioTypes
import Glibc
import Synchronization

/// The state between a device and its callback while the sound is recorded.
///
/// `render` and `didRender` run on the device's thread, `run` on the recorder's own.
struct RecordingRenderState: ~Copyable {
    private let callback: RenderCallback
    private let ring: FloatRing
    private let channelCount: Int
    private let isPaced: Bool
    private let isEnding = Atomic<Bool>(false)
    // Lives longer than this: from the device's `init` to its `deinit`.
    private let gauges: UnsafeMutablePointer<DeviceCounters>
    private let writer: WAVWriter
    private let loss: DeviceLossReporter
    private let name: String

    /// Seconds of sound that a disk may be busy with something else.
    private static var ringSeconds: Double { 2 }
    /// Floats that the recorder takes at once.
    private static var pieceCount: Int { 16_384 }

    init(
        _ callback: RenderCallback,
        writer: WAVWriter,
        isPaced: Bool,
        gauges: UnsafeMutablePointer<DeviceCounters>,
        loss: DeviceLossReporter,
        name: String
    ) {
        let format = writer.header.format
        self.callback = callback
        self.isPaced = isPaced
        self.gauges = gauges
        self.writer = writer
        self.loss = loss
        self.name = name
        channelCount = format.channelCount
        let frameCount = max(Int(Self.ringSeconds * format.sampleRate), 2 * RenderBlock.maximumFrameCount)
        ring = FloatRing(minimumCapacity: frameCount * format.channelCount)
    }

    /// Has the frames rendered, and copies what the device is given.
    ///
    /// Not annotated, since it calls a C function pointer.
    func render(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ frameCount: UInt32,
        _ time: UnsafePointer<AudioTimeStamp>?
    ) -> UInt32 {
        let valid = callback.render(callback.context, channels, frameCount, time)
        let count = isPaced ? Int(frameCount) : min(Int(valid), Int(frameCount))
        // After a first loss nothing more is taken: what is recorded stays without a gap.
        if isPaced, gauges.pointee.droppedFrames.load(ordering: .relaxed) > 0 {
            gauges.pointee.droppedFrames.add(count, ordering: .relaxed)
            return valid
        }
        var done = ring.writeInterleaved(channels, channelCount: channelCount, from: 0, frameCount: count)
        while done < count, !isPaced, !isEnding.load(ordering: .acquiring) {
            // A device that is not paced waits for the disk rather than lose a frame.
            usleep(500)
            done += ring.writeInterleaved(channels, channelCount: channelCount, from: done, frameCount: count - done)
        }
        if done < count { gauges.pointee.droppedFrames.add(count - done, ordering: .relaxed) }
        return valid
    }

    /// Passed on.
    func didRender() { callback.didRender(callback.context) }

    /// Has `run` write what there is, and return.
    func end() { isEnding.store(true, ordering: .releasing) }

    /// The recorder's thread, from start to end.
    func run() {
        var hasFailed = false
        while true {
            // Asked before the ring is emptied: what was rendered before the end is written.
            let isLast = isEnding.load(ordering: .acquiring)
            do throws(DeviceError) {
                try empty(discarding: hasFailed)
                if isLast && !hasFailed { try writer.flush(name) { true } }
                if !hasFailed && gauges.pointee.droppedFrames.load(ordering: .relaxed) > 0 {
                    throw DeviceError(.deviceWriteFailed, "the disk was too slow for the recording", device: name)
                }
            } catch {
                // The sound goes on: only the recording has ended, at its last good frame.
                hasFailed = true
                loss.report(error)
            }
            if isLast { return }
            usleep(isPaced ? 20_000 : 1000)
        }
    }

    private func empty(discarding: Bool) throws(DeviceError) {
        while true {
            let count = ring.read(into: writer.room, maximumCount: Self.pieceCount - Self.pieceCount % channelCount)
            guard count > 0 else { break }
            if !discarding { try writer.commit(count, device: name) { isEnding.load(ordering: .acquiring) } }
        }
        // In a pause, what came last.
        if !discarding { try writer.refresh(name) { isEnding.load(ordering: .acquiring) } }
    }
}
