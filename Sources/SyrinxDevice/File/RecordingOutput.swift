import CoreAudioTypes
import Synchronization
package import SyrinxByteStream

/// An output device that records everything it plays on another device to a WAV file of 32-bit floats.
///
/// The recording includes silence. Samples are copied on the device's thread to a ring buffer of two seconds, and
/// written by another thread. If the other device is not paced, only the frames before the end of the audio are
/// recorded.
///
/// If the device is started again after `stop()`, the recording is continued.
public final class RecordingOutput: OutputDevice, @unchecked Sendable {
    // Unchecked: only the one control thread that the protocol allows uses the properties. Other threads use `state`
    // and the writer, which the control thread does not touch between `start` and the end of `stop`.
    private let base: any OutputDevice
    private let path: FilePath
    private let loss = DeviceLossReporter()
    private let gauges = UnsafeMutablePointer.make(DeviceCounters(latency: Atomic(0)))
    private var life = DeviceStateMachine()
    private var writer: WAVWriter?
    private var thread: DeviceThread?
    private var state: UnsafeMutablePointer<RecordingRenderState>?

    /// Creates a device that records what `base` plays.
    /// - Parameters:
    ///   - base: The device that plays; don't use it directly any more.
    ///   - path: The file, which `open` creates or truncates.
    public convenience init(_ base: any OutputDevice, path: String) { self.init(base, path: FilePath(path)) }

    /// Creates a device that records what `base` plays, to a path that need not be UTF-8.
    package init(_ base: any OutputDevice, path: FilePath) {
        self.base = base
        self.path = path
        base.onLoss = { [loss] error in loss.report(error) }
    }

    deinit {
        stop()
        gauges.destroy()
    }

    /// The name of the playing device.
    public var name: String { base.name }

    /// The output name of the playing device.
    public var outputName: String? { base.outputName }

    /// Whether the playing device keeps real time.
    public var isPaced: Bool { base.isPaced }

    /// Whether the host times of the playing device are those of the monotonic clock.
    public var keepsMonotonicTime: Bool { base.keepsMonotonicTime }

    /// The latency of the playing device, in seconds.
    public var latency: Double { base.latency }

    /// The number of underruns of the playing device.
    public var underrunCount: Int { base.underrunCount }

    /// The number of frames played since `start` that are missing from the recording, because the disk was too slow.
    ///
    /// The recording ends with the first missing frame, so it has no gaps. May be read on any thread.
    public var droppedFrameCount: Int { gauges.pointee.droppedFrames.load(ordering: .relaxed) }

    /// Called once if the device is lost, or with `.writeFailed` if the recording fails; then playback continues.
    public var onLoss: (@Sendable (DeviceError) -> Void)? {
        get { loss.handler }
        set { loss.handler = newValue }
    }

    /// Called when the playing device reports a change.
    public var onChange: (@Sendable () -> Void)? {
        get { base.onChange }
        set { base.onChange = newValue }
    }

    /// Opens the device, then creates the file.
    /// - Throws: The errors of the device; `.writeFailed` if the file cannot be created; `.unsupportedFormat` if the
    ///   file already contains frames in another format.
    public func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat {
        try life.willOpen(name)
        let format = try base.open(preferred: preferred)
        let writer = try usableWriter(format)
        try writer.change(to: format, device: path.name)
        guard writer.header.format == format else {
            throw DeviceError(
                .unsupportedFormat,
                "the recording \(path.name) is of \(writer.header.format.text), the device now takes \(format.text)",
                device: name
            )
        }
        life.opened(format)
        return format
    }

    private func usableWriter(_ format: DeviceFormat) throws(DeviceError) -> WAVWriter {
        if let writer { return writer }
        let fresh = try WAVWriter(path: path, format: format, device: path.name)
        writer = fresh
        return fresh
    }

    /// Starts to record and play.
    public func start(_ callback: RenderCallback) throws(DeviceError) {
        let format = try life.willStart(name)
        let writer = try usableWriter(format)
        gauges.pointee.droppedFrames.store(0, ordering: .relaxed)
        let state = UnsafeMutablePointer.make(
            RecordingRenderState(
                callback,
                writer: writer,
                isPaced: isPaced,
                gauges: gauges,
                loss: loss,
                name: path.name
            )
        )
        loss.arm()
        do throws(DeviceError) {
            thread = try DeviceThread("syrinx-record", device: name, context: state) { context in
                context.assumingMemoryBound(to: RecordingRenderState.self).pointee.run()
            }
            try base.start(Self.callback(state))
        } catch {
            loss.disarm()
            finish(state)
            throw error
        }
        self.state = state
        life.started()
    }

    private static func callback(_ state: UnsafeMutablePointer<RecordingRenderState>) -> RenderCallback {
        RenderCallback(
            context: state,
            render: { context, channels, frameCount, time in
                context.assumingMemoryBound(to: RecordingRenderState.self).pointee.render(channels, frameCount, time)
            },
            didRender: { context in context.assumingMemoryBound(to: RecordingRenderState.self).pointee.didRender() }
        )
    }

    /// Pauses the device.
    public func pause() {
        if life.pause() == .perform { base.pause() }
    }

    /// Resumes the device.
    public func resume() {
        if life.resume() == .perform { base.resume() }
    }

    /// Drops queued frames of the device; the recording keeps the dropped frames.
    public func dropUnheard(atMost frameCount: Int, _ change: () -> Void) -> Bool {
        base.dropUnheard(atMost: frameCount, change)
    }

    /// Stops the device, then completes the file.
    public func stop() {
        guard life.stop() == .perform, let state else { return }
        base.stop()
        finish(state)
        loss.disarm()
        self.state = nil
        if writer?.isRegular == false { writer = nil }
    }

    private func finish(_ state: UnsafeMutablePointer<RecordingRenderState>) {
        state.pointee.end()
        thread?.join()
        thread = nil
        state.destroy()
    }
}
