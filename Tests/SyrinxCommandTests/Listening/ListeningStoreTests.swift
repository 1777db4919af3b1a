import Foundation
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxStreaming
import SyrinxTestSupport
import Testing

@testable import SyrinxListening
@testable import syrinx

@Suite("Listening: positions, sleep, chapters of feeds") struct ListeningStoreTests {
    private func opened(_ duration: Double?) -> ListeningEvent {
        .opened(
            OpenedFields(
                url: "a",
                container: "",
                codec: "",
                sampleRate: 1,
                channels: 1,
                duration: duration,
                frames: nil,
                seekable: true,
                contentLength: nil
            )
        )
    }

    @Test(
        "A position is kept every three seconds and where playback rests, and not before anything was heard"
    )
    func progress() {
        var progress = ListeningProgress(of: "a")
        func handle(_ event: ListeningEvent, _ date: Double) -> Double? {
            progress.handle(event, at: date)?.position
        }
        // An input that fails before it is heard keeps the position that it has.
        #expect(handle(.state(.failed, time: 0), 0) == nil)
        #expect(handle(opened(600), 1) == nil)
        #expect(handle(.state(.stopped, time: 0), 1) == nil)
        #expect(handle(.position(time: 100), 2) == 100)
        #expect(handle(.position(time: 102), 4) == nil)
        #expect(handle(.position(time: 103), 5) == 103)
        #expect(handle(.state(.paused, time: 104), 6) == 104)
        // A seek in a pause, and the wait for an output.
        #expect(progress.handle(.position(time: 300), isPlaying: false, at: 6.5)?.position == 300)
        #expect(handle(.state(.buffering, time: 301), 7) == 301)
        #expect(progress.handle(.state(.stopped, time: 590), at: 8)?.isFinished == true)
    }

    @Test(
        "Only long recordings that were left in the middle, and have not changed, go on by themselves"
    )
    func resumption() throws {
        let scratch = try ScratchDirectory()
        let state = ListeningStore(folder: scratch.file("state"))
        let path = scratch.file("a.wav")
        try Data("a".utf8).write(to: URL(fileURLWithPath: path))
        let input = try #require(ListeningInput(argument: path))
        let item = try #require(input.identity)
        let later = Date(timeIntervalSinceNow: 100)
        func place(_ position: Double, _ duration: Double, at date: Date, isRequired: Bool = false)
            throws -> Double?
        {
            let date = date.timeIntervalSince1970
            try state.positions.store(
                StoredPosition(item: item, position: position, duration: duration, date: date)
            )
            return Resumption(PlaceKeeper(state), requiring: isRequired ? input : nil).place(
                in: input,
                key: item,
                at: Date(timeIntervalSince1970: date + 60)
            )
        }
        #expect(try abs((place(300, 600, at: later) ?? 0) - 298.7) < 0.1)
        #expect(try place(300, 599, at: later) == nil)
        #expect(try place(300, 600, at: Date(timeIntervalSinceNow: -100)) == nil)
        #expect(try place(300, 599, at: Date(timeIntervalSinceNow: -100), isRequired: true) != nil)
        let resumption = Resumption(PlaceKeeper(state), requiring: input)
        #expect(resumption.place(in: input, key: item) != nil)
        resumption.noteOpening()
        #expect(resumption.place(in: input, key: item) == nil, "once an input is open, short ones begin at their start")
        #expect(ListeningInput(argument: "-")?.identity == nil)
        #expect(ListeningInput(argument: scratch.file("x/../a.wav"))?.identity == item)
    }

    @Test(
        "The queue that is kept has the place of the input that plays, and passes over standard input"
    )
    func session() throws {
        let scratch = try ScratchDirectory()
        let state = ListeningStore(folder: scratch.file("state"))
        #expect(state.session == nil)
        let inputs = ["/a", "-", "/b", "https://u:p@example.org/c"].compactMap { ListeningInput(argument: $0) }
        var queue = ListeningQueue(inputs)
        queue.move(to: 2)
        let session = try #require(ListeningStore.Session(queue, date: 5))
        #expect(
            session.items == ["file:///a", "file:///b", "https://u:p@example.org/c"] && session.index == 1
        )
        try state.store(session)
        #expect(state.session == session)
        queue.move(to: 1)
        #expect(ListeningStore.Session(queue, date: 5) == nil)
        var many = ListeningQueue(Array(repeating: inputs[0], count: 20_000))
        many.move(to: 9_000)
        let part = try #require(ListeningStore.Session(many, date: 5))
        #expect(part.items.count == 5_000 && part.index == 500)
    }

    @Test("The output that was chosen last is kept, and a damaged file is the default output")
    func output() throws {
        let folder = try ScratchDirectory().file("state")
        let state = ListeningStore(folder: folder)
        #expect(state.output == nil)
        try state.store(output: "pulse:headphones")
        #expect(ListeningStore(folder: folder).output == "pulse:headphones")
        try state.store(output: nil)
        #expect(state.output == nil)
        try state.store(output: String(repeating: "x", count: 2_000))
        #expect(state.output == nil)
        let file = URL(fileURLWithPath: folder + "/output.session")
        try Data("{\"name\":7}".utf8).write(to: file)
        #expect(state.output == nil)
        // A file that cannot be read is left alone.
        #expect(throws: PlaybackError.self) { try state.store(output: "alsa") }
    }

    @Test("A player begins with the output that was chosen last, unless the command line names one or it is missing")
    func chosenOutput() throws {
        func make(_ argument: OutputArgument?, chosen: String?, record: FilePath? = nil) throws -> PlayOutput {
            try PlayOutput(argument, chosen: chosen, recordingPath: record, playsSeveral: false)
        }
        let chosen = try make(nil, chosen: "alsa:null")
        #expect(chosen.name == "alsa:null" && chosen.device.name == "alsa:null")
        #expect(chosen.warning == nil && !chosen.lacksSound && chosen.refusal == nil)
        #expect(try make(.null, chosen: "alsa:null").name == "null")
        let missing = try make(nil, chosen: "alsa:no-such-card")
        #expect(missing.name == "auto" && missing.device.name != "alsa:no-such-card")
        // Without a default output either, the silence is the greater news.
        #expect(missing.warning?.code == (missing.lacksSound ? .deviceUnavailable : .deviceNotFound))
        // Nothing that a file of the state folder names is written.
        let path = try ScratchDirectory().file("a.wav")
        #expect(try make(nil, chosen: "file:\(path)").name == "auto")
        #expect(!FileManager.default.fileExists(atPath: path))
        let recorded = try make(.null, chosen: nil, record: FilePath(path))
        #expect(recorded.refusal?.code == .badCommand)
    }

    @Test("A track of a CUE sheet is kept with its place and its title")
    func tracks() throws {
        let state = ListeningStore(folder: try ScratchDirectory().file("state"))
        let tracks = [(0.0, 100.0), (100.0, 900.0)].map { start, end in
            let part = StreamingInput.Part(start: start, end: end)
            let url = URL(fileURLWithPath: "/album.flac")
            return ListeningInput(Playlist.Entry(url: url, title: "Track at \(Int(start))", part: part))
        }
        var queue = ListeningQueue(tracks)
        queue.move(to: 1)
        try state.store(try #require(ListeningStore.Session(queue, date: 5)))
        let kept = try #require(state.session)
        #expect(kept.items == ["file:///album.flac#t=0.0,100.0", "file:///album.flac#t=100.0,900.0"])
        #expect(kept.index == 1)
        #expect(kept.titles == [0: "Track at 0", 1: "Track at 100"])
        try state.positions.store(StoredPosition(item: kept.items[1], position: 400, duration: 800, date: 5))
        guard case .queue(let inputs, index: 1)? = LastListening(kept, in: state) else {
            Issue.record("There is nothing to resume.")
            return
        }
        #expect(inputs.map(\.part) == tracks.map(\.part) && inputs.map(\.title) == tracks.map(\.title))
        let place = Resumption(PlaceKeeper(state)).place(
            in: inputs[1],
            key: inputs[1].identity,
            at: Date(timeIntervalSince1970: 5)
        )
        #expect(place.map { abs($0 - 400) < 5 } == true)
        let other = Resumption(PlaceKeeper(state), requiring: inputs[0])
        #expect(other.place(in: inputs[0], key: inputs[0].identity) == nil)
    }

    @Test("The value of --sleep is a time above 0, or a word in lower case")
    func sleep() {
        #expect(["0", "-1", "nan", "Chapter"].allSatisfy { SleepGoal(argument: $0) == nil })
        #expect(SleepGoal(argument: "1:30") == .time(90))
        #expect(SleepGoal(argument: "chapter") == .endOfChapter)
    }
}
