/// The key bindings of a user interface, with those of the listener, for each of its pages.
package struct KeyBindings: Equatable, Sendable {
    /// The face whose keys they are.
    package let face: PlayerFace
    private var table: [KeyContext: [KeyName: BoundCommand]]

    /// Creates the standard keys of a face.
    package init(face: PlayerFace = .terminal) {
        self.face = face
        table = [:]
        for row in KeyTable.rows {
            for (command, keys) in row.keys {
                for key in row.names(of: keys, in: face) { table[row.context, default: [:]][key] = command }
            }
        }
    }

    /// Returns the command of a key on a page; `nil` if it has none there.
    package func command(for key: KeyName, on page: PlayerPage) -> BoundCommand? {
        for context in page.contexts {
            if let command = table[context]?[key] { return command }
        }
        return nil
    }

    /// Binds a key to another command in a context; `nil` removes its command there.
    package mutating func bind(_ key: KeyName, to command: BoundCommand?, in context: KeyContext) {
        table[context, default: [:]][key] = command
    }

    /// Returns the keys of a command in a context: the standard ones in the order of the table, then the listener's own.
    package func keys(for command: BoundCommand, in context: KeyContext) -> [KeyName] {
        let standard = standardKeys(of: command, in: context)
        let bound = (table[context] ?? [:]).filter { $0.value == command }.keys
        let own = bound.filter { !standard.contains($0) }.sorted { $0.text < $1.text }
        return standard.filter { bound.contains($0) } + own
    }

    private func standardKeys(of command: BoundCommand, in context: KeyContext) -> [KeyName] {
        Self.standard[face]?[context]?[command] ?? []
    }

    /// The standard keys of each command, in the order of the table.
    private static let standard: [PlayerFace: [KeyContext: [BoundCommand: [KeyName]]]] = {
        var result: [PlayerFace: [KeyContext: [BoundCommand: [KeyName]]]] = [:]
        for face in PlayerFace.allCases {
            for row in KeyTable.rows {
                for (command, keys) in row.keys {
                    result[face, default: [:]][row.context, default: [:]][command, default: []] +=
                        row.names(of: keys, in: face)
                }
            }
        }
        return result
    }()

    /// Returns the symbol of the first key of a command on a page, for the footer; `nil` if it has none.
    package func hint(for command: BoundCommand, on page: PlayerPage) -> String? {
        for context in page.contexts {
            // Each frame asks for it, so the standard keys are tried before the whole table is looked through.
            let found =
                standardKeys(of: command, in: context).first { self.command(for: $0, on: page) == command }
                ?? keys(for: command, in: context).first { self.command(for: $0, on: page) == command }
            if let found { return found.symbol }
        }
        return nil
    }

    /// Returns the help for a page: its own keys first, then those that work everywhere.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - skips: The skip intervals in seconds. Default: those without a setting.
    package func help(
        for page: PlayerPage,
        skips: SkipIntervals = SkipIntervals()
    ) -> [(context: KeyContext, keys: String, meaning: String)] {
        page.contexts.flatMap { context in
            lines(of: KeyTable.rows.filter { $0.context == context }, on: page)
                .map { (context, $0.keys.map(\.symbol).joined(separator: " "), $0.row.meaning(skips: skips)) }
        }
    }

    /// Returns the help under the headings of the table, without those that have no keys in this face.
    ///
    /// - Parameter skips: The skip intervals in seconds. Default: those without a setting.
    package func groups(
        skips: SkipIntervals = SkipIntervals()
    ) -> [(title: String, rows: [(keys: [KeyName], meaning: String)])] {
        KeyTable.groups.compactMap { group in
            let rows = lines(of: group.rows, on: nil).map { (keys: $0.keys, meaning: $0.row.meaning(skips: skips)) }
            return rows.isEmpty ? nil : (group.title, rows)
        }
    }

    /// Returns rows with the keys that they have on a page, or in their context if `page` is `nil`.
    private func lines(of rows: [KeyRow], on page: PlayerPage?) -> [(row: KeyRow, keys: [KeyName])] {
        // A command with two rows has the listener's own keys in the first of them.
        var listed: Set<BoundCommand> = []
        return rows.filter { $0.isOf(face) }.compactMap { row in
            let keys = keys(of: row, on: page, listed: &listed)
            return keys.isEmpty ? nil : (row, keys)
        }
    }

    /// Returns the keys that a row has on a page.
    ///
    /// - Parameter listed: The commands of the rows before, and of this one when it returns.
    private func keys(of row: KeyRow, on page: PlayerPage?, listed: inout Set<BoundCommand>) -> [KeyName] {
        var result: [KeyName] = []
        for (command, keys) in row.keys {
            let isFirst = listed.insert(command).inserted
            let standard = row.names(of: keys, in: face)
            let others = standardKeys(of: command, in: row.context).filter { !standard.contains($0) }
            for key in self.keys(for: command, in: row.context) {
                if let page, self.command(for: key, on: page) != command { continue }
                if standard.contains(key) || (isFirst && !others.contains(key)) { result.append(key) }
            }
        }
        return result
    }
}

// MARK: - The line of --plain

extension KeyBindings {
    /// Returns the keys that work beside the line of `--plain`, in the order of the table.
    ///
    /// `brief` is the meaning in the words of the line's short help; `nil` for keys that it leaves out.
    /// - Parameter skips: The skip intervals in seconds. Default: those without a setting.
    package func line(skips: SkipIntervals = SkipIntervals()) -> [(keys: String, meaning: String, brief: String?)] {
        let rows = KeyTable.rows.filter { if case .none = $0.line { false } else { true } }
        return lines(of: rows, on: .playing).map { row, keys in
            let brief = if case .told(let words) = row.line { row.isSkip ? skips.brief : words } else { String?.none }
            return (keys.map(\.symbol).joined(separator: " "), row.meaning(skips: skips), brief)
        }
    }

    /// Returns the command of a key during `--plain` playback; `nil` if the key has no command there.
    ///
    /// - Parameter key: The key that was pressed.
    package func lineCommand(for key: KeyName) -> BoundCommand? {
        guard let command = command(for: key, on: .playing) else { return nil }
        if case .listening = command { return command }
        return Self.lineCommands.contains(command) ? command : nil
    }

    /// The commands of the rows that work there.
    private static let lineCommands: Set<BoundCommand> = {
        let rows = KeyTable.rows.filter { if case .none = $0.line { false } else { true } }
        return Set(rows.flatMap { $0.keys.map(\.command) })
    }()
}
