public import Foundation
import Synchronization
public import SyrinxDevice

/// Records from an input device into a file.
///
/// The settings define the format of the file, as in `AVAudioFile`; the file is complete after `stop()`. Call the
/// methods from any thread except the render thread. Deallocating the recorder ends the recording.
///
/// ```swift
/// let recorder = try AVAudioRecorder(
///     url: URL(fileURLWithPath: "memo.flac"),
///     settings: [AVFormatIDKey: kAudioFormatFLAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1])
/// guard recorder.record(forDuration: 10) else { throw recorder.recordError ?? CancellationError() }
/// ```
open class AVAudioRecorder: NSObject, @unchecked Sendable {
    // Unchecked: `transport` guards the transport, and state shared with the input's queue is in `take`.

    /// The URL of the file.
    public let url: URL
    /// The format of the file.
    public let format: AVAudioFormat
    /// The settings of the file, as in `AVAudioFile`.
    public let settings: [String: Any]

    private let take: RecorderTake
    private let transport = NSLock()
    private var reader: InputReader?
    private var chosenDevice: (any InputDevice)?
    private weak var listener: (any AVAudioRecorderDelegate)?
    private var failure: (any Error)?
    /// Counts runs of the input, so that the end of an earlier one does not end this one.
    private var generation = 0

    // MARK: Creating

    /// Creates a recorder.
    ///
    /// `prepareToRecord()` or `record()` creates the file.
    /// - Parameters:
    ///   - url: A `file:` URL, whose extension selects the container.
    ///   - settings: The format of the file. Default sample rate: 44.1 kHz; default channel count: 1. Without
    ///     `AVFormatIDKey`, the container's default codec is used.
    /// - Throws: `AVAudioRecordingError`: `usage.badSettings` or `usage.notAFile`.
    public init(url: URL, settings: [String: Any]) throws {
        var settings = settings
        if settings[AVSampleRateKey] == nil { settings[AVSampleRateKey] = 44_100.0 }
        if settings[AVNumberOfChannelsKey] == nil { settings[AVNumberOfChannelsKey] = 1 }
        let format = try AVAudioRecordingError.describing {
            guard url.isFileURL else {
                throw AVAudioFileError(.notAFile, "Only URLs of files can be recorded to.", url)
            }
            _ = try AudioFileSettings(settings, url: url).writerSettings()
            guard let format = AVAudioFormat(settings: settings) else {
                throw AVAudioFileError(.badSettings, "The settings contain no format that can be recorded.", url)
            }
            return format
        }
        (self.url, self.settings, self.format) = (url, settings, format)
        take = RecorderTake(channelCount: Int(format.channelCount))
        super.init()
        take.onEnd = { [weak self] error in self?.ended(error) }
    }

    /// A recorder into a file of a format.
    /// - Throws: As `init(url:settings:)`.
    public convenience init(url: URL, format: AVAudioFormat) throws {
        try self.init(url: url, settings: format.settings)
    }

    deinit {
        reader?.stop()
        take.close()
    }

    /// The delegate, which is called on the main queue at the end and on errors.
    open var delegate: (any AVAudioRecorderDelegate)? {
        get { transport.withLock { listener } }
        set { transport.withLock { listener = newValue } }
    }

    /// The device that is recorded; `nil`, the default, is the sound server's default source.
    ///
    /// A change takes effect at the next start of `record()`. An addition to Apple's interface.
    public var inputDevice: (any InputDevice)? {
        get { transport.withLock { chosenDevice } }
        set { transport.withLock { chosenDevice = newValue } }
    }

    // MARK: Transport

    /// Whether the recorder is recording: it was started, and neither paused nor stopped since.
    open var isRecording: Bool { transport.withLock { reader != nil } }

    /// Creates the file, or truncates an existing one.
    /// - Returns: `false` if the file cannot be created; `recordError` has the reason.
    @discardableResult
    open func prepareToRecord() -> Bool { transport.withLock { attempt { try prepare() } } }

    /// Starts to record at the start of the file, or resumes after a pause.
    /// - Returns: `false` if there is no input device or the file cannot be created; `recordError` has the reason.
    @discardableResult
    open func record() -> Bool { record(from: nil, seconds: nil) }

    /// Records from a time of `deviceCurrentTime`.
    /// - Returns: As `record()`.
    @discardableResult
    open func record(atTime time: TimeInterval) -> Bool { record(from: time, seconds: nil) }

    /// Records for `duration` seconds, and then stops.
    ///
    /// The file has exactly this duration, to the frame.
    /// - Returns: Whether recording has started, as for `record()`.
    @discardableResult
    open func record(forDuration duration: TimeInterval) -> Bool { record(from: nil, seconds: duration) }

    /// Records from a time of `deviceCurrentTime`, for a number of seconds.
    /// - Returns: As `record()`.
    @discardableResult
    open func record(atTime time: TimeInterval, forDuration duration: TimeInterval) -> Bool {
        record(from: time, seconds: duration)
    }

    private func record(from time: TimeInterval?, seconds: TimeInterval?) -> Bool {
        transport.withLock {
            guard reader == nil else { return true }
            return attempt {
                try prepare()
                take.plan(
                    from: time.map { AVAudioTime.hostTime(forSeconds: max($0, 0)) },
                    frameCount: seconds.map { Int64(clamped: (max($0, 0) * format.sampleRate).rounded()) }
                )
                try startInput()
            }
        }
    }

    /// Stops the input device.
    ///
    /// `record()` resumes and appends to the file.
    open func pause() {
        transport.withLock {
            reader?.stop()
            reader = nil
            generation += 1
        }
    }

    /// Ends the recording and completes the file.
    ///
    /// Returns when the file is complete, and then calls the delegate.
    open func stop() {
        let isWhole = transport.withLock { finish() }
        if let isWhole { tell(isWhole) }
    }

    /// Removes the file, after `stop()`.
    /// - Returns: Whether it was there and is gone.
    @discardableResult
    open func deleteRecording() -> Bool {
        transport.withLock {
            guard reader == nil, !take.isOpen else { return false }
            return (try? FileManager.default.removeItem(at: url)) != nil
        }
    }

    /// The error for which `record()` or `prepareToRecord()` last returned false, or the recording ended.
    ///
    /// An addition to Apple's interface.
    public var recordError: (any Error)? { transport.withLock { failure } }

    // MARK: Time

    /// The recorded duration in seconds; 0 after `stop()`.
    open var currentTime: TimeInterval { Double(take.frameCount) / format.sampleRate }

    /// The current time in seconds of the clock for `record(atTime:)`, which runs even while the device is stopped.
    open var deviceCurrentTime: TimeInterval { AVAudioTime.seconds(forHostTime: monotonicNanoseconds()) }

    // MARK: Levels

    /// Whether levels are measured; default `false`.
    open var isMeteringEnabled: Bool {
        get { take.isMetering }
        set { take.isMetering = newValue }
    }

    /// Updates the levels for `averagePower` and `peakPower` with the frames recorded since the last call.
    open func updateMeters() { take.meter.update() }

    /// Returns the root mean square of a channel at the last call of `updateMeters()`.
    /// - Returns: −160…0 dBFS; −160 for silence, and for a channel that does not exist.
    open func averagePower(forChannel channelNumber: Int) -> Float { take.meter.average(channelNumber) }

    /// Returns the sample peak of a channel at the last call of `updateMeters()`.
    /// - Returns: −160…0 dBFS; −160 for silence, and for a channel that does not exist.
    open func peakPower(forChannel channelNumber: Int) -> Float { take.meter.peak(channelNumber) }

    // MARK: With the lock

    private func attempt(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            failure = nil
            return true
        } catch {
            failure = AVAudioRecordingError.about(error)
            return false
        }
    }

    private func prepare() throws {
        if !take.isOpen { take.open(try AVAudioFile(forWriting: url, settings: settings)) }
    }

    private func startInput() throws {
        let device = chosenDevice ?? PulseInput()
        let wish = DeviceFormat(sampleRate: format.sampleRate, channelCount: Int(format.channelCount))
        let heard = try device.open(preferred: wish).audioFormat(of: device.name)
        try take.convert(from: heard)
        generation += 1
        let generation = generation
        device.onLoss = { [weak self] error in
            // Not on the device's thread, which `stop()` waits for.
            AVAudioEngine.callbackQueue.async { [weak self] in self?.ended(error, generation) }
        }
        let reader = InputReader(device, format: heard) { [take] buffer, time in take.add(buffer, time) }
        try reader.start()
        self.reader = reader
    }

    /// Completes the file.
    /// - Returns: Whether the file has the complete recording; `nil` if there was no recording.
    private func finish() -> Bool? {
        guard take.isOpen else { return nil }
        let missed = reader?.missedFrames ?? 0
        reader?.stop()
        reader = nil
        generation += 1
        let error = take.close()
        failure = error.map(AVAudioRecordingError.about)
        return error == nil && missed == 0
    }

    // MARK: From other threads

    /// Ends the recording because its time is over, or for an error.
    private func ended(_ error: (any Error)?, _ run: Int? = nil) {
        let error = error.map(AVAudioRecordingError.about)
        let isWhole = transport.withLock { () -> Bool? in
            guard run == nil || run == generation, let isWhole = finish() else { return nil }
            if let error { failure = error }
            return isWhole && error == nil
        }
        guard let isWhole else { return }
        if let error {
            DispatchQueue.main.deliver { self.delegate?.audioRecorderEncodeErrorDidOccur(self, error: error) }
        }
        tell(isWhole)
    }

    private func tell(_ isWhole: Bool) {
        DispatchQueue.main.deliver { self.delegate?.audioRecorderDidFinishRecording(self, successfully: isWhole) }
    }
}
