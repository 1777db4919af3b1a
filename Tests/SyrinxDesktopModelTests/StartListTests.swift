import SyrinxListening
import SyrinxPlayback
import Testing

@testable import SyrinxDesktopModel

@Suite struct StartListTests {
    private func stored(_ name: String, _ position: Double, of duration: Double = 3600, date: Double = 0)
        -> StoredPosition
    {
        StoredPosition(item: "file:///\(name)", position: position, duration: duration, date: date)
    }

    private func list(
        _ names: [String] = [],
        at index: Int = 0,
        date: Double = 0,
        _ positions: [StoredPosition] = [],
        episodes: [StartList.Entry] = [],
        stations: [(input: ListeningInput, title: String)] = [],
        isThere: (ListeningInput) -> Bool = { _ in true }
    ) -> StartList {
        let session = ListeningStore.Session(count: names.count, current: index, date: date) {
            ("file:///\(names[$0])", nil)
        }
        return StartList(
            session: session,
            positions: positions,
            episodes: episodes,
            stations: stations,
            isThere: isThere
        )
    }

    @Test func `Nothing is offered before anything has been heard`() {
        #expect(list().entries.isEmpty)
    }

    @Test func `The last queue continues at its place`() throws {
        let entry = try #require(
            list(["a.mp3", "b%20c.mp3", "d.mp3"], at: 1, [stored("b%20c.mp3", 600, date: 10)]).entries.first
        )
        guard case .queue(let inputs, let index) = entry.target else {
            Issue.record("not a queue")
            return
        }
        #expect(inputs.map(\.shortName) == ["a.mp3", "b c.mp3", "d.mp3"] && index == 1)
        #expect(entry.title == "b c.mp3" && entry.position == 600 && entry.share == 1.0 / 6)
        #expect(entry.detail() == "2 of 3 · 50:00 left")
        #expect(entry.detail(ListeningTags(artist: "The Band")) == "The Band · 2 of 3 · 50:00 left")
        #expect(entry.start(now: 11) == 600)
        #expect(entry.start(now: 10 + 86_400) == 580, "a little earlier after a day")
    }

    @Test func `A queue whose recording has ended continues with the next`() {
        var ended = stored("a.mp3", 3600)
        ended.isFinished = true
        #expect(list(["a.mp3", "b.mp3"], [ended]).entries.map(\.title) == ["b.mp3"])
        #expect(list(["a.mp3"], [ended]).entries.isEmpty, "all has been heard")
    }

    @Test func `What was heard last comes first, each once`() {
        let episode = StartList.Entry(
            .episode(7),
            title: "Low Water",
            show: "Tides",
            position: 60,
            duration: 120,
            date: 300
        )
        let positions = [
            stored("new.mp3", 100, date: 400), stored("queued.mp3", 50, date: 350), stored("old.mp3", 99, date: 100),
        ]
        let found = list(["queued.mp3"], date: 200, positions, episodes: [episode])
        #expect(found.entries.map(\.title) == ["new.mp3", "queued.mp3", "Low Water", "old.mp3"])
        #expect(episode.detail() == "Tides · 1:00 left")
    }

    @Test func `Songs, and files that are gone, are not offered`() {
        let positions = [stored("song.mp3", 100, of: 200), stored("gone.mp3", 100), stored("book.mp3", 100)]
        let found = list(["gone.mp3"], positions) { $0.shortName != "gone.mp3" }
        #expect(found.entries.map(\.title) == ["book.mp3"])
    }

    @Test func `Stations come last, and the list is bounded`() throws {
        let stations = try (1...5).map { number in
            (input: try #require(ListeningInput(location: "https://radio.example/\(number)")), title: "Radio \(number)")
        }
        let positions = (1...100).map { stored("\($0).mp3", 100, date: Double(1000 - $0)) }
        let found = list([], positions, stations: stations)
        #expect(found.entries.count == StartList.maximumCount)
        #expect(found.entries.suffix(4).map(\.title) == ["5.mp3", "Radio 1", "Radio 2", "Radio 3"])
        let session = ListeningStore.Session(count: 1, current: 0, date: 5) { _ in
            ("https://radio.example/2", nil)
        }
        let last = StartList(session: session, positions: [], episodes: [], stations: stations) { _ in true }
        #expect(
            last.entries.map(\.title) == ["Radio 2", "Radio 1", "Radio 3", "Radio 4"],
            "a station by its name, once"
        )
    }
}
