import Foundation
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxListening
import SyrinxMediaCodec
import SyrinxStreaming

/// One entry of a list of inputs, such as `analyze -` and `play --inputs` read.
enum InputLine: Equatable, Sendable {
    /// An input.
    case input(ListeningInput)
    /// An invalid entry.
    case refused(Failure)

    /// Reads a line of standard input: a path, a URL, or a JSON object with `input`; `nil` for an empty line.
    ///
    /// Text that starts with a brace but is not a JSON object is a path.
    init?(line: [UInt8]) {
        var bytes = line[...]
        if bytes.last == UInt8(ascii: "\r") { bytes = bytes.dropLast() }
        let text = bytes.withUnsafeBytes { ByteText.text(carrying: $0) }
        guard text.contains(where: { !$0.isWhitespace }) else { return nil }
        guard let named = Self.name(in: text) else {
            self = .refused(Self.refusal("it is not a JSON object with a string \"input\"", of: text))
            return
        }
        guard let input = ListeningInput(argument: named), !input.isStandardInput else {
            self = .refused(Self.refusal(ListeningInput.refusal, of: named))
            return
        }
        self = .input(input)
    }

    /// The name of the input in results and messages.
    var name: String {
        switch self {
        case .input(let input): input.name
        case .refused(let failure): failure.name
        }
    }

    /// The maximum length of a line, in bytes: four times the maximum path length of Linux.
    static let longest = 16 << 10

    /// The entry for a line that exceeds the maximum length.
    static let tooLong = InputLine.refused(refusal("it is longer than \(longest >> 10) KiB", of: "line of a list"))

    private static func refusal(_ reason: String, of text: String) -> Failure {
        .usage(reason, name: text.count > 200 ? text.prefix(200) + "…" : text, code: .badInputLine)
    }

    private static func name(in text: String) -> String? {
        guard text.first(where: { !$0.isWhitespace }) == "{",
            let object = try? JSONDecoder().decode([String: AnyValue].self, from: Data(text.utf8))
        else { return text }
        return object["input"]?.text
    }
}

/// A value of a JSON object, which is ignored unless it is a string.
private struct AnyValue: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
}

extension ErrorCode {
    /// A line in a list of inputs is not an input.
    static let badInputLine = ErrorCode(rawValue: "usage.badInput")
}

extension InputLine {
    /// The maximum number of lines in a list, which is also that of items in a queue.
    private static let mostLines = 200_000

    /// Reads a list to its end, and returns the inputs that its lines name.
    ///
    /// - Parameters:
    ///   - list: A file, or standard input.
    ///   - interruption: Cancels reading.
    ///   - refuse: Called with the error of each invalid line.
    /// - Throws: `usage.commandLine` for a URL of the web, `media.empty` if no line names an input,
    ///   `media.unsupported` for more than 16 MiB or 200,000 lines, or the error of reading the list.
    static func inputs(
        in list: ListeningInput,
        interruption: Interruption,
        refuse: (Failure) -> Void
    ) throws(Failure) -> [ListeningInput] {
        // A list from the web must not name local files.
        guard !list.isWeb else { throw .usage("--inputs takes a file on this machine, or -", name: list.name) }
        let bytes = try list.bytes(
            limit: Playlist.largestSize,
            network: HTTPByteStream.Options(),
            interruption: interruption
        )
        var cutter = LineCutter(limit: longest)
        let lines = cutter.take(bytes) + cutter.finish()
        // A final line break counts as one more line, which is empty.
        guard lines.count <= mostLines + 1 else {
            let message = "The list has more than \(mostLines) lines: play a part of it."
            throw Failure(code: .unsupported, message: message, name: list.name)
        }
        var inputs: [ListeningInput] = []
        for line in lines {
            switch InputLine(line) {
            case .input(let input): inputs.append(input)
            case .refused(let failure): refuse(failure)
            case nil: break
            }
        }
        guard !inputs.isEmpty else { throw Failure(code: .empty, message: "The list names no input.", name: list.name) }
        return inputs
    }

    /// Parses a line of a list; returns `nil` for an empty line.
    init?(_ line: LineCutter.Line) {
        switch line {
        case .tooLong: self = .tooLong
        case .text(let bytes): self.init(line: bytes)
        }
    }
}

/// Splits bytes into lines of limited length.
struct LineCutter {
    /// The maximum length of a line, in bytes.
    let limit: Int
    private var pending: [UInt8] = []
    private var isTooLong = false

    init(limit: Int) { self.limit = limit }

    /// A line, or a placeholder for a line that exceeds the limit.
    enum Line: Equatable {
        case text([UInt8])
        case tooLong
    }

    /// Appends bytes, and returns the lines that are now complete.
    mutating func take(_ bytes: [UInt8]) -> [Line] {
        var lines: [Line] = []
        for piece in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            if piece.offset > 0 { lines += finish() }
            guard !isTooLong else { continue }
            pending += piece.element
            if pending.count > limit {
                isTooLong = true
                pending = []
            }
        }
        return lines
    }

    /// Returns the last line, which has no line break; it may be empty.
    mutating func finish() -> [Line] {
        defer { (pending, isTooLong) = ([], false) }
        if isTooLong { return [.tooLong] }
        return [.text(pending)]
    }
}
