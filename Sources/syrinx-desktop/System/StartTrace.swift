import Foundation

/// The instants at which a recording is opened and its waveform appears, on the standard error for `Benchmarks/desktop-start`.
enum StartTrace {
    private static let isOn = ProcessInfo.processInfo.environment["SYRINX_TRACE_START"] != nil

    /// Writes an instant, in seconds of the clock that never goes back.
    /// - Parameter event: The name of the event.
    static func mark(_ event: String) {
        guard isOn else { return }
        let seconds = ProcessInfo.processInfo.systemUptime
        FileHandle.standardError.write(Data("trace \(event) \(seconds)\n".utf8))
    }
}
