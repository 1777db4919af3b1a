import CoreAudioTypes
import Synchronization

/// A device that makes no sound but keeps real time, for machines without one.
///
/// Its clock is the monotonic one, and every deadline is counted from the start, so that it does not drift.
public final class NullOutput: OutputDevice, @unchecked Sendable {
    // Unchecked: `life`, `state` and `thread` belong to the one control thread that the protocol allows; the device's
    // thread touches only the memory of `state` and `gauges`, whose shared parts are atomics.
    private let ownFormat: DeviceFormat
    private let loss = DeviceLossReporter()
    // One block lies between the render of a frame and its time.
    private let gauges: UnsafeMutablePointer<DeviceCounters>
    private let blockDuration: Double
    private var life = DeviceStateMachine()
    private var thread: DeviceThread?
    private var state: UnsafeMutablePointer<NullRenderState>?

    /// Creates a silent device.
    /// - Parameters:
    ///   - format: The format of a device that is opened without a preference. Default: 48 kHz stereo.
    ///   - blockDuration: Seconds between two callbacks, brought into the range 0.001 to 0.1; no block has more than 4096 frames.
    ///     Default: 0.01. A player that only plays wakes less often with more.
    public init(
        format: DeviceFormat = DeviceFormat(sampleRate: 48_000, channelCount: 2),
        blockDuration: Double = 0.01
    ) {
        ownFormat = format
        self.blockDuration = blockDuration.isFinite ? min(max(blockDuration, 0.001), 0.1) : 0.01
        gauges = .make(DeviceCounters(latency: Atomic(self.blockDuration)))
    }

    /// The seconds of a block for a player: some 33 callbacks a second, as often as its meters are read.
    ///
    /// A stream that runs short is held before a block and a fade of 5 ms would use up the last 40 ms.
    package static let playbackBlockDuration = 0.03

    deinit {
        stop()
        gauges.destroy()
    }

    /// The name `null`.
    public var name: String { "null" }

    /// Always `true`.
    public var isPaced: Bool { true }

    /// Seconds of one block: those asked for, but for formats in which they are more than 4096 frames.
    public var latency: Double { gauges.pointee.latency.load(ordering: .relaxed) }

    /// The number of times that the thread was half a second late and time began anew.
    public var underrunCount: Int { gauges.pointee.underruns.load(ordering: .relaxed) }

    /// Never called: a clock is not lost.
    public var onLoss: (@Sendable (DeviceError) -> Void)? {
        get { loss.handler }
        set { loss.handler = newValue }
    }

    /// Settles the format: any rate up to 10 MHz, 1 to 64 channels.
    /// - Throws: `DeviceError` with `.unsupportedFormat` for others.
    public func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat {
        try life.willOpen(name)
        let format = preferred ?? ownFormat
        try format.check(name)
        life.opened(format)
        return format
    }

    /// Begins to call back once for each block.
    /// - Throws: `DeviceError` if it is not open, or runs already.
    public func start(_ callback: RenderCallback) throws(DeviceError) {
        let format = try life.willStart(name)
        gauges.pointee.underruns.store(0, ordering: .relaxed)
        let clock = TickSchedule(sampleRate: format.sampleRate, blockDuration: blockDuration, start: 0)
        gauges.pointee.latency.store(clock.blockDuration, ordering: .relaxed)
        let state = UnsafeMutablePointer.make(
            NullRenderState(callback, format: format, blockDuration: blockDuration, gauges: gauges)
        )
        do throws(DeviceError) {
            thread = try DeviceThread("syrinx-null", device: name, context: state) { context in
                context.assumingMemoryBound(to: NullRenderState.self).pointee.run()
            }
        } catch {
            state.destroy()
            throw error
        }
        self.state = state
        life.started()
    }

    /// Stops the clock.
    public func pause() {
        if life.pause() == .perform { state?.pointee.control.hold() }
    }

    /// Lets the clock go on from where it was.
    public func resume() {
        if life.resume() == .perform { state?.pointee.control.release() }
    }

    /// Ends within one block.
    public func stop() {
        guard life.stop() == .perform, let state else { return }
        state.pointee.control.end()
        thread?.join()
        thread = nil
        self.state = nil
        state.destroy()
    }
}
