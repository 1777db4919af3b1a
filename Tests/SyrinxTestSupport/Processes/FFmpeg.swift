public import Foundation

/// The `ffmpeg` program, which makes the inputs of tests and decodes what is compared with.
public enum FFmpeg {
    /// A run that failed, with the messages of the program.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// The first number of the program's version; 0 if it has none, as builds between versions.
    public static let majorVersion: Int = {
        let head = (try? runProcess("ffmpeg", ["-version"]).stdout).map {
            String(decoding: $0.prefix(64), as: UTF8.self)
        }
        let number = head?.split(separator: " ").dropFirst(2).first?.prefix { $0.isNumber }
        return number.flatMap { Int($0) } ?? 0
    }()

    /// Runs `ffmpeg`, which writes over files that exist.
    ///
    /// Output of nothing but sources of libavfilter and files is made once in a process, and copied after that.
    /// - Returns: Standard output.
    /// - Throws: `Failure` if it does not end with 0.
    @discardableResult
    public static func run(_ arguments: [String], stdin: Data = Data()) throws -> Data {
        if stdin.isEmpty, let order = MadeFileOrder(arguments), let made = MadeFiles.shared {
            return try made.give(order) { try start($0) }
        }
        return try start(arguments, stdin: stdin)
    }

    /// The libraries that most symbols are bound to in the program's start, each of which is looked for in all 200 libraries in turn.
    ///
    /// Loaded first, they are found first, and the start takes a third less of the processor. The dynamic loader writes an error
    /// for each that is not there. What is preloaded already, such as the runtime of a sanitizer, stays.
    private static let preloading: [String: String] = {
        guard ProcessInfo.processInfo.environment["LD_PRELOAD"] == nil else { return [:] }
        let names = ["libopenblas.so.0", "libepoxy.so.0", "libcrypto.so.3", "librsvg-2.so.2", "libstdc++.so.6"]
        let folders = ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu" } + ["/usr/lib64", "/usr/lib"]
        let found = names.compactMap { name in
            folders.lazy.map { "\($0)/\(name)" }.first(where: FileManager.default.fileExists)
        }
        return found.isEmpty ? [:] : ["LD_PRELOAD": found.joined(separator: ":")]
    }()

    @discardableResult
    private static func start(_ arguments: [String], stdin: Data = Data()) throws -> Data {
        let options = ["-hide_banner", "-v", "error", "-nostdin", "-y"]
        let result = try runProcess("ffmpeg", options + arguments, environment: preloading, stdin: stdin)
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
