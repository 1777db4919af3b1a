import ArgumentParser
import SyrinxByteStream

/// A path on the command line, which may contain any bytes.
struct PathArgument: ExpressibleByArgument, Equatable, Sendable {
    static var defaultCompletionKind: CompletionKind { .file() }

    /// The path.
    let path: FilePath
    /// Whether the path is `-`, which some commands use for standard input or output.
    var isStandardStream: Bool { path.bytes == [UInt8(ascii: "-")] }

    /// Creates a path from an argument; returns `nil` if it is empty.
    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        path = FilePath(bytes: ByteText.bytes(of: argument))
    }
}
