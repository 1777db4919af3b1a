/// The changes of a player's queue, for faces in other processes.
///
/// Pure. It keeps a number for each row, and compares only queues whose revisions differ.
package struct QueueFeed: Sendable {
    private var revision: Int?
    private var rows: [Int] = []

    /// Creates a feed that has sent nothing.
    package init() {}

    /// Returns the part of the queue that has changed since the last call; `nil` if none has, and at the first call.
    package mutating func change(to session: ListeningSession) -> AttachMessage.QueueChange? {
        let queue = session.queue
        guard queue.revision != revision else { return nil }
        let isFirst = revision == nil
        revision = queue.revision
        let new = (0..<queue.count).map { Self.number(of: session, at: $0) }
        defer { rows = new }
        guard !isFirst else { return nil }
        let shorter = min(rows.count, new.count)
        let start = (0..<shorter).first { rows[$0] != new[$0] } ?? shorter
        let rest = shorter - start
        let end = (0..<rest).first { rows[rows.count - 1 - $0] != new[new.count - 1 - $0] } ?? rest
        return AttachMessage.QueueChange(
            revision: queue.revision,
            count: new.count,
            from: start,
            removed: rows.count - start - end,
            inserted: new.count - start - end
        )
    }

    /// Returns a hash of a row, which changes with every text of the row.
    ///
    /// The hash contains the identity of the input instead of its location, because the location of an input never changes.
    private static func number(of session: ListeningSession, at index: Int) -> Int {
        var hasher = Hasher()
        let (queue, input) = (session.queue, session.queue.input(at: index))
        let tags = queue.tags(at: index)
        hasher.combine(queue.identity(at: index))
        hasher.combine(input.title)
        hasher.combine(session.show(of: input))
        hasher.combine(tags.title)
        hasher.combine(tags.artist)
        hasher.combine(tags.album)
        hasher.combine(tags.duration)
        return hasher.finalize()
    }
}

/// The rows of the queue of a player in another process, as far as they are known.
///
/// Pure. It asks for one part of the rows at a time.
package struct QueueMirror: Sendable {
    /// The rows; `nil` for one that is not known.
    package private(set) var rows: [AttachRow?] = []
    /// A number that changes with the rows.
    package private(set) var revision = 0
    private var isAsking = false
    /// The rows of one request.
    private var batch = AttachRequest.mostRows
    /// The maximum number of rows.
    private static let mostRows = 200_000

    /// Creates a mirror of an empty queue.
    package init() {}

    /// Sets the number of rows, from a state.
    ///
    /// Another number than that of the rows means that the mirror has no row at its place, and forgets all rows. Changes
    /// of the queue precede the state, so this happens at the first state alone.
    package mutating func setCount(_ count: Int) {
        let count = min(max(count, 0), Self.mostRows)
        guard count != rows.count else { return }
        rows = [AttachRow?](repeating: nil, count: count)
        revision += 1
    }

    /// Applies a change of the queue; forgets all rows if the change does not fit them.
    package mutating func take(_ change: AttachMessage.QueueChange) {
        let fits =
            (0...rows.count).contains(change.from) && (0...(rows.count - change.from)).contains(change.removed)
            && (0...Self.mostRows).contains(change.inserted)
            && rows.count - change.removed + change.inserted == change.count
        guard fits else {
            rows = []
            return setCount(change.count)
        }
        rows.replaceSubrange(
            change.from..<change.from + change.removed,
            with: [AttachRow?](repeating: nil, count: change.inserted)
        )
        revision += 1
    }

    /// Stores received rows.
    package mutating func take(_ answer: AttachMessage.Rows) {
        isAsking = false
        guard answer.from >= 0 else { return }
        for (offset, row) in answer.rows.enumerated() where answer.from < rows.count - offset {
            rows[answer.from + offset] = row
        }
        revision += 1
    }

    /// Records that the player refused the last request.
    package mutating func noteRefusal() { isAsking = false }

    /// Records that the answer was too long: the next requests ask for fewer rows, and none once one row is too long.
    package mutating func noteDiscard() {
        isAsking = false
        batch /= 2
    }

    /// Returns the next request for rows; `nil` if all rows are known or an answer is pending.
    /// - Parameter shown: The indices of the visible rows, which have priority.
    package mutating func next(shown: [Int]) -> AttachRequest? {
        guard !isAsking, batch > 0 else { return nil }
        let isUnknown = { (index: Int) in rows.indices.contains(index) && rows[index] == nil }
        guard let first = shown.first(where: isUnknown) ?? rows.firstIndex(where: { $0 == nil }) else { return nil }
        isAsking = true
        let run = rows[first...].prefix(batch)
        return .rows(from: first, count: (run.firstIndex { $0 != nil } ?? run.endIndex) - first)
    }
}
