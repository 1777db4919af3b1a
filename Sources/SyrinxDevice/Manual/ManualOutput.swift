import CoreAudioTypes
import Glibc
import Synchronization

/// An output device that renders only when the program asks for frames, for tests and other destinations.
///
/// Its clock counts frames: the host time of frame *n* is *n* divided by the sample rate, plus the latency.
public final class ManualOutput: OutputDevice, @unchecked Sendable {
    // Unchecked: `life`, `block` and `frame` are used only while `gate` is held.
    private var format: DeviceFormat
    private let changes = DeviceEventReporter()
    private let loss = DeviceLossReporter()
    private let gauges = UnsafeMutablePointer.make(DeviceCounters(latency: Atomic(0)))
    private let gate = Atomic<Bool>(false)
    private var life = DeviceStateMachine()
    private var block: UnsafeMutablePointer<RenderBlock>?
    private var frame: Int64 = 0
    private var isLost = false

    /// Creates a device with a fixed format.
    /// - Parameters:
    ///   - format: The format (default: 48 kHz stereo).
    ///   - isPaced: The value of the property.
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

    /// Always `manual`.
    public var name: String { "manual" }

    /// The value that was passed to the initializer.
    public let isPaced: Bool

    /// Always `false`, because the clock counts frames.
    public var keepsMonotonicTime: Bool { false }

    /// The simulated time between rendering a frame and hearing it, in seconds (default: 0).
    ///
    /// May be used on any thread.
    public var latency: Double {
        get { gauges.pointee.latency.load(ordering: .relaxed) }
        set { gauges.pointee.latency.store(newValue, ordering: .relaxed) }
    }

    /// The number of calls of `simulateUnderrun` since `start`.
    public var underrunCount: Int { gauges.pointee.underruns.load(ordering: .relaxed) }

    /// Called by `simulateLoss`, at most once per run.
    public var onLoss: (@Sendable (DeviceError) -> Void)? {
        get { loss.handler }
        set { loss.handler = newValue }
    }

    /// Called by `simulateChange`.
    public var onChange: (@Sendable () -> Void)? {
        get { changes.handler }
        set { changes.handler = newValue }
    }

    /// Returns the format of the initializer, or the new format after a simulated loss.
    public func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat {
        try format.check(name)
        enter()
        defer { leave() }
        try life.willOpen(name)
        life.opened(format)
        return format
    }

    /// Starts to render with `callback`.
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

    /// Makes rendering return silence until `resume`.
    public func pause() {
        enter()
        defer { leave() }
        _ = life.pause()
    }

    /// Ends a pause.
    public func resume() {
        enter()
        defer { leave() }
        _ = life.resume()
    }

    /// Waits for the current render call to end; later calls return silence.
    public func stop() {
        enter()
        defer { leave() }
        guard life.stop() == .perform else { return }
        loss.disarm()
        block?.destroy()
        block = nil
    }

    /// Renders `frameCount` frames, one array per channel; silence while the device is paused, stopped or lost.
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

    /// Renders `frameCount` frames into the caller's memory, one pointer per channel, without allocating.
    /// - Returns: The number of frames before the end of the audio.
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

    /// Simulates that a sound server moves the sound to another output, by calling `onChange`.
    public func simulateChange() { changes.report() }

    /// Simulates the loss of the device: calls `onLoss` on this thread, and then renders silence.
    /// - Parameter newFormat: The format after the device is opened again; `nil` keeps the format.
    public func simulateLoss(_ error: DeviceError? = nil, newFormat: DeviceFormat? = nil) {
        enter()
        isLost = true
        format = newFormat ?? format
        leave()
        loss.report(error ?? DeviceError(.deviceLost, "the device was removed", device: name))
    }

    /// Increments `underrunCount`.
    public func simulateUnderrun() { gauges.pointee.underruns.add(1, ordering: .relaxed) }

    // Rendering and control calls exclude each other. No sound card is involved, so waiting is allowed.
    private func enter() {
        while !gate.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged { sched_yield() }
    }

    private func leave() { gate.store(false, ordering: .releasing) }
}
