/// The task of the demo, from its command line.
enum Plan: Equatable {
    /// Play the piece; these arguments go to `syrinx play`.
    case play([String])
    /// Serve this file, or the piece if there is none, until interrupted.
    case serve(String?)
    /// Show the help.
    case help

    /// Parses the arguments without the program's name.
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

/// The arguments of `syrinx play`, and the information for the message about them.
struct Performance: Equatable {
    let arguments: [String]
    /// The recording to mention at the end; `nil` if there is none.
    let recording: String?
    /// Whether there is no sound device.
    let isSilent: Bool

    /// Creates the arguments that play `url` with the user's `options`.
    ///
    /// - Parameters:
    ///   - devices: The output of `syrinx devices --json`; `nil` if it failed.
    ///   - recordingPath: The path of the recording that replaces a missing device.
    init(url: String, options: [String], devices: String?, recordingPath: String) {
        func isGiven(_ option: String) -> Bool {
            options.contains { $0 == option || $0.hasPrefix(option + "=") }
        }
        // Each device is a JSON object, so a brace means that there is one.
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
