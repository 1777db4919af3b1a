public import AVFAudio

/// Gives PCM of one format, as much as is asked for, from what a parser has found.
public protocol Reading: AnyObject {
    /// The packet that the next read begins in.
    var currentPacket: AVAudioPacketCount { get }
    /// The parser that provides the packets.
    var parser: any Parsing { get }
    /// The format of what is read.
    var readFormat: AVAudioFormat { get }
    /// The next `frames` frames, or fewer at the end.
    /// - Throws: `ReaderError.notEnoughData` if more has to be parsed first, `.reachedEndOfFile` past the end.
    func read(_ frames: AVAudioFrameCount) throws -> AVAudioPCMBuffer
    /// Goes to the first frame of a packet.
    func seek(_ packet: AVAudioPacketCount) throws
}

/// An error of a reader.
public enum ReaderError: LocalizedError, Sendable {
    /// The data has not arrived: parse more, and read again. Nothing is lost.
    case notEnoughData
    /// There is nothing more.
    case reachedEndOfFile
    /// The format is not known yet: parse more first.
    case parserMissingDataFormat
    /// Samples cannot be given in such a format: it has to be 32-bit float with one buffer a channel.
    case unsupportedReadFormat
    /// The packets cannot be decoded.
    case decodingFailed(SyrinxError)

    /// The sentence, for `localizedDescription`.
    public var errorDescription: String? {
        switch self {
        case .notEnoughData: "The data has not arrived yet: parse more, and read again."
        case .reachedEndOfFile: "The end of the recording has been reached."
        case .parserMissingDataFormat: "The format is not known yet: parse more first."
        case .unsupportedReadFormat: "The read format has to be 32-bit float with one buffer for each channel."
        case .decodingFailed(let error): error.errorDescription
        }
    }
}
