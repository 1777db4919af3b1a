public import Foundation
import Synchronization
public import SyrinxDevice

/// Records the sound of an input device into a file.
///
/// The format of the file is said by its settings, as in `AVAudioFile`; a file is complete after `stop()`. All methods may be
/// called from any thread but the render thread. Letting the recorder go ends the recording.
open class AVAudioRecorder: NSObject, @unchecked Sendable {
    // Unchecked: the transport is used under `transport` only, and what the input's queue shares is in `take`.

    /// The file.
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

    /// A recorder into a file, which is created by `prepareToRecord()` or `record()`.
    /// - Parameters:
    ///   - url: A `file:` URL, whose ending says the kind of the file.
    ///   - settings: The format of the file. Without a rate it is 44.1 kHz, without a number of channels one.
    /// - Throws: `AVAudioRecordingError`: `usage.badSettings`, or `usage.notAFile`.
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
                throw AVAudioFileError(.badSettings, "The settings name no format that can be recorded.", url)
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

    /// Told of the end and of errors, on the main queue.
    open var delegate: (any AVAudioRecorderDelegate)? {
        get { transport.withLock { listener } }
        set { transport.withLock { listener = newValue } }
    }

    /// The device that is recorded; `nil`, the default, is the sound server's default source.
    ///
    /// Taken up by the next `record()` that starts it. An addition to Apple's interface.
    public var inputDevice: (any InputDevice)? {
        get { transport.withLock { chosenDevice } }
        set { transport.withLock { chosenDevice = newValue } }
    }

    // MARK: Transport

    /// Whether the recorder records, and has not been told to pause or stop.
    open var isRecording: Bool { transport.withLock { reader != nil } }

    /// Creates the file, or empties the one that is there.
    /// - Returns: False if it cannot be created; `recordError` has the reason.
    @discardableResult
    open func prepareToRecord() -> Bool { transport.withLock { attempt { try prepare() } } }

    /// Records, from the beginning of the file or on from where it was paused.
    /// - Returns: False if there is no input device or the file cannot be created; `recordError` has the reason.
    @discardableResult
    open func record() -> Bool { record(from: nil, seconds: nil) }

    /// Records what sounds from a moment of `deviceCurrentTime` on.
    /// - Returns: As `record()`.
    @discardableResult
    open func record(atTime time: TimeInterval) -> Bool { record(from: time, seconds: nil) }

    /// Records for some seconds, and stops by itself.
    ///
    /// The file has these many frames, exactly.
    /// - Returns: As `record()`.
    @discardableResult
    open func record(forDuration duration: TimeInterval) -> Bool { record(from: nil, seconds: duration) }

    /// Records what sounds from a moment of `deviceCurrentTime` on, for some seconds.
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

    /// Stops listening; `record()` goes on behind what is in the file.
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

    /// Seconds in the file so far; 0 after `stop()`.
    open var currentTime: TimeInterval { Double(take.frameCount) / format.sampleRate }

    /// Seconds on the clock that `record(atTime:)` goes by, which runs whether or not the device does.
    open var deviceCurrentTime: TimeInterval { AVAudioTime.seconds(forHostTime: monotonicNanoseconds()) }

    // MARK: Levels

    /// Whether levels are measured; default false.
    open var isMeteringEnabled: Bool {
        get { take.isMetering }
        set { take.isMetering = newValue }
    }

    /// Takes the levels of what has been recorded since the last call, for `averagePower` and `peakPower` to return.
    open func updateMeters() { take.meter.update() }

    /// Returns the root mean square of a channel as of the last `updateMeters()`.
    /// - Returns: −160…0 dBFS; −160 for silence, and for a channel that does not exist.
    open func averagePower(forChannel channelNumber: Int) -> Float { take.meter.average(channelNumber) }

    /// Returns the greatest sample of a channel as of the last `updateMeters()`.
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
    /// - Returns: Whether all is in it; `nil` if there was no recording.
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
