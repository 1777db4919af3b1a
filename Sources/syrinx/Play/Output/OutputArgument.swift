import ArgumentParser
import Foundation
import SyrinxByteStream

/// The value of `--output`.
enum OutputArgument: ExpressibleByArgument, Equatable, Sendable {
    case automatic
    case pulse(sink: String?)
    case alsa(pcm: String?)
    case null
    case file(path: FilePath)

    /// Reads `argument`, or is `nil` if it names no kind of output.
    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let detail = parts.count > 1 ? parts[1] : nil
        if detail == "" { return nil }
        switch (parts[0], detail) {
        case ("auto", nil): self = .automatic
        case ("null", nil): self = .null
        case ("pulse", let sink): self = .pulse(sink: sink)
        case ("alsa", let pcm): self = .alsa(pcm: pcm)
        case ("file", let path?): self = .file(path: FilePath(bytes: ByteText.bytes(of: path)))
        default: return nil
        }
    }

    /// The output as it is written on the command line.
    var text: String {
        switch self {
        case .automatic: "auto"
        case .pulse(let sink): sink.map { "pulse:\($0)" } ?? "pulse"
        case .alsa(let pcm): pcm.map { "alsa:\($0)" } ?? "alsa"
        case .null: "null"
        case .file(let path): "file:\(path.name)"
        }
    }

    var defaultValueDescription: String { text }

    static var defaultCompletionKind: CompletionKind { Completion.outputs }

    /// The file that is written, if it is one.
    var path: FilePath? {
        if case .file(let path) = self { path } else { nil }
    }
}
