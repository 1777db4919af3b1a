/// The lines at the bottom of a terminal that are rewritten in place.
///
/// Pure: what is to be shown in, what is to be written out.
///
/// Between two writes the cursor stands at the start of the first line. Terminals that rewrap long lines when they are made
/// narrower move the cursor with the text in front of it. So the text to erase always lies behind the cursor, however often a
/// line was rewrapped. It is erased as a whole before anything is drawn: a row that is only overwritten may still count
/// as continued on the next, and be joined with it when the terminal is made wider. While a line is drawn the terminal does not
/// wrap: one that has been made narrower in the meantime cuts the line off.
struct StatusBlock {
    private static let erase = "\r\u{1B}[J"
    private static let wrapOff = "\u{1B}[?7l"
    private static let wrapOn = "\u{1B}[?7h"

    private(set) var lines: [String] = []

    /// The text that replaces the lines by `new`: none if they are shown already.
    mutating func show(_ new: [String]) -> String {
        guard new != lines else { return "" }
        lines = new
        return Self.drawing(lines)
    }

    /// The text that writes `line` above the lines, for good.
    func print(_ line: String) -> String {
        lines.isEmpty ? line + "\n" : Self.erase + line + "\n" + Self.drawing(lines)
    }

    /// The text that leaves the lines as they are, and goes on below them.
    ///
    /// They are drawn once more: the terminal may have written `^Z` over them.
    mutating func leave() -> String {
        guard !lines.isEmpty else { return "" }
        defer { lines = [] }
        return Self.drawing(lines) + String(repeating: "\n", count: lines.count)
    }

    private static func drawing(_ lines: [String]) -> String {
        guard !lines.isEmpty else { return erase }
        let up = lines.count > 1 ? "\u{1B}[\(lines.count - 1)A" : ""
        return erase + wrapOff + "\r" + lines.joined(separator: "\n\r") + up + "\r" + wrapOn
    }
}
