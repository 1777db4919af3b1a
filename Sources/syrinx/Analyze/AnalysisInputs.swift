import Foundation
import Synchronization
import SyrinxByteStream

/// One entry of the list that `analyze` works through.
enum AnalysisInput: Equatable, Sendable {
    /// An input to analyse.
    case input(InputArgument)
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
        guard let input = InputArgument(argument: named), !input.isStandardInput else {
            self = .refused(Self.refusal("it is neither a path nor a file:, http: or https: URL", of: named))
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

    /// The refusal of a line that is longer than any path or URL.
    static func tooLong(_ limit: Int) -> AnalysisInput {
        .refused(refusal("it is longer than \(limit >> 10) KiB", of: "line of standard input"))
    }

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

/// The list of inputs, from the command line and from standard input, handed out one by one to any thread.
final class AnalysisInputs: Sendable {
    /// The longest line of standard input, in bytes: four times the longest path of Linux.
    static let longestLine = 16 << 10

    private struct State {
        var arguments: ArraySlice<InputArgument>
        var cutter = LineCutter(limit: AnalysisInputs.longestLine)
        var lines: ArraySlice<LineCutter.Line> = []
        var readsStandardInput = false
        /// The failure that ended the reading of standard input.
        var failure: Failure?
    }

    private let state: Mutex<State>
    private let interruption: Interruption
    /// The number of inputs, or `nil` if standard input has some.
    let total: Int?

    /// The inputs of the command line, in which `-` stands for the lines of standard input.
    init(_ arguments: [InputArgument], interruption: Interruption) {
        state = Mutex(State(arguments: arguments[...]))
        self.interruption = interruption
        total = arguments.contains(where: \.isStandardInput) ? nil : arguments.count
    }

    /// Returns the next input, and waits for standard input if that is where it comes from; `nil` at the end or if interrupted.
    ///
    /// Standard input is read no further than the inputs that have been handed out, but for one piece.
    func next() -> AnalysisInput? {
        state.withLock { state in
            while !interruption.isRequested {
                if let line = state.lines.popFirst() {
                    switch line {
                    case .tooLong: return .tooLong(Self.longestLine)
                    case .text(let bytes): if let input = AnalysisInput(line: bytes) { return input }
                    }
                } else if state.readsStandardInput {
                    readLines(&state)
                } else {
                    guard let argument = state.arguments.popFirst() else { return nil }
                    guard argument.isStandardInput else { return .input(argument) }
                    state.readsStandardInput = true
                }
            }
            return nil
        }
    }

    /// The failure that has ended the reading of standard input; `nil` if it has come to its end, or not been read.
    var failure: Failure? { state.withLock { $0.failure } }

    private func readLines(_ state: inout State) {
        guard Descriptor.wait(for: POLLIN, on: STDIN_FILENO, milliseconds: 100) else { return }
        guard let bytes = Descriptor.readSome(from: STDIN_FILENO, limit: 1 << 14) else {
            let sentence = Descriptor.sentence(errno)
            state.failure = Failure(code: .fileReadFailed, message: sentence, name: "standard input")
            // A line that has come in part only may name another input.
            state.readsStandardInput = false
            return
        }
        guard bytes.isEmpty else {
            state.lines = state.cutter.take(bytes)[...]
            return
        }
        state.lines = state.cutter.finish()[...]
        state.readsStandardInput = false
    }
}
