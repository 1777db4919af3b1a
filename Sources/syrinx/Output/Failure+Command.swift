import SyrinxByteStream
import SyrinxListening

/// Failures that end the command.
extension Failure {
    /// The exit code for the failure.
    var exitStatus: ExitStatus { ExitStatus(code: code) }

    /// Returns the error for an invalid command line that the argument parser cannot detect.
    static func usage(_ message: String, name: String, code: ErrorCode = .commandLine) -> Failure {
        Failure(code: code, message: message, name: name)
    }
}

extension ExitStatus {
    /// Creates the status for the outcome of a player.
    init(_ outcome: SessionOutcome) {
        switch outcome {
        case .success: self = .success
        case .failure(let failure): self = failure.exitStatus
        case .interrupted: self = .interrupted
        }
    }
}

// Error codes of the command.
extension ErrorCode {
    /// The command line is invalid.
    static let commandLine = ErrorCode(rawValue: "usage.commandLine")
}
