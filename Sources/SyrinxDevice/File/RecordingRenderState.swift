import CoreAudioTypes
import Glibc
import Synchronization

/// The state of a recording, between a device and its callback.
///
/// `render` and `didRender` run on the device's thread, `run` on the recorder's thread.
struct RecordingRenderState: ~Copyable {
    private let callback: RenderCallback
    private let ring: FloatRing
    private let channelCount: Int
    private let isPaced: Bool
    private let isEnding = Atomic<Bool>(false)
    // Outlives this object: allocated from the device's `init` to its `deinit`.
    private let gauges: UnsafeMutablePointer<DeviceCounters>
    private let writer: WAVWriter
    private let loss: DeviceLossReporter
    private let name: String

    /// The capacity of the ring buffer in seconds, for which the disk may be too slow.
    private static var ringSeconds: Double { 2 }
    /// The maximum number of floats that the recorder reads at once.
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

    /// Renders frames, and copies those that the device plays.
    ///
    /// It has no performance annotations, because it calls a C function pointer.
    func render(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ frameCount: UInt32,
        _ time: UnsafePointer<AudioTimeStamp>?
    ) -> UInt32 {
        let valid = callback.render(callback.context, channels, frameCount, time)
        let count = isPaced ? Int(frameCount) : min(Int(valid), Int(frameCount))
        // After a gap, nothing more is recorded, so that the recording has no gaps.
        if isPaced, gauges.pointee.droppedFrames.load(ordering: .relaxed) > 0 {
            gauges.pointee.droppedFrames.add(count, ordering: .relaxed)
            return valid
        }
        var done = ring.writeInterleaved(channels, channelCount: channelCount, from: 0, frameCount: count)
        while done < count, !isPaced, !isEnding.load(ordering: .acquiring) {
            // A device that is not paced waits for the disk instead of dropping frames.
            usleep(500)
            done += ring.writeInterleaved(channels, channelCount: channelCount, from: done, frameCount: count - done)
        }
        if done < count { gauges.pointee.droppedFrames.add(count - done, ordering: .relaxed) }
        return valid
    }

    /// Forwards the call to the callback.
    func didRender() { callback.didRender(callback.context) }

    /// Makes `run` write the remaining samples and return.
    func end() { isEnding.store(true, ordering: .releasing) }

    /// The main function of the recorder's thread.
    func run() {
        var hasFailed = false
        while true {
            // Checked before the ring is emptied, so that everything rendered before the end is written.
            let isLast = isEnding.load(ordering: .acquiring)
            do throws(DeviceError) {
                try empty(discarding: hasFailed)
                if isLast && !hasFailed { try writer.flush(name) { true } }
                if !hasFailed && gauges.pointee.droppedFrames.load(ordering: .relaxed) > 0 {
                    throw DeviceError(.deviceWriteFailed, "the disk was too slow for the recording", device: name)
                }
            } catch {
                // Playback continues; only the recording ends, before the first missing frame.
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
        // During a pause, write the last samples.
        if !discarding { try writer.refresh(name) { isEnding.load(ordering: .acquiring) } }
    }
}
