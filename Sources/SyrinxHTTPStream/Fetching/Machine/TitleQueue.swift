/// The titles of a broadcast that have arrived, with the offsets at which they begin, for readers beside the main one.
struct TitleMarks: Sendable {
    /// The titles, ascending.
    private(set) var marks: [(offset: Int64, title: String)] = []
    /// The metadata of the titles, in the same order.
    private(set) var fields: [[String: String]] = []

    /// The maximum number of titles: hours of a broadcast.
    static let limit = 512

    /// Appends the title of metadata that begins at the byte `offset`; other metadata is ignored.
    mutating func append(_ fields: [String: String], at offset: Int64) {
        guard let title = fields.first(where: { $0.key.lowercased() == "streamtitle" })?.value else { return }
        if marks.last?.title == title { return }
        // The first title of a connection was heard before it was sent.
        marks.append((marks.isEmpty ? 0 : offset, title))
        self.fields.append(fields)
        guard marks.count > Self.limit else { return }
        marks.removeFirst()
        self.fields.removeFirst()
    }
}

/// The titles of a broadcast that the reader has not reached yet.
struct TitleQueue: Sendable {
    /// The titles with the offsets at which they start, ascending.
    private var titles: [(offset: Int64, fields: [String: String])] = []

    /// The maximum number of titles, because a stream may be paused for hours.
    static let limit = 64

    /// Appends a title that starts at the byte `offset`.
    ///
    /// If the queue is full, the oldest title is dropped. Its fields that still apply are merged into the next one.
    mutating func append(_ fields: [String: String], at offset: Int64) {
        titles.append((offset, fields))
        guard titles.count > Self.limit else { return }
        let oldest = titles.removeFirst()
        for (name, value) in oldest.fields where titles[0].fields.count < ICYDemultiplexer.mostNames {
            if titles[0].fields[name] == nil { titles[0].fields[name] = value }
        }
    }

    /// Queues the title that applies at `offset` and the titles after it again.
    mutating func replay(from offset: Int64, _ marks: TitleMarks) {
        let first = marks.marks.lastIndex { $0.offset <= offset } ?? 0
        titles = zip(marks.marks, marks.fields).dropFirst(first).map { (max($0.offset, offset), $1) }
    }

    /// Removes the titles that start before `offset`, and returns their fields, earliest first.
    mutating func removeTitles(before offset: Int64) -> [[String: String]] {
        let passed = titles.prefix { $0.offset < offset }
        titles.removeFirst(passed.count)
        return passed.map(\.fields)
    }
}
