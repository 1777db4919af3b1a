internal import CoreAudioTypes
public import Foundation
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// A file of sound, open for reading or for writing.
///
/// It reads whatever can be decoded and writes what can be encoded; what goes in and out of its methods is uncompressed, in
/// the `processingFormat`. The length and every position are exact to the frame: what an encoder adds at both ends is left
/// out. Any thread may use it; one waits for the other. Methods may block as long as the disk does.
open class AVAudioFile: NSObject, @unchecked Sendable {
    // Unchecked: what changes is touched under `lock` only.

    /// The URL of the file.
    public let url: URL
    /// The format of the sound in the file.
    public let fileFormat: AVAudioFormat
    /// The format of the buffers that are read or written: by default 32-bit float, one buffer a channel.
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
    ///   - format: The samples of the processing format; whole numbers are rounded to.
    ///   - interleaved: Whether the channels of a frame lie side by side.
    /// - Throws: `AVAudioFileError`, also for `.otherFormat`.
    public convenience init(forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool) throws
    {
        guard format != .otherFormat else {
            throw AVAudioFileError(.badSettings, "A file is read as samples of a format that has a name.", fileURL)
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

    /// Creates a file for writing, with the standard processing format, or empties the one that is there.
    ///
    /// Its kind is said by the ending of its name (`wav`, `aiff`, `caf`, `m4a`, `flac`, `mp3`, `ogg`, `opus`) or by
    /// `AVAudioFileTypeKey`. It can be opened for reading while it is written. Uncompressed WAV, AIFF and CAF files are whole
    /// after each `write(from:)`, whatever becomes of the process. FLAC, MP3 and Ogg files can be read up to what their encoders
    /// have given out. M4A, and Apple Lossless in CAF, can be read when the file has been closed: what they need to be found
    /// comes last. How far Apple's own files can be read before they are closed is not documented.
    /// - Parameters:
    ///   - fileURL: A `file:` URL.
    ///   - settings: The format in the file, as in `AVAudioFormat.settings`; the keys that begin with `AVEncoder` say how it
    ///     is to be compressed.
    /// - Throws: `AVAudioFileError`: `usage.badSettings`, `media.unsupported`, and the failures of making a file.
    public convenience init(forWriting fileURL: URL, settings: [String: Any]) throws {
        try self.init(forWriting: fileURL, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: false)
    }

    /// Creates a file for writing, or empties the one that is there; see `init(forWriting:settings:)`.
    /// - Parameters:
    ///   - fileURL: A `file:` URL.
    ///   - settings: The format in the file, as in `init(forWriting:settings:)`.
    ///   - format: The samples of the processing format.
    ///   - interleaved: Whether the channels of a frame lie side by side.
    /// - Throws: `AVAudioFileError`, also for `.otherFormat`.
    public convenience init(
        forWriting fileURL: URL,
        settings: [String: Any],
        commonFormat format: AVAudioCommonFormat,
        interleaved: Bool
    ) throws {
        try Self.check(fileURL)
        guard format != .otherFormat else {
            throw AVAudioFileError(.badSettings, "A file is written from samples of a format that has a name.", fileURL)
        }
        let writing = try AudioFileWriting(url: fileURL, settings: settings, common: (format, interleaved))
        self.init(fileURL, .writing(writing), writing.fileFormat, writing.processingFormat)
    }

    private static func check(_ url: URL) throws(AVAudioFileError) {
        guard url.isFileURL else { throw AVAudioFileError(.notAFile, "Only URLs of files can be opened.", url) }
    }

    deinit { close() }

    // MARK: Closing

    /// Whether the file has not been closed.
    open var isOpen: Bool {
        lock.withLock { if case .closed = mode { false } else { true } }
    }

    /// Closes the file; one that is written is completed.
    ///
    /// Letting the object go does the same. A failure is in `closeError` afterwards.
    open func close() {
        lock.withLock {
            switch mode {
            case .reading(let reading):
                // The length of one that has not been counted is not worth counting now.
                mode = .closed(length: reading.knownLength, position: reading.position)
            case .writing(let writing):
                mode = .closed(length: writing.frameCount, position: writing.frameCount)
                do throws(SyrinxError) {
                    try writing.finish()
                } catch {
                    // After a write that failed the file has been given up, and that has been reported.
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

    // MARK: Where it is

    /// The number of frames in the file.
    ///
    /// Where the container does not tell, the first call reads the whole file, to count.
    open var length: AVAudioFramePosition {
        lock.withLock {
            switch mode {
            case .reading(let reading): reading.length
            case .writing(let writing): writing.frameCount
            case .closed(let length, _): length
            }
        }
    }

    /// The frame that is read next; of a file that is written, the one after the last.
    ///
    /// Setting it is cheap: the next read goes there, and throws if it cannot. Past the end nothing is read. In a file that
    /// is written it does nothing.
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

    /// Fills a buffer with the next frames, as many as it has room for.
    ///
    /// `frameLength` says afterwards how many there were: fewer only before the end of the file, and none at it. The sample
    /// rate of the buffer's format does not matter, as in `write(from:)`.
    /// - Throws: `AVAudioFileError`: `media.truncated` at the end of a file that states that there is more, and the failures
    ///   of reading. After a failure, `framePosition` is where it happened.
    open func read(into buffer: AVAudioPCMBuffer) throws {
        try read(into: buffer, frameCount: buffer.frameCapacity)
    }

    /// Fills a buffer with the next `frames` frames, or as many as it has room for.
    ///
    /// `frameLength` says afterwards how many there were: fewer only before the end of the file, and none at it.
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

    /// Fills a buffer with `frames` frames from `frame` on, or as many as there are, and leaves `framePosition` where it is.
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

    /// Writes all frames of a buffer after those written so far.
    ///
    /// Frames of a buffer of another sample rate are written as they are: nothing is resampled, so they play at the rate of the
    /// file. Apple's documentation asks for the processing format, and does not say what becomes of another rate; that theirs
    /// takes such buffers unconverted is an assumption.
    /// - Throws: `AVAudioFileError`: `usage.badBuffer` for other samples or another number of channels than those of the
    ///   processing format; the failures of encoding and writing, after which nothing more can be written.
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
            throw AVAudioFileError(.badBuffer, "The buffer is of \(theirs), the file takes and gives \(mine).", url)
        }
    }

    private func wrongMode(_ what: String) -> AVAudioFileError {
        if case .closed = mode { return AVAudioFileError(.finished, "It has been closed.", url) }
        return AVAudioFileError(.wrongMode, "It was not opened to be \(what).", url)
    }
}
