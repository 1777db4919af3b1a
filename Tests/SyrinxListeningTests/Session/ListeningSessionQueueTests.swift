import CoreAudioTypes
import SyrinxByteStream
import SyrinxPlayback
import SyrinxStreaming
import SyrinxTestSupport
import Testing

@testable import SyrinxListening
@testable import SyrinxMediaCodec

@Suite("Listening session: queue, chapters, settings")
struct ListeningSessionQueueTests {
    private func session(_ names: String..., loop: LoopMode = .none) -> ListeningSession {
        let inputs = names.compactMap { ListeningInput(argument: $0) }
        return ListeningSession(inputs: inputs, settings: SoundSettings(loop: loop))
    }

    private func input(_ name: String) throws -> ListeningInput { try #require(ListeningInput(argument: name)) }

    private func run(_ session: inout ListeningSession, _ events: StreamingEvent...) -> [SessionAction] {
        events.flatMap { session.handle(.streaming($0, of: session.openingCount), at: 1) }
    }

    private func send(_ session: inout ListeningSession, _ commands: ListeningCommand...) -> [SessionAction] {
        commands.flatMap { session.handle(.request(.command($0)), at: 1) }
    }

    private func info(tags: [String: String] = [:], chapters: [MediaChapter] = []) -> MediaInfo {
        MediaInfo(
            format: Container(""),
            codec: "",
            sampleRate: 1,
            channelCount: 2,
            channelLayout: "stereo",
            duration: 60,
            durationIsExact: true,
            isSeekable: true,
            tags: tags,
            chapters: chapters,
            streamDescription: AudioStreamBasicDescription()
        )
    }

    @Test("Another process gets the tags that were read of files before they play, those next first")
    func readTags() throws {
        var session = session("/a.flac", "/b.flac", "/c.flac")
        session.course.order.queue.move(to: 1)
        #expect(session.filesToRead() == ["/b.flac", "/c.flac", "/a.flac"])
        let tags = ListeningTags(title: "C", artist: "Nobody", album: "Shores", duration: 83)
        _ = session.handle(.tags(["/c.flac": tags, "/a.flac": ListeningTags()]), at: 0)
        #expect(session.queue.tags(at: 2) == tags)
        #expect(session.queue.tags(at: 0).title == nil && session.filesToRead() == ["/b.flac"])
    }

    @Test("Of a queue that is too long for its tags, those of the rows that are shown are kept, and asked for once")
    func readTagsOfLongQueue() throws {
        let paths = (0...KnownTags.maximumCount).map { FilePath("/\($0).mp3") }
        var queue = ListeningQueue(paths.map { ListeningInput(path: $0) })
        #expect(queue.filesToRead().isEmpty)
        queue.take([paths[7]: ListeningTags(title: "Seven")])
        #expect(queue.tags(at: 7).title == "Seven" && queue.knows(paths[7]) && !queue.knows(paths[8]))
        queue.take(Dictionary(paths.map { ($0, ListeningTags()) }) { $1 })
        let revision = queue.revision
        let left = try #require(paths.first { !queue.knows($0) })
        queue.take([left: ListeningTags()])
        #expect(queue.revision == revision)
    }

    @Test("While nothing is open it tells the tags of what would play")
    func readTagsOfOffer() throws {
        var session = ListeningSession(inputs: [try input("/a.flac")], lifetime: .listener)
        let tags = ListeningTags(title: "A", artist: "Nobody", duration: 83)
        #expect(session.handle(.tags(["/a.flac": tags]), at: 0).isEmpty)
        #expect(session.item.tags == ["title": "A", "artist": "Nobody"] && session.item.progress.duration == 83)
    }

    private let end = StreamingEvent.ended(frameCount: 9, underrunCount: 0, receivedByteCount: 9)

    /// Has the input heard to its end, and gives the last thing that is done then.
    private func playThrough(_ session: inout ListeningSession) -> SessionAction? {
        run(&session, .status(.opening, time: 0), .status(.playing, time: 0), end, .status(.ended, time: 1)).last
    }

    /// Has the input stopped, as it is asked to, and gives what comes of it.
    private func stop(_ session: inout ListeningSession) -> SessionAction? {
        run(&session, .status(.opening, time: 0), .status(.stopped, time: 0)).last
    }

    private func isWarning(_ actions: [SessionAction]) -> Bool {
        guard actions.count == 1, case .emit(.warning(let failure)) = actions[0] else { return false }
        return failure.code == .badCommand
    }

    @Test("previous and goto lead through the queue, in the end the last of them counts")
    func moving() throws {
        var session = session("a", "b", "c", "d")
        _ = session.begin()
        #expect(send(&session, .goTo(2)) == [.stop])
        #expect(try stop(&session) == .open(input("c")))
        #expect(send(&session, .previous(isWeak: false)) == [.stop])
        #expect(try stop(&session) == .open(input("b")))
        // While one input ends the others are counted from the one that is gone to.
        #expect(send(&session, .next(isWeak: false), .next(isWeak: false), .previous(isWeak: false)) == [.stop])
        #expect(try stop(&session) == .open(input("c")))
        #expect(send(&session, .goTo(0), .goTo(3)) == [.stop])
        #expect(try stop(&session) == .open(input("d")))
        // Behind the end, and back again.
        #expect(send(&session, .next(isWeak: false), .previous(isWeak: false)) == [.stop])
        #expect(try stop(&session) == .open(input("d")))
        #expect(send(&session, .stop, .goTo(0)) == [.stop])
        #expect(stop(&session) == .finish(.success))
    }

    @Test("A place that the queue does not have is a warning and changes nothing")
    func badPlaces() throws {
        var session = session("a", "-")
        _ = session.begin()
        #expect(isWarning(send(&session, .previous(isWeak: false))))
        #expect(isWarning(send(&session, .goTo(2))))
        #expect(isWarning(send(&session, .goTo(.max))))
        #expect(!session.isEnding)
        #expect(try playThrough(&session) == .open(input("-")))
        // Standard input cannot be read again.
        #expect(isWarning(send(&session, .goTo(1))))
        #expect(send(&session, .previous(isWeak: false)) == [.stop])
        #expect(try stop(&session) == .open(input("a")))
        #expect(playThrough(&session) == .finish(.success))
    }

    @Test("An input that is removed while it opens is not told of under the name of the next")
    func removedWhileOpening() throws {
        var session = session("a", "b")
        _ = session.begin()
        _ = run(&session, .status(.opening, time: 0))
        #expect(send(&session, .remove(0)) == [.stop])
        #expect(session.queue.opened.name == "a" && session.queue.current.name == "b")
        let failure = SyrinxError(.unknown, "It is broken.", name: "a")
        let told = run(&session, .opened(info(tags: ["title": "A"])), .metadata(["title": "A"]), .failed(failure))
        #expect(told == [.emit(.error(Failure(failure, input: "a"))), .say(Failure(failure, input: "a"))])
        #expect(session.queue.duration(at: 0) == nil)
        #expect(try run(&session, .status(.failed, time: 0)).last == .open(input("b")))
        #expect(session.queue.opened.name == "b")
        _ = run(&session, .status(.opening, time: 0))
        let opened = run(&session, .opened(info()))
        guard case .emit(.opened(let fields)) = opened.first else { return #expect(Bool(false), "\(opened)") }
        #expect(fields.url == "b")
    }

    @Test("Keys lead from one input to the other, but not beyond the first and the last")
    func keys() throws {
        var session = session("a", "b")
        _ = session.begin()
        #expect(session.handle(.request(.command(.previous(isWeak: true))), at: 1).isEmpty)
        #expect(session.handle(.request(.command(.next(isWeak: true))), at: 1) == [.stop])
        #expect(try stop(&session) == .open(input("b")))
        #expect(session.handle(.request(.command(.next(isWeak: true))), at: 1).isEmpty)
        #expect(session.handle(.request(.command(.first)), at: 1) == [.stop])
        #expect(try stop(&session) == .open(input("a")))
        #expect(session.handle(.request(.command(.last)), at: 1) == [.stop])
        #expect(try stop(&session) == .open(input("b")))
        #expect(session.handle(.request(.command(.seek(.to(0)))), at: 1) == [.seek(0)])
    }

    @Test("An input that is enqueued is played after all others")
    func enqueueing() throws {
        var session = session("a")
        _ = session.begin()
        let actions = send(&session, .enqueue("b"))
        #expect(actions == [.answer("Appended to the queue: b."), .follow(session.upcoming)])
        #expect(session.upcoming.map(\.input) == [try input("b")])
        #expect(session.queue.count == 2)
        #expect(try playThrough(&session) == .open(input("b")))
        #expect(playThrough(&session) == .finish(.success))
    }

    @Test("A queue takes so many inputs and no more")
    func fullQueue() throws {
        var queue = ListeningQueue([try input("a")])
        let added = try input("b")
        var count = 1
        while queue.append(added) { count += 1 }
        #expect(count == 200_000)
        #expect(queue.count == count)
    }

    @Test("One input is played again and again, until the listener leaves it")
    func loopOne() throws {
        var session = session("a", "b", loop: .one)
        _ = session.begin()
        for _ in 0..<3 { #expect(try playThrough(&session) == .open(input("a"))) }
        #expect(send(&session, .next(isWeak: false)) == [.stop])
        #expect(try stop(&session) == .open(input("b")))
        #expect(try playThrough(&session) == .open(input("b")))
        // The key goes on to all, and to none.
        #expect(session.handle(.request(.command(.loop)), at: 1).isEmpty)
        #expect(try playThrough(&session) == .open(input("a")))
        #expect(try playThrough(&session) == .open(input("b")))
        #expect(session.handle(.request(.command(.next(isWeak: true))), at: 1) == [.stop])
        #expect(try stop(&session) == .open(input("a")))
        _ = session.handle(.request(.command(.loop)), at: 1)
        #expect(session.settings.loop == .none)
        #expect(try playThrough(&session) == .open(input("b")))
        #expect(playThrough(&session) == .finish(.success))
    }

    @Test("The streamer is told of repetitions once something has been heard, each with an identity of its own")
    func repetitions() throws {
        var one = session("a", "b", loop: .one)
        _ = one.begin()
        #expect(one.upcoming.isEmpty)
        _ = run(&one, .status(.opening, time: 0), .status(.playing, time: 0))
        let turns = one.upcoming
        let a = try input("a")
        #expect(turns.map(\.input) == [ListeningInput](repeating: a, count: 16))
        #expect(turns.map(\.isRepetition) == [Bool](repeating: true, count: 16))
        #expect(Set(turns.map(\.id) + [one.queue.currentTurn.id]).count == 17)
        let next = StreamingItem(.standardInput, id: turns[0].id)
        // The same input goes on: nothing is opened for it.
        let actions = run(&one, .advancing(to: next), end, .status(.ended, time: 1), .status(.opening, time: 0))
        #expect(!actions.contains { if case .open = $0 { true } else { false } })
        #expect(one.queue.currentTurn.id == turns[0].id && one.openingCount == 1)

        var all = session("a", "b", loop: .all)
        _ = all.begin()
        #expect(try all.upcoming.map(\.input) == [input("b")])
        _ = run(&all, .status(.opening, time: 0), .status(.playing, time: 0))
        #expect(try all.upcoming.prefix(3).map(\.input) == [input("b"), input("a"), input("b")])
    }

    @Test("A shuffled queue plays each input once, also those that a playlist names")
    func shuffle() throws {
        let inputs = (0..<50).compactMap { ListeningInput(argument: "\($0)") }
        let shuffled = ListeningSession(inputs: inputs, shuffling: SplitMix64(seed: 3))
        let order = [shuffled.queue.currentTurn.input] + shuffled.upcoming.map(\.input)
        #expect(order != inputs && order.map(\.name).sorted() == inputs.map(\.name).sorted())

        var session = ListeningSession(inputs: [try input("list.m3u")], shuffling: SplitMix64(seed: 4))
        #expect(try session.begin() == [.expand(input("list.m3u"))])
        let list = try input("list.m3u")
        let actions = session.handle(.expanded(list, .success(inputs)), at: 1)
        let first = session.queue.currentTurn.input
        #expect(actions.contains(.open(first)))
        let names = [session.queue.currentTurn.input] + session.upcoming.map(\.input)
        #expect(names != inputs && names.map(\.name).sorted() == inputs.map(\.name).sorted())
    }

    @Test("The part that is repeated is two times with a hyphen, the first before the second")
    func repeatedPart() {
        #expect(RepeatedPart(argument: "1:00-1:30.5").map { [$0.start, $0.end] } == [60, 90.5])
        for bad in ["", "-", "1-", "-2", "2-1", "1-1", "1-2-3", "a-b"] {
            #expect(RepeatedPart(argument: bad) == nil, "\(bad)")
        }
    }

    @Test("Inputs that all fail end the command", arguments: [LoopMode.one, .all])
    func loopOfFailures(loop: LoopMode) throws {
        var session = session("a", "-", "b", loop: loop)
        _ = session.begin()
        let error = SyrinxError(.init(rawValue: "http.404"), "There is nothing there.", name: "x")
        var opened = 1
        while run(&session, .status(.opening, time: 0), .failed(error), .status(.failed, time: 0)).last
            != .finish(.failure(Failure(error, input: "a")))
        {
            opened += 1
            try #require(opened < 10)
        }
        #expect(opened == 3)
    }

    @Test("A loop of all leaves standard input out once it has been read")
    func loopWithStandardInput() throws {
        var session = session("-", "b", loop: .all)
        _ = session.begin()
        #expect(try playThrough(&session) == .open(input("b")))
        for _ in 0..<3 { #expect(try playThrough(&session) == .open(input("b"))) }
    }

    @Test("Commands that change a setting are answered by an event, and mute is none of the volume's")
    func settings() {
        var session = session("a")
        _ = session.begin()
        let commands: [(ListeningCommand, [SessionAction])] = [
            (.rate(.to(2)), [.setRate(2), .emit(.settings(rate: 2, pitch: 0, volume: 1))]),
            (.pitch(.to(-300)), [.setPitch(-300), .emit(.settings(rate: 2, pitch: -300, volume: 1))]),
            (.volume(.to(0.5)), [.setVolume(0.5), .emit(.settings(rate: 2, pitch: -300, volume: 0.5))]),
        ]
        for (command, actions) in commands { #expect(send(&session, command) == actions) }
        #expect(session.handle(.request(.command(.mute)), at: 1) == [.setVolume(0)])
        #expect(session.settings.volume == 0.5 && session.settings.isMuted)
        #expect(session.handle(.request(.command(.mute)), at: 1) == [.setVolume(0.5)])
        _ = session.handle(.request(.command(.mute)), at: 1)
        #expect(session.handle(.request(.command(.volume(.by(0.05)))), at: 1).first == .setVolume(0.55))
        #expect(!session.settings.isMuted)
    }

    @Test("A stopped process is silent, and plays on when it runs again")
    func suspension() {
        var session = session("a")
        _ = session.begin()
        _ = run(&session, .status(.opening, time: 0), .status(.playing, time: 0))
        #expect(session.handle(.suspend, at: 1) == [.pause])
        #expect(run(&session, .status(.paused, time: 1)).last == .confirmSuspension)
        #expect(session.handle(.resume, at: 2) == [.play])
        _ = run(&session, .status(.playing, time: 1))
        #expect(session.handle(.request(.command(.toggle)), at: 3) == [.pause])
        _ = run(&session, .status(.paused, time: 1))
        #expect(session.handle(.suspend, at: 4) == [.confirmSuspension])
        #expect(session.handle(.resume, at: 5).isEmpty)
    }

    @Test("Chapter events follow the sound, and chapters can be selected")
    func chapters() throws {
        let names = ["Alpha", "Beta", "Gamma"]
        let chapters = names.enumerated().map { place, name in
            MediaChapter(start: Double(place) * 20, end: Double(place + 1) * 20, title: name)
        }
        let info = info(chapters: chapters)
        func told(_ index: Int) -> SessionAction {
            let chapter = chapters[index]
            return .emit(.chapter(index: index, title: chapter.title, start: chapter.start, end: chapter.end))
        }
        var session = session("x", "y")
        _ = session.begin()
        #expect(isWarning(send(&session, .chapter(0))))
        _ = run(&session, .status(.opening, time: 0), .opened(info))
        #expect(run(&session, .status(.playing, time: 0)).dropFirst() == [told(0)])
        #expect(run(&session, .position(1)) == [.emit(.position(time: 1))])
        #expect(send(&session, .nextChapter) == [.seek(20)])
        #expect(send(&session, .chapter(2)) == [.seek(40)])
        #expect(isWarning(send(&session, .chapter(3))))
        #expect(run(&session, .position(40)).last == told(2))
        #expect(send(&session, .previousChapter) == [.seek(20)])
        // From the last chapter on to the next input, and no further.
        #expect(send(&session, .nextChapter) == [.stop])
        #expect(try stop(&session) == .open(input("y")))
        #expect(session.item.chapters.current == nil)
        _ = run(&session, .status(.opening, time: 0), .opened(info), .status(.playing, time: 50))
        #expect(send(&session, .nextChapter).isEmpty)
    }

    @Test("A broadcast keeps its name when its title changes")
    func broadcast() throws {
        var session = session("http://host/radio")
        _ = session.begin()
        _ = run(&session, .status(.opening, time: 0), .opened(info()))
        _ = run(&session, .metadata(["station": "Radio"]))
        #expect(run(&session, .metadata(["title": "One"])) == [.emit(.metadata(["title": "One"]))])
        #expect(session.item.tags == ["station": "Radio", "title": "One"])
    }

    @Test("An end with the input that is asked for while it plays has the streamer go on to nothing")
    func endsWithItem() {
        var session = session("a", "b")
        _ = session.begin()
        _ = run(&session, .status(.opening, time: 0), .opened(info()), .status(.playing, time: 0))
        #expect(session.handle(.request(.setSleep(.endOfItem)), at: 1) == [.follow([])])
        #expect(playThrough(&session) == .finish(.success))
    }
}
