import SyrinxListening
import SyrinxPlayback
import SyrinxPlayerUI

/// The bookmarks of the input that plays, and the list of all recordings' bookmarks.
struct ScreenMarks {
    /// A bookmark in the list of all recordings' bookmarks.
    struct Place: Equatable {
        /// The location of the recording, which may contain a password.
        let item: String
        /// The name of the recording.
        let name: String
        let bookmark: Bookmark
    }

    private let store: BookmarkStore?
    private var item: String?
    private var list = BookmarkList() { didSet { entries = Self.entries(of: list) } }
    /// The bookmarks of all recordings while they are listed; a bookmark's number is its index.
    private var all: [Place]? { didSet { allEntries = all.map(Self.entries) } }

    /// Creates the bookmarks that the user's store keeps; `nil` keeps none.
    init(_ store: BookmarkStore?) { self.store = store }

    /// The bookmarks for the screen; a bookmark's number is its position in milliseconds.
    private(set) var entries: [BookmarkEntry] = []
    /// The bookmarks of all recordings for the screen; `nil` while they are not listed.
    private(set) var allEntries: [BookmarkEntry]?

    private static func title(_ bookmark: Bookmark) -> String {
        bookmark.title ?? "At \(ClockTime.text(bookmark.position))"
    }

    private static func entries(of list: BookmarkList) -> [BookmarkEntry] {
        list.bookmarks.map { BookmarkEntry(id: number($0), title: title($0), time: $0.position) }
    }

    private static func entries(of places: [Place]) -> [BookmarkEntry] {
        places.enumerated().map { index, place in
            let mark = place.bookmark
            return BookmarkEntry(id: Int64(index), title: title(mark), item: place.name, time: mark.position)
        }
    }

    /// Goes over to another input.
    /// - Throws: If its bookmarks cannot be read; then there are none, and none can be kept.
    mutating func open(_ input: ListeningInput) throws {
        item = input.identity
        list = BookmarkList()
        if let item, let kept = try store?.bookmarks(of: item) { list = kept }
    }

    /// Lists the bookmarks of all recordings, or only those of the input that plays.
    mutating func listAll(_ isOn: Bool) {
        all =
            isOn
            ? (store?.all() ?? []).flatMap { recording in
                let input = ListeningInput(location: recording.item)
                let name = recording.title ?? input?.shortName ?? "Another recording"
                return recording.bookmarks.bookmarks.map { Place(item: recording.item, name: name, bookmark: $0) }
            } : nil
    }

    /// Adds a bookmark.
    /// - Parameters:
    ///   - title: The chapter, if there is one.
    ///   - recording: The title of the recording, if it has one.
    /// - Throws: If it could not be kept.
    mutating func add(at time: Double, title: String?, recording: String?) throws {
        let clock = ClockTime.text(time)
        try change(recording: recording) { $0.add(at: time, title: title.map { "\($0), \(clock)" }) }
        if all != nil { listAll(true) }
    }

    /// Removes the bookmark of a number.
    /// - Throws: If that could not be kept.
    mutating func remove(_ id: Int64) throws {
        try change(id) { _ = $0.remove(at: $1) }
    }

    /// Renames the bookmark with a number; an empty text removes the name.
    /// - Throws: If that could not be kept.
    mutating func rename(_ id: Int64, to title: String) throws {
        try change(id) { $0.rename(at: $1, to: title) }
    }

    /// Returns the recording and the time of the bookmark of a number; the recording is `nil` if it is the one that plays.
    func place(of id: Int64) -> (item: String?, time: Double)? {
        guard let all else {
            return list.bookmarks.first { Self.number($0) == id }.map { (nil, $0.position) }
        }
        guard let place = Self.place(id, in: all) else { return nil }
        return (place.item == item ? nil : place.item, place.bookmark.position)
    }

    private static func place(_ id: Int64, in all: [Place]) -> Place? {
        guard let index = Int(exactly: id), all.indices.contains(index) else { return nil }
        return all[index]
    }

    /// Changes the bookmark of a number, in the list that is shown.
    private mutating func change(_ id: Int64, _ body: (inout BookmarkList, Int) -> Void) throws {
        guard let all else {
            guard let index = list.bookmarks.firstIndex(where: { Self.number($0) == id }) else { return }
            return try change { body(&$0, index) }
        }
        guard let place = Self.place(id, in: all), let store else { return }
        // Another program may have changed them since they were listed.
        var changed = try store.bookmarks(of: place.item)
        guard let index = changed.bookmarks.firstIndex(where: { $0.position == place.bookmark.position }) else {
            return listAll(true)
        }
        body(&changed, index)
        try store.store(changed, of: place.item)
        if place.item == item { list = changed }
        listAll(true)
    }

    /// Changes the list of the input that plays, unless that cannot be kept.
    private mutating func change(recording: String? = nil, _ body: (inout BookmarkList) -> Void) throws {
        var changed = list
        body(&changed)
        if let item { try store?.store(changed, of: item, title: recording) }
        list = changed
    }

    private static func number(_ bookmark: Bookmark) -> Int64 {
        Int64(clamping: Int(clamped: (bookmark.position * 1000).rounded()))
    }
}
