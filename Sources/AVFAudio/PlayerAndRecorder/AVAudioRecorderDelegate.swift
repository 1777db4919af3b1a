public import Foundation

/// Receives the end and the errors of an ``AVAudioRecorder``.
///
/// The methods are called on the main queue, which the program has to run, for instance with `dispatchMain()`,
/// `RunLoop.main.run()` or an asynchronous `main`. All methods are optional: default implementations do nothing.
public protocol AVAudioRecorderDelegate: NSObjectProtocol {
    /// Called when a recording has ended: after `stop()`, after its duration, or because the input device was lost.
    /// - Parameters:
    ///   - recorder: The recorder.
    ///   - flag: Whether the file has the complete recording.
    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)

    /// Called when the file cannot be written on; the recording ends there.
    /// - Parameters:
    ///   - recorder: The recorder.
    ///   - error: An `AVAudioRecordingError`, or the `DeviceError` of the input.
    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?)
}

extension AVAudioRecorderDelegate {
    /// The default implementation, which does nothing.
    public func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {}

    /// The default implementation, which does nothing.
    public func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {}
}
