public import AVFAudio

/// The interface of an object that decodes parsed packets into PCM of one format; `Reader` conforms to it.
public protocol Reading: AnyObject {
    /// The index of the packet in which the next read starts.
    var currentPacket: AVAudioPacketCount { get }
    /// The parser that provides the packets.
    var parser: any Parsing { get }
    /// The format of the returned buffers.
    var readFormat: AVAudioFormat { get }
    /// Decodes the next `frames` frames, or fewer at the end.
    /// - Throws: `ReaderError.notEnoughData` if the parser needs more data first, or `.reachedEndOfFile` at the end.
    func read(_ frames: AVAudioFrameCount) throws -> AVAudioPCMBuffer
    /// Seeks to the first frame of a packet.
    func seek(_ packet: AVAudioPacketCount) throws
}

/// An error of a reader.
public enum ReaderError: LocalizedError, Sendable {
    /// The data has not arrived yet: parse more data and read again. No frames are lost.
    case notEnoughData
    /// The end of the recording has been reached.
    case reachedEndOfFile
    /// The format is not known yet: parse more data first.
    case parserMissingDataFormat
    /// The read format is not deinterleaved 32-bit float.
    case unsupportedReadFormat
    /// The packets cannot be decoded.
    case decodingFailed(SyrinxError)

    /// The message of the error.
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
