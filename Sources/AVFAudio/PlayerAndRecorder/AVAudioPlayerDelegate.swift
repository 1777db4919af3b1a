public import Foundation

/// Receives the end and the errors of an ``AVAudioPlayer``.
///
/// The methods are called on the main queue, which the program has to run, for instance with `dispatchMain()`,
/// `RunLoop.main.run()` or an asynchronous `main`. All methods are optional: default implementations do nothing.
///
/// ```swift
/// final class Ending: NSObject, AVAudioPlayerDelegate {
///     func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
///         print(flag ? "played to the end" : "the file is damaged")
///     }
/// }
/// ```
public protocol AVAudioPlayerDelegate: NSObjectProtocol {
    /// Called when the sound was played to its end, but not after `stop()`.
    /// - Parameters:
    ///   - player: The player.
    ///   - flag: Whether the whole file could be decoded.
    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)

    /// Called when the file cannot be read on; its sound ends there.
    /// - Parameters:
    ///   - player: The player.
    ///   - error: An `AVAudioRecordingError`.
    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
}

extension AVAudioPlayerDelegate {
    /// The default implementation, which does nothing.
    public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}

    /// The default implementation, which does nothing.
    public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
}
