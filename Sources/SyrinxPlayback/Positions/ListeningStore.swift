package import SyrinxByteStream

/// The positions, bookmarks and last queue of the user, stored in `$XDG_STATE_HOME/syrinx`.
package struct ListeningStore: Sendable {
    /// The queue that was played last.
    package struct Session: Codable, Equatable, Sendable {
        /// The URLs and paths of the items, including passwords, with which the items are reopened.
        package var items: [String]
        /// The titles that are not in the files, such as the tracks of a CUE sheet, by index.
        package var titles: [Int: String]?
        /// The index of the item that was played last.
        package var index: Int
        /// The time at which it was started, in seconds since 1970.
        package var date: Double
    }

    /// The positions by item.
    package let positions: PositionStore
    /// The bookmarks by item.
    package let bookmarks: BookmarkStore
    private let records: RecordFolder
    /// The path of the folder.
    package var folder: FilePath { records.path }
    private var file: FilePath { records.path.appending("last.session") }

    private var outputFile: FilePath { records.path.appending("output.session") }

    /// The output that the listener chose, as it is stored.
    private struct Output: Codable {
        var name: String?
    }

    /// The maximum length of the stored name of an output, in bytes.
    private static let longestOutputName = 1000

    /// Creates a store in a folder, which is created by the first write.
    package init(folder: String) {
        positions = PositionStore(folder: folder + "/positions")
        bookmarks = BookmarkStore(folder: folder + "/bookmarks")
        records = RecordFolder(path: FilePath(folder), pathExtension: "session", maximumBytes: 4 << 20)
    }

    /// Returns the store of the user; `nil` if there is no home folder.
    package static func user() -> ListeningStore? {
        UserFolder.state.path().map(ListeningStore.init(folder:))
    }

    /// The queue that was played last; `nil` if there is none, or its file is damaged.
    package var session: Session? {
        let session = try? records.load(Session.self, from: file)
        return session.flatMap { $0.items.indices.contains($0.index) && $0.date.isFinite ? $0 : nil }
    }

    /// The name of the output that the listener chose last; `nil` for the default output, or if its file is damaged.
    package var output: String? {
        let output = try? records.load(Output.self, from: outputFile)
        return output?.name.flatMap { $0.isEmpty || $0.utf8.count > Self.longestOutputName ? nil : $0 }
    }

    /// Stores the name of the output that the listener has chosen; `nil` is the default output.
    package func store(output name: String?) throws(PlaybackError) {
        try records.store(Output(name: name), to: outputFile)
    }

    /// Stores the current queue.
    package func store(_ session: Session) throws(PlaybackError) {
        try records.store(session, to: file)
    }
}

extension ListeningStore.Session {
    /// The maximum number of stored items.
    private static let maximumCount = 5_000
    /// The maximum length of a stored title, in characters.
    private static let maximumTitleLength = 200

    /// Creates a session from the part of a queue around its current item; `nil` if that item cannot be reopened.
    /// - Parameters:
    ///   - count: The number of items in the queue.
    ///   - current: The index of the current item.
    ///   - date: The current time, in seconds since 1970.
    ///   - item: Returns the URL or path of an item, and its title if it is not in the file; `nil` if the item cannot
    ///     be
    ///     reopened.
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
