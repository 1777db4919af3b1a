import SyrinxByteStream
import SyrinxListening

/// Failures as the command ends with them.
extension Failure {
    /// The exit code that the failure asks for.
    var exitStatus: ExitStatus { ExitStatus(code: code) }

    /// A command line that is wrong in a way that only looking at all of it shows.
    static func usage(_ message: String, name: String, code: ErrorCode = .commandLine) -> Failure {
        Failure(code: code, message: message, name: name)
    }
}

extension ExitStatus {
    /// The status for the way in which a player has ended.
    init(_ outcome: SessionOutcome) {
        switch outcome {
        case .success: self = .success
        case .failure(let failure): self = failure.exitStatus
        case .interrupted: self = .interrupted
        }
    }
}

// Codes of the command.
extension ErrorCode {
    /// The command line is wrong.
    static let commandLine = ErrorCode(rawValue: "usage.commandLine")
    /// No player runs that could be controlled.
    static let noPlayer = ErrorCode(rawValue: "device.noPlayer")
}
