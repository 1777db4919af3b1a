import SyrinxTerminal

/// A message that is displayed for a few seconds.
package struct Message: Equatable, Sendable {
    /// The severity of a message.
    package enum Kind: Equatable, Sendable { case note, warning, error }

    package var text: String
    package var kind: Kind
    /// The time at which it was displayed, in seconds.
    package var time: Double
}

/// The log of the last messages, some of which are visible.
struct MessageLog: Equatable, Sendable {
    /// The maximum number of stored messages.
    static let maximumCount = 200
    /// The maximum number of visible messages.
    static let maximumVisible = 3
    /// The maximum length of a message, in characters.
    static let maximumLength = 2_000

    private(set) var messages: [Message] = []
    private var hidesUntil = -Double.infinity

    /// Returns how long a message is visible, in seconds; longer for warnings and errors.
    static func duration(of kind: Message.Kind) -> Double { kind == .note ? 3 : 8 }

    mutating func add(_ text: String, kind: Message.Kind, at now: Double) {
        let text = String(text.prefix(Self.maximumLength))
        // A repeated message replaces the previous one.
        if let last = messages.last, last.text == text, last.kind == kind { messages.removeLast() }
        messages.append(Message(text: text, kind: kind, time: now))
        if messages.count > Self.maximumCount { messages.removeFirst(messages.count - Self.maximumCount) }
    }

    /// Returns the visible messages, latest last.
    func visible(at now: Double) -> [Message] {
        let isVisible = { [hidesUntil] (message: Message) in
            message.time > hidesUntil && now - message.time < Self.duration(of: message.kind)
        }
        let latest = messages.suffix(Self.maximumVisible)
        return latest.contains(where: isVisible) ? latest.filter(isVisible) : []
    }

    /// Hides messages that have been visible long enough to be read, after user activity.
    mutating func dismissSeen(at now: Double) {
        if let last = messages.last(where: { now - $0.time > 1.5 }) { hidesUntil = max(hidesUntil, last.time) }
    }

    func timeToChange(at now: Double) -> Double? {
        visible(at: now).map { max(Self.duration(of: $0.kind) - (now - $0.time), 0) }.min()
    }
}

/// Draws messages.
extension MessageLog {
    /// Draws the visible messages above the footer.
    func draw(above footer: CellArea, at now: Double, _ styles: Styles, _ grid: inout CellGrid) {
        guard grid.rows >= 4 else { return }
        var row = max(footer.row - 1, 0)
        // A long message takes more rows, but at most an eighth of the screen.
        let most = max(grid.rows / 8, 1)
        for message in visible(at: now).reversed() where row >= 1 {
            let text = "\(message.kind.sign)\(PrintableText.line(message.text))"
            let style = styles.style(message.kind).adding(.reversed)
            let rows = text.wrapped(columns: grid.columns - 4)
            let shown = rows.count > most ? rows.prefix(most - 1) + [rows[(most - 1)...].joined(separator: " ")] : rows
            let width = min(shown.map { DisplayWidth.of($0) + 2 }.max() ?? 0, max(grid.columns - 2, 0))
            for line in shown.reversed() where row >= 1 {
                let column = max(grid.columns - 1 - width, 0)
                grid.fill(CellArea(column: column, row: row, columns: width, rows: 1), style: style)
                grid.draw(line, column: column + 1, row: row, width: width - 2, style: style)
                row -= 1
            }
        }
    }

    /// Returns the lines of all messages, latest first.
    func lines(columns: Int, _ styles: Styles) -> [StyledLine] {
        messages.reversed().flatMap { message in
            let text = message.kind.sign + PrintableText.line(message.text)
            return text.wrapped(columns: columns - 2).enumerated().map { index, row in
                [((index == 0 ? "" : "  ") + row, styles.style(message.kind))]
            }
        }
    }
}

extension Message.Kind {
    /// The first words of a message.
    fileprivate var sign: String {
        switch self {
        case .note: ""
        case .warning: "Warning: "
        case .error: "Error: "
        }
    }
}

extension Styles {
    fileprivate func style(_ kind: Message.Kind) -> Style {
        switch kind {
        case .note: accent
        case .warning: warning
        case .error: error
        }
    }
}
