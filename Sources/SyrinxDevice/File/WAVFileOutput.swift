import Glibc
package import SyrinxByteStream

/// Writes a WAV file of 32 bit floats, as fast as the samples come.
///
/// The file holds the frames that the render callback counts as before the end of the sound, and nothing else. Beyond
/// 4 GiB it becomes an RF64. Its header is brought up to date twenty times a second, so that a process that is killed leaves a
/// file that can be read. The path may also name a pipe or a device file; then nothing is ever changed afterwards.
///
/// A file that was stopped and is started again is added to.
public final class WAVFileOutput: OutputDevice, @unchecked Sendable {
    // Unchecked: the properties belong to the one control thread that the protocol allows; the device's thread works
    // with `state` and the writer, which the control thread leaves alone between `start` and the end of `stop`.
    private let path: FilePath
    private let loss = DeviceLossReporter()
    private var life = DeviceStateMachine()
    private var writer: WAVWriter?
    private var thread: DeviceThread?
    private var state: UnsafeMutablePointer<WAVRenderState>?

    /// A device that writes to `path`.
    ///
    /// The file is made, or an existing one emptied, by `open`.
    public convenience init(path: String) { self.init(path: FilePath(path)) }

    /// A device that writes to a path of any bytes.
    package init(path: FilePath) {
        self.path = path
    }

    deinit { stop() }

    /// The word `file` and the path: `file:/tmp/out.wav`.
    public var name: String { "file:\(path.name)" }

    /// Always `false`.
    public var isPaced: Bool { false }

    /// Always 0: nothing is heard.
    public var latency: Double { 0 }

    /// Always 0.
    public var underrunCount: Int { 0 }

    /// Called once, from the device's thread, if writing fails, for example because the disk is full.
    public var onLoss: (@Sendable (DeviceError) -> Void)? {
        get { loss.handler }
        set { loss.handler = newValue }
    }

    /// Makes the file, and settles the format.
    /// - Parameter preferred: Taken exactly, unless the file holds frames of another format by now; 48 kHz stereo if
    ///   `nil`.
    /// - Throws: `DeviceError`: `.writeFailed` if the file cannot be made, `.unsupportedFormat` for what no WAV can hold.
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

    /// Begins to write.
    /// - Throws: `DeviceError` if it is not open, runs already, or cannot make its file.
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

    /// Asks for nothing until `resume`.
    ///
    /// A render that is under way and takes longer than 50 ms still ends afterwards.
    public func pause() {
        if life.pause() == .perform { state?.pointee.control.hold() }
    }

    /// Goes on.
    public func resume() {
        if life.resume() == .perform { state?.pointee.control.release() }
    }

    /// Ends when a render under way has returned; then the file is complete.
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
