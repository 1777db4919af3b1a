public import Foundation

/// Hears of the end and of the errors of an ``AVAudioRecorder``.
///
/// Called on the main queue, which the program has to run, for instance by `dispatchMain()`, `RunLoop.main.run()` or an
/// asynchronous `main`. Each method has a default that does nothing.
public protocol AVAudioRecorderDelegate: NSObjectProtocol {
    /// Called when a recording has ended: by `stop()`, because its time is over, or because the input device was lost.
    /// - Parameters:
    ///   - recorder: The recorder.
    ///   - flag: Whether all that was heard is in the file.
    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)

    /// Called when the file cannot be written on; the recording ends there.
    /// - Parameters:
    ///   - recorder: The recorder.
    ///   - error: An `AVAudioRecordingError`, or the `DeviceError` of the input.
    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?)
}

extension AVAudioRecorderDelegate {
    /// Does nothing.
    public func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {}

    /// Does nothing.
    public func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {}
}
