import CoreAudioTypes
import Glibc
import Synchronization

/// A device that is driven by hand: for tests, and for samples that go to no device.
///
/// Nothing happens between two cranks. Its clock is the count of frames: the host time of frame n is n over the rate,
/// from zero, and the latency.
public final class ManualOutput: OutputDevice, @unchecked Sendable {
    // Unchecked: `life`, `block` and `frame` are touched only while `gate` is held.
    private var format: DeviceFormat
    private let changes = DeviceEventReporter()
    private let loss = DeviceLossReporter()
    private let gauges = UnsafeMutablePointer.make(DeviceCounters(latency: Atomic(0)))
    private let gate = Atomic<Bool>(false)
    private var life = DeviceStateMachine()
    private var block: UnsafeMutablePointer<RenderBlock>?
    private var frame: Int64 = 0
    private var isLost = false

    /// A device of this format, whatever is preferred.
    /// - Parameters:
    ///   - format: 48 kHz stereo unless told.
    ///   - isPaced: What the device says of itself.
    public init(
        format: DeviceFormat = DeviceFormat(sampleRate: 48_000, channelCount: 2),
        isPaced: Bool = true
    ) {
        self.format = format
        self.isPaced = isPaced
    }

    deinit {
        stop()
        gauges.destroy()
    }

    /// The name `manual`.
    public var name: String { "manual" }

    /// As it was made.
    public let isPaced: Bool

    /// `false`: its clock is the count of frames.
    public var keepsMonotonicTime: Bool { false }

    /// Seconds between the render of a frame and its being heard: 0 unless set.
    ///
    /// Any thread.
    public var latency: Double {
        get { gauges.pointee.latency.load(ordering: .relaxed) }
        set { gauges.pointee.latency.store(newValue, ordering: .relaxed) }
    }

    /// The number of calls of `simulateUnderrun` since `start`.
    public var underrunCount: Int { gauges.pointee.underruns.load(ordering: .relaxed) }

    /// Called by `simulateLoss`, once a run.
    public var onLoss: (@Sendable (DeviceError) -> Void)? {
        get { loss.handler }
        set { loss.handler = newValue }
    }

    /// Called by `simulateChange`.
    public var onChange: (@Sendable () -> Void)? {
        get { changes.handler }
        set { changes.handler = newValue }
    }

    /// Settles the format that it was made with, or was lost to.
    public func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat {
        try format.check(name)
        enter()
        defer { leave() }
        try life.willOpen(name)
        life.opened(format)
        return format
    }

    /// From here on, cranking calls `callback`.
    public func start(_ callback: RenderCallback) throws(DeviceError) {
        enter()
        defer { leave() }
        let format = try life.willStart(name)
        block = .make(RenderBlock(callback, channelCount: format.channelCount))
        frame = 0
        isLost = false
        gauges.pointee.underruns.store(0, ordering: .relaxed)
        loss.arm()
        life.started()
    }

    /// From here on, cranking gives silence.
    public func pause() {
        enter()
        defer { leave() }
        _ = life.pause()
    }

    /// Cranking gives sound again.
    public func resume() {
        enter()
        defer { leave() }
        _ = life.resume()
    }

    /// Waits for a crank under way to end; afterwards cranking gives silence.
    public func stop() {
        enter()
        defer { leave() }
        guard life.stop() == .perform else { return }
        loss.disarm()
        block?.destroy()
        block = nil
    }

    /// Renders `frameCount` frames, one array a channel: silence while paused, stopped or lost.
    public func render(frameCount: Int) -> [[Float]] {
        let channels = (0..<format.channelCount).map { _ in
            UnsafeMutablePointer<Float>.allocate(capacity: max(1, frameCount))
        }
        defer { channels.forEach { $0.deallocate() } }
        channels.forEach { $0.initialize(repeating: 0, count: max(1, frameCount)) }
        _ = channels.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { crank($0, frameCount: frameCount) }
        }
        return channels.map { Array(UnsafeBufferPointer(start: $0, count: frameCount)) }
    }

    /// Renders `frameCount` frames into memory of the caller's, one pointer a channel, without allocating.
    /// - Returns: How many frames are from before the end of the sound.
    public func crank(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) -> Int {
        enter()
        defer { leave() }
        var done = 0
        var valid = 0
        while done < frameCount {
            let count = min(frameCount - done, RenderBlock.maximumFrameCount)
            valid += crankBlock(channels, offset: done, count: count)
            done += count
        }
        return valid
    }

    private func crankBlock(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, count: Int) -> Int {
        guard let block, case .running = life.state, !isLost else {
            for channel in 0..<format.channelCount {
                (channels[channel] + offset).update(repeating: 0, count: count)
            }
            return 0
        }
        let heard = MonotonicClock.time(0, plus: Double(frame) / format.sampleRate + latency)
        var stamp = RenderTimestamp.stamp(frame: frame, hostTime: heard)
        let valid = block.pointee.render(count, at: &stamp)
        for channel in 0..<format.channelCount {
            (channels[channel] + offset).update(from: block.pointee.channels[channel], count: count)
        }
        block.pointee.didRender()
        frame += Int64(count)
        return valid
    }

    /// Says that the sound has gone on somewhere else, as a server does that moves it.
    public func simulateChange() { changes.report() }

    /// Loses the device, as a server that ends would: `onLoss` is called on this thread, and cranking gives silence.
    /// - Parameter newFormat: What the device has when it is opened again; `nil` is the same.
    public func simulateLoss(_ error: DeviceError? = nil, newFormat: DeviceFormat? = nil) {
        enter()
        isLost = true
        format = newFormat ?? format
        leave()
        loss.report(error ?? DeviceError(.deviceLost, "the device was taken away", device: name))
    }

    /// Counts one underrun.
    public func simulateUnderrun() { gauges.pointee.underruns.add(1, ordering: .relaxed) }

    // A crank and a control call exclude each other. Cranking is not done by a sound card, so waiting is allowed.
    private func enter() {
        while !gate.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged { sched_yield() }
    }

    private func leave() { gate.store(false, ordering: .releasing) }
}
