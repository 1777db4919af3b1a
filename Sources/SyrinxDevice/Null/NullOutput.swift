import CoreAudioTypes
import Synchronization

/// A silent output device that keeps real time, for machines without sound.
///
/// It uses the monotonic clock, and computes every deadline from the start, so that it does not drift.
public final class NullOutput: OutputDevice, @unchecked Sendable {
    // Unchecked: only the one control thread that the protocol allows uses `life`, `state` and `thread`. The device's
    // thread uses the memory of `state` and `gauges`, whose shared parts are atomic.
    private let ownFormat: DeviceFormat
    private let loss = DeviceLossReporter()
    // The latency is one block.
    private let gauges: UnsafeMutablePointer<DeviceCounters>
    private let blockDuration: Double
    private var life = DeviceStateMachine()
    private var thread: DeviceThread?
    private var state: UnsafeMutablePointer<NullRenderState>?

    /// Creates a silent device.
    /// - Parameters:
    /// - Parameters:
    ///   - format: The format of a device that is opened without a preferred format (default: 48 kHz stereo).
    ///   - blockDuration: The interval of callbacks in seconds, clamped to 0.001…0.1 and to at most 4096 frames
    ///     (default:
    ///     0.01). A player uses a larger one, to wake up less often.
    public init(
        format: DeviceFormat = DeviceFormat(sampleRate: 48_000, channelCount: 2),
        blockDuration: Double = 0.01
    ) {
        ownFormat = format
        self.blockDuration = blockDuration.isFinite ? min(max(blockDuration, 0.001), 0.1) : 0.01
        gauges = .make(DeviceCounters(latency: Atomic(self.blockDuration)))
    }

    /// The block duration for players, in seconds: about 33 callbacks a second, as often as level meters are read.
    ///
    /// When a stream runs out of data, playback pauses before a block and a fade of 5 ms use up the last 40 ms.
    package static let playbackBlockDuration = 0.03

    deinit {
        stop()
        gauges.destroy()
    }

    /// Always `null`.
    public var name: String { "null" }

    /// Always `true`.
    public var isPaced: Bool { true }

    /// The duration of a block, in seconds.
    public var latency: Double { gauges.pointee.latency.load(ordering: .relaxed) }

    /// The number of underruns since `start`.
    ///
    /// An underrun is a block that the render thread starts more than 0.5 s late; the clock then restarts at the
    /// current time.
    public var underrunCount: Int { gauges.pointee.underruns.load(ordering: .relaxed) }

    /// Never called, because a clock cannot be lost.
    public var onLoss: (@Sendable (DeviceError) -> Void)? {
        get { loss.handler }
        set { loss.handler = newValue }
    }

    /// Determines the format; the device supports rates up to 10 MHz and 1 to 64 channels.
    /// - Throws: `DeviceError` with `.unsupportedFormat` for other formats.
    public func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat {
        try life.willOpen(name)
        let format = preferred ?? ownFormat
        try format.check(name)
        life.opened(format)
        return format
    }

    /// Starts to call back once per block.
    /// - Throws: `DeviceError` if the device is not open or is already running.
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

    /// Pauses the clock.
    public func pause() {
        if life.pause() == .perform { state?.pointee.control.hold() }
    }

    /// Resumes the clock.
    public func resume() {
        if life.resume() == .perform { state?.pointee.control.release() }
    }

    /// Stops the device within one block.
    public func stop() {
        guard life.stop() == .perform, let state else { return }
        state.pointee.control.end()
        thread?.join()
        thread = nil
        self.state = nil
        state.destroy()
    }
}
