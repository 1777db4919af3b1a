import CoreAudioTypes
import Foundation
import SyrinxByteStream
import SyrinxPlayback
import SyrinxStreaming
import SyrinxTestSupport
import Testing

@testable import SyrinxListening
@testable import SyrinxMediaCodec

@Suite("Settings kept for folders and recordings")
struct KeptSettingsTests {
    private func session(
        _ names: String...,
        settings: SoundSettings = SoundSettings(),
        kept: [String: KeptSettings]? = [:],
        given: ShowSettings = ShowSettings(),
        loop: LoopMode? = nil
    ) -> ListeningSession {
        let inputs = names.compactMap { ListeningInput(argument: $0) }
        var session = ListeningSession(inputs: inputs, settings: settings)
        session.prepare(given: given, givenLoop: loop, kept: kept)
        return session
    }

    private func run(_ session: inout ListeningSession, _ events: StreamingEvent...) -> [SessionAction] {
        events.flatMap { session.handle(.streaming($0, of: session.openingCount), at: 1) }
    }

    private func carryOut(_ command: ListeningCommand, _ session: inout ListeningSession) -> [SessionAction] {
        session.handle(.request(.command(command)), at: 1)
    }

    /// Opens and plays the current input.
    private func play(_ session: inout ListeningSession, duration: Double) {
        let info = MediaInfo(
            format: Container(""),
            codec: "",
            sampleRate: 1,
            channelCount: 2,
            channelLayout: "stereo",
            duration: duration,
            durationIsExact: true,
            isSeekable: true,
            tags: [:],
            chapters: [],
            streamDescription: AudioStreamBasicDescription()
        )
        _ = run(&session, .status(.opening, time: 0), .opened(info), .status(.playing, time: 0))
    }

    /// The changes that the actions keep, by the names of their places.
    private func kept(_ actions: [SessionAction]) -> [String: KeptSettings?] {
        var result: [String: KeptSettings?] = [:]
        for case .keepPlace(let place, let settings) in actions { result[place.name] = .some(settings) }
        return result
    }

    private func loop(_ mode: LoopMode) -> KeptSettings {
        var settings = KeptSettings()
        settings.loop = mode
        return settings
    }

    private func place(_ names: String...) throws -> KeptPlace {
        try #require(KeptPlace(ListeningQueue(names.compactMap { ListeningInput(argument: $0) })))
    }

    @Test("Files of one folder have the settings of the folder, also when they are opened again")
    func folder() throws {
        var first = session("/books/Dune/1.mp3", "/books/Dune/2.mp3")
        _ = first.begin()
        play(&first, duration: 60)
        #expect(first.keptFor == nil)
        var wanted = KeptSettings()
        wanted.sound.rate = 1.5
        #expect(kept(carryOut(.rate(.to(1.5)), &first)) == ["Dune": wanted])
        (wanted.sound.volume, wanted.sound.smartSpeed, wanted.loop) = (0.5, 2.0 / 3, .one)
        _ = carryOut(.volume(.to(0.5)), &first)
        _ = carryOut(.smartSpeed, &first)
        #expect(kept(carryOut(.loop, &first)) == ["Dune": loop(.one)])
        #expect(first.keptFor == "Dune" && ListeningState(first).sound.keptFor == "Dune")

        let key = try place("/books/Dune/1.mp3", "/books/Dune/2.mp3").key
        var next = session("/books/Dune/2.mp3", "/books/Dune/1.mp3", kept: [key: wanted])
        let actions = next.begin()
        let opening = try #require(actions.firstIndex { if case .open = $0 { true } else { false } })
        #expect(try #require(actions.firstIndex(of: .setRate(1.5))) < opening)
        #expect(actions.contains(.setVolume(0.5)) && next.settings.adaptive.smartSpeed == .medium)
        #expect(next.settings.loop == .one && next.keptFor == "Dune")
        // The streamer repeats the input from the start.
        #expect(next.upcoming.isEmpty)
        play(&next, duration: 60)
        #expect(next.upcoming.first?.isRepetition == true)
    }

    @Test("The command line counts before the folder, until the listener changes the setting")
    func precedence() throws {
        var stored = KeptSettings()
        (stored.sound.rate, stored.sound.volume, stored.loop) = (1.5, 0.5, .all)
        let key = try place("/a/1.mp3", "/a/2.mp3").key
        var given = ShowSettings()
        given.rate = 2
        var session = session(
            "/a/1.mp3",
            "/a/2.mp3",
            settings: SoundSettings(rate: 2),
            kept: [key: stored],
            given: given,
            loop: LoopMode.none
        )
        _ = session.begin()
        #expect(session.settings.rate == 2 && session.settings.volume == 0.5 && session.settings.loop == .none)
        var changed = KeptSettings()
        changed.sound.rate = 1.2
        #expect(kept(carryOut(.rate(.to(1.2)), &session)) == ["a": changed])
        #expect(kept(carryOut(.loop, &session)) == ["a": loop(.one)])
    }

    @Test("A recording of 10 minutes has its own settings, and what follows has those of before")
    func recording() throws {
        var session = session("/a/book.m4b", "/b/song.mp3")
        _ = session.begin()
        play(&session, duration: KeptPlace.minimumDuration)
        #expect(kept(carryOut(.rate(.to(1.5)), &session)).keys.sorted() == ["book.m4b"])
        _ = carryOut(.loop, &session)
        #expect(session.settings.loop == .one)
        _ = carryOut(.next(isWeak: false), &session)
        _ = run(&session, .status(.stopped, time: 1))
        #expect(session.settings.rate == 1 && session.settings.loop == .none && session.keptFor == nil)
        play(&session, duration: KeptPlace.minimumDuration - 1)
        #expect(kept(carryOut(.rate(.to(1.3)), &session)).isEmpty && session.settings.rate == 1.3)
        // The book has its own again.
        _ = carryOut(.previous(isWeak: false), &session)
        _ = run(&session, .status(.stopped, time: 1))
        #expect(session.settings.rate == 1.5 && session.settings.loop == .one)
    }

    @Test("A broadcast, standard input and a player that keeps nothing keep no settings")
    func nothing() {
        for (name, kept) in [("-", [:]), ("/a/1.mp3", nil)] as [(String, [String: KeptSettings]?)] {
            var session = session(name, kept: kept)
            _ = session.begin()
            play(&session, duration: 7200)
            #expect(self.kept(carryOut(.rate(.to(2)), &session)).isEmpty && session.keptFor == nil)
        }
        var live = session("https://example.org/live")
        _ = live.begin()
        _ = run(&live, .status(.opening, time: 0), .status(.playing, time: 0))
        #expect(kept(carryOut(.rate(.to(2)), &live)).isEmpty)
    }

    @Test("Forgetting brings back the settings that hold otherwise, and says whose they were")
    func forget() throws {
        var stored = KeptSettings()
        (stored.sound.rate, stored.loop) = (1.5, .all)
        let place = try place("/a/1.mp3", "/a/2.mp3")
        var session = session("/a/1.mp3", "/a/2.mp3", kept: [place.key: stored])
        _ = session.begin()
        play(&session, duration: 60)
        let actions = carryOut(.forgetSettings, &session)
        #expect(actions.contains(.keepPlace(place, nil)) && actions.contains(.setRate(1)))
        #expect(actions.contains(.answer("Deleted the settings of a.")))
        #expect(session.settings.rate == 1 && session.settings.loop == .none && session.keptFor == nil)
        let again = carryOut(.forgetSettings, &session)
        #expect(again == [.refusal("the item has no saved settings", name: Failure.sound)])
    }

    @Test("Forgetting the settings of a podcast keeps its skips")
    func podcast() throws {
        let input = try #require(ListeningInput(argument: "a"))
        var session = session("a")
        var show = ShowSettings()
        (show.rate, show.introDuration) = (1.5, 30)
        session.note(EpisodeFacts(podcast: 7, title: "Show", settings: show), of: input)
        _ = session.begin()
        #expect(session.keptFor == "Show" && session.settings.rate == 1.5)
        show.rate = nil
        let actions = carryOut(.forgetSettings, &session)
        #expect(actions.contains(.keepShow(7, show)) && actions.contains(.answer("Deleted the settings of Show.")))
        #expect(session.settings.rate == 1 && session.keptFor == nil)
    }

    @Test("The file keeps the latest places, and one that is damaged stays as it is")
    func file() throws {
        let folder = try ScratchDirectory.ofProcess().file("state")
        let store = KeptSettingsStore(folder: FilePath(folder), limit: 2)
        var settings = KeptSettings()
        (settings.sound.rate, settings.loop) = (1.5, .one)
        let places = try ["1", "2", "3"].map { try place("https://user:secret@example.org/\($0).mp3") }
        for (index, place) in places.enumerated() { try store.store(settings, of: place, now: Double(index)) }
        #expect(store.all() == [places[1].key: settings, places[2].key: settings])
        try store.store(nil, of: places[1], now: 4)
        #expect(store.all() == [places[2].key: settings])
        let file = folder + "/kept.settings"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains("3.mp3") && !text.contains("secret"))
        try Data("no record".utf8).write(to: URL(fileURLWithPath: file))
        #expect(throws: PlaybackError.self) { try store.store(settings, of: places[0], now: 5) }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "no record" && store.all().isEmpty)
    }

    @Test("Two windows keep both their changes of one folder, and a deleted setting stays deleted")
    func windows() throws {
        let store = KeptSettingsStore(folder: FilePath(try ScratchDirectory.ofProcess().file("windows")))
        let names = ["/a/1.mp3", "/a/2.mp3"]
        func window() -> ListeningSession {
            var session = session(names[0], names[1], kept: store.all())
            _ = session.begin()
            play(&session, duration: 60)
            return session
        }
        func send(_ command: ListeningCommand, _ session: inout ListeningSession) throws {
            for case .keepPlace(let place, let changes) in carryOut(command, &session) {
                try store.store(changes, of: place, now: 1)
            }
        }
        var (first, second) = (window(), window())
        try send(.rate(.to(1.5)), &first)
        try send(.volume(.to(0.5)), &second)
        var wanted = KeptSettings()
        (wanted.sound.rate, wanted.sound.volume) = (1.5, 0.5)
        #expect(Array(store.all().values) == [wanted])
        try send(.forgetSettings, &first)
        #expect(store.all().isEmpty)
        try send(.loop, &second)
        #expect(Array(store.all().values) == [loop(second.settings.loop)])
    }

    @Test("Changes by several writers at once are all kept")
    func writers() async throws {
        let path = FilePath(try ScratchDirectory.ofProcess().file("state"))
        let places = try (0..<24).map { try place("https://example.org/\($0).mp3") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for place in places {
                group.addTask { try KeptSettingsStore(folder: path).store(KeptSettings(), of: place, now: 1) }
            }
            try await group.waitForAll()
        }
        #expect(Set(KeptSettingsStore(folder: path).all().keys) == Set(places.map(\.key)))
    }
}
