import Foundation
import SyrinxListening
import SyrinxPlayback
import SyrinxPlayerUI
import Testing

@testable import syrinx

@Suite("Bookmarks on the full screen") struct ScreenMarksTests {
    private func withStore(_ body: (BookmarkStore, ScreenMarks) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("marks-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = BookmarkStore(folder: folder.path)
        try body(store, ScreenMarks(store))
    }

    @Test("A bookmark is set with the title of its recording, renamed and removed")
    func current() throws {
        try withStore { store, marks in
            var marks = marks
            let input = try #require(ListeningInput(location: "https://host.example/a.mp3"))
            let item = try #require(input.identity)
            try marks.open(input)
            try marks.add(at: 5, title: nil, recording: "Book")
            try marks.add(at: 65, title: "Two", recording: "Book")
            #expect(marks.entries.map(\.title) == ["At 0:05", "Two, 1:05"])
            #expect(store.all().first?.title == "Book")
            let first = marks.entries[0].id
            try marks.rename(first, to: "The bell")
            #expect(try store.bookmarks(of: item).bookmarks.map(\.title) == ["The bell", "Two, 1:05"])
            let place = try #require(marks.place(of: first))
            #expect(place.item == nil && place.time == 5)
            try marks.remove(first)
            #expect(marks.entries.map(\.time) == [65] && marks.place(of: first) == nil)
        }
    }

    @Test("Bookmarks of all recordings are listed, and changed where they belong")
    func all() throws {
        try withStore { store, marks in
            var marks = marks
            let input = try #require(ListeningInput(location: "https://host.example/a.mp3"))
            let here = try #require(input.identity)
            let there = "https://user:secret@host.example/other.mp3"
            try store.store(BookmarkList([Bookmark(position: 7)]), of: there)
            try store.store(BookmarkList([Bookmark(position: 3, title: "Three")]), of: here, title: "Book")
            try marks.open(input)
            #expect(marks.allEntries == nil)
            marks.listAll(true)
            var entries = try #require(marks.allEntries)
            #expect(Set(entries.map(\.item)) == ["Book", "other.mp3"])
            let other = try #require(entries.first { $0.item == "other.mp3" })
            #expect(marks.place(of: other.id)?.item == there && marks.place(of: other.id)?.time == 7)
            let own = try #require(entries.first { $0.item == "Book" })
            #expect(try #require(marks.place(of: own.id)).item == nil)
            try marks.rename(own.id, to: "Third")
            #expect(marks.entries.map(\.title) == ["Third"])
            entries = try #require(marks.allEntries)
            try marks.remove(try #require(entries.first { $0.item == "other.mp3" }).id)
            #expect(try store.bookmarks(of: there).bookmarks.isEmpty)
            #expect(marks.allEntries?.map(\.item) == ["Book"] && marks.place(of: 9) == nil)
            marks.listAll(false)
            #expect(marks.allEntries == nil && marks.entries.count == 1)
        }
    }
}
