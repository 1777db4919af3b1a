import SyrinxListening
import SyrinxTerminal

extension KeyBindings {
    /// Returns the key help of the page, in two columns if there is space.
    func helpLines(for page: PlayerPage, skips: SkipIntervals, columns: Int, _ styles: Styles) -> [StyledLine] {
        let entries = help(for: page, skips: skips)
        let widest = entries.map { DisplayWidth.of($0.keys) }.max() ?? 0
        let keyWidth = min(widest, min(max(columns / 3, 8), 24))
        var lines: [StyledLine] = []
        var context: KeyContext?
        let isDouble = columns >= 92
        let half = columns / 2
        var waiting: [StyledLine] = []
        /// Returns keys and their meaning, wrapped to several rows if necessary.
        func cell(_ entry: (context: KeyContext, keys: String, meaning: String), width: Int) -> [StyledLine] {
            let room = max(width - keyWidth - 3, 2)
            let (keys, meaning) = (entry.keys.wrapped(columns: keyWidth), entry.meaning.wrapped(columns: room))
            func padded(_ texts: [String], _ index: Int, _ width: Int) -> String {
                let text = index < texts.count ? texts[index] : ""
                return text + String(repeating: " ", count: max(width - DisplayWidth.of(text), 0))
            }
            return (0..<max(keys.count, meaning.count)).map { index in
                [
                    (padded(keys, index, keyWidth + 2), styles.accent),
                    (padded(meaning, index, width - keyWidth - 2), styles.text),
                ]
            }
        }
        /// Joins two cells side by side.
        func pair(_ left: [StyledLine], _ right: [StyledLine]) -> [StyledLine] {
            let blank = [(String(repeating: " ", count: half), styles.text)]
            return (0..<max(left.count, right.count)).map { index in
                (index < left.count ? left[index] : blank) + (index < right.count ? right[index] : [])
            }
        }
        for entry in entries {
            if entry.context != context {
                lines += waiting
                waiting = []
                if context != nil { lines.append([]) }
                context = entry.context
                lines.append([(entry.context.heading, styles.title)])
            }
            if !isDouble {
                lines += cell(entry, width: columns)
            } else if !waiting.isEmpty {
                lines += pair(waiting, cell(entry, width: half))
                waiting = []
            } else {
                waiting = cell(entry, width: half)
            }
        }
        return lines + waiting
    }
}

extension KeyContext {
    /// The heading in the help.
    fileprivate var heading: String {
        switch self {
        case .player: "Everywhere"
        case .list: "In lists"
        default: PlayerPage.allCases.first { $0.contexts.first == self }?.title ?? rawValue
        }
    }
}
