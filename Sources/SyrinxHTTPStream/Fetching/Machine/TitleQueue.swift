/// The titles of a live stream that its reader has not come to yet.
struct TitleQueue: Sendable {
    /// The titles, and the offsets of the bytes that they begin with, ascending.
    private var titles: [(offset: Int64, fields: [String: String])] = []

    /// Titles kept at most: a stream may be paused for hours.
    static let limit = 64

    /// Adds a title that begins with the byte at `offset`.
    ///
    /// Beyond `limit` titles the oldest is dropped. Its fields that still apply move to the next one.
    mutating func append(_ fields: [String: String], at offset: Int64) {
        titles.append((offset, fields))
        guard titles.count > Self.limit else { return }
        let oldest = titles.removeFirst()
        for (name, value) in oldest.fields where titles[0].fields.count < ICYDemultiplexer.mostNames {
            if titles[0].fields[name] == nil { titles[0].fields[name] = value }
        }
    }

    /// Removes the titles that begin before `offset`, and returns their fields, the earliest first.
    mutating func removeTitles(before offset: Int64) -> [[String: String]] {
        let passed = titles.prefix { $0.offset < offset }
        titles.removeFirst(passed.count)
        return passed.map(\.fields)
    }
}
