import Foundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// The bounds of time and memory for lists of recordings.
@Suite("Bounds of playlists")
struct PlaylistBoundsTests {
    private let local = URL(fileURLWithPath: "/music/a.xspf")

    private func remote(_ path: String) throws -> URL { try #require(URL(string: "https://example.org/" + path)) }

    private func read(_ text: String, from url: URL) throws(SyrinxError) -> Playlist {
        try Playlist(Data(text.utf8), from: url)
    }

    private func tracks(_ count: Int, padding: Int = 0, base: String? = nil) -> String {
        let note = padding > 0 ? "<annotation>\(String(repeating: "n", count: padding))</annotation>" : ""
        let base = base.map { " xml:base=\"\($0)\"" } ?? ""
        let tracks = (0..<count).map { "<track><location>\($0).mp3</location>\(note)</track>" }.joined()
        return "<playlist version=\"1\"\(base)><trackList>\(tracks)</trackList></playlist>"
    }

    @Test("An XSPF of 12 MB is read")
    func largeXSPF() throws {
        let text = tracks(20_000, padding: 550)
        #expect(text.utf8.count > 12_000_000)
        #expect(try read(text, from: local).entries.count == 20_000)
    }

    @Test("A list that is too long has an error of its own", arguments: ["xspf", "m3u", "pls", "cue"])
    func tooLong(ending: String) throws {
        let text = String(repeating: "a", count: Playlist.largestSize + 1)
        let error = #expect(throws: SyrinxError.self) { try read(text, from: URL(fileURLWithPath: "/a.\(ending)")) }
        #expect(error?.code.rawValue == "media.playlistTooLarge")
    }

    @Test("The URLs of a list, each with those that it is relative to, take no more than 64 MiB")
    func longBases() throws {
        let long = String(repeating: "b", count: 8 << 10)
        let based = try read(tracks(9_000, base: "https://example.org/\(long)/"), from: remote("a.xspf"))
        #expect((7_000..<8_200).contains(based.entries.count) && based.entries.count + based.refusedCount == 9_000)
        let lines = (0..<9_000).map { "\($0).mp3\n" }.joined()
        let below = try read(lines, from: remote("\(long)/a.m3u"))
        #expect((7_000..<8_200).contains(below.entries.count) && below.entries.count + below.refusedCount == 9_000)
        #expect(try read(lines, from: remote("a.m3u?\(long)")).entries.count == 9_000)
    }

    @Test("A URL of more than 16 KiB is refused")
    func longURL() throws {
        let long = String(repeating: "b", count: 16 << 10)
        let list = try read("a.mp3\n\(long).mp3\nhttp://x/\(long)\n", from: remote("a.m3u"))
        #expect(list.entries.count == 1 && list.refusedCount == 2)
    }

    @Test("Entries beyond the most that are taken are counted and not held", arguments: ["m3u", "pls", "xspf"])
    func surplus(ending: String) throws {
        let count = Playlist.mostEntries + 5
        let text =
            switch ending {
            case "pls": "[playlist]\n" + (1...count).map { "File\($0)=a\n" }.joined()
            case "xspf": tracks(count)
            default: String(repeating: "a\n", count: count)
            }
        let list = try read(text, from: remote("a." + ending))
        #expect(list.entries.count == Playlist.mostEntries && list.refusedCount == 5)
    }

    @Test("A list is read in time and memory proportional to its length", arguments: Playlist.Format.allCases)
    func growth(format: Playlist.Format) throws {
        let growth = try Growth(from: 5_000) { count in
            let numbers = 1...count
            let text =
                switch format {
                case .m3u, .m3u8: "#EXTM3U\n" + numbers.map { "#EXTINF:61,A - T \($0)\nfolder/\($0).mp3\n" }.joined()
                case .pls:
                    "[playlist]\n" + numbers.map { "File\($0)=\($0).mp3\nTitle\($0)=T\nLength\($0)=61\n" }.joined()
                case .xspf: tracks(count, padding: 20)
                case .cue:
                    numbers.map { "FILE \"\($0).wav\" WAVE\n TRACK 01 AUDIO\n TITLE \"T\"\n INDEX 01 00:00:00\n" }
                        .joined()
                }
            let list = try Playlist(Data(text.utf8), format: format, from: remote("list"))
            // A disc has 99 tracks at most.
            #expect(format == .cue ? list.entries.count >= 99 : list.entries.count == count)
        }
        #expect(growth.isLinear, "\(growth)")
    }
}
