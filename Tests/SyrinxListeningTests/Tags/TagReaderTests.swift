import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxListening

@Suite("Reading tags")
struct TagReaderTests {
    @Test("Files whose rows are seen come first, and each is read once until it has been reported")
    func order() {
        var order = TagOrder<String>()
        func next(_ count: Int) -> [String] {
            (0..<count).compactMap { _ in order.next().map { $0.isSeen ? $0.key.uppercased() : $0.key } }
        }
        order.setOthers(["a", "b", "c", "d"])
        #expect(next(1) == ["a"])
        order.setSeen(["c", "a", "c"])
        // Only the tags of a have been read, without its cover.
        #expect(next(3) == ["C", "A", "b"])
        order.setSeen(["a", "b"])
        order.setOthers(["b", "c", "e"])
        #expect(next(9) == ["B", "e"])
        order.willReport()
        order.setSeen(["a"])
        order.setOthers(["a", "e"])
        #expect(next(9) == ["A", "e"])
        order.setOthers([])
        #expect(order.next() == nil)
    }

    /// The bytes of a WAV file of one second with tags.
    private func wave(title: String, artist: String) -> [UInt8] {
        func bytes(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
        func chunk(_ id: String, _ body: [UInt8]) -> [UInt8] {
            Array(id.utf8) + bytes(body.count, 4) + body + (body.count % 2 == 1 ? [0] : [])
        }
        let format = bytes(1, 2) + bytes(1, 2) + bytes(8_000, 4) + bytes(8_000, 4) + bytes(1, 2) + bytes(8, 2)
        let tags = chunk("INAM", Array(title.utf8) + [0]) + chunk("IART", Array(artist.utf8) + [0])
        let list = chunk("LIST", Array("INFO".utf8) + tags)
        let sound = chunk("data", Array(repeating: 128, count: 8_000))
        return chunk("RIFF", Array("WAVE".utf8) + chunk("fmt ", format) + list + sound)
    }

    @Test("Title, performer and length of files are reported, and of what is none that it has none")
    func reading() throws {
        let scratch = try ScratchDirectory()
        var paths: [FilePath] = []
        for index in 0..<40 {
            let file = scratch.file("\(index).wav")
            try Data(wave(title: "Song \(index)", artist: "Nobody")).write(to: URL(fileURLWithPath: file))
            paths.append(FilePath(file))
        }
        try Data("no sound".utf8).write(to: URL(fileURLWithPath: scratch.file("x.wav")))
        // A pipe without a writer.
        try #require(mkfifo(scratch.file("y.wav"), 0o600) == 0)
        paths += [FilePath(scratch.file("x.wav")), FilePath(scratch.file("y.wav"))]
        let found = Mutex<[FilePath: ListeningTags]>([:])
        let reader = TagReader<Never>(makeCover: { _ in nil }) { readings in
            found.withLock { found in for reading in readings { found[reading.path] = reading.tags } }
        }
        reader.readSeen([paths[39]])
        reader.readOthers(paths)
        waitUntil { found.withLock { $0.count } == paths.count }
        let all = found.withLock { $0 }
        #expect(all[paths[7]] == ListeningTags(title: "Song 7", artist: "Nobody", duration: 1))
        #expect(all[paths[39]]?.title == "Song 39")
        #expect(all[paths[40]] == ListeningTags() && all[paths[41]] == ListeningTags())
    }
}
