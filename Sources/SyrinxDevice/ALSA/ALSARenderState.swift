import CSyrinxALSA
import CoreAudioTypes
import Glibc
import Synchronization

/// The state of the thread of an `ALSAOutput`.
struct ALSARenderState: ~Copyable {
    // Owned, in separate memory: the control thread uses it while `run` has exclusive access to the rest.
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
    // Owned: freed in `deinit`.
    private let interleaved: UnsafeMutablePointer<Float>
    private let output: UnsafeMutableRawPointer
    private let order: UnsafeMutablePointer<Int>
    // Outlives this object: allocated from the device's `init` to its `deinit`.
    private let gauges: UnsafeMutablePointer<DeviceCounters>
    private let loss: DeviceLossReporter
    private let name: String
    private var pacer: RealTimeThrottle
    private var frame: Int64 = 0
    private var lastProgress: UInt64 = 0

    /// The time in nanoseconds without progress after which the device counts as lost.
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

    /// The main function of the thread.
    ///
    /// It has no performance annotations, because it calls alsa-lib.
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

    /// Waits until a period is free, and fills it.
    ///
    /// Returns a negative error number if the device is lost.
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

    /// Writes the rendered frames.
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

    /// Drops at most `limit` queued frames, calls `change`, and renders new frames in their place.
    /// - Returns: Whether frames were dropped and `change` was called.
    private mutating func dropUnheard(atMost limit: Int, after change: () -> Void) -> Bool {
        let room = snd_pcm_avail(pcm)
        guard room >= 0, !pacer.isClocked, snd_pcm_state(pcm) == SND_PCM_STATE_RUNNING else { return false }
        let fadeCount = Int(Self.fadeSeconds * sampleRate)
        let queued = max(0, bufferFrameCount - room)
        let keptCount = recent.count / block.channelCount
        switch ALSADrop(queued: queued, limit: min(limit, keptCount), margin: rewindMargin, least: 2 * fadeCount) {
        case .nothing: return false
        case .rewind(let count):
            // If ALSA converts the rate, it rewinds by 0 frames.
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

    /// Overwrites the last frames with new ones, mixed with a fade-out of the old ones.
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
                // If this write fails, the next one fails too, and reports the error.
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

    /// Writes the whole block, recovering from underruns.
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
        // A request to stop ends the wait; PCM errors are reported by the next `snd_pcm_avail_update`.
        wait.pointee.wait(pcm, milliseconds: 20)
        return MonotonicClock.now() &- lastProgress > Self.patience ? -ETIMEDOUT : 0
    }

    /// Recovers from an underrun, or from a suspended system.
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

    /// Pauses until the control thread resumes the sound.
    private mutating func hold() {
        let isRunning = snd_pcm_state(pcm) == SND_PCM_STATE_RUNNING
        let isPaused = isRunning && canPause && snd_pcm_pause(pcm, 1) >= 0
        // Hardware that cannot pause plays its queue, at most 60 ms, so no samples are lost.
        if !isPaused { snd_pcm_drain(pcm) }
        guard control.pointee.proceed() else { return }
        if isPaused {
            // The control thread may have discarded the queue meanwhile.
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
