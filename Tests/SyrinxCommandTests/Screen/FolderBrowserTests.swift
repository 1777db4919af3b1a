import Foundation
import SyrinxByteStream
import SyrinxPlayerUI
import SyrinxTestSupport
import Testing

@testable import syrinx

@Suite("File browser")
struct FolderBrowserTests {
    private func touch(_ names: String..., in folder: String) throws {
        for name in names { try Data(count: 1_500).write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
    }

    @Test("A folder is read on another thread: folders first, names as a person orders them, sizes of files")
    func listing() throws {
        let scratch = try ScratchDirectory()
        for name in ["b.mp3", "a"] {
            try FileManager.default.createDirectory(atPath: scratch.file(name), withIntermediateDirectories: true)
        }
        try touch("10.mp3", "2.mp3", "notes.txt", ".hidden.mp3", "list.m3u", in: scratch.path)
        try touch("inner.flac", in: scratch.file("a"))
        try FileManager.default.createSymbolicLink(atPath: scratch.file("link"), withDestinationPath: scratch.file("a"))
        let browser = FolderBrowser(path: FilePath(scratch.path)) {}
        waitUntil { !browser.view.isReading }
        #expect(browser.view.entries.map(\.name) == ["a", "b.mp3", "link", "2.mp3", "10.mp3", "list.m3u"])
        #expect(browser.view.entries.map(\.isFolder) == [true, true, true, false, false, false])
        #expect(browser.view.entries[3].detail == "1.5 kB" && browser.view.entries[0].detail == nil)
        browser.open(3)
        #expect(browser.path.name == scratch.path)
        browser.open(0)
        waitUntil { !browser.view.isReading }
        #expect(browser.view.path == scratch.file("a") && browser.view.entries.map(\.name) == ["inner.flac"])
        #expect(browser.entry(at: 0)?.name == scratch.file("a/inner.flac") && browser.entry(at: 1) == nil)
        browser.leave()
        waitUntil { !browser.view.isReading }
        #expect(browser.view.entries.count == 6)
    }

    @Test("The last folder that was gone to is shown, however long another takes")
    func large() throws {
        let scratch = try ScratchDirectory()
        let folder = scratch.file("large")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for index in 0..<3_000 { close(open("\(folder)/\(index).mp3", O_CREAT | O_WRONLY, 0o600)) }
        let browser = FolderBrowser(path: FilePath(folder)) {}
        browser.leave()
        waitUntil { !browser.view.isReading }
        #expect(browser.view.entries.map(\.name) == ["large"])
        browser.open(0)
        waitUntil { !browser.view.isReading }
        #expect(browser.view.entries.count == 3_000 && browser.view.entries.last?.name == "2999.mp3")
    }

    @Test("A folder that cannot be read says why")
    func failure() throws {
        let browser = FolderBrowser(path: FilePath("/nonexistent/folder")) {}
        waitUntil { !browser.view.isReading }
        #expect(browser.view.failure?.isEmpty == false && browser.view.entries.isEmpty)
    }

    @Test("Going up tells the place of the folder that was left")
    func origin() throws {
        let scratch = try ScratchDirectory()
        for name in ["a", "b", "c"] {
            try FileManager.default.createDirectory(atPath: scratch.file(name), withIntermediateDirectories: true)
        }
        let browser = FolderBrowser(path: FilePath(scratch.file("b"))) {}
        browser.leave()
        waitUntil { !browser.view.isReading }
        #expect(browser.view.origin == 1)
        browser.open(2)
        waitUntil { !browser.view.isReading }
        #expect(browser.view.origin == nil)
    }
}
