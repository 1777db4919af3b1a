/// The task that the command line gives the demo.
enum Plan: Equatable {
    /// Play the piece; these arguments go to `syrinx play`.
    case play([String])
    /// Serve this file, or the piece if there is none, until interrupted.
    case serve(String?)
    /// Show the help.
    case help

    /// Reads the arguments after the program's name.
    init(arguments: [String]) throws(DemoError) {
        switch arguments.first {
        case "-h", "--help":
            self = .help
        case "--serve":
            guard arguments.count <= 2 else {
                throw DemoError(code: .usage, message: "--serve takes one file, or none.")
            }
            self = .serve(arguments.count == 2 ? arguments[1] : nil)
        default:
            self = .play(arguments)
        }
    }

    static let helpText = """
        Examples:
          syrinx-demo                        compose a piece, serve it, and play it from there
          syrinx-demo --rate 1.5 --pitch 300 the same, with options of `syrinx play`
          syrinx-demo --serve talk.mp3       only serve a file, and print its URL

        The local server holds each connection to twice the bit rate of 128 kbit/s, so that what is heard is a stream
        and not a download.

        """
}

/// Which arguments `syrinx play` is given, and what is said about them.
struct Performance: Equatable {
    let arguments: [String]
    /// The file that holds what was played, if there is one to name at the end.
    let recording: String?
    /// Whether there is nothing to hear it with.
    let isSilent: Bool

    /// Plays `url` with the user's own `options`.
    ///
    /// - Parameters:
    ///   - devices: What `syrinx devices --json` wrote, or nil if it failed.
    ///   - recordingPath: Where to leave a recording if there is no device.
    init(url: String, options: [String], devices: String?, recordingPath: String) {
        func isGiven(_ option: String) -> Bool {
            options.contains { $0 == option || $0.hasPrefix(option + "=") }
        }
        // A device is a JSON object, whatever surrounds it.
        isSilent = !isGiven("--output") && !(devices ?? "").contains("{")
        var arguments = ["play"] + options
        if isSilent {
            arguments += ["--output", "null"]
        }
        if isSilent && !isGiven("--record") {
            arguments += ["--record", recordingPath]
            recording = recordingPath
        } else {
            recording = nil
        }
        self.arguments = arguments + [url]
    }
}
