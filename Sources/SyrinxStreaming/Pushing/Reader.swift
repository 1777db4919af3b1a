public import AVFAudio
import Foundation
import SyrinxByteStream
import SyrinxMediaCodec

/// Reads what a `Parser` has found, in one format.
///
/// All methods may be called from any thread. Reads of two threads follow each other, each with the frames after those of the other;
/// a thread that needs its own position takes a reader of its own. Several readers may read one parser while it is given bytes.
public final class Reader: Reading, @unchecked Sendable {
    // Unchecked: what changes is touched under `lock` only.
    private let lock = NSLock()
    /// The parser that provides the packets.
    public var parser: any Parsing { source }
    /// The format of what is read.
    public let readFormat: AVAudioFormat

    private let source: Parser
    private var pcm: PCMSource?
    /// The source frame that the next read begins at.
    private var position: Int64 = 0
    /// The source frame at which `pcm` began, and the number of frames of `readFormat` read since.
    private var given: (from: Int64, count: Int64) = (0, 0)

    /// A reader of what `parser` has been and will be given, from its first frame on.
    /// - Parameters:
    ///   - parser: Which has to know the format already.
    ///   - readFormat: 32-bit float, one buffer a channel; any rate, any number of channels.
    /// - Throws: `ReaderError`.
    public init(parser: Parser, readFormat: AVAudioFormat) throws {
        guard parser.dataFormat != nil else { throw ReaderError.parserMissingDataFormat }
        guard readFormat.isStandard else { throw ReaderError.unsupportedReadFormat }
        source = parser
        self.readFormat = readFormat
    }

    /// The packet that the next read begins in.
    public var currentPacket: AVAudioPacketCount { source.packetOffset(forFrame: lock.withLock { position }) ?? 0 }

    /// The next `frames` frames, or fewer at the end.
    /// - Throws: `ReaderError.notEnoughData` if more has to be parsed first, `.reachedEndOfFile` past the end,
    ///   `.decodingFailed` if what is there is damaged beyond use.
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
            // What the converter still holds has not been given.
            given.count += Int64(buffer.frameLength)
            let ratio = pcm.info.sampleRate / readFormat.sampleRate
            position = given.from.addingClamped(Int64(clamped: Double(given.count) * ratio))
        } catch let error as SyrinxError where error.isNotYet {
            // The decoder has run into what is missing: it begins anew, at the frame that this read began at.
            pcm = nil
            throw ReaderError.notEnoughData
        } catch let error as SyrinxError {
            throw ReaderError.decodingFailed(error)
        }
        guard buffer.frameLength > 0 || frames == 0 else { throw ReaderError.reachedEndOfFile }
        return buffer
    }

    /// Goes to the first frame of a packet.
    /// - Throws: `ReaderError.parserMissingDataFormat` as long as the parser does not know the format.
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
    /// Whether the data has not arrived, rather than being wrong.
    fileprivate var isNotYet: Bool { code == PushedBytes.notYet }
}
