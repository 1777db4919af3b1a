import Foundation
import SyrinxByteStream
import SyrinxStreaming
import Testing

@testable import SyrinxListening

@Suite("Tags of a queue")
struct ListeningTagsTests {
    private func entry(
        part: StreamingInput.Part? = nil,
        title: String? = nil,
        duration: Double? = nil,
        _ tags: [String: String] = [:]
    ) -> ListeningInput {
        let url = URL(fileURLWithPath: "/music/disc.flac")
        return ListeningInput(Playlist.Entry(url: url, title: title, duration: duration, part: part, tags: tags))
    }

    private let file = ListeningTags(title: "The Disc", artist: "The Band", album: "All", duration: 100)

    @Test("The tags of a file are preferred to those of a playlist, which are better than none")
    func playlist() {
        let stated = entry(title: "Track 1", duration: 99, ["artist": "Someone"])
        #expect(ListeningTags(of: stated, file: file) == file)
        let known = ListeningTags(of: stated, file: ListeningTags(album: "All"))
        #expect(known == ListeningTags(title: "Track 1", artist: "Someone", album: "All", duration: 99))
        #expect(ListeningTags(of: ListeningInput(path: "/a.mp3"), file: nil) == ListeningTags())
    }

    @Test("A track of a CUE sheet has the sheet's tags, those of its file for what is missing, and its own length")
    func parts() {
        let first = entry(part: .init(start: 0, end: 40), title: "One", ["artist": "A Guest"])
        #expect(
            ListeningTags(of: first, file: file)
                == ListeningTags(title: "One", artist: "A Guest", album: "All", duration: 40)
        )
        let last = entry(part: .init(start: 40, end: nil))
        #expect(
            ListeningTags(of: last, file: file) == ListeningTags(artist: "The Band", album: "All", duration: 60)
        )
        #expect(ListeningTags(of: last, file: nil).duration == nil)
        #expect(ListeningTags(of: entry(part: .init(start: 400, end: nil)), file: file).duration == nil)
    }

    @Test("An episode keeps the title that its feed states")
    func episodes() {
        let episode = ListeningInput(path: "/ep-12.mp3").titled("Low Water", duration: 90)
        let tags = ListeningTags(of: episode, file: ListeningTags(title: "ep-12", artist: "Nobody", duration: 91))
        #expect(tags == ListeningTags(title: "Low Water", artist: "Nobody", duration: 91))
    }

    @Test("Long texts are cut, and what says nothing is unknown")
    func cut() {
        let long = "e" + String(repeating: "\u{301}", count: 100_000)
        let tags = ListeningTags(title: long, artist: " \n", album: "")
        #expect(tags.title?.unicodeScalars.count == ListeningTags.maximumLength)
        #expect(tags.artist == nil && tags.album == nil)
        for length in [Double.nan, -1, 0, .infinity, -.infinity] {
            #expect(ListeningTags(duration: length).duration == nil)
        }
    }

    @Test("The files whose tags are not known are those of the queue, each once, and as many as are kept")
    func unknown() {
        var known = KnownTags()
        let paths = ["a", "b", "c"].map { FilePath("/\($0).mp3") }
        let list = ListeningInput(path: "/folder", isFolder: true)
        let inputs = paths.map { ListeningInput(path: $0) } + [ListeningInput(path: paths[0]), list, .nothing]
        #expect(known.unknown(among: inputs) == paths)
        let hasRoom = known.take([paths[1]: ListeningTags(title: "B"), paths[2]: ListeningTags()])
        #expect(hasRoom)
        #expect(known.unknown(among: inputs) == [paths[0]] && known.knows(paths[2]))
        #expect(known.tags(of: inputs[1]).title == "B" && known.tags(of: inputs[0]) == ListeningTags())
        known.keep([inputs[0], inputs[2]])
        #expect(known.unknown(among: inputs) == [paths[0], paths[1]])
        let many = (0..<KnownTags.maximumCount + 5).map { FilePath("/\($0).mp3") }
        #expect(known.unknown(among: many.map { ListeningInput(path: $0) }).count == KnownTags.maximumCount - 1)
        _ = known.take(Dictionary(many.map { ($0, ListeningTags()) }) { $1 })
        let isTaken = known.take(["/more.mp3": ListeningTags()])
        #expect(known.isFull && known.unknown(among: inputs).isEmpty && !isTaken)
    }
}
