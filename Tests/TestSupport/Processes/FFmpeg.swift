public import Foundation

/// The `ffmpeg` program, which makes the inputs of tests and decodes what is compared with.
public enum FFmpeg {
    /// A run that failed, with the messages of the program.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// Runs `ffmpeg`, which writes over files that exist.
    ///
    /// A file that is made from nothing but sources of libavfilter is made once in a process, and copied after that.
    /// - Returns: Standard output.
    /// - Throws: `Failure` if it does not end with 0.
    @discardableResult
    public static func run(_ arguments: [String], stdin: Data = Data()) throws -> Data {
        if stdin.isEmpty, let order = MadeFiles.Order(arguments), let made = MadeFiles.shared {
            try made.copy(order) { path in try start(arguments.dropLast() + [path]) }
            return Data()
        }
        return try start(arguments, stdin: stdin)
    }

    @discardableResult
    private static func start(_ arguments: [String], stdin: Data = Data()) throws -> Data {
        let options = ["-hide_banner", "-v", "error", "-nostdin", "-y"]
        let result = try runProcess("ffmpeg", options + arguments, stdin: stdin)
        guard result.status == 0 else {
            throw Failure(description: "ffmpeg \(arguments.joined(separator: " ")): \(result.errors)")
        }
        return result.stdout
    }

    /// Makes a file from a source of libavfilter, such as `sine=440:d=1`.
    public static func make(_ path: String, from source: String, _ options: [String] = []) throws {
        try run(["-f", "lavfi", "-i", source] + options + [path])
    }

    /// Returns the decoded samples of a file, interleaved.
    public static func decode(_ path: String, _ options: [String] = []) throws -> [Float] {
        let data = try run(["-i", path] + options + ["-f", "f32le", "-c:a", "pcm_f32le", "-"])
        return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }
}
