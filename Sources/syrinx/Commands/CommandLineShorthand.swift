import Foundation

/// Finds out what a command line without a command means: inputs to play, or a word that is misspelt.
///
/// Pure but for `exists`.
enum CommandLineShorthand: Equatable {
    /// The arguments with the command that they stand for.
    case arguments([String])
    /// A word that is neither a command nor an input, and the command that it may have been meant for.
    case unknown(String, suggestion: String?)

    /// Understands `arguments`, which do not hold the program's own name; `exists` tells whether there is a file at a path.
    init(_ arguments: [String], commands: [String], exists: (String) -> Bool) {
        guard let first = arguments.first else {
            self = .arguments(arguments)
            return
        }
        // Options before any word: they are those of `play` if something to play follows.
        if first.hasPrefix("-"), first != "-" {
            let words = arguments.filter { !$0.hasPrefix("-") || $0 == "-" }
            let isPlay = !words.isEmpty && !words.contains(where: commands.contains)
            self = .arguments(isPlay ? ["play"] + arguments : arguments)
        } else if commands.contains(first) || first.isEmpty {
            self = .arguments(arguments)
        } else if first == "-" || first.contains("/") || exists(first) {
            self = .arguments(["play"] + arguments)
        } else if let suggestion = Self.suggestion(for: first, among: commands) {
            self = .unknown(first, suggestion: suggestion)
        } else if first.contains(".") {
            self = .arguments(["play"] + arguments)
        } else {
            self = .unknown(first, suggestion: nil)
        }
    }

    /// The command that `word` may have been meant for: one that it begins, or one that a slip or two away is.
    static func suggestion(for word: String, among commands: [String]) -> String? {
        let word = word.lowercased()
        let begun = commands.filter { word.count >= 2 && $0.hasPrefix(word) }
        if begun.count == 1 { return begun[0] }
        let near = commands.map { (command: $0, distance: distance(word, $0)) }.filter { candidate in
            candidate.distance <= (min(word.count, candidate.command.count) >= 5 ? 2 : 1)
        }
        return near.min { ($0.distance, $0.command) < ($1.distance, $1.command) }?.command
    }

    /// The number of letters to insert, leave out, replace or exchange with the next, to make `a` of `b`.
    static func distance(_ a: String, _ b: String) -> Int {
        let a = Array(a)
        let b = Array(b)
        // Nothing longer is a command.
        guard a.count <= 64, b.count <= 64 else { return max(a.count, b.count) }
        var rows = [Array(0...b.count)]
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                let replaced = rows[i][j] + (a[i] == b[j] ? 0 : 1)
                var best = min(replaced, min(rows[i][j + 1], row[j]) + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, rows[i - 1][j - 1] + 1) }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
