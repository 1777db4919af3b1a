import AVFoundation

// snippet: session
/// Reports the device that is heard, and then each change of it, until the observers are removed.
func watchDevice(
    of session: AVAudioSession = .sharedInstance(),
    report: @escaping @Sendable (String) -> Void
) -> [any NSObjectProtocol] {
    report(describe(session))
    let center = NotificationCenter.default
    let change = center.addObserver(forName: AVAudioSession.routeChangeNotification, object: session, queue: nil) { _ in
        report(describe(session))
    }
    let interruption = center.addObserver(
        forName: AVAudioSession.interruptionNotification,
        object: session,
        queue: nil
    ) { note in
        guard let value = note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt else { return }
        report(value == AVAudioSession.InterruptionType.began.rawValue ? "The output has gone." : "The output is back.")
    }
    return [change, interruption]
}

/// The name of the output, its sample rate, its channels and its volume.
func describe(_ session: AVAudioSession) -> String {
    guard let port = session.currentRoute.outputs.first else { return "There is no output." }
    let volume = Int((session.outputVolume * 100).rounded())
    return "\(port.portName): \(session.sampleRate) Hz, \(session.outputNumberOfChannels) channels, volume \(volume) %"
}
// end
