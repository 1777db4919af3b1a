import CALSA
import CoreAudioTypes
import Glibc
import Synchronization

/// What the thread of an `ALSAOutput` works with.
struct ALSARenderState: ~Copyable {
    // Owned, in memory of its own: the control thread uses it while `run` has the rest of this for itself.
    let control = UnsafeMutablePointer.make(RunSwitch())
    // Not owned: the device keeps the PCM open until the thread has ended.
    private let pcm: OpaquePointer
    private let sampleFormat: ALSAPCM.SampleFormat
    private let sampleRate: Double
    private let periodFrameCount: Int
    private let bufferFrameCount: Int
    private let canPause: Bool
    private let block: RenderBlock
    // Both owned: freed in `deinit`.
    private let output: UnsafeMutableRawPointer
    private let order: UnsafeMutablePointer<Int>
    // Lives longer than this: from the device's `init` to its `deinit`.
    private let gauges: UnsafeMutablePointer<Gauges>
    private let loss: LossReporter
    private let name: String
    private var pacer: WritePacer
    private var frame: Int64 = 0
    private var lastProgress: UInt64 = 0

    /// A device that takes nothing for so many nanoseconds is gone, whatever it says.
    private static var patience: UInt64 { 5_000_000_000 }

    init(
        _ callback: RenderCallback,
        pcm: ALSAPCM,
        gauges: UnsafeMutablePointer<Gauges>,
        loss: LossReporter,
        name: String
    ) {
        self.pcm = pcm.handle
        sampleFormat = pcm.sampleFormat
        sampleRate = pcm.format.sampleRate
        periodFrameCount = min(pcm.periodFrameCount, RenderBlock.maximumFrameCount)
        bufferFrameCount = pcm.bufferFrameCount
        canPause = pcm.canPause
        block = RenderBlock(callback, channelCount: pcm.format.channelCount)
        let byteCount = RenderBlock.maximumFrameCount * pcm.format.channelCount * pcm.sampleFormat.byteCount
        output = .allocate(byteCount: byteCount, alignment: 16)
        output.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        order = .allocate(capacity: pcm.format.channelCount)
        for (channel, target) in pcm.channelOrder().enumerated() { (order + channel).initialize(to: target) }
        self.gauges = gauges
        self.loss = loss
        self.name = name
        pacer = WritePacer(
            sampleRate: pcm.format.sampleRate,
            bufferFrameCount: pcm.bufferFrameCount,
            now: MonotonicClock.now()
        )
    }

    deinit {
        control.destroy()
        output.deallocate()
        order.deallocate()
    }

    /// The thread, from start to end.
    ///
    /// Calls of alsa-lib keep it from being annotated.
    mutating func run() {
        lastProgress = MonotonicClock.now()
        pacer.restart(at: lastProgress)
        var status: Int32 = 0
        while status >= 0 {
            if control.pointee.isHolding { hold() }
            if control.pointee.isEnding { return }
            status = step()
        }
        let reason = ALSAPCM.reason(status)
        loss.report(DeviceError(.lost, "the sound card has stopped working (\(reason))", device: name))
    }

    /// Waits for room, and fills it.
    ///
    /// Returns a negative number if the device is lost.
    private mutating func step() -> Int32 {
        let room = snd_pcm_avail_update(pcm)
        if room < 0 { return recover(Int32(room)) }
        guard room >= periodFrameCount else { return waitForRoom() }
        let due = pacer.due(writing: periodFrameCount, at: MonotonicClock.now())
        MonotonicClock.sleep(until: due)
        if control.pointee.isHolding || control.pointee.isEnding { return 0 }
        var delay: snd_pcm_sframes_t = 0
        if snd_pcm_delay(pcm, &delay) < 0 { delay = 0 }
        let latency = Double(max(0, delay)) / sampleRate
        gauges.pointee.latency.store(latency, ordering: .relaxed)
        var stamp = BlockTime.stamp(frame: frame, hostTime: MonotonicClock.time(MonotonicClock.now(), plus: latency))
        _ = block.render(periodFrameCount, at: &stamp)
        convert(periodFrameCount)
        let status = write(periodFrameCount)
        block.didRender()
        frame &+= Int64(periodFrameCount)
        return status
    }

    private func convert(_ frameCount: Int) {
        let count = block.channelCount
        switch sampleFormat {
        case .float32:
            let target = output.assumingMemoryBound(to: Float.self)
            SampleConversion.float32(block.channels, order, channelCount: count, frameCount: frameCount, into: target)
        case .signed32:
            let target = output.assumingMemoryBound(to: Int32.self)
            SampleConversion.signed32(block.channels, order, channelCount: count, frameCount: frameCount, into: target)
        case .signed16:
            let target = output.assumingMemoryBound(to: Int16.self)
            SampleConversion.signed16(block.channels, order, channelCount: count, frameCount: frameCount, into: target)
        }
    }

    /// Writes all of the block, also across an underrun.
    private mutating func write(_ frameCount: Int) -> Int32 {
        let frameByteCount = block.channelCount * sampleFormat.byteCount
        var done = 0
        while done < frameCount {
            if control.pointee.isEnding { return 0 }
            let count = snd_pcm_writei(pcm, output + done * frameByteCount, snd_pcm_uframes_t(frameCount - done))
            if count > 0 {
                done += count
                lastProgress = MonotonicClock.now()
            } else {
                let status = count == 0 || Int32(count) == -EAGAIN ? waitForRoom() : recover(Int32(count))
                if status < 0 { return status }
            }
        }
        return 0
    }

    private mutating func waitForRoom() -> Int32 {
        // 20 ms bound the time that stop() may have to wait.
        let status = snd_pcm_wait(pcm, 20)
        if status < 0 { return recover(status) }
        return MonotonicClock.now() &- lastProgress > Self.patience ? -ETIMEDOUT : 0
    }

    /// Gets the device going again after an underrun or a sleep of the machine.
    private mutating func recover(_ status: Int32) -> Int32 {
        switch -status {
        case EINTR, EAGAIN: return 0
        case EPIPE: gauges.pointee.underruns.add(1, ordering: .relaxed)
        case ESTRPIPE:
            var resumed = snd_pcm_resume(pcm)
            while resumed == -EAGAIN && !control.pointee.isEnding {
                usleep(10_000)
                resumed = snd_pcm_resume(pcm)
            }
        default: return status
        }
        pacer.restart(at: MonotonicClock.now())
        return snd_pcm_prepare(pcm)
    }

    /// Holds the sound until the control thread lets it go on.
    private mutating func hold() {
        let isRunning = snd_pcm_state(pcm) == SND_PCM_STATE_RUNNING
        let isPaused = isRunning && canPause && snd_pcm_pause(pcm, 1) >= 0
        // Hardware that cannot pause plays out what it has, at most its buffer of 60 ms: nothing is lost either way.
        if !isPaused { snd_pcm_drain(pcm) }
        guard control.pointee.proceed() else { return }
        if isPaused {
            snd_pcm_pause(pcm, 0)
        } else {
            waitForDrain()
            snd_pcm_prepare(pcm)
        }
        lastProgress = MonotonicClock.now()
        pacer.restart(at: lastProgress)
    }

    private func waitForDrain() {
        let end = MonotonicClock.time(MonotonicClock.now(), plus: 2 * Double(bufferFrameCount) / sampleRate)
        while snd_pcm_state(pcm) == SND_PCM_STATE_DRAINING, MonotonicClock.now() < end, !control.pointee.isEnding {
            usleep(2000)
        }
    }
}
