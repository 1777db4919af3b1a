import CSyrinxALSA
import CoreAudioTypes
import Glibc
import Synchronization

/// The state of an `ALSAOutput`'s thread.
struct ALSARenderState: ~Copyable {
    // Owned, in memory of their own: the control thread uses them while `run` has the rest of this for itself.
    let control = UnsafeMutablePointer.make(DeviceThreadControl())
    let drop = UnsafeMutablePointer.make(DropRequest())
    let wait: UnsafeMutablePointer<PCMWait>
    // Not owned: the device keeps the PCM open until the thread has ended.
    private let pcm: OpaquePointer
    private let sampleFormat: ALSAPCM.SampleFormat
    private let sampleRate: Double
    private let periodFrameCount: Int
    private let bufferFrameCount: Int
    private let canPause: Bool
    private let rewindMargin: Int?
    private let block: RenderBlock
    private var recent: RewindBuffer
    // All owned: freed in `deinit`.
    private let interleaved: UnsafeMutablePointer<Float>
    private let output: UnsafeMutableRawPointer
    private let order: UnsafeMutablePointer<Int>
    // Lives longer than this: from the device's `init` to its `deinit`.
    private let gauges: UnsafeMutablePointer<DeviceCounters>
    private let loss: DeviceLossReporter
    private let name: String
    private var pacer: RealTimeThrottle
    private var frame: Int64 = 0
    private var lastProgress: UInt64 = 0

    /// A device that takes nothing for so many nanoseconds is gone, whatever it says.
    private static var patience: UInt64 { 5_000_000_000 }

    init(
        _ callback: RenderCallback,
        pcm: ALSAPCM,
        gauges: UnsafeMutablePointer<DeviceCounters>,
        loss: DeviceLossReporter,
        name: String
    ) {
        self.pcm = pcm.handle
        wait = .make(PCMWait(pcm.handle))
        sampleFormat = pcm.sampleFormat
        sampleRate = pcm.format.sampleRate
        periodFrameCount = min(pcm.periodFrameCount, RenderBlock.maximumFrameCount)
        bufferFrameCount = pcm.bufferFrameCount
        canPause = pcm.canPause
        rewindMargin = pcm.rewindMargin
        block = RenderBlock(callback, channelCount: pcm.format.channelCount)
        let byteCount = RenderBlock.maximumFrameCount * pcm.format.channelCount * pcm.sampleFormat.byteCount
        output = .allocate(byteCount: byteCount, alignment: 16)
        output.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        interleaved = .allocate(capacity: RenderBlock.maximumFrameCount * pcm.format.channelCount)
        interleaved.initialize(repeating: 0, count: RenderBlock.maximumFrameCount * pcm.format.channelCount)
        let keptFrameCount = min(pcm.bufferFrameCount, Int(pcm.format.sampleRate))
        recent = RewindBuffer(capacity: keptFrameCount * pcm.format.channelCount)
        order = .allocate(capacity: pcm.format.channelCount)
        for (channel, target) in pcm.channelOrder().enumerated() { (order + channel).initialize(to: target) }
        self.gauges = gauges
        self.loss = loss
        self.name = name
        pacer = RealTimeThrottle(
            sampleRate: pcm.format.sampleRate,
            bufferFrameCount: pcm.bufferFrameCount,
            now: MonotonicClock.now()
        )
    }

    deinit {
        control.destroy()
        drop.destroy()
        wait.destroy()
        interleaved.deallocate()
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
        let drop = drop
        while status >= 0 {
            if control.pointee.isHolding { hold() }
            if control.pointee.isEnding { return }
            drop.pointee.answer { frameCount, change in dropUnheard(atMost: frameCount, after: change) }
            status = step()
        }
        let reason = ALSAPCM.reason(status)
        loss.report(DeviceError(.deviceLost, "the sound card has stopped working (\(reason))", device: name))
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
        render(periodFrameCount, latency: latency)
        return deliver(periodFrameCount)
    }

    private mutating func render(_ frameCount: Int, latency: Double) {
        var stamp = RenderTimestamp.stamp(
            frame: frame,
            hostTime: MonotonicClock.time(MonotonicClock.now(), plus: latency)
        )
        _ = block.render(frameCount, at: &stamp)
        frame &+= Int64(frameCount)
    }

    /// Writes what was rendered.
    private mutating func deliver(_ frameCount: Int) -> Int32 {
        block.interleave(frameCount, into: interleaved)
        recent.append(interleaved, count: frameCount * block.channelCount)
        convert(frameCount)
        let status = write(frameCount)
        block.didRender()
        return status
    }

    // MARK: Dropping

    private static var fadeSeconds: Double { 0.005 }

    /// Drops at most `limit` frames that have not been played, has `change` called, and renders others.
    /// - Returns: Whether it did, and `change` was called.
    private mutating func dropUnheard(atMost limit: Int, after change: () -> Void) -> Bool {
        let room = snd_pcm_avail(pcm)
        guard room >= 0, !pacer.isClocked, snd_pcm_state(pcm) == SND_PCM_STATE_RUNNING else { return false }
        let fadeCount = Int(Self.fadeSeconds * sampleRate)
        let queued = max(0, bufferFrameCount - room)
        let keptCount = recent.count / block.channelCount
        switch ALSADrop(queued: queued, limit: min(limit, keptCount), margin: rewindMargin, least: 2 * fadeCount) {
        case .nothing: return false
        case .rewind(let count):
            // Where ALSA changes the rate it goes back by nothing.
            let frameCount = snd_pcm_rewind(pcm, snd_pcm_uframes_t(count))
            guard frameCount > 0 else { return false }
            replace(frameCount, fadeCount: min(fadeCount, frameCount), queued: queued, after: change)
        case .restart:
            snd_pcm_drop(pcm)
            snd_pcm_prepare(pcm)
            change()
            pacer.restart(at: MonotonicClock.now())
        }
        return true
    }

    /// Writes others in place of the last frames, with a fade of what was there.
    private mutating func replace(_ frameCount: Int, fadeCount: Int, queued: Int, after change: () -> Void) {
        let channelCount = block.channelCount
        withUnsafeTemporaryAllocation(of: Float.self, capacity: fadeCount * channelCount) { fade in
            recent.takeBack(frameCount * channelCount, first: fade)
            change()
            var done = 0
            while done < frameCount {
                let count = min(frameCount - done, RenderBlock.maximumFrameCount)
                render(count, latency: Double(queued - frameCount + done) / sampleRate)
                for frame in done..<max(done, min(fadeCount, done + count)) {
                    let gain = 1 - Float(frame + 1) / Float(fadeCount)
                    for channel in 0..<channelCount {
                        block.channels[channel][frame - done] += fade[frame * channelCount + channel] * gain
                    }
                }
                // What fails here fails again at the next block, which tells it.
                _ = deliver(count)
                done += count
            }
        }
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
        // A request to stop the thread ends the wait; an error of the PCM is reported when room is requested.
        wait.pointee.wait(pcm, milliseconds: 20)
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
            // It may have been emptied meanwhile.
            if snd_pcm_state(pcm) == SND_PCM_STATE_PAUSED { snd_pcm_pause(pcm, 0) }
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
