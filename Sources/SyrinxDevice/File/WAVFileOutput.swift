import Glibc
package import SyrinxByteStream

/// An output device that writes a WAV file of 32-bit floats as fast as samples are rendered.
///
/// The file contains only the frames that the render callback returns as valid. Past 4 GiB it becomes an RF64 file. The
/// header is updated twenty times a second, so that the file is readable even if the process is killed. If the path is
/// a pipe or a device file, the header is not updated.
///
/// If the device is started again after `stop()`, the file is continued.
public final class WAVFileOutput: OutputDevice, @unchecked Sendable {
    // Unchecked: only the one control thread that the protocol allows uses the properties. The device's thread uses
    // `state` and the writer, which the control thread does not touch between `start` and the end of `stop`.
    private let path: FilePath
    private let loss = DeviceLossReporter()
    private var life = DeviceStateMachine()
    private var writer: WAVWriter?
    private var thread: DeviceThread?
    private var state: UnsafeMutablePointer<WAVRenderState>?

    /// Creates a device that writes to `path`.
    ///
    /// `open` creates or truncates the file.
    public convenience init(path: String) { self.init(path: FilePath(path)) }

    /// Creates a device that writes to a path that need not be UTF-8.
    package init(path: FilePath) {
        self.path = path
    }

    deinit { stop() }

    /// `file:` followed by the path, such as `file:/tmp/out.wav`.
    public var name: String { "file:\(path.name)" }

    /// Always `false`.
    public var isPaced: Bool { false }

    /// Always 0.
    public var latency: Double { 0 }

    /// Always 0.
    public var underrunCount: Int { 0 }

    /// Called once, on the device's thread, if writing fails, for example because the disk is full.
    public var onLoss: (@Sendable (DeviceError) -> Void)? {
        get { loss.handler }
        set { loss.handler = newValue }
    }

    /// Creates the file, and determines the format.
    /// - Parameter preferred: The format to use, unless the file already contains frames in another one; `nil` means 48
    ///   kHz stereo.
    /// - Throws: `DeviceError`: `.writeFailed` if the file cannot be created, `.unsupportedFormat` if WAV does not
    ///   support the format.
    public func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat {
        try life.willOpen(name)
        let wanted = preferred ?? DeviceFormat(sampleRate: 48_000, channelCount: 2)
        try wanted.check(name)
        let writer = try usableWriter(wanted)
        try writer.change(to: wanted, device: name)
        let format = writer.header.format
        life.opened(format)
        return format
    }

    private func usableWriter(_ format: DeviceFormat) throws(DeviceError) -> WAVWriter {
        if let writer { return writer }
        let fresh = try WAVWriter(path: path, format: format, device: name)
        writer = fresh
        return fresh
    }

    /// Starts to write.
    /// - Throws: `DeviceError` if the device is not open or is already running, or if the file cannot be created.
    public func start(_ callback: RenderCallback) throws(DeviceError) {
        let format = try life.willStart(name)
        let writer = try usableWriter(format)
        let state = UnsafeMutablePointer.make(WAVRenderState(callback, writer: writer, loss: loss, name: name))
        loss.arm()
        do throws(DeviceError) {
            thread = try DeviceThread("syrinx-file", device: name, context: state) { context in
                context.assumingMemoryBound(to: WAVRenderState.self).pointee.run()
            }
        } catch {
            loss.disarm()
            state.destroy()
            throw error
        }
        self.state = state
        life.started()
    }

    /// Stops rendering until `resume`.
    ///
    /// A render callback that takes longer than 50 ms may still end after this method returns.
    public func pause() {
        if life.pause() == .perform { state?.pointee.control.hold() }
    }

    /// Resumes rendering.
    public func resume() {
        if life.resume() == .perform { state?.pointee.control.release() }
    }

    /// Waits for the current render callback, then completes the file.
    public func stop() {
        guard life.stop() == .perform, let state else { return }
        state.pointee.control.end()
        thread?.join()
        loss.disarm()
        thread = nil
        self.state = nil
        state.destroy()
        if writer?.isRegular == false { writer = nil }
    }
}
