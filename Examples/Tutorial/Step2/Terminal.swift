// `stdout` is a variable of C, which the compiler cannot prove to be unchanged.
@preconcurrency import Foundation

// snippet: tutorial-terminal
/// Returns the lines of standard input.
///
/// A thread of their own reads them, because `readLine` blocks.
func inputLines() -> AsyncStream<String> {
    AsyncStream { continuation in
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
    }
}

/// Writes a line over the previous one.
func show(_ line: String) {
    print("\r\(line)", terminator: "  ")
    fflush(stdout)
}

/// Returns a time in seconds as minutes and seconds, such as `12:05`.
func clock(_ seconds: Double) -> String {
    // Bounded: at least 0 and below 10^9.
    let whole = Int(max(0, min(seconds, 999_999_999)))
    let rest = whole % 60
    return "\(whole / 60):\(rest < 10 ? "0" : "")\(rest)"
}
// end

/// Returns the URL that an argument contains or, if it has no scheme, the URL of a file.
func location(_ argument: String) -> URL {
    URL(string: argument).flatMap { $0.scheme == nil ? nil : $0 } ?? URL(fileURLWithPath: argument)
}

/// Prints a message to standard error, and exits.
func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(1)
}
