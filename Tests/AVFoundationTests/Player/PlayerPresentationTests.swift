import Foundation
import SyrinxTestSupport
import Testing

@testable import AVFoundation

/// Players of HTTP Live Streaming: languages and live windows.
@Suite struct PlayerPresentationTests {
    private let files: PlayerFiles
    private let server: ScriptedHTTPServer
    private static let playlistType = "application/vnd.apple.mpegurl"

    init() throws {
        files = try PlayerFiles()
        server = try ScriptedHTTPServer()
    }

    private func url(_ path: String) throws -> URL { try #require(URL(string: server.url(path))) }

    /// Serves a tone in segments of one second.
    private func serve(_ name: String, seconds: Double, frequency: Double) throws -> String {
        let scratch = try ScratchDirectory()
        let sine = try files.sine("\(name).wav", seconds: seconds, frequency: frequency)
        let path = scratch.file("\(name).m3u8")
        try FFmpeg.run(
            ["-i", sine.path, "-c:a", "aac", "-f", "hls", "-hls_time", "1", "-hls_list_size", "0", path]
        )
        for file in try FileManager.default.contentsOfDirectory(atPath: scratch.path) {
            let bytes = try [UInt8](Data(contentsOf: scratch.url(file)))
            let isPlaylist = file.hasSuffix("m3u8")
            server.route("/\(file)", .file(bytes, type: isPlaylist ? Self.playlistType : "video/mp2t"))
        }
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    private func serve(_ text: String, at path: String) {
        server.route(path, .file(Array(text.utf8), type: Self.playlistType))
    }

    /// Serves a presentation with an English tone of 441 Hz, a German one of 882 Hz, and a German commentary of 1764 Hz.
    private func serveLanguages() throws {
        for (name, frequency) in [("en", 441.0), ("de", 882), ("talk", 1_764)] {
            _ = try serve(name, seconds: 30, frequency: frequency)
        }
        serve(
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Original",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="en.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Kommentar",LANGUAGE="de",URI="talk.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Deutsch",LANGUAGE="de",AUTOSELECT=YES,URI="de.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=800000,CODECS="avc1.4d401f,mp4a.40.2",AUDIO="a"
            film.m3u8
            """,
            at: "/film.m3u8"
        )
    }

    /// Returns the frequency of the last half second of what has been heard.
    private func tone(_ rig: PlayerRig) -> Double {
        toneFrequency(Array(rig.output.suffix(22_050)), sampleRate: 44_100)
    }

    @Test("The criteria choose a language until one is selected")
    func thePlayerChoosesTheLanguageOfItsCriteriaAndThenTheSelectedOne() async throws {
        try serveLanguages()
        let item = AVPlayerItem(url: try url("/film.m3u8"))
        let rig = PlayerRig([], waits: true)
        rig.player.setMediaSelectionCriteria(
            AVPlayerMediaSelectionCriteria(preferredLanguages: ["fr", "de-CH"]),
            forMediaCharacteristic: .audible
        )
        rig.player.insert(item, after: nil)
        rig.player.play()
        #expect(rig.crank { rig.output.count { $0 != 0 } > 44_100 })
        #expect(abs(cents(from: 882, to: tone(rig))) < 1)

        let group = try #require(try await item.asset.loadMediaSelectionGroup(for: .audible))
        #expect(group.options.map(\.displayName) == ["Original", "Kommentar", "Deutsch"])
        #expect(group.defaultOption == group.options[0])
        #expect(item.currentMediaSelection.selectedMediaOption(in: group) == group.options[2])
        let talk = try #require(group.mediaSelectionOption(withPropertyList: group.options[1].propertyList()))

        let changed = NotificationList(of: item, ["changed": AVPlayerItem.mediaSelectionDidChangeNotification])
        item.select(talk, in: group)
        let time = rig.player.currentTime().seconds
        let count = rig.output.count
        // What has been decoded is heard before.
        #expect(rig.crank { rig.output.count > count + 12 * 44_100 })
        #expect(abs(cents(from: 1_764, to: tone(rig))) < 1)
        #expect(rig.player.currentTime().seconds > time)
        #expect(item.currentMediaSelection.selectedMediaOption(in: group) == talk)
        await drainMainQueue()
        #expect(changed.events.all == ["changed"])
    }

    @Test("Without criteria, the presentation's default is chosen")
    func withoutCriteriaThePresentationChooses() async throws {
        try serveLanguages()
        let rig = PlayerRig([], waits: true)
        rig.player.appliesMediaSelectionCriteriaAutomatically = false
        rig.player.insert(AVPlayerItem(url: try url("/film.m3u8")), after: nil)
        rig.player.play()
        #expect(rig.crank { rig.output.count { $0 != 0 } > 44_100 })
        #expect(abs(cents(from: 441, to: tone(rig))) < 1)
    }

    @Test(
        "The system languages come from the locale",
        arguments: [
            ([:], []), (["LANG": "C.UTF-8"], []), (["LANG": "de_AT.UTF-8"], ["de-AT"]),
            (["LANG": "de_DE.UTF-8", "LANGUAGE": "pt_BR:en"], ["pt-BR", "en"]),
            (["LC_ALL": "POSIX", "LANG": "fr_FR", "LANGUAGE": "fr"], []),
            (["LC_ALL": "", "LANG": "sr_RS@latin"], ["sr-RS"]),
        ]
    )
    func languagesOfTheSystemAreThoseOfTheLocale(_ environment: [String: String], _ expected: [String]) {
        #expect(SystemLanguages.preferred(environment) == expected)
    }

    @Test("The seekable window of a live stream moves")
    func theWindowOfALivePresentationMovesOn() async throws {
        let text = try serve("live", seconds: 30, frequency: 441)
        let segments = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
        // At each load there are two more segments, of which the last ten are offered.
        server.route("/radio.m3u8") { _, index in
            let start = min(2 * index, segments.count - 10)
            var lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:1", "#EXT-X-MEDIA-SEQUENCE:\(start)"]
            for name in segments[start..<start + 10] { lines += ["#EXTINF:1.0,", name] }
            return .file(Array(lines.joined(separator: "\n").utf8), type: Self.playlistType)
        }
        let item = AVPlayerItem(url: try url("/radio.m3u8"))
        let rig = PlayerRig([item])
        let changes = EventList()
        let observation = item.observe(\.seekableTimeRanges) { _, _ in changes.add("window") }
        defer { observation.invalidate() }
        rig.player.play()
        #expect(rig.crank { item.status == .readyToPlay })
        let first = try #require(item.seekableTimeRanges.first?.timeRangeValue)
        // Three target durations from the end of the ten seconds.
        #expect(abs(first.duration.seconds - 7) < 0.2)
        #expect(item.duration.isIndefinite)
        #expect(
            rig.crank {
                let range = item.seekableTimeRanges.first?.timeRangeValue
                return range.map { $0.start.seconds - first.start.seconds >= 4 } ?? false
            }
        )
        let last = try #require(item.seekableTimeRanges.first?.timeRangeValue)
        #expect(abs(last.duration.seconds - 7) < 0.5)
        await drainMainQueue()
        #expect(changes.count(of: "window") >= 2)
    }
}
