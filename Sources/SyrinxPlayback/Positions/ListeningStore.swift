internal import SyrinxByteStream

/// The places on disk where a user's positions are: `$XDG_STATE_HOME/syrinx`.
package struct ListeningStore: Sendable {
    /// The queue that was played last.
    package struct Session: Codable, Equatable, Sendable {
        /// The addresses of the inputs, with a password if there is one: they are opened again by them.
        package var items: [String]
        /// The titles of the inputs that have one which is not in the file, such as the tracks of a CUE sheet, by their places.
        package var titles: [Int: String]?
        /// The place of the input that was played last.
        package var index: Int
        /// The moment at which it began, in seconds since 1970.
        package var date: Double
    }

    /// The positions by input.
    package let positions: PositionStore
    /// The bookmarks by input.
    package let bookmarks: BookmarkStore
    private let records: RecordFolder
    private var file: FilePath { records.path.appending("last.session") }

    /// The state in this folder, which the first write creates.
    package init(folder: String) {
        positions = PositionStore(folder: folder + "/positions")
        bookmarks = BookmarkStore(folder: folder + "/bookmarks")
        records = RecordFolder(path: FilePath(folder), pathExtension: "session", maximumBytes: 4 << 20)
    }

    /// The state of the user; `nil` if there is no home.
    package static func user() -> ListeningStore? {
        UserFolder.state.path().map(ListeningStore.init(folder:))
    }

    /// The queue that was played last; `nil` if there is none, or its file is damaged.
    package var session: Session? {
        let session = try? records.load(Session.self, from: file)
        return session.flatMap { $0.items.indices.contains($0.index) && $0.date.isFinite ? $0 : nil }
    }

    /// Keeps the queue that is played.
    package func store(_ session: Session) throws(PlaybackError) {
        try records.store(session, to: file)
    }
}

extension ListeningStore.Session {
    /// More of a queue is not kept.
    private static let maximumCount = 5_000
    /// The rest of a title is not kept.
    private static let maximumTitleLength = 200

    /// The part of a queue around its current input; `nil` if that cannot be opened again.
    /// - Parameters:
    ///   - count: The number of inputs in the queue.
    ///   - current: The place of the one that plays.
    ///   - date: The present, in seconds since 1970.
    ///   - item: Returns the address of the input at a place, and its title if that is not in the file; `nil` for one that cannot be
    ///     opened again.
    package init?(count: Int, current: Int, date: Double, _ item: (Int) -> (address: String, title: String?)?) {
        guard (0..<count).contains(current), item(current) != nil else { return nil }
        (items, index) = ([], 0)
        self.date = date
        let first = max(0, current - Self.maximumCount / 10)
        for place in first..<min(count, first + Self.maximumCount) {
            guard let item = item(place) else { continue }
            if place == current { index = items.count }
            if let title = item.title {
                titles = titles ?? [:]
                titles?[items.count] = String(title.prefix(Self.maximumTitleLength))
            }
            items.append(item.address)
        }
    }
}
