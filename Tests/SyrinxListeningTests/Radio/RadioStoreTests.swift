import Dispatch
import Foundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxListening

@Suite("Stations and titles") struct RadioStoreTests {
    private static func title(_ text: String, at date: Double, _ station: String = "http://a/") -> HeardTitle {
        HeardTitle(date: date, title: text, station: "A", address: station)
    }

    private static func store(_ folder: ScratchDirectory) -> RadioStore {
        RadioStore(data: folder.file("data"), state: folder.file("state"))
    }

    @Test("A title that a station repeats is kept once")
    func repeatedTitles() {
        var history = TitleHistory()
        let noted = [
            history.note(Self.title("One", at: 0)),
            history.note(Self.title("One", at: 599)),
            // Another station.
            history.note(Self.title("One", at: 0, "http://b/")),
            history.note(Self.title("Two", at: 10)),
            // It is played again, at once and later.
            history.note(Self.title("One", at: 20)),
            history.note(Self.title("One", at: 700)),
            history.note(Self.title("", at: 800)),
            history.note(Self.title("Three", at: .nan)),
        ]
        #expect(noted == [true, false, true, true, true, true, false, false])
        #expect(history.titles.map(\.title) == ["One", "One", "Two", "One", "One"])
    }

    @Test("The history keeps the last thousand titles")
    func bound() {
        var history = TitleHistory()
        for number in 0..<1_200 { _ = history.note(Self.title("\(number)", at: Double(number))) }
        #expect(history.titles.count == TitleHistory.maximumCount)
        #expect(history.titles.first?.title == "200" && history.titles.last?.title == "1199")
        #expect(Self.title(String(repeating: "x", count: 9_999), at: 0).title.count == HeardTitle.maximumLength)
    }

    @Test("A favorite is added and removed by one command, and the last heard station comes first")
    func lists() {
        var favorites = StationList()
        let answers = [
            favorites.toggle(Station(address: "http://a/", name: "A")),
            favorites.toggle(Station(address: "http://b/", name: "B")),
            favorites.toggle(Station(address: "http://a/", name: "A, renamed")),
        ]
        #expect(answers == [true, true, false])
        #expect(favorites.stations.map(\.name) == ["B"])
        var recent = StationList()
        for number in 0..<60 { recent.noteHeard(Station(address: "http://\(number)/", name: "\(number)")) }
        #expect(recent.stations.count == StationList.mostRecent && recent.stations.first?.name == "59")
        recent.noteHeard(Station(address: "http://20/", name: "", heard: 5))
        let first = recent.stations.first
        #expect(first?.name == "20" && first?.heard == 5, "the name stays where none is stated")
        #expect(recent.stations.count == StationList.mostRecent)
    }

    @Test("Two players at once lose no title, and what they keep is read again")
    func concurrency() async throws {
        let folder = try ScratchDirectory()
        await withTaskGroup(of: Void.self) { group in
            for player in 0..<4 {
                group.addTask {
                    // A store of its own, as in another process.
                    let store = Self.store(folder)
                    for number in 0..<20 {
                        let title = Self.title("\(player) \(number)", at: Double(number), "http://\(player)/")
                        #expect(throws: Never.self) { try store.keep([title]) }
                    }
                }
            }
        }
        let titles = try Self.store(folder).titles().titles
        #expect(titles.count == 80 && Set(titles.map(\.title)).count == 80)
    }

    @Test("A favorite that was added by its address gets the name that the station states")
    func names() throws {
        let folder = try ScratchDirectory()
        let store = Self.store(folder)
        #expect(try store.toggle(Station(address: "http://a/", name: "a.example")))
        try store.keep([Station(address: "http://a/", name: "The Station", picture: "http://a/p", heard: 9)])
        let favorite = try #require(try store.favorites().stations.first)
        #expect(favorite.name == "The Station" && favorite.picture == "http://a/p")
        #expect(store.recent().stations.map(\.heard) == [9])
        #expect(try !store.toggle(favorite))
        #expect(try store.favorites().stations.isEmpty)
    }

    @Test("A file that cannot be read is left as it is")
    func damage() throws {
        let folder = try ScratchDirectory()
        let store = Self.store(folder)
        try store.keep([Self.title("One", at: 0)])
        let file = folder.file("state/titles.stations")
        try Data("{".utf8).write(to: URL(fileURLWithPath: file))
        let failure = #expect(throws: Failure.self) { try store.keep([Self.title("Two", at: 1)]) }
        #expect(failure?.code.rawValue == "file.recordUnreadable")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "{")
    }

    @Test("A station that changes its title all the time causes one write in the interval, of the latest titles")
    func writes() throws {
        let folder = try ScratchDirectory()
        let store = Self.store(folder)
        let lists = KeptLists(PlaylistShelf(folder: folder.file("playlists")), store, interval: 1_000)
        func titles() -> [String] { (try? store.titles().titles.map(\.title)) ?? [] }
        func keep(_ notes: RadioNote...) { lists.keep(notes) { Issue.record("\($0.message)") } }
        keep(.station(Station(address: "http://a/", name: "A")), .title(Self.title("first", at: 0)))
        #expect(waitUntil { titles() == ["first"] }, "the first note is written at once")
        for number in 0..<1_000 {
            keep(.title(Self.title(number.isMultiple(of: 2) ? "x" : "y", at: Double(number))))
            keep(.title(Self.title("\(number)", at: Double(number))))
        }
        let done = DispatchSemaphore(value: 0)
        lists.perform { _ throws(Failure) in
        } then: { _ in
            done.signal()
        }
        done.wait()
        #expect(titles() == ["first"], "the others wait")
        lists.drain()
        #expect(titles().count == 1 + PendingNotes.maximumCount && titles().last == "999")
        #expect(store.recent().stations.map(\.name) == ["A"])
    }

    @Test("Of the notes that wait, a station has its last facts, and a title is there once")
    func pending() {
        var notes = PendingNotes()
        #expect(notes.isEmpty)
        notes.add(.station(Station(address: "http://a/", name: "a.example")))
        notes.add(.station(Station(address: "http://b/", name: "B")))
        notes.add(.station(Station(address: "http://a/", name: "A")))
        #expect(notes.stations.map(\.name) == ["B", "A"])
        notes.add(.title(Self.title("One", at: 0)))
        notes.add(.title(Self.title("Two", at: 1)))
        notes.add(.title(Self.title("One", at: 2)))
        #expect(notes.titles.map(\.title) == ["One", "Two"] && notes.titles.first?.date == 0)
        for number in 0..<60 { notes.add(.station(Station(address: "http://\(number)/", name: ""))) }
        #expect(notes.stations.count == PendingNotes.maximumCount && !notes.isEmpty)
    }
}
