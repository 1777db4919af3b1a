import CoreAudioTypes
import Synchronization
package import SyrinxByteStream

/// Another device, and a WAV file of 32 bit floats of exactly what that device was given, silence included.
///
/// The samples are copied on the device's thread into a ring of two seconds, and written by a thread of their own. Of a
/// device that is not paced, the frames from before the end of the sound are recorded, as it takes them itself.
///
/// A recording that was stopped and is started again is added to.
public final class RecordingOutput: OutputDevice, @unchecked Sendable {
    // Unchecked: the properties belong to the one control thread that the protocol allows; the other threads work with
    // `state` and the writer, which the control thread leaves alone between `start` and the end of `stop`.
    private let base: any OutputDevice
    private let path: FilePath
    private let loss = DeviceLossReporter()
    private let gauges = UnsafeMutablePointer.make(DeviceCounters(latency: Atomic(0)))
    private var life = DeviceStateMachine()
    private var writer: WAVWriter?
    private var thread: DeviceThread?
    private var state: UnsafeMutablePointer<RecordingRenderState>?

    /// Records what `base` is given.
    /// - Parameters:
    ///   - base: Not to be used by anybody else from now on.
    ///   - path: The file is made, or an existing one emptied, by `open`.
    public convenience init(_ base: any OutputDevice, path: String) { self.init(base, path: FilePath(path)) }

    /// Records what `base` is given, to a path of any bytes.
    package init(_ base: any OutputDevice, path: FilePath) {
        self.base = base
        self.path = path
        base.onLoss = { [loss] error in loss.report(error) }
    }

    deinit {
        stop()
        gauges.destroy()
    }

    /// The name of the device that is recorded.
    public var name: String { base.name }

    /// The name of the output of the device that is recorded.
    public var outputName: String? { base.outputName }

    /// Whether the device that is recorded keeps real time.
    public var isPaced: Bool { base.isPaced }

    /// Whether the host times of the device that is recorded are those of the monotonic clock.
    public var keepsMonotonicTime: Bool { base.keepsMonotonicTime }

    /// The latency of the device that is recorded.
    public var latency: Double { base.latency }

    /// The number of times that the recorded device has run dry.
    public var underrunCount: Int { base.underrunCount }

    /// Frames since `start` that the device was given and the recording lacks, since the disk was too slow.
    ///
    /// Any thread.
    ///
    /// The first of them ends the recording: what is in the file is without a gap.
    public var droppedFrameCount: Int { gauges.pointee.droppedFrames.load(ordering: .relaxed) }

    /// Called once if the device is lost, or with `.writeFailed` if the recording is; the sound goes on in that case.
    public var onLoss: (@Sendable (DeviceError) -> Void)? {
        get { loss.handler }
        set { loss.handler = newValue }
    }

    /// Called when the device that is recorded says so.
    public var onChange: (@Sendable () -> Void)? {
        get { base.onChange }
        set { base.onChange = newValue }
    }

    /// Opens the device, then makes the file.
    /// - Throws: `DeviceError` of the device; `.writeFailed` if the file cannot be made; `.unsupportedFormat` if it holds
    ///   frames of another format than the device now has.
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

    /// Begins to record and to play.
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

    /// Holds the device.
    public func pause() {
        if life.pause() == .perform { base.pause() }
    }

    /// Lets the device go on.
    public func resume() {
        if life.resume() == .perform { base.resume() }
    }

    /// Has the device do so; the recording keeps what it was given.
    public func dropUnheard(atMost frameCount: Int, _ change: () -> Void) -> Bool {
        base.dropUnheard(atMost: frameCount, change)
    }

    /// Ends the device, then completes the file.
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
