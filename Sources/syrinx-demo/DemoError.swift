import Foundation
import Glibc

/// An error of the demo.
struct DemoError: LocalizedError, CustomStringConvertible {
    /// The kind of a failure: a dotted string that never changes its meaning.
    struct Code: RawRepresentable, Hashable, Sendable {
        let rawValue: String

        /// The engine failed to render.
        static let renderFailed = Code(rawValue: "demo.renderFailed")
        /// A program could not be started.
        static let cannotRun = Code(rawValue: "demo.cannotRun")
        /// The server could not listen on any port.
        static let cannotListen = Code(rawValue: "demo.cannotListen")
        /// The command line is wrong.
        static let usage = Code(rawValue: "usage.arguments")
        /// A file cannot be read.
        static let unreadable = Code(rawValue: "file.unreadable")
    }

    let code: Code
    /// The message for the user.
    let message: String
    var underlying: (any Error)?

    var description: String { message }
    var errorDescription: String? { message }

    /// The exit code, as in `sysexits.h`.
    var exitCode: Int32 {
        switch code {
        case .usage: 64
        case .unreadable: 66
        case .cannotRun: 69
        default: 70
        }
    }

    static func cannotRun(_ path: String, errno: Int32) -> DemoError {
        DemoError(code: .cannotRun, message: "\(path) cannot be run: \(String(cString: strerror(errno))).")
    }

    static func cannotListen(errno: Int32) -> DemoError {
        DemoError(code: .cannotListen, message: "Couldn't listen on 127.0.0.1: \(String(cString: strerror(errno))).")
    }
}
