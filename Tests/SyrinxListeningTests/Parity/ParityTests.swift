import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxDevice
import SyrinxPlayback
import SyrinxPodcastLibrary
import SyrinxStreaming
import SyrinxTestSupport
import Testing

@testable import SyrinxListening

/// The core alone, as the scenario `a_script_leaves_the_same_state_in_every_face` has the faces.
@Suite("The script of all faces, played by the core alone")
struct ParityTests {
    /// A player without a face.
    private final class Core {
        private final class Mailbox: Sendable {
            let events = Mutex<[ListeningPlayer.Event]>([])
        }

        let player: ListeningPlayer
        private let mailbox = Mailbox()
        private var hasFinished = false

        init(_ keeper: PlaceKeeper, _ change: (inout ListeningPlayer.Setup) -> Void) {
            var setup = ListeningPlayer.Setup(keeper: keeper) { ProcessInfo.processInfo.systemUptime }
            setup.resumption = Resumption(keeper)
            change(&setup)
            player = ListeningPlayer(setup, on: TimePitchStreamer(device: NullOutput()), findsPictures: false) {
                [mailbox] event, _ in
                mailbox.events.withLock { $0.append(event) }
            }
            player.onNotice = { [unowned self] in if case .finished = $0 { hasFinished = true } }
            player.begin()
        }

        /// Handles what has happened.
        private func handleEvents() {
            let events = mailbox.events.withLock { events in
                defer { events = [] }
                return events
            }
            for event in events { player.handle(event) }
            player.handle(.tick)
        }

        private func waits(_ what: String, seconds: Double = 30, _ condition: () -> Bool) throws {
            let isMet = waitUntil(timeout: seconds) {
                handleEvents()
                return condition()
            }
            try #require(isMet, "\(what): \(player.session.item.progress), \(player.session.queue.current.name)")
        }

        private func fits(_ step: ParityScript.Step, _ times: [String: Double]) -> Bool {
            let (session, time) = (player.session, player.time)
            let sound = session.settings
            if let state = step.state, state != session.item.progress.state.rawValue { return false }
            let isOpen = session.item.isOpen
            if let item = step.item, !isOpen || !session.queue.current.name.hasSuffix(item) { return false }
            if let since = step.since, since.count == 3, case .name(let name) = since[0],
                case .number(let least) = since[1], case .number(let most) = since[2]
            {
                guard let earlier = times[name], [least, most].admits(time - earlier) else { return false }
            }
            let numbers = [(step.time, time), (step.rate, sound.rate), (step.pitch, sound.pitch)]
            return (numbers + [(step.volume, sound.volume)]).allSatisfy { $0.0?.admits($0.1) ?? true }
        }

        /// Carries out steps.
        /// - Returns: The times of those with a name.
        func play(_ steps: [ParityScript.Step], played: (String) -> Bool = { _ in true }) throws -> [String: Double] {
            var times: [String: Double] = [:]
            for step in steps {
                if let text = step.send {
                    let command = try ListeningCommand(text: text)
                    let json = try #require(step.json)
                    #expect(try ListeningCommand(json: json.text) == command)
                    player.carryOut(command)
                } else if let goal = step.sleep {
                    let goal = try #require(SleepGoal(argument: goal))
                    player.request(.setSleep(goal))
                } else if let name = step.played {
                    try waits("\(name) counts as played") { played(name) }
                } else if step.end == true {
                    if !hasFinished { player.carryOut(.stop) }
                    try waits("it ends") { hasFinished }
                    player.stop()
                } else {
                    try waits(step.wait ?? "") { fits(step, times) }
                    if let name = step.name { times[name] = player.time }
                }
            }
            return times
        }
    }

    /// The positions that are kept, by the names of the files.
    private func positions(_ store: ListeningStore) -> [String: StoredPosition] {
        let all = store.positions.all().map { (name(of: $0.item), $0) }
        return Dictionary(all) { first, _ in first }
    }

    private func name(of item: String) -> String { item.split(separator: "/").last.map(String.init) ?? item }

    @Test("Positions, marks and the queue are those that every face keeps, and a crash loses at most five seconds")
    func recordings() throws {
        let script = try ParityScript.read()
        let folder = try ScratchDirectory()
        let inputs = try script.recordings.map { try ListeningInput(argument: $0.make(in: folder)) }.compactMap(\.self)
        let store = ListeningStore(folder: folder.file("state"))
        let keeper = PlaceKeeper(store)
        let isPlayed = { [self] (name: String) in positions(store)[name]?.isFinished == true }
        _ = try Core(keeper) { $0.inputs = inputs }.play(script.steps, played: isPlayed)
        #expect(keeper.drain() == [])
        let kept = positions(store)
        #expect(Set(kept.keys) == Set(script.kept.positions.keys))
        for (name, place) in script.kept.positions {
            switch place {
            case .played: #expect(kept[name]?.isFinished == true, "\(name)")
            case .within(let range):
                #expect(kept[name].map { !$0.isFinished && range.admits($0.position) } == true, "\(name)")
            }
        }
        let session = try #require(store.session)
        #expect(session.items.map(name(of:)) == script.kept.queue.items && session.index == script.kept.queue.index)

        var sound = ShowSettings()
        (sound.rate, sound.volume) = (script.kept.settings.rate, script.kept.settings.volume)
        #expect(try #require(keeper.keptSettings).values.map(\.sound) == [sound])

        // The player of a process that is killed handles no event any more.
        let core = Core(keeper) { $0.inputs = inputs }
        let playing = try #require(try core.play(script.crash)["crash"])
        keeper.drain()
        let place = try #require(positions(store)["one.flac"])
        #expect(script.lost.admits(playing - place.position), "\(playing) \(place)")
        core.player.streamer.stop()
    }

    @Test("A podcast keeps the rate, and an episode the position")
    func episode() async throws {
        let script = try ParityScript.read().episode
        let folder = try ScratchDirectory()
        let server = try ScriptedHTTPServer()
        let recording = ParityScript.Recording(name: "episode.flac", seconds: 60, chapters: nil)
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: recording.make(in: folder))))
        server.route("/episode.flac", .file(bytes, type: "audio/flac"))
        let feed = """
            <rss version="2.0"><channel><title>Shores</title><item><guid>1</guid><title>\(script.title)</title>
            <enclosure url="\(server.url("/episode.flac"))" type="audio/flac" length="\(bytes.count)"/></item></channel></rss>
            """
        server.route("/feed.xml", .file([UInt8](feed.utf8), type: "application/rss+xml"))
        var options = PodcastLibrary.Options()
        options.network.environment = [:]
        let library = try PodcastLibrary(file: folder.url("library.sqlite"), options: options)
        let podcast = try await library.subscribe(to: server.url("/feed.xml"))
        let episode = try #require(try library.episodes(of: podcast.id).first)
        let item = try EpisodeItem(episode, of: library)
        let keeper = PlaceKeeper(nil)
        try playEpisode(script, item, keeper)
        #expect(keeper.drain() == [])
        #expect(try library.settings(of: podcast.id).rate == script.kept.rate)
        let kept = try library.episode(episode.id)
        #expect(!kept.isPlayed && script.kept.position.admits(kept.position), "\(kept)")
    }

    /// Plays the episode on this thread: one thread uses a player.
    private func playEpisode(_ script: ParityScript.Episode, _ item: EpisodeItem, _ keeper: PlaceKeeper) throws {
        let core = Core(keeper) { setup in
            (setup.inputs, setup.episode) = ([item.input], item)
            setup.network.environment = [:]
        }
        _ = try core.play(script.steps)
    }
}
