import Foundation
import SyrinxByteStream
import SyrinxPlayback

/// The places on disk where a user's positions are: `$XDG_STATE_HOME/syrinx`.
struct ListeningState: Sendable {
    /// The queue that was played last.
    struct Session: Codable, Equatable, Sendable {
        /// The inputs, as `InputArgument.identity` names them.
        var items: [String]
        /// The place of the input that was played last.
        var index: Int
        /// The moment at which it began, in seconds since 1970.
        var date: Double
    }

    /// The positions by input.
    let positions: PositionStore
    /// The bookmarks by input.
    let bookmarks: BookmarkStore
    private let records: RecordFolder
    private var file: FilePath { records.path.appending("last.session") }

    /// The state in this folder, which the first write creates.
    init(folder: String) {
        positions = PositionStore(folder: folder + "/positions")
        bookmarks = BookmarkStore(folder: folder + "/bookmarks")
        records = RecordFolder(path: FilePath(folder), pathExtension: "session", maximumBytes: 4 << 20)
    }

    /// The state of the user; `nil` if there is no home.
    static func user() -> ListeningState? { UserFolder.state.path().map(ListeningState.init(folder:)) }

    /// The queue that was played last; `nil` if there is none, or its file is damaged.
    var session: Session? {
        let session = try? records.load(Session.self, from: file)
        return session.flatMap { $0.items.indices.contains($0.index) && $0.date.isFinite ? $0 : nil }
    }

    /// Keeps the queue that is played.
    func store(_ session: Session) throws(PlaybackError) { try records.store(session, to: file) }
}

extension ListeningState.Session {
    /// More of a queue is not kept.
    private static let maximumCount = 5_000

    /// The part of `queue` around its current input; `nil` if that cannot be opened again.
    init?(_ queue: PlayQueue, date: Double) {
        guard queue.current.identity != nil else { return nil }
        items = []
        index = 0
        self.date = date
        let first = max(0, queue.index - Self.maximumCount / 10)
        for place in first..<min(queue.count, first + Self.maximumCount) {
            guard let item = queue.input(at: place).identity else { continue }
            if place == queue.index { index = items.count }
            items.append(item)
        }
    }
}

extension InputArgument {
    /// The URL under which positions are kept; `nil` for standard input and for parts of a file.
    ///
    /// Unlike the name it holds a password, if there is one: the input is opened again by it.
    var identity: String? {
        guard !isStandardInput, part == nil, self != .nothing else { return nil }
        if case .file(let path) = location { return path.standardized.url.absoluteString }
        return url.absoluteString
    }
}
