import Foundation
import SyrinxPlayback
import Testing

@Suite("Stored positions") struct PositionTests {
    private func withStore<Result>(_ body: (PositionStore) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "playback-\(UUID().uuidString)"
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(PositionStore(folder: folder.appendingPathComponent("state/positions").path))
    }

    @Test("A position is found again, and the last unfinished one is the latest") func store() throws {
        try withStore { store in
            #expect(store.latest() == nil)
            let first = StoredPosition(
                item: "https://example.org/\u{1F600}?a=b",
                position: 12.5,
                duration: 60,
                date: 1
            )
            try store.store(first)
            try store.store(StoredPosition(item: "b", position: 3, date: 2))
            try store.store(StoredPosition(item: "b", position: 4, isFinished: true, date: 3))
            #expect(store.position(of: first.item) == first)
            #expect(store.position(of: "b")?.position == 4)
            #expect(store.latest() == first)
            #expect(store.all().map(\.item) == ["b", first.item])
            #expect(store.prune(to: 1).isEmpty)
            #expect(store.all().map(\.item) == ["b"])
            let names = try FileManager.default.contentsOfDirectory(atPath: store.folder)
            #expect(names.count == 1)
            let attributes = try FileManager.default.attributesOfItem(
                atPath: store.folder + "/" + names[0]
            )
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    /// Contents of a file that is no position or list of bookmarks: cut off, of another kind, of too many bytes, and no file.
    private static let unreadable = [
        "", "{", #"{"item":"a","bookmarks":[{"position":1,"title":7}]}"#, nil,
    ]

    /// Puts what cannot be read in the place of a file.
    private func spoil(_ path: String, _ content: String?) throws {
        try FileManager.default.removeItem(atPath: path)
        if let content {
            try Data(content.utf8).write(to: URL(fileURLWithPath: path))
        } else {
            #expect(mkfifo(path, 0o600) == 0)
        }
    }

    @Test(
        "A position that cannot be read is neither replaced nor removed, and is told of",
        arguments: unreadable
    )
    func unreadablePosition(content: String?) throws {
        try withStore { store in
            try store.store(StoredPosition(item: "a", position: 1, date: 1))
            let name = try #require(FileManager.default.contentsOfDirectory(atPath: store.folder).first)
            let path = store.folder + "/" + name
            try spoil(path, content)
            let before = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
            for change in [
                { try store.store(StoredPosition(item: "a", position: 2, date: 2)) },
                { try store.remove("a") },
            ] {
                #expect { try change() } throws: { ($0 as? PlaybackError)?.code == .recordUnreadable }
            }
            let errors = store.prune(to: 0)
            #expect(errors.map(\.code) == [.recordUnreadable] && errors[0].message.contains(name))
            #expect(
                try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int == before
            )
            if let content { #expect(FileManager.default.contents(atPath: path) == Data(content.utf8)) }
        }
    }

    @Test("Bookmarks under a former identifier are found, and move to the new one with the next that is set")
    func formerBookmarks() throws {
        try withStore { store in
            let bookmarks = BookmarkStore(folder: store.folder)
            try bookmarks.store(BookmarkList([Bookmark(position: 1)]), of: "former")
            var list = try bookmarks.bookmarks(of: "item", formerly: "former")
            #expect(list.bookmarks.map(\.position) == [1])
            list.add(at: 2)
            try bookmarks.store(list, of: "item", formerly: "former")
            #expect(try bookmarks.bookmarks(of: "former").bookmarks.isEmpty)
            #expect(try bookmarks.bookmarks(of: "item", formerly: "former").bookmarks.map(\.position) == [1, 2])
            #expect(try bookmarks.bookmarks(of: "item", formerly: nil).bookmarks.count == 2)
        }
    }

    @Test("One new bookmark does not replace 20 that cannot be read", arguments: unreadable)
    func unreadableBookmarks(content: String?) throws {
        try withStore { store in
            let bookmarks = BookmarkStore(folder: store.folder)
            try bookmarks.store(
                BookmarkList((1...20).map { Bookmark(position: Double($0) * 9) }),
                of: "a"
            )
            let name = try #require(FileManager.default.contentsOfDirectory(atPath: store.folder).first)
            try spoil(store.folder + "/" + name, content)
            for change in [
                { _ = try bookmarks.bookmarks(of: "a") },
                { try bookmarks.store(BookmarkList([Bookmark(position: 1)]), of: "a") },
                { try bookmarks.store(BookmarkList(), of: "a") },
            ] {
                #expect { try change() } throws: { ($0 as? PlaybackError)?.code == .recordUnreadable }
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder) == [name])
            if let content {
                #expect(
                    FileManager.default.contents(atPath: store.folder + "/" + name) == Data(content.utf8)
                )
            }
        }
    }

    @Test("Damaged files and leftovers are passed over") func damage() throws {
        try withStore { store in
            try store.store(StoredPosition(item: "a", position: 1, date: 1))
            let copy = store.folder + "/ab.position"
            for content in ["", "{", #"{"item":"x","position":1e999,"isFinished":false,"date":9}"#] {
                try Data(content.utf8).write(to: URL(fileURLWithPath: copy))
                #expect(store.latest()?.item == "a")
            }
            try store.store(StoredPosition(item: "a", position: 2, date: 2))
            #expect(store.position(of: "a")?.position == 2)
        }
    }

    @Test("Bookmarks are kept beside positions, and none leave no file") func bookmarks() throws {
        try withStore { store in
            let bookmarks = BookmarkStore(folder: store.folder)
            #expect(try bookmarks.bookmarks(of: "a") == BookmarkList())
            let list = BookmarkList([Bookmark(position: 1, title: "One")])
            try bookmarks.store(list, of: "a")
            try store.store(StoredPosition(item: "a", position: 2, date: 1))
            #expect(try bookmarks.bookmarks(of: "a") == list)
            #expect(store.position(of: "a")?.position == 2)
            store.prune(to: 0)
            try bookmarks.store(BookmarkList(), of: "a")
            #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder) == [])
            let titles = BookmarkList([
                Bookmark(position: 1, title: String(repeating: "t", count: 1 << 20))
            ])
            #expect(throws: PlaybackError.self) { try bookmarks.store(titles, of: "a") }
        }
    }

    /// Gives the file of an item's bookmarks a time of its last change.
    private func setTime(_ seconds: Double, ofItem item: String, in store: PositionStore) throws {
        let date = Date(timeIntervalSince1970: seconds)
        for name in try FileManager.default.contentsOfDirectory(atPath: store.folder) {
            let path = store.folder + "/" + name
            guard try String(contentsOfFile: path, encoding: .utf8).contains("\"item\":\"\(item)\"") else { continue }
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        }
    }

    @Test("The bookmarks of all recordings are listed with their titles, the last changed first")
    func allBookmarks() throws {
        try withStore { store in
            let bookmarks = BookmarkStore(folder: store.folder)
            #expect(bookmarks.all().isEmpty)
            let list = BookmarkList([Bookmark(position: 1, title: "One"), Bookmark(position: 9)])
            for (number, item) in ["a", "b", "c"].enumerated() {
                try bookmarks.store(list, of: item, title: item == "b" ? "Book" : nil)
                try setTime(Double(1_000 + number), ofItem: item, in: store)
            }
            try store.store(StoredPosition(item: "a", position: 2, date: 1))
            try Data("{".utf8).write(to: URL(fileURLWithPath: store.folder + "/damaged.bookmarks"))
            let all = bookmarks.all()
            #expect(all.map(\.item) == ["c", "b", "a"] && all.map(\.title) == [nil, "Book", nil])
            #expect(all.allSatisfy { $0.bookmarks == list })
            // A change without a title keeps the one that is stored.
            try bookmarks.store(BookmarkList([Bookmark(position: 5)]), of: "b")
            #expect(bookmarks.all().first { $0.item == "b" }?.title == "Book")
            try bookmarks.store(BookmarkList(), of: "b")
            #expect(Set(bookmarks.all().map(\.item)) == ["a", "c"])
        }
    }

    @Test("The list of all bookmarks is bounded, in number and in the length of titles")
    func boundedBookmarks() throws {
        try withStore { store in
            let bookmarks = BookmarkStore(folder: store.folder)
            let many = BookmarkList((0..<1_000).map { Bookmark(position: Double($0) * 2) })
            for number in 0..<11 {
                try bookmarks.store(many, of: "\(number)")
                try setTime(Double(number), ofItem: "\(number)", in: store)
            }
            let all = bookmarks.all()
            #expect(all.map(\.item) == (1...10).reversed().map { "\($0)" })
            let long = BookmarkList([Bookmark(position: 1, title: String(repeating: "t", count: 9_000))])
            try bookmarks.store(long, of: "long", title: String(repeating: "n", count: 9_000))
            let first = try #require(bookmarks.all().first)
            #expect(first.item == "long" && first.title?.count == BookmarkList.maximumTitleLength)
            #expect(first.bookmarks.bookmarks.first?.title?.count == BookmarkList.maximumTitleLength)
        }
    }

    @Test("What cannot be stored has a typed error") func errors() {
        let store = PositionStore(folder: "/dev/null/positions")
        for position in [1, Double.nan, -1] {
            #expect { try store.store(StoredPosition(item: "a", position: position, date: 1)) } throws: {
                ($0 as? PlaybackError)?.code == .positionNotWritten
            }
        }
    }

    @Test("At most one position in each interval is written, and pauses at once") func schedule() {
        var schedule = PositionSchedule(interval: 3)
        func at(_ time: Double, _ item: String = "a") -> StoredPosition {
            StoredPosition(item: item, position: time, date: 1_000 + time)
        }
        var written: [Double] = []
        var lost = 0.0
        for step in 0..<400 {
            let time = Double(step) * 0.05
            if schedule.reached(at(time)) != nil { written.append(time) }
            lost = max(lost, time - (written.last ?? 0))
        }
        #expect(written.count == 7)
        #expect(lost <= 3.001)
        #expect(schedule.settled(at(20.1)) != nil)
        #expect(schedule.settled(at(20.1)) == nil)
        #expect(schedule.reached(at(20.2)) == nil)
        #expect(schedule.flush()?.position == 20.2)
        #expect(schedule.flush() == nil)
        #expect(schedule.reached(at(20.3, "b")) != nil)
        // A clock that was set back.
        #expect(schedule.reached(at(-500, "b")) == nil)
        #expect(schedule.reached(StoredPosition(item: "b", position: 4, date: 2)) != nil)
    }

    @Test("A position counts that was heard last, not that of the player which ends last")
    func update() throws {
        try withStore { store in
            func expect(_ kept: Double, after position: Double, at date: Double, now: Double = 200) throws {
                try store.update(StoredPosition(item: "a", position: position, date: date), now: now)
                #expect(store.position(of: "a")?.position == kept)
            }
            try expect(1, after: 1, at: 100)
            try expect(1, after: 2, at: 90)
            try expect(3, after: 3, at: 100)
            // A date to come was written with a wrong clock.
            try expect(4, after: 4, at: 250, now: 260)
            try expect(5, after: 5, at: 110, now: 200)
        }
    }

    @Test("Concurrent writers leave whole positions") func concurrency() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "playback-\(UUID().uuidString)"
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = PositionStore(folder: folder.path)
        await withTaskGroup(of: Bool.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    (1...20).allSatisfy { step in
                        let position = Double(writer * 100 + step)
                        let stored = StoredPosition(item: "a", position: position, date: position)
                        guard (try? store.store(stored)) != nil, let read = store.position(of: "a") else {
                            return false
                        }
                        return read.position == read.date
                    }
                }
            }
            for await isWhole in group { #expect(isWhole) }
        }
        #expect(store.all().count == 1)
    }
}
