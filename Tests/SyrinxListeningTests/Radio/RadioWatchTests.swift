import CoreAudioTypes
import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxListening
@testable import SyrinxMediaCodec
@testable import SyrinxStreaming

@Suite("Radio that is heard") struct RadioWatchTests {
    /// A session whose events go to a watch, as `ListeningPlayer` hands them over.
    private struct Rig {
        var session: ListeningSession
        var watch = RadioWatch()
        var notes: [RadioNote] = []
        var now = 100.0
        var access = InputAccess()

        init(_ inputs: [ListeningInput]) { session = ListeningSession(inputs: inputs) }

        mutating func happens(_ events: StreamingEvent...) {
            for event in events {
                for case .emit(let told) in session.handle(.streaming(event, of: session.openingCount), at: 1) {
                    notes += watch.handle(told, of: session, at: now, key: access.key)
                }
            }
        }

        mutating func begin(duration: Double? = nil, size: Int64? = nil, isSeekable: Bool = false) {
            _ = session.begin()
            var info = MediaInfo(
                format: Container(""),
                codec: "mp3",
                sampleRate: 44_100,
                channelCount: 2,
                channelLayout: "stereo",
                duration: duration,
                durationIsExact: false,
                isSeekable: isSeekable,
                tags: [:],
                chapters: [],
                streamDescription: AudioStreamBasicDescription()
            )
            info.size = size
            happens(.status(.opening, time: 0), .opened(info), .status(.playing, time: 0))
        }

        var titles: [String] { notes.compactMap { if case .title(let title) = $0 { title.title } else { nil } } }
        var stations: [String] { notes.compactMap { if case .station(let station) = $0 { station.name } else { nil } } }
    }

    private func station(_ title: String? = nil) throws -> ListeningInput {
        try #require(ListeningInput(argument: "http://user:secret@radio.example/live")).retitled(title)
    }

    @Test("The station is noted with its name once it states it, and each title when it changes")
    func notes() throws {
        var rig = Rig([try station()])
        rig.begin()
        #expect(rig.stations == ["radio.example"] && rig.titles.isEmpty)
        rig.happens(.metadata(["station": "The Station", "genre": "Jazz"]))
        rig.now = 200
        rig.happens(.metadata(["title": "A - One"]), .metadata(["title": "A - One"]), .position(3))
        rig.happens(.metadata(["title": "B - Two"]))
        #expect(rig.stations == ["radio.example", "The Station"])
        #expect(rig.titles == ["A - One", "B - Two"])
        guard case .title(let title) = rig.notes.last else { return #expect(Bool(false)) }
        #expect(title.date == 200 && title.station == "The Station")
        #expect(!title.address.contains("secret"), "a history has no passwords")
        guard case .station(let kept) = rig.notes.first else { return #expect(Bool(false)) }
        #expect(kept.address.contains("secret"), "the station is opened by its address again")
    }

    @Test("A password that is kept until the end of the program is in no note and no favorite")
    func sessionPassword() throws {
        var rig = Rig([try station()])
        rig.access.stored = { URL(string: $0.absoluteString.replacingOccurrences(of: "user:secret@", with: "")) ?? $0 }
        rig.begin()
        rig.happens(.metadata(["station": "The Station", "title": "A - One"]))
        #expect(rig.stations.last == "The Station" && rig.titles == ["A - One"])
        #expect(!"\(rig.notes)".contains("secret"))
        guard case .station(let station) = try #require(Favorite(rig.session, rig.access)) else {
            return #expect(Bool(false))
        }
        #expect(station.address == "http://radio.example/live")
    }

    @Test("The name that a playlist gives a station is no title, and an Ogg stream has an artist")
    func names() throws {
        var rig = Rig([try station("Station of the List")])
        rig.begin()
        rig.happens(.metadata(["StreamUrl": "http://a/"]))
        #expect(rig.titles.isEmpty && rig.stations.last == "Station of the List")
        rig.happens(.metadata(["title": "One", "artist": "A"]))
        #expect(rig.titles == ["A - One"])
    }

    @Test("A recording on a server is no station")
    func recordings() throws {
        for (duration, size, isSeekable) in [(60, 9, true), (nil, 9, false), (60, nil, false), (nil, nil, true)]
            as [(Double?, Int64?, Bool)]
        {
            var rig = Rig([try station()])
            rig.begin(duration: duration, size: size, isSeekable: isSeekable)
            rig.happens(.metadata(["title": "One"]))
            #expect(rig.notes.isEmpty)
            #expect(!rig.session.item.isStation)
        }
    }
}

@Suite("Settings and commands of stations") struct RadioCommandTests {
    private static let environment = ["HOME": "/home/a"]

    @Test("The settings name a folder, a limit and a buffer, and wrong lines count as none")
    func settings() {
        let standard = RadioSettings(environment: Self.environment)
        #expect(standard.folder?.name == "/home/a/Music/Syrinx" && standard.limit == 2 << 30)
        #expect(standard.buffer?.seconds == 1_800 && standard.buffer?.maximumByteCount == 64 << 20)
        let text = "record-folder = \"~/Radio\"\nrecord-limit = 500\nradio-buffer = \"off\"\n"
        let own = RadioSettings(settings: text, environment: Self.environment)
        #expect(own.folder?.name == "/home/a/Radio" && own.limit == 500 << 20 && own.buffer == nil)
        let wrong = "record-folder = \"Radio\"\nrecord-limit = 0\nradio-buffer = 1000\n"
        #expect(RadioSettings(settings: wrong, environment: Self.environment) == standard)
        #expect(RadioSettings(environment: [:]).folder == nil && RadioSettings(environment: [:]).buffer == nil)
    }

    @Test("Only a station is recorded and heard live, and a recording is in the state until it ends")
    func commands() throws {
        let input = try #require(ListeningInput(argument: "http://radio.example/live"))
        var session = ListeningSession(inputs: [input])
        _ = session.begin()
        func refusals(_ text: String) throws -> Int {
            session.handle(.request(.command(try ListeningCommand(text: text))), at: 1).filter { action in
                if case .emit(.warning) = action { true } else { false }
            }.count
        }
        #expect(try refusals("record") == 1 && refusals("live") == 1)
        var progress = RecordingProgress()
        (progress.fileCount, progress.byteCount, progress.seconds) = (2, 1_500_000, 75)
        _ = session.handle(.recording(progress), at: 1)
        #expect(ListeningState(session).recording?.text == "REC 1:15, 1.5 MB")
        #expect(session.handle(.request(.command(.record(false))), at: 1) == [.record(false)])
        progress.isOver = true
        #expect(session.handle(.recording(progress), at: 1) == [.answer("Recorded 2 files, 1:15, 1.5 MB.")])
        #expect(ListeningState(session).recording == nil)
    }
}
