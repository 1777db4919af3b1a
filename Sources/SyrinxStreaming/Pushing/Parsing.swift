public import AVFAudio
import CoreAudioTypes
public import Foundation

/// Takes bytes in as they come, and finds in them what kind of audio they are and its packets.
public protocol Parsing: AnyObject {
    /// The format of the packets, as soon as it is known.
    var dataFormat: AVAudioFormat? { get }
    /// The length in seconds, as soon as it is known. It may change while data arrive.
    var duration: TimeInterval? { get }
    /// Whether there will be no more packets.
    var isParsingComplete: Bool { get }
    /// The packets found so far, with their descriptions (`nil` where all packets are alike, as in PCM).
    var packets: [(Data, AudioStreamPacketDescription?)] { get }
    /// The number of all packets, as soon as it is known.
    var totalPacketCount: AVAudioPacketCount? { get }
    /// The number of all frames, as soon as it is known.
    var totalFrameCount: AVAudioFrameCount? { get }
    /// Takes the next bytes in.
    func parse(data: Data) throws
    /// The frame at a time, or `nil` before the format is known.
    func frameOffset(forTime time: TimeInterval) -> AVAudioFramePosition?
    /// The packet that holds a frame, or `nil` before the format is known.
    func packetOffset(forFrame frame: AVAudioFramePosition) -> AVAudioPacketCount?
    /// The time of a frame, or `nil` before the format is known.
    func timeOffset(forFrame frame: AVAudioFrameCount) -> TimeInterval?
}

/// An error of a parser.
public enum ParserError: LocalizedError, Sendable {
    /// The bytes are not audio that can be understood, or the parser has been given up.
    case failedToParseBytes(SyrinxError)

    /// The sentence, for `localizedDescription`.
    public var errorDescription: String? {
        switch self {
        case .failedToParseBytes(let error): error.errorDescription
        }
    }
}
