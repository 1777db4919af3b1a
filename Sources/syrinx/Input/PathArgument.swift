import ArgumentParser
import SyrinxByteStream

/// A path on the command line, of any bytes.
struct PathArgument: ExpressibleByArgument, Equatable, Sendable {
    static var defaultCompletionKind: CompletionKind { .file() }

    /// The path.
    let path: FilePath

    /// Reads `argument`, or is `nil` if it is empty.
    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        path = FilePath(bytes: ByteText.bytes(of: argument))
    }
}
