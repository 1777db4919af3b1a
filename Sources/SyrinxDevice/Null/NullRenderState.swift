import CoreAudioTypes
import Synchronization

/// The state of the thread of a `NullOutput`.
struct NullRenderState: ~Copyable {
    let control = DeviceThreadControl()
    private let block: RenderBlock
    private let format: DeviceFormat
    private let blockDuration: Double
    // Outlives this object: allocated from the device's `init` to its `deinit`.
    private let gauges: UnsafeMutablePointer<DeviceCounters>

    init(
        _ callback: RenderCallback,
        format: DeviceFormat,
        blockDuration: Double,
        gauges: UnsafeMutablePointer<DeviceCounters>
    ) {
        block = RenderBlock(callback, channelCount: format.channelCount)
        self.format = format
        self.blockDuration = blockDuration
        self.gauges = gauges
    }

    /// The main function of the thread.
    func run() {
        var clock = TickSchedule(
            sampleRate: format.sampleRate,
            blockDuration: blockDuration,
            start: MonotonicClock.now()
        )
        let latency = gauges.pointee.latency.load(ordering: .relaxed)
        while true {
            MonotonicClock.sleep(until: clock.due)
            if control.isHolding {
                let before = MonotonicClock.now()
                guard control.proceed() else { return }
                clock.held(MonotonicClock.now() &- before)
            }
            if control.isEnding { return }
            if clock.isDry(at: MonotonicClock.now()) { gauges.pointee.underruns.add(1, ordering: .relaxed) }
            let heard = MonotonicClock.time(clock.due, plus: latency)
            var stamp = RenderTimestamp.stamp(frame: clock.frame, hostTime: heard)
            _ = block.render(clock.blockFrameCount, at: &stamp)
            block.didRender()
            clock.advance()
        }
    }
}
