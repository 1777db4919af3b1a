/// Status lines at the bottom of a terminal that are redrawn in place.
///
/// This type only computes the output. Between writes, the cursor is at the start of the first line. A terminal that
/// rewraps lines when it is made narrower moves the cursor with the preceding text. Therefore the text to erase always
/// follows the cursor, however it was rewrapped.
///
/// All of it is erased before drawing, because an overwritten row may count as continued on the next row. The terminal
/// would join the two when it is made wider. Wrapping is disabled while a line is drawn, so that a terminal that was
/// made narrower meanwhile truncates the line.
struct StatusBlock {
    private static let erase = "\r\u{1B}[J"
    private static let wrapOff = "\u{1B}[?7l"
    private static let wrapOn = "\u{1B}[?7h"

    private(set) var lines: [String] = []

    /// Returns the output that replaces the lines; empty if they have not changed.
    mutating func show(_ new: [String]) -> String {
        guard new != lines else { return "" }
        lines = new
        return Self.drawing(lines)
    }

    /// Returns the output that permanently writes `line` above the status lines.
    func print(_ line: String) -> String {
        lines.isEmpty ? line + "\n" : Self.erase + line + "\n" + Self.drawing(lines)
    }

    /// Returns the output that keeps the status lines and continues below them.
    ///
    /// The lines are redrawn, because the terminal may have written `^Z` over them.
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
