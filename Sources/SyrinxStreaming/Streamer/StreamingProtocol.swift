public import AVFAudio
public import Foundation

/// The interface of an object that plays a URL while it downloads; `Streamer` conforms to it.
public protocol Streaming: AnyObject {
    /// The delegate, which is called on `delegateQueue`.
    var delegate: (any StreamingDelegate)? { get set }
    /// The engine that renders the audio.
    var engine: AVAudioEngine { get }
    /// The player node that feeds decoded audio into the engine.
    var playerNode: AVAudioPlayerNode { get }
    /// The URL of the current input.
    ///
    /// Setting it stops playback, discards the previous input and opens the new one.
    var url: URL? { get set }
    /// The playback position in seconds; `nil` without an input.
    var currentTime: TimeInterval? { get }
    /// The duration of the input in seconds; `nil` until it is known.
    var duration: TimeInterval? { get }
    /// The status of playback, reduced to three states.
    var state: StreamingState { get }
    /// The output gain, 0…1.
    var volume: Float { get set }
    /// The maximum number of frames in a decoded buffer.
    var readBufferSize: AVAudioFrameCount { get set }
    /// The format of decoded audio and of the nodes.
    var readFormat: AVAudioFormat { get }
    /// Starts or resumes playback as soon as enough audio is decoded.
    func play()
    /// Pauses playback and keeps the position; `play()` resumes playback.
    ///
    /// While the input is opening, playback then does not start by itself.
    func pause()
    /// Stops playback and cancels all work for the input.
    func stop()
    /// Seeks to a time in the input, in seconds.
    func seek(to time: TimeInterval) throws
}

/// The state of playback, reduced to the three states that a play button needs.
///
/// `PlaybackStatus` is more detailed.
public enum StreamingState: String, Sendable {
    /// Playback has not started, has ended, was stopped or has failed.
    case stopped
    /// Playback is paused by the program, or waits for data.
    case paused
    /// Samples of the input are reaching the output.
    case playing
}

/// The delegate of a streamer; its methods are called on `delegateQueue`.
public protocol StreamingDelegate: AnyObject {
    /// The input at `url` could not be fetched or played.
    func streamer(_ streamer: any Streaming, failedDownloadWithError error: any Error, forURL url: URL)
    /// The downloaded fraction of the input changed, 0…1.
    func streamer(_ streamer: any Streaming, updatedDownloadProgress progress: Float, forURL url: URL)
    /// The state of playback changed.
    func streamer(_ streamer: any Streaming, changedState state: StreamingState)
    /// The playback position changed; `currentTime` is in seconds.
    func streamer(_ streamer: any Streaming, updatedCurrentTime currentTime: TimeInterval)
    /// The duration in seconds is known, or a better estimate of it.
    func streamer(_ streamer: any Streaming, updatedDuration duration: TimeInterval)
}

extension StreamingState {
    /// Reduces a status to three states.
    init(_ status: PlaybackStatus) {
        switch status {
        case .playing: self = .playing
        case .opening, .buffering, .paused: self = .paused
        case .stopped, .ended, .failed: self = .stopped
        }
    }
}
