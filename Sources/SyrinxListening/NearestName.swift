/// The name that a misspelt one was meant for.
package enum NearestName {
    /// Returns the name that `word` begins, or one that it differs from by a slip or two; `nil` if there is none.
    package static func find(_ word: String, among names: [String]) -> String? {
        let word = word.lowercased()
        let begun = names.filter { word.count >= 2 && $0.hasPrefix(word) }
        if begun.count == 1 { return begun[0] }
        let near = names.map { (name: $0, distance: distance(word, $0)) }.filter { candidate in
            candidate.distance <= (min(word.count, candidate.name.count) >= 5 ? 2 : 1)
        }
        return near.min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
    }

    /// Returns the question for the name that `word` was meant for, after a space; empty if there is none.
    package static func question(_ word: String, among names: [String]) -> String {
        find(word, among: names).map { " Did you mean \($0)?" } ?? ""
    }

    /// The number of letters to insert, leave out, replace or exchange with the next, to make `a` of `b`.
    private static func distance(_ a: String, _ b: String) -> Int {
        let a = Array(a)
        let b = Array(b)
        // Nothing longer is a name.
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
