public import AVFAudio
import Foundation
import SyrinxByteStream
import SyrinxMediaCodec

/// Decodes the packets of a `Parser` into PCM of one format.
///
/// ```swift
/// let format = AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 1)!
/// let reader = try Reader(parser: parser, readFormat: format)
/// do {
///     while true { print(try reader.read(4096).frameLength, "frames") }
/// } catch ReaderError.reachedEndOfFile {
///     print("done")
/// }
/// ```
///
/// All methods may be called from any thread. Reads from two threads are serialized and share one position; a thread
/// that needs its own position creates its own reader. Several readers may use one parser while it still receives data.
public final class Reader: Reading, @unchecked Sendable {
    // Unchecked: `lock` guards all mutable state.
    private let lock = NSLock()
    /// The parser that provides the packets.
    public var parser: any Parsing { source }
    /// The format of the returned buffers.
    public let readFormat: AVAudioFormat

    private let source: Parser
    private var pcm: PCMSource?
    /// The source frame at which the next read starts.
    private var position: Int64 = 0
    /// The source frame at which `pcm` started, and the number of frames of `readFormat` read since.
    private var given: (from: Int64, count: Int64) = (0, 0)

    /// Creates a reader that starts at the first frame of `parser`.
    /// - Parameters:
    ///   - parser: A parser whose `dataFormat` is already known.
    ///   - readFormat: The output format: deinterleaved 32-bit float, with any sample rate and channel count.
    /// - Throws: `ReaderError.parserMissingDataFormat` or `.unsupportedReadFormat`.
    public init(parser: Parser, readFormat: AVAudioFormat) throws {
        guard parser.dataFormat != nil else { throw ReaderError.parserMissingDataFormat }
        guard readFormat.isStandard else { throw ReaderError.unsupportedReadFormat }
        source = parser
        self.readFormat = readFormat
    }

    /// The index of the packet in which the next read starts.
    public var currentPacket: AVAudioPacketCount { source.packetOffset(forFrame: lock.withLock { position }) ?? 0 }

    /// Decodes the next `frames` frames, or fewer at the end.
    /// - Throws: `ReaderError.notEnoughData` if the parser needs more data first, `.reachedEndOfFile` at the end, or
    ///   `.decodingFailed` if the data is too damaged to decode.
    public func read(_ frames: AVAudioFrameCount) throws -> AVAudioPCMBuffer {
        guard let buffer = AVAudioPCMBuffer(pcmFormat: readFormat, frameCapacity: frames) else {
            throw ReaderError.unsupportedReadFormat
        }
        lock.lock()
        defer { lock.unlock() }
        do {
            let pcm = try opened()
            while buffer.frameLength < frames {
                guard try pcm.read(into: buffer) > 0 else { break }
            }
            // Frames that the converter still holds do not count.
            given.count += Int64(buffer.frameLength)
            let ratio = pcm.info.sampleRate / readFormat.sampleRate
            position = given.from.addingClamped(Int64(clamped: Double(given.count) * ratio))
        } catch let error as SyrinxError where error.isNotYet {
            // The decoder hit the missing data: recreate it at the frame where this read started.
            pcm = nil
            throw ReaderError.notEnoughData
        } catch let error as SyrinxError {
            throw ReaderError.decodingFailed(error)
        }
        guard buffer.frameLength > 0 || frames == 0 else { throw ReaderError.reachedEndOfFile }
        return buffer
    }

    /// Seeks to the first frame of a packet.
    /// - Throws: `ReaderError.parserMissingDataFormat` before the parser knows the format.
    public func seek(_ packet: AVAudioPacketCount) throws {
        guard let frame = source.frameOffset(forPacket: packet) else { throw ReaderError.parserMissingDataFormat }
        lock.withLock {
            position = max(0, frame)
            pcm = nil
        }
    }

    private func opened() throws -> PCMSource {
        if let pcm { return pcm }
        let new = try PCMSource(
            MediaReader.open(PushedBytes(source.bytes, isSeekable: true, waits: false)),
            readFormat: readFormat
        )
        if position > 0 { try new.seek(toFrame: position) }
        pcm = new
        given = (position, 0)
        return new
    }
}

extension SyrinxError {
    /// Whether the data has not arrived yet, as opposed to being damaged.
    fileprivate var isNotYet: Bool { code == PushedBytes.notYet }
}
