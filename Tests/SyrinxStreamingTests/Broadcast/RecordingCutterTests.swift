import SyrinxMediaCodec
import Testing

@testable import SyrinxStreaming

@Suite("Cuts of a recording") struct RecordingCutterTests {
    private static let size = 417

    private static func frame(_ number: Int) -> [UInt8] {
        let content = [UInt8](repeating: UInt8(number & 0x7F), count: size - 4)
        let head: [UInt8] = [0xFF, 0xFB, 0x90, 0x00]
        return head + content
    }

    private static func frames(_ count: Int) -> [UInt8] { (0..<count).flatMap { frame($0) } }

    /// The files that a recording of `bytes` has, with their titles.
    private static func files(
        _ bytes: [UInt8],
        from start: Int64 = 0,
        pieces: Int,
        titles: [(offset: Int64, title: String)]
    ) -> [(title: String?, bytes: [UInt8])] {
        var cutter = RecordingCutter(offset: start)
        var files: [(title: String?, bytes: [UInt8])] = []
        func perform(_ actions: [RecordingCutter.Action]) {
            for action in actions {
                switch action {
                case .begin(let title): files.append((title, []))
                case .write(let bytes): files[files.count - 1].bytes += bytes
                }
            }
        }
        for place in stride(from: 0, to: bytes.count, by: pieces) {
            let end = min(place + pieces, bytes.count)
            // As they arrive: a title is known once the bytes before it are.
            perform(cutter.push(Array(bytes[place..<end]), titles: titles.filter { $0.offset <= start + Int64(end) }))
        }
        perform(cutter.finish(titles: titles))
        return files
    }

    @Test("Files begin at the first frame of a title, and joined they are the source", arguments: [100, 417, 4_000])
    func cuts(pieces: Int) {
        let bytes = Self.frames(30)
        let titles: [(offset: Int64, title: String)] = [
            (0, "One"), (Int64(10 * Self.size), "Two"), (Int64(20 * Self.size + 1), "Three"),
        ]
        let files = Self.files(bytes, pieces: pieces, titles: titles)
        #expect(files.map(\.title) == ["One", "Two", "Three"])
        #expect(files.map { $0.bytes.count / Self.size } == [10, 11, 9])
        #expect(files.allSatisfy { $0.bytes.count % Self.size == 0 })
        #expect(files.flatMap(\.bytes) == bytes)
    }

    @Test("A recording that begins in the middle has the title of that place, and whole frames alone")
    func middle() {
        let bytes = Self.frames(30)
        let start = Int64(12 * Self.size + 5)
        let titles: [(offset: Int64, title: String)] = [
            (0, "One"), (Int64(10 * Self.size), "Two"), (Int64(20 * Self.size), ""),
        ]
        let part = Array(bytes[Int(start)..<(29 * Self.size + 7)])
        let files = Self.files(part, from: start, pieces: 1_000, titles: titles)
        #expect(files.map(\.title) == ["Two", nil])
        #expect(files.flatMap(\.bytes) == Array(bytes[13 * Self.size..<29 * Self.size]))
        #expect(files[1].bytes.count == 9 * Self.size)
    }

    @Test("A title becomes the name of a file that every system takes")
    func names() {
        let cases: [(String?, String)] = [
            ("A - One", "A - One"), ("AC/DC: Back\u{0}\u{202E} in?", "AC DC Back in"), ("..", "S"), (nil, "S"),
            (" ", "S"),
            ("../../etc/passwd", "etc passwd"), ("a.", "a"), ("Ü – ñ", "Ü – ñ"), ("\n\t", "S"),
        ]
        for (title, name) in cases { #expect(RecordingName.clean(title, fallback: "S") == name) }
        let long = RecordingName.clean(String(repeating: "é", count: 500), fallback: "S")
        #expect(long.utf8.count <= RecordingName.maximumByteCount && long.count == 80)
        #expect(RecordingName.numbered("a", 1, pathExtension: "mp3") == "a.mp3")
        #expect(RecordingName.numbered("a", 2, pathExtension: "mp3") == "a (2).mp3")
    }
}
