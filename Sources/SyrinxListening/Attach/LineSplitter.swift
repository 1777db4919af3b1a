/// Cuts bytes into lines.
///
/// Pure: a line may come in any number of pieces.
package struct LineSplitter: Sendable {
    /// A line without its line break.
    package enum Line: Equatable, Sendable {
        case text(String)
        /// More than fits: its bytes are dropped.
        case tooLong
    }

    /// The most bytes that a line may have.
    package let longestLine: Int
    private var held: [UInt8] = []
    private var isTooLong = false

    /// A splitter for lines of at most `longestLine` bytes.
    package init(longestLine: Int) { self.longestLine = longestLine }

    /// The lines that `bytes` complete.
    package mutating func lines(in bytes: [UInt8]) -> [Line] {
        var lines: [Line] = []
        var pieces = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        while let piece = pieces.popFirst() {
            hold(piece)
            if pieces.isEmpty { break }
            lines.append(take())
        }
        return lines
    }

    /// Returns the text after the last line break, if there is any.
    package mutating func rest() -> Line? {
        held.isEmpty && !isTooLong ? nil : take()
    }

    private mutating func hold(_ piece: ArraySlice<UInt8>) {
        guard !isTooLong else { return }
        held += piece
        if held.count > longestLine {
            isTooLong = true
            held = []
        }
    }

    private mutating func take() -> Line {
        defer {
            held = []
            isTooLong = false
        }
        return isTooLong ? .tooLong : .text(String(decoding: held, as: UTF8.self))
    }
}
