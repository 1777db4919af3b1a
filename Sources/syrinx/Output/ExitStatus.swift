import SyrinxByteStream
import SyrinxDevice
import SyrinxHTTPStream
import SyrinxListening
import SyrinxMediaCodec
import SyrinxPodcastLibrary

/// The exit code of the process, as specified by the command-line contract, based on BSD's `sysexits.h`.
struct ExitStatus: RawRepresentable, Hashable, Sendable {
    /// The number that the shell receives.
    let rawValue: Int32

    init(rawValue: Int32) { self.rawValue = rawValue }

    /// Success.
    static let success = ExitStatus(rawValue: 0)
    /// The command line is invalid.
    static let usage = ExitStatus(rawValue: 64)
    /// The input is not audio, or cannot be decoded.
    static let badData = ExitStatus(rawValue: 65)
    /// The input does not exist.
    static let noInput = ExitStatus(rawValue: 66)
    /// A service is unavailable.
    static let unavailable = ExitStatus(rawValue: 69)
    /// Reading or writing failed.
    static let inputOutput = ExitStatus(rawValue: 74)
    /// An operation timed out, even after retries.
    static let timedOut = ExitStatus(rawValue: 75)
    /// Permission was denied.
    static let noPermission = ExitStatus(rawValue: 77)
    /// The process was ended by `SIGHUP`, because its terminal was closed.
    static let hungUp = ExitStatus(rawValue: 129)
    /// The process was interrupted, for example by Control-C.
    static let interrupted = ExitStatus(rawValue: 130)
    /// The process was ended by `SIGTERM`.
    static let terminated = ExitStatus(rawValue: 143)

    /// All statuses and their descriptions, sorted by number.
    static let meanings: [(status: ExitStatus, meaning: String)] = [
        (.success, "The work is done."),
        (.usage, "The command line is wrong."),
        (.badData, "The input is not audio, or nothing in it can be decoded."),
        (.noInput, "The input does not exist."),
        (.unavailable, "A server, a device or a service is not available."),
        (.inputOutput, "Reading or writing failed, or the input is damaged."),
        (.timedOut, "A server did not answer in time, also when asked again."),
        (.noPermission, "Permission was denied."),
        (.hungUp, "The terminal was closed."),
        (.interrupted, "The command was interrupted, as by Ctrl-C."),
        (.terminated, "Another process ended the command, as kill does."),
    ]

    /// Creates the status for an error code.
    init(code: ErrorCode) {
        self = Self.named[code] ?? Self.byCause[code.rawValue.prefix { $0 != "." }.description] ?? .inputOutput
    }

    /// The error codes whose status differs from that of their category.
    private static let named: [ErrorCode: ExitStatus] = [
        .fileNotFound: .noInput, .httpStatus(404): .noInput, .httpStatus(410): .noInput,
        .filePermissionDenied: .noPermission, .httpStatus(401): .noPermission, .httpStatus(403): .noPermission,
        .timedOut: .timedOut,
        .deviceWriteFailed: .inputOutput, .truncated: .inputOutput, .damaged: .inputOutput,
        .encodeFailed: .inputOutput,
        .fileIsDirectory: .badData, .emptyBody: .badData,
        .noSuchPodcast: .noInput, .noSuchEpisode: .noInput, .noRecording: .noInput, .libraryBusy: .unavailable,
        .nothingToResume: .noInput,
    ]

    private static let byCause: [String: ExitStatus] = [
        "file": .inputOutput, "http": .unavailable, "network": .unavailable, "device": .unavailable,
        "media": .badData, "usage": .usage,
    ]
}
