import CoreAudioTypes
import SyrinxPlayback
import SyrinxStreaming
import Testing

@testable import SyrinxListening
@testable import SyrinxMediaCodec

@Suite("Settings of podcasts, skips and parts in a session")
struct ShowSettingsTests {
    private func input(_ name: String) throws -> ListeningInput { try #require(ListeningInput(argument: name)) }

    private func run(_ session: inout ListeningSession, _ events: StreamingEvent...) -> [SessionAction] {
        events.flatMap { session.handle(.streaming($0, of: session.openingCount), at: 1) }
    }

    private func info(_ duration: Double?) -> MediaInfo {
        MediaInfo(
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
    }

    private func facts(_ change: (inout ShowSettings) -> Void) -> EpisodeFacts {
        var settings = ShowSettings()
        change(&settings)
        return EpisodeFacts(podcast: 7, settings: settings)
    }

    @Test("An episode has the settings of its podcast, and what comes after it those from before")
    func applied() throws {
        let (a, b) = (try input("a"), try input("b"))
        var session = ListeningSession(inputs: [b, a], settings: SoundSettings(rate: 1.1))
        session.note(
            facts {
                $0.rate = 1.5
                $0.smartSpeed = SmartSpeed.strong.strength
                $0.balance = 0.5
            },
            of: a
        )
        #expect(session.begin() == [.open(b)])
        #expect(session.handle(.request(.command(.next(isWeak: false))), at: 1) == [.stop])
        let actions = run(&session, .status(.opening, time: 0), .status(.stopped, time: 1))
        #expect(actions.contains(.setRate(1.5)) && actions.last == .open(a))
        #expect(session.settings.rate == 1.5 && session.settings.adaptive.smartSpeed == .strong)
        #expect(session.settings.tone.balance == 0.5)
        // A change is kept for the podcast, and for nothing else.
        var show = ShowSettings()
        (show.rate, show.smartSpeed, show.balance) = (1.6, 1, 0.5)
        #expect(session.handle(.request(.command(.rate(.to(1.6)))), at: 1).contains(.keepShow(7, show)))
        _ = session.handle(.request(.command(.previous(isWeak: false))), at: 1)
        _ = run(&session, .status(.opening, time: 0), .status(.stopped, time: 1))
        #expect(session.settings.rate == 1.1 && session.settings.tone == Tone())
        #expect(
            !session.handle(.request(.command(.rate(.to(2)))), at: 1).contains {
                if case .keepShow = $0 { true } else { false }
            }
        )
    }

    @Test("An episode has the title of its feed, and its podcast where the file names no artist or no album")
    func title() throws {
        let a = try input("a").titled("Feed's Title", duration: nil)
        var session = ListeningSession(inputs: [a])
        session.note(EpisodeFacts(podcast: 7, title: "Show"), of: a)
        _ = session.begin()
        #expect(session.item.tags == ["title": "Feed's Title", "artist": "Show", "album": "Show"])
        _ = run(&session, .status(.opening, time: 0), .metadata(["artist": "Ann", "title": "ep_412_final.mp3"]))
        #expect(session.item.tags == ["title": "Feed's Title", "artist": "Ann", "album": "Show"])
    }

    @Test("An option of the command line counts before the podcast's, until the listener changes it")
    func given() throws {
        let a = try input("a")
        var session = ListeningSession(inputs: [a], settings: SoundSettings(rate: 2, volume: 0.5))
        var given = ShowSettings()
        given.rate = 2
        session.prepare(given: given)
        session.note(facts { ($0.rate, $0.volume) = (1.5, 0.25) }, of: a)
        let begun = session.begin()
        #expect(begun.contains(.setVolume(0.25)) && session.settings.rate == 2)
        var show = ShowSettings()
        (show.rate, show.volume) = (1.2, 0.25)
        #expect(session.handle(.request(.command(.rate(.to(1.2)))), at: 1).contains(.keepShow(7, show)))
    }

    @Test("Intro and outro are passed over, and not after a seek into them")
    func introAndOutro() throws {
        let (a, b) = (try input("a"), try input("b"))
        var session = ListeningSession(inputs: [a, b])
        session.note(facts { ($0.introDuration, $0.outroDuration) = (30, 60) }, of: a)
        _ = session.begin()
        let opened = run(&session, .status(.opening, time: 0), .opened(info(600)))
        #expect(opened.last == .seek(30))
        // Positions from before the seek say nothing.
        #expect(
            !run(&session, .status(.playing, time: 30), .position(0.2), .position(30)).contains(.stop)
        )
        #expect(session.handle(.request(.command(.seek(.to(550)))), at: 1) == [.seek(550)])
        #expect(!run(&session, .position(550), .position(560)).contains(.stop))
        _ = session.handle(.request(.command(.seek(.to(500)))), at: 1)
        #expect(!run(&session, .position(561), .position(500), .position(539)).contains(.stop))
        #expect(run(&session, .position(540.1)).contains(.stop))
        #expect(run(&session, .status(.stopped, time: 540.1)).last == .open(b))
    }

    @Test("The outro is passed over after a change of the podcast's settings while an episode plays")
    func changedOutro() throws {
        let a = try input("a")
        var session = ListeningSession(inputs: [a, try input("b")])
        let first = facts { $0.outroDuration = 60 }
        session.note(first, of: a)
        _ = session.begin()
        _ = run(&session, .status(.opening, time: 0), .opened(info(600)), .status(.playing, time: 0), .position(1))
        var show = first.settings
        (show.rate, show.outroDuration) = (1.5, 100)
        #expect(session.handle(.showSettings(show, of: 7), at: 1).contains(.setRate(1.5)))
        #expect(!run(&session, .position(499)).contains(.stop))
        #expect(run(&session, .position(500.1)).contains(.stop))
    }

    @Test("Skips without a number have the interval that is set, else 5 seconds")
    func intervals() throws {
        var session = ListeningSession(inputs: [try input("a")])
        _ = session.begin()
        #expect(session.handle(.request(.command(.skipForward)), at: 1) == [.skip(5)])
        #expect(session.handle(.request(.command(.skipForward)), at: 1) == [.skip(5)])
        #expect(session.handle(.request(.command(.skipBack)), at: 1) == [.skip(-5)])
        var (given, general) = (ShowSettings(), ShowSettings())
        (general.skipForward, given.skipBack) = (45, 15)
        session.prepare(given: given, general: general)
        #expect(session.handle(.request(.command(.skipForward)), at: 1) == [.skip(45)])
        #expect(session.handle(.request(.command(.skipBack)), at: 1) == [.skip(-15)])
        #expect(session.handle(.request(.command(.skipBack)), at: 1) == [.skip(-15)])
    }

    @Test("A part is repeated by the queue of the streamer, and left by another mark")
    func part() throws {
        let (a, b) = (try input("a"), try input("b"))
        var session = ListeningSession(inputs: [a, b])
        _ = session.begin()
        _ = run(
            &session,
            .status(.opening, time: 0),
            .opened(info(600)),
            .status(.playing, time: 0),
            .position(10)
        )
        #expect(session.handle(.request(.command(.cyclePart)), at: 1) == [])
        #expect(session.repetition.start == 10 && session.repetition.part == nil)
        _ = run(&session, .position(20))
        let set = session.handle(.request(.command(.cyclePart)), at: 1)
        #expect(set.first == .playPart(from: 10, end: 20))
        guard case .follow(let turns) = set.last else {
            Issue.record("nothing follows")
            return
        }
        #expect(turns.count > 2 && turns.allSatisfy { $0.input == a && $0.isRepetition })
        // Going over to the repetition keeps the part.
        let ended = StreamingEvent.ended(frameCount: 1, underrunCount: 0, receivedByteCount: 0)
        let item = StreamingItem(.url(a.url), id: turns[0].id)
        _ = run(&session, .advancing(to: item), ended, .status(.ended, time: 20))
        #expect(session.repetition.part == RepeatedPart(start: 10, end: 20) && session.queue.index == 0)
        _ = run(
            &session,
            .status(.opening, time: 10),
            .opened(info(600)),
            .status(.playing, time: 10),
            .position(12)
        )
        let left = session.handle(.request(.command(.cyclePart)), at: 1)
        #expect(left.first == .playPart(from: nil, end: nil) && session.repetition == PartRepetition())
        guard case .follow(let rest) = left.last else {
            Issue.record("nothing follows")
            return
        }
        #expect(rest.map(\.input) == [b])
    }

    @Test("The part of the command line is that of every input")
    func partOfEveryInput() throws {
        let (a, b) = (try input("a"), try input("b"))
        let part = RepeatedPart(start: 1, end: 2)
        var session = ListeningSession(inputs: [a, b], repeatedPart: part)
        _ = session.begin()
        _ = run(&session, .status(.opening, time: 1), .opened(info(60)), .status(.playing, time: 1))
        #expect(session.upcoming.allSatisfy { $0.input == a } && !session.upcoming.isEmpty)
        _ = session.handle(.request(.command(.cyclePart)), at: 1)
        #expect(session.repetition.part == nil && session.upcoming.map(\.input) == [b])
        _ = session.handle(.request(.command(.next(isWeak: false))), at: 1)
        _ = run(&session, .status(.stopped, time: 1))
        #expect(session.repetition.part == part)
    }
}
