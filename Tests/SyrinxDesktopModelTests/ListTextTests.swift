import Foundation
import SyrinxPlayback
import Testing

@testable import SyrinxDesktopModel

@Suite("Texts of lists and questions") struct ListTextTests {
    @Test("The time that is left in a chapter takes the rate into account, and is never negative")
    func chapter() {
        #expect(TimeText.chapter(1, of: 9, at: 100, end: 400, rate: 1) == "2 of 9, \u{2212}5:00")
        #expect(TimeText.chapter(1, of: 9, at: 100, end: 400, rate: 2) == "2 of 9, \u{2212}2:30")
        #expect(TimeText.chapter(0, of: 1, at: 500, end: 400, rate: 0) == "1 of 1, \u{2212}0:00")
    }

    @Test("The question before the end names the downloads")
    func closing() {
        #expect(ClosingText(downloads: 1).heading == "A Download Is Running")
        #expect(ClosingText(downloads: 3).heading == "3 Downloads Are Running")
        #expect(ClosingText(downloads: 3).body.contains("next start"))
    }

    @Test("The bookmarks of all recordings are named by their recordings, and are bounded")
    func bookmarks() throws {
        let folder = NSTemporaryDirectory() + "syrinx-bookmarks-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = BookmarkStore(folder: folder)
        let here = BookmarkList([Bookmark(position: 5, title: "Here")])
        try store.store(here, of: "file:///a/Book.m4b", title: "The Book")
        let named = BookmarkEntries(store.all()).entries
        #expect(named.map(\.text) == ["Here – The Book"] && named[0].item == "file:///a/Book.m4b")
        try store.store(BookmarkList((0..<400).map { Bookmark(position: Double($0) * 2) }), of: "file:///a/Other.mp3")
        try store.store(BookmarkList((0..<400).map { Bookmark(position: Double($0) * 2) }), of: "file:///a/Third.mp3")
        let all = BookmarkEntries(store.all()).entries
        #expect(all.count == BookmarkEntries.maximumCount)
        #expect(all.contains { $0.text == "Other.mp3" || $0.text == "Third.mp3" })
    }
}
