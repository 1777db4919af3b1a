import SyrinxListening
import SyrinxPlayback
import SyrinxPlayerUI

/// The bookmarks of the input that plays.
struct ScreenMarks {
    private let store: BookmarkStore?
    private var item: String?
    private var list = BookmarkList() { didSet { entries = Self.entries(of: list) } }

    /// The marks of the user, kept in `state`; `nil` keeps none.
    init(_ state: ListeningStore?) { store = state?.bookmarks }

    /// The bookmarks for the screen; a bookmark's number is its position in milliseconds.
    private(set) var entries: [BookmarkEntry] = []

    private static func entries(of list: BookmarkList) -> [BookmarkEntry] {
        list.bookmarks.map {
            BookmarkEntry(id: number($0), title: $0.title ?? "At \(ClockTime.text($0.position))", time: $0.position)
        }
    }

    /// Goes over to another input.
    /// - Throws: If its bookmarks cannot be read; then there are none, and none can be kept.
    mutating func open(_ input: ListeningInput) throws {
        item = input.identity
        list = BookmarkList()
        if let item, let kept = try store?.bookmarks(of: item) { list = kept }
    }

    /// Adds a bookmark.
    /// - Parameter title: The chapter, if there is one.
    /// - Throws: If it could not be kept.
    mutating func add(at time: Double, title: String?) throws {
        let clock = ClockTime.text(time)
        try change { $0.add(at: time, title: title.map { "\($0), \(clock)" }) }
    }

    /// Removes the bookmark of a number.
    /// - Throws: If that could not be kept.
    mutating func remove(_ id: Int64) throws {
        guard let index = list.bookmarks.firstIndex(where: { Self.number($0) == id }) else { return }
        try change { $0.remove(at: index) }
    }

    /// The time of the bookmark of a number.
    func time(of id: Int64) -> Double? { list.bookmarks.first { Self.number($0) == id }?.position }

    /// Changes the list, unless that cannot be kept.
    private mutating func change(_ body: (inout BookmarkList) -> Void) throws {
        var changed = list
        body(&changed)
        if let item { try store?.store(changed, of: item) }
        list = changed
    }

    private static func number(_ bookmark: Bookmark) -> Int64 {
        Int64(clamping: Int(clamped: (bookmark.position * 1000).rounded()))
    }
}
