public import AVFAudio
import CoreAudioTypes
public import Foundation

/// The interface of an object that parses audio packets from pushed bytes; `Parser` conforms to it.
public protocol Parsing: AnyObject {
    /// The format of the packets; `nil` until it is known.
    var dataFormat: AVAudioFormat? { get }
    /// The duration in seconds; `nil` until it is known. It may change while data arrives.
    var duration: TimeInterval? { get }
    /// Whether parsing is complete, so that no more packets follow.
    var isParsingComplete: Bool { get }
    /// The packets parsed so far, with their descriptions; a description is `nil` for PCM, whose packets are all alike.
    var packets: [(Data, AudioStreamPacketDescription?)] { get }
    /// The total number of packets; `nil` until it is known.
    var totalPacketCount: AVAudioPacketCount? { get }
    /// The total number of frames; `nil` until it is known.
    var totalFrameCount: AVAudioFrameCount? { get }
    /// Parses the next bytes.
    func parse(data: Data) throws
    /// Returns the frame at a time in seconds, or `nil` before the format is known.
    func frameOffset(forTime time: TimeInterval) -> AVAudioFramePosition?
    /// Returns the index of the packet that contains a frame, or `nil` before the format is known.
    func packetOffset(forFrame frame: AVAudioFramePosition) -> AVAudioPacketCount?
    /// Returns the time of a frame in seconds, or `nil` before the format is known.
    func timeOffset(forFrame frame: AVAudioFrameCount) -> TimeInterval?
}

/// An error of a parser.
public enum ParserError: LocalizedError, Sendable {
    /// The bytes are not readable audio, or the parser was cancelled.
    case failedToParseBytes(SyrinxError)

    /// The message of the underlying error.
    public var errorDescription: String? {
        switch self {
        case .failedToParseBytes(let error): error.errorDescription
        }
    }
}
