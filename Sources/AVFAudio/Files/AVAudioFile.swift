internal import CoreAudioTypes
public import Foundation
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// An audio file, open for reading or for writing.
///
/// The class decodes compressed files to the uncompressed `processingFormat`, and encodes when it writes. Lengths and
/// positions are exact to the frame; encoder delay and padding are removed. Any thread may call the methods, which are
/// serialized and may block on the disk.
///
/// ```swift
/// let file = try AVAudioFile(forReading: URL(fileURLWithPath: "song.mp3"))
/// let buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 4096)!
/// while file.framePosition < file.length {
///     try file.read(into: buffer)
///     print(buffer.frameLength, "frames")
/// }
/// ```
open class AVAudioFile: NSObject, @unchecked Sendable {
    // Unchecked: `lock` guards all mutable state.

    /// The URL of the file.
    public let url: URL
    /// The format of the audio as stored in the file.
    public let fileFormat: AVAudioFormat
    /// The format of the buffers to read or write; by default 32-bit float, one buffer per channel.
    public let processingFormat: AVAudioFormat

    private enum Mode {
        case reading(AudioFileReading)
        case writing(AudioFileWriting)
        case closed(length: Int64, position: Int64)
    }

    private let lock = NSLock()
    private var mode: Mode
    private var failure: AVAudioFileError?

    private init(_ url: URL, _ mode: Mode, _ fileFormat: AVAudioFormat, _ processingFormat: AVAudioFormat) {
        self.url = url
        self.mode = mode
        self.fileFormat = fileFormat
        self.processingFormat = processingFormat
    }

    // MARK: Opening

    /// Opens a file for reading, with the standard processing format: 32-bit float, one buffer a channel.
    /// - Throws: `AVAudioFileError`: `file.notFound`, `media.notAudio` and so on.
    public convenience init(forReading fileURL: URL) throws {
        try self.init(reading: fileURL, nil)
    }

    /// Opens a file for reading.
    /// - Parameters:
    ///   - fileURL: A `file:` URL.
    ///   - format: The sample type of the processing format. Integer samples are rounded.
    ///   - interleaved: Whether one buffer has the samples of all channels, frame by frame.
    /// - Throws: `AVAudioFileError`, also for `.otherFormat`.
    public convenience init(forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool) throws
    {
        guard format != .otherFormat else {
            throw AVAudioFileError(.badSettings, "The processing format must be one of the common formats.", fileURL)
        }
        try self.init(reading: fileURL, (format, interleaved))
    }

    private convenience init(reading url: URL, _ common: (format: AVAudioCommonFormat, isInterleaved: Bool)?) throws {
        try Self.check(url)
        let path = FilePath(url) ?? FilePath(url.path)
        try self.init(url, name: path.name, common) { () throws(SyrinxError) in
            try FileByteStream(path: path)
        }
    }

    /// Opens a recording that is in memory for reading, with the standard processing format.
    ///
    /// Its `url` has the path `data`.
    /// - Throws: `AVAudioFileError`: `media.notAudio` and so on.
    convenience init(reading data: Data) throws {
        let stream = MemoryByteStream([UInt8](data), name: "data")
        try self.init(URL(fileURLWithPath: "data"), name: stream.name, nil) { () throws(SyrinxError) in stream }
    }

    private convenience init(
        _ url: URL,
        name: String,
        _ common: (format: AVAudioCommonFormat, isInterleaved: Bool)?,
        _ open: @escaping () throws(SyrinxError) -> any ByteStream
    ) throws {
        do throws(SyrinxError) {
            let reading = try AudioFileReading(name: name, common: common, open: open)
            self.init(url, .reading(reading), reading.fileFormat, reading.processingFormat)
        } catch {
            throw AVAudioFileError(error, url)
        }
    }

    /// Creates a file for writing with the standard processing format, or truncates an existing file.
    ///
    /// The file name extension selects the container (`wav`, `aiff`, `caf`, `m4a`, `flac`, `mp3`, `ogg`, `opus`), or
    /// the value for `AVAudioFileTypeKey` does. The file can be opened for reading while it is written. Uncompressed
    /// WAV, AIFF and CAF files are complete after each `write(from:)`, even if the process is killed. FLAC, MP3 and
    /// Ogg files can be read up to the last frame that the encoder has output. M4A files, and Apple Lossless in CAF,
    /// are readable only after the file is closed, because their index is written last. Apple does not document how
    /// far its own files can be read before they are closed.
    ///
    /// ```swift
    /// let settings: [String: Any] = [
    ///     AVFormatIDKey: kAudioFormatFLAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1,
    /// ]
    /// let file = try AVAudioFile(forWriting: URL(fileURLWithPath: "tone.flac"), settings: settings)
    /// let buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 44_100)!
    /// buffer.frameLength = 44_100
    /// for i in 0..<44_100 { buffer.floatChannelData![0][i] = 0.25 * sin(Float(i) * 0.0627) }
    /// try file.write(from: buffer)
    /// file.close()
    /// if let error = file.closeError { throw error }
    /// ```
    /// - Parameters:
    ///   - fileURL: A `file:` URL.
    ///   - settings: The format in the file, as in `AVAudioFormat.settings`. Keys that begin with `AVEncoder`
    ///     configure the encoder.
    /// - Throws: `AVAudioFileError`: `usage.badSettings`, `media.unsupported`, and errors of the file system.
    public convenience init(forWriting fileURL: URL, settings: [String: Any]) throws {
        try self.init(forWriting: fileURL, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: false)
    }

    /// Creates a file for writing, or truncates an existing file; see `init(forWriting:settings:)`.
    /// - Parameters:
    ///   - fileURL: A `file:` URL.
    ///   - settings: The format in the file, as in `init(forWriting:settings:)`.
    ///   - format: The sample type of the processing format.
    ///   - interleaved: Whether one buffer has the samples of all channels, frame by frame.
    /// - Throws: `AVAudioFileError`, also for `.otherFormat`.
    public convenience init(
        forWriting fileURL: URL,
        settings: [String: Any],
        commonFormat format: AVAudioCommonFormat,
        interleaved: Bool
    ) throws {
        try Self.check(fileURL)
        guard format != .otherFormat else {
            throw AVAudioFileError(.badSettings, "The processing format must be one of the common formats.", fileURL)
        }
        let writing = try AudioFileWriting(url: fileURL, settings: settings, common: (format, interleaved))
        self.init(fileURL, .writing(writing), writing.fileFormat, writing.processingFormat)
    }

    private static func check(_ url: URL) throws(AVAudioFileError) {
        guard url.isFileURL else { throw AVAudioFileError(.notAFile, "Only URLs of files can be opened.", url) }
    }

    deinit { close() }

    // MARK: Closing

    /// Whether the file is open.
    open var isOpen: Bool {
        lock.withLock { if case .closed = mode { false } else { true } }
    }

    /// Closes the file, and completes a file that is open for writing.
    ///
    /// Deallocation closes the file too. After a failure, `closeError` has the error.
    open func close() {
        lock.withLock {
            switch mode {
            case .reading(let reading):
                // Do not count the frames of the file only because the file is being closed.
                mode = .closed(length: reading.knownLength, position: reading.position)
            case .writing(let writing):
                mode = .closed(length: writing.frameCount, position: writing.frameCount)
                do throws(SyrinxError) {
                    try writing.finish()
                } catch {
                    // A failed write has already closed the file and reported its error.
                    if error.code != .finished { failure = AVAudioFileError(error, url) }
                }
            case .closed: break
            }
        }
    }

    /// The error that kept the end of the file from being written when it was closed.
    ///
    /// The file is valid up to there.
    public var closeError: AVAudioFileError? { lock.withLock { failure } }

    // MARK: Position

    /// The number of frames in the file.
    ///
    /// If the container does not state it, the first access reads the whole file to count the frames.
    open var length: AVAudioFramePosition {
        lock.withLock {
            switch mode {
            case .reading(let reading): reading.length
            case .writing(let writing): writing.frameCount
            case .closed(let length, _): length
            }
        }
    }

    /// The index of the next frame to read; for a file open for writing, the number of frames written.
    ///
    /// Setting it is cheap: the next read seeks, and throws if seeking fails. A read from a position past the end
    /// gives no frames. Setting it has no effect on a file open for writing.
    open var framePosition: AVAudioFramePosition {
        get {
            lock.withLock {
                switch mode {
                case .reading(let reading): reading.position
                case .writing(let writing): writing.frameCount
                case .closed(_, let position): position
                }
            }
        }
        set {
            lock.withLock {
                if case .reading(let reading) = mode { reading.position = max(newValue, 0) }
            }
        }
    }

    // MARK: Reading and writing

    /// Reads the next frames into a buffer, up to its capacity.
    ///
    /// `frameLength` is then the number of frames read: less than the capacity only near the end of the file, and 0 at
    /// the end. The sample rate of the buffer's format is ignored, as in `write(from:)`.
    /// - Throws: `AVAudioFileError`: `media.truncated` at the end of a file that is shorter than its header states,
    ///   and errors of reading. After a failure, `framePosition` is the frame at which the read failed.
    open func read(into buffer: AVAudioPCMBuffer) throws {
        try read(into: buffer, frameCount: buffer.frameCapacity)
    }

    /// Reads the next `frames` frames into a buffer, at most its capacity.
    ///
    /// `frameLength` is then the number of frames read: less than requested only near the end of the file, and 0 at
    /// the end.
    /// - Throws: As `read(into:)`.
    open func read(into buffer: AVAudioPCMBuffer, frameCount frames: AVAudioFrameCount) throws {
        try check(buffer)
        try lock.withLock {
            guard case .reading(let reading) = mode else { throw wrongMode("read") }
            do throws(SyrinxError) {
                try reading.read(into: buffer, count: Int(min(frames, buffer.frameCapacity)))
            } catch {
                throw AVAudioFileError(error, url)
            }
        }
    }

    /// Reads up to `frames` frames, beginning at `frame`, into a buffer.
    ///
    /// `framePosition` does not change.
    func read(at frame: AVAudioFramePosition, into buffer: AVAudioPCMBuffer, frameCount frames: AVAudioFrameCount)
        throws
    {
        try check(buffer)
        try lock.withLock {
            guard case .reading(let reading) = mode else { throw wrongMode("read") }
            let place = reading.position
            defer { reading.position = place }
            reading.position = frame
            do throws(SyrinxError) {
                try reading.read(into: buffer, count: Int(min(frames, buffer.frameCapacity)))
            } catch {
                throw AVAudioFileError(error, url)
            }
        }
    }

    /// Appends all frames of a buffer to the file.
    ///
    /// The sample rate of the buffer's format is ignored: the frames are not resampled and play at the rate of the
    /// file. Apple documents only buffers in the processing format; that its class also accepts other rates is an
    /// assumption.
    ///
    /// Samples beyond ±1 are clipped in a file of integers, and kept in a file of floating-point samples.
    /// - Throws: `AVAudioFileError`: `usage.badBuffer` if the sample type or the channel count differs from the
    ///   processing format; also errors of encoding and writing, after which further writes fail.
    open func write(from buffer: AVAudioPCMBuffer) throws {
        try check(buffer)
        try lock.withLock {
            guard case .writing(let writing) = mode else { throw wrongMode("written") }
            do throws(SyrinxError) {
                try writing.write(buffer)
            } catch {
                throw AVAudioFileError(error, url)
            }
        }
    }

    private func check(_ buffer: AVAudioPCMBuffer) throws(AVAudioFileError) {
        let mine = processingFormat
        let theirs = buffer.format
        guard mine.commonFormat == theirs.commonFormat, mine.channelCount == theirs.channelCount,
            mine.isInterleaved == theirs.isInterleaved || mine.channelCount == 1
        else {
            throw AVAudioFileError(.badBuffer, "The buffer has the format \(theirs), but the file needs \(mine).", url)
        }
    }

    private func wrongMode(_ what: String) -> AVAudioFileError {
        if case .closed = mode { return AVAudioFileError(.finished, "It has been closed.", url) }
        return AVAudioFileError(.wrongMode, "It was not opened to be \(what).", url)
    }
}
