/// A terminal's screen as far as the status needs one, for tests: lines, a cursor, and the way it takes another width.
///
/// Two kinds are modelled: one that divides long lines anew (as VTE, tmux, kitty and most others do) and one that cuts them off
/// (as xterm and the Linux console do).
struct ScreenModel {
    private struct Row {
        var cells: [Character] = []
        /// Whether the next row goes on with the same line.
        var continues = false
    }

    private(set) var width: Int
    let reflows: Bool
    private var rows = [Row()]
    private var row = 0
    private var column = 0
    private var wraps = true

    init(width: Int, reflows: Bool) {
        self.width = width
        self.reflows = reflows
    }

    /// The rows from the first to the last that has something on it.
    var text: [String] {
        var lines = rows.map { String($0.cells).trimmedAtEnd }
        while lines.last == "" { lines.removeLast() }
        return lines
    }

    mutating func write(_ text: String) {
        var rest = Array(text.unicodeScalars.map(Character.init))[...]
        while let character = rest.popFirst() {
            switch character {
            case "\r": column = 0
            // As the line discipline writes it.
            case "\n": lineFeed()
            case "\u{1B}": escape(&rest)
            default: put(character)
            }
        }
    }

    mutating func resize(to new: Int) {
        defer { width = new }
        guard reflows else {
            for index in rows.indices { rows[index].cells = Array(rows[index].cells.prefix(new)) }
            column = min(column, new - 1)
            return
        }
        var divided: [Row] = []
        var place = (row: 0, column: 0)
        var index = 0
        while index < rows.count {
            var line: [Character] = []
            var cursor: Int?
            while true {
                if index == row { cursor = line.count + column }
                line += rows[index].cells
                index += 1
                if index >= rows.count || !rows[index - 1].continues { break }
            }
            let first = divided.count
            if let cursor { place = (first + cursor / new, cursor % new) }
            repeat {
                divided.append(Row(cells: Array(line.prefix(new)), continues: line.count > new))
                line.removeFirst(min(new, line.count))
            } while !line.isEmpty
        }
        rows = divided
        (row, column) = place
        while rows.count <= row { rows.append(Row()) }
    }

    private mutating func lineFeed() {
        column = 0
        row += 1
        while rows.count <= row { rows.append(Row()) }
    }

    private mutating func put(_ character: Character) {
        if column >= width {
            guard wraps else {
                rows[row].cells[width - 1] = character
                return
            }
            rows[row].continues = true
            lineFeed()
        }
        while rows[row].cells.count <= column { rows[row].cells.append(" ") }
        rows[row].cells[column] = character
        column += 1
    }

    private mutating func escape(_ rest: inout ArraySlice<Character>) {
        guard rest.popFirst() == "[" else { return }
        var parameters = ""
        while let character = rest.popFirst() {
            guard character.isLetter else {
                parameters.append(character)
                continue
            }
            switch (character, parameters) {
            case ("K", ""): eraseLine()
            case ("J", ""):
                eraseLine()
                rows.removeSubrange((row + 1)...)
            case ("A", _): row = max(0, row - (Int(parameters) ?? 1))
            case ("l", "?7"): wraps = false
            case ("h", "?7"): wraps = true
            default: break
            }
            return
        }
    }

    private mutating func eraseLine() {
        rows[row].cells = Array(rows[row].cells.prefix(column))
        // As in tmux: what is left of a row is continued where it was.
        if column == 0 { rows[row].continues = false }
    }
}

extension String {
    fileprivate var trimmedAtEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
