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
    // One period of 10 ms lies between the render of a frame and its time.
    private let gauges = UnsafeMutablePointer.make(DeviceCounters(latency: Atomic(0.01)))
    private var life = DeviceStateMachine()
    private var thread: DeviceThread?
    private var state: UnsafeMutablePointer<NullRenderState>?

    /// A silent device.
    /// - Parameter format: What it takes when it is opened without a preference; 48 kHz stereo unless told.
    public init(format: DeviceFormat = DeviceFormat(sampleRate: 48_000, channelCount: 2)) {
        ownFormat = format
    }

    deinit {
        stop()
        gauges.destroy()
    }

    /// The name `null`.
    public var name: String { "null" }

    /// Always `true`.
    public var isPaced: Bool { true }

    /// One period: 0.01 seconds.
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

    /// Begins to call back every 10 ms.
    /// - Throws: `DeviceError` if it is not open, or runs already.
    public func start(_ callback: RenderCallback) throws(DeviceError) {
        let format = try life.willStart(name)
        gauges.pointee.underruns.store(0, ordering: .relaxed)
        let state = UnsafeMutablePointer.make(NullRenderState(callback, format: format, gauges: gauges))
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

    /// Ends within one period.
    public func stop() {
        guard life.stop() == .perform, let state else { return }
        state.pointee.control.end()
        thread?.join()
        thread = nil
        self.state = nil
        state.destroy()
    }
}
