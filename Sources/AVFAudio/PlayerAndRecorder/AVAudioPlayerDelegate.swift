public import Foundation

/// Hears of the end and of the errors of an ``AVAudioPlayer``.
///
/// Called on the main queue, which the program has to run, for instance by `dispatchMain()`, `RunLoop.main.run()` or an
/// asynchronous `main`. Each method has a default that does nothing.
public protocol AVAudioPlayerDelegate: NSObjectProtocol {
    /// Called when the sound has been heard to its end, not after `stop()`.
    /// - Parameters:
    ///   - player: The player.
    ///   - flag: Whether all of the file could be decoded.
    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)

    /// Called when the file cannot be read on; its sound ends there.
    /// - Parameters:
    ///   - player: The player.
    ///   - error: An `AVAudioRecordingError`.
    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
}

extension AVAudioPlayerDelegate {
    /// Does nothing.
    public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}

    /// Does nothing.
    public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
}
