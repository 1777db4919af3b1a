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
    /// An entry that names no input.
    case refused(Failure)

    /// Reads a line of standard input: a path, a URL, or a JSON object with `input`; `nil` for an empty line.
    ///
    /// Text that is no JSON object as a whole is a path, also if it begins like one.
    init?(line: [UInt8]) {
        var bytes = line[...]
        if bytes.last == UInt8(ascii: "\r") { bytes = bytes.dropLast() }
        let text = bytes.withUnsafeBytes { ByteText.text(carrying: $0) }
        guard text.contains(where: { !$0.isWhitespace }) else { return nil }
        guard let named = Self.name(in: text) else {
            self = .refused(Self.refusal("it is no JSON object with a text \"input\"", of: text))
            return
        }
        guard let input = ListeningInput(argument: named), !input.isStandardInput else {
            self = .refused(Self.refusal(ListeningInput.refusal, of: named))
            return
        }
        self = .input(input)
    }

    /// The name in the answer.
    var name: String {
        switch self {
        case .input(let input): input.name
        case .refused(let failure): failure.name
        }
    }

    /// The longest line, in bytes: four times the longest path of Linux.
    static let longest = 16 << 10

    /// The refusal of a line that is longer than any path or URL.
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

/// A value of a JSON object, of which only a text counts.
private struct AnyValue: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
}

extension ErrorCode {
    /// A line of the list of inputs names no input.
    static let badInputLine = ErrorCode(rawValue: "usage.badInput")
}

extension InputLine {
    /// The most lines of one list: as many as a queue takes.
    private static let mostLines = 200_000

    /// Reads a whole list on this machine, which names one input a line; waits for its end.
    ///
    /// - Parameters:
    ///   - list: A file, or standard input.
    ///   - refuse: Called with the failure of a line that names no input.
    /// - Throws: `usage.commandLine` for an address of the web; `media.empty` if it names no input; `media.unsupported` if it has more than
    ///   16 MiB or 200,000 lines; the failure of reading it.
    static func inputs(
        in list: ListeningInput,
        interruption: Interruption,
        refuse: (Failure) -> Void
    ) throws(Failure) -> [ListeningInput] {
        // It names files of this machine, which nothing on the web may do.
        guard !list.isWeb else { throw .usage("--inputs takes a file on this machine, or -", name: list.name) }
        let bytes = try list.bytes(
            limit: Playlist.largestSize,
            network: HTTPByteStream.Options(),
            interruption: interruption
        )
        var cutter = LineCutter(limit: longest)
        let lines = cutter.take(bytes) + cutter.finish()
        // A list that ends in a line break has an empty line behind it.
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

    /// Reads a line that has been cut from a list; `nil` for an empty one.
    init?(_ line: LineCutter.Line) {
        switch line {
        case .tooLong: self = .tooLong
        case .text(let bytes): self.init(line: bytes)
        }
    }
}

/// Cuts bytes into lines of a bounded length.
///
/// A value, without any waiting.
struct LineCutter {
    /// The greatest number of bytes in a line.
    let limit: Int
    private var pending: [UInt8] = []
    private var isTooLong = false

    init(limit: Int) { self.limit = limit }

    /// A line, or the mark of one that exceeds the limit.
    enum Line: Equatable {
        case text([UInt8])
        case tooLong
    }

    /// Returns the lines that `bytes` complete.
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

    /// Returns the line that no line break has ended, if there is one.
    mutating func finish() -> [Line] {
        defer { (pending, isTooLong) = ([], false) }
        if isTooLong { return [.tooLong] }
        return [.text(pending)]
    }
}
