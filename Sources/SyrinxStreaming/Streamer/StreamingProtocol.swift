public import AVFAudio
public import Foundation

/// Plays a URL while it is being fetched.
public protocol Streaming: AnyObject {
    /// Told of what happens, on `delegateQueue`.
    var delegate: (any StreamingDelegate)? { get set }
    /// The engine that the sound goes through.
    var engine: AVAudioEngine { get }
    /// The node that the sound enters the engine by.
    var playerNode: AVAudioPlayerNode { get }
    /// The URL that is played.
    ///
    /// Setting it starts again and forgets the previous input.
    var url: URL? { get set }
    /// Seconds of the input: what is being heard now. `nil` without an input.
    var currentTime: TimeInterval? { get }
    /// Seconds of the input: how long it is, as soon as that is known.
    var duration: TimeInterval? { get }
    /// Whether it plays.
    var state: StreamingState { get }
    /// The gain of everything, 0…1.
    var volume: Float { get set }
    /// The largest number of frames that are decoded at a time.
    var readBufferSize: AVAudioFrameCount { get set }
    /// The format that is decoded to, and that the nodes work in.
    var readFormat: AVAudioFormat { get }
    /// Plays, as soon as there is enough to play.
    func play()
    /// Stands still.
    func pause()
    /// Ends.
    func stop()
    /// Goes to a time of the input.
    func seek(to time: TimeInterval) throws
}

/// Whether a streamer plays, in the three words that a button needs.
///
/// `PlaybackStatus` says more.
public enum StreamingState: String, Sendable {
    /// Not begun, ended or failed.
    case stopped
    /// Silent for now: told to be, or because data has not arrived.
    case paused
    /// New samples of the input are reaching the output.
    case playing
}

/// Told of what a streamer does, on its `delegateQueue`.
public protocol StreamingDelegate: AnyObject {
    /// The input could not be fetched or played.
    func streamer(_ streamer: any Streaming, failedDownloadWithError error: any Error, forURL url: URL)
    /// Reports the share of the input that has arrived, 0…1.
    func streamer(_ streamer: any Streaming, updatedDownloadProgress progress: Float, forURL url: URL)
    /// The state has changed.
    func streamer(_ streamer: any Streaming, changedState state: StreamingState)
    /// Reports the time that is heard.
    func streamer(_ streamer: any Streaming, updatedCurrentTime currentTime: TimeInterval)
    /// The duration is known, or known better.
    func streamer(_ streamer: any Streaming, updatedDuration duration: TimeInterval)
}

extension StreamingState {
    /// The status in three words.
    init(_ status: PlaybackStatus) {
        switch status {
        case .playing: self = .playing
        case .opening, .buffering, .paused: self = .paused
        case .stopped, .ended, .failed: self = .stopped
        }
    }
}
