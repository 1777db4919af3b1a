import Foundation
import SyrinxTestSupport
import Testing

/// Files that are made to fill the memory of their reader.
enum MemoryTrap: String, CaseIterable, Sendable {
    /// A tag of ten megabytes before an MP3: a picture.
    case tag
    /// Twenty pictures of 16 MB in a FLAC file.
    case pictures
    /// A cover of 900 MB in an MP4 file.
    case cover
    /// A table of an MP4 file that has a hundred million entries, each the same.
    case table
    /// A fragment of an MP4 file that states a hundred million packets.
    case fragment
    /// A note of a gigabyte in a WAV file.
    case note
    /// A WAV file that states more sound than there can be.
    case length
    /// Boxes in boxes, thousands of them.
    case boxes

    /// Whether there is sound in it that is given.
    var isPlayable: Bool { self == .tag || self == .note }

    /// Writes it; zeros take no room on the disk.
    func make(in scratch: ScratchDirectory) throws -> String {
        let path = scratch.file("trap")
        try Data().write(to: URL(fileURLWithPath: path))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        var end: UInt64 = 0
        for piece in try pieces(scratch) {
            switch piece {
            case .bytes(let bytes):
                try file.seek(toOffset: end)
                try file.write(contentsOf: bytes)
                end += UInt64(bytes.count)
            case .zeros(let count): end += UInt64(count)
            }
        }
        try file.truncate(atOffset: end)
        try file.close()
        return path
    }

    private func pieces(_ scratch: ScratchDirectory) throws -> [Piece] {
        switch self {
        case .tag: Self.tag(try sound(scratch, "mp3"))
        case .pictures: Self.pictures(try sound(scratch, "flac"))
        case .cover: try Self.cover(try sound(scratch, "m4a"))
        case .table: try Self.table(try sound(scratch, "m4a"))
        case .fragment: try Self.fragment(try sound(scratch, "mp4", ["-movflags", "frag_keyframe+empty_moov"]))
        case .note: Self.note(try sound(scratch, "wav"))
        case .length: Self.length(try sound(scratch, "wav"))
        case .boxes: Self.boxes()
        }
    }

    private static func tag(_ sound: Data) -> [Piece] {
        let size = 10 << 20
        let header = Data("ID3\u{3}\0\0".utf8) + Data([21, 14, 7, 0].map { UInt8(size >> $0 & 127) })
        let picture = Data("APIC".utf8) + number(size - 10) + Data(count: 3) + Data("image/png\0\u{3}\0".utf8)
        return [.bytes(header + picture), .zeros(size - picture.count), .bytes(sound)]
    }

    private static func pictures(_ sound: Data) -> [Piece] {
        let size = (1 << 24) - 1
        let kind = number(3) + number(9) + Data("image/png".utf8) + Data(count: 20)
        let header = Data([6, 0xFF, 0xFF, 0xFF]) + kind + number(size - kind.count - 4)
        let picture = [Piece.bytes(header), .zeros(size - kind.count - 4)]
        // The stream info is the first block of any file, and has 34 bytes.
        let start = sound.prefix(4) + Data([0]) + sound[5..<42]
        let end = Data([0x81, 0, 0, 0]) + frames(sound)
        return [.bytes(start)] + Array(repeating: picture, count: 20).joined() + [.bytes(end)]
    }

    private static func cover(_ sound: Data) throws -> [Piece] {
        let place = try #require(sound.range(of: Data("moov".utf8))).lowerBound - 4
        let size = 900 << 20
        let cover = box("covr", box("data", number(13) + number(0), more: size), more: size)
        let handler = box("hdlr", Data(count: 8) + Data("mdirappl".utf8) + Data(count: 9))
        let list = handler + box("ilst", cover, more: size)
        let user = box("udta", box("meta", Data(count: 4) + list, more: size), more: size)
        var sound = sound
        sound.replaceSubrange(place..<place + 4, with: number(sound.count - place + user.count + size))
        return [.bytes(sound + user), .zeros(size)]
    }

    private static func table(_ sound: Data) throws -> [Piece] {
        let many = 100_000_000
        let tables = [("stsz", [1, many]), ("stts", [1, many, 1024]), ("stsc", [1, 1, many, 1]), ("stco", [1])]
        var sound = sound
        for (kind, numbers) in tables {
            let place = try #require(sound.range(of: Data(kind.utf8))).upperBound + 4
            let bytes = numbers.reduce(Data()) { $0 + number($1) }
            sound.replaceSubrange(place..<place + bytes.count, with: bytes)
        }
        return [.bytes(sound)]
    }

    private static func fragment(_ sound: Data) throws -> [Piece] {
        let place = try #require(sound.range(of: Data("trun".utf8))).upperBound + 4
        var sound = sound
        sound.replaceSubrange(place..<place + 4, with: number(100_000_000))
        return [.bytes(sound)]
    }

    private static func note(_ sound: Data) -> [Piece] {
        let size = 1 << 30
        let list = Data("LIST".utf8) + littleEndian(size) + Data("INFOICMT".utf8) + littleEndian(size - 12)
        let data = Data("data".utf8) + littleEndian(sound.count - 44) + sound[44...]
        return [.bytes(sound.prefix(36) + list), .zeros(size - 12), .bytes(data)]
    }

    private static func length(_ sound: Data) -> [Piece] {
        var sound = sound
        sound.replaceSubrange(40..<44, with: littleEndian(0xFFFF_FFF0))
        return [.bytes(sound)]
    }

    private static func boxes() -> [Piece] {
        var boxes = Data()
        for _ in 0..<8000 { boxes = box("moov", boxes) }
        return [.bytes(box("ftyp", Data("M4A \0\0\0\0".utf8)) + boxes)]
    }

    private enum Piece {
        case bytes(Data)
        case zeros(Int)
    }

    private func sound(_ scratch: ScratchDirectory, _ kind: String, _ options: [String] = []) throws -> Data {
        let path = scratch.file("sound.\(kind)")
        // Without words of ffmpeg's own a WAV file has a header of 44 bytes.
        try FFmpeg.run(["-f", "lavfi", "-i", "sine=440:d=2", "-fflags", "+bitexact"] + options + [path])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try FileManager.default.removeItem(atPath: path)
        return bytes
    }

    /// Returns the part of a FLAC file after the headers.
    private static func frames(_ flac: Data) -> Data {
        var place = 4
        while true {
            let isLast = flac[place] & 0x80 != 0
            place += 4 + flac[place + 1..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            if isLast { return flac[place...] }
        }
    }

    private static func number(_ value: Int) -> Data { withUnsafeBytes(of: UInt32(value).bigEndian) { Data($0) } }

    private static func littleEndian(_ value: Int) -> Data {
        withUnsafeBytes(of: UInt32(value).littleEndian) { Data($0) }
    }

    /// A box of an MP4 file, of which `more` bytes are still to follow.
    private static func box(_ kind: String, _ body: Data, more: Int = 0) -> Data {
        number(body.count + 8 + more) + Data(kind.utf8) + body
    }
}

@Suite("Files that exhaust memory", .serialized)
struct HostileMemoryTests {
    /// The most that any input may make a command hold.
    private static let limit = 300 << 20

    @Test("No file takes more than 300 MB", arguments: MemoryTrap.allCases)
    func bounded(trap: MemoryTrap) throws {
        let scratch = try ScratchDirectory()
        let input = try trap.make(in: scratch)
        let output = scratch.file("out.flac")
        for command in [["info", "--json", input], ["render", input, output]] {
            let running = try RunningSyrinx(arguments: command)
            var peak = 0
            let hasEnded = waitUntil(timeout: 120) {
                peak = max(peak, running.process.residentPeak)
                return running.process.exitStatus != nil
            }
            #expect(hasEnded && peak < Self.limit, "\(command[0]): \(peak >> 20) MiB")
            let status = running.process.exitStatus
            if trap.isPlayable {
                #expect(status == 0, "\(command[0]): \(running.errors)")
            } else {
                #expect([0, 65, 74].contains(status), "\(command[0]): \(running.errors)")
            }
            // What failed has said so in a line, and has left nothing.
            if status != 0 {
                #expect(running.errors.split(separator: "\n").count == 1, "\(running.errors)")
                #expect(!FileManager.default.fileExists(atPath: output))
            }
        }
    }
}
