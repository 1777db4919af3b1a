import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxByteStream

@Suite("The last bytes of a stream on disk") struct ByteRingTests {
    private static func byte(_ offset: Int64) -> UInt8 { UInt8(truncatingIfNeeded: offset &* 31 &+ offset >> 8) }

    private func append(_ count: Int, to ring: ByteRing, at offset: Int64) {
        let bytes = (0..<count).map { Self.byte(offset + Int64($0)) }
        bytes.withUnsafeBytes { ring.append($0, at: offset) }
    }

    private func read(_ ring: ByteRing, _ range: Range<Int64>) -> [UInt8] {
        var bytes: [UInt8] = []
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 10_000, alignment: 16)
        defer { piece.deallocate() }
        while range.lowerBound + Int64(bytes.count) < range.upperBound {
            let count = ring.read(at: range.lowerBound + Int64(bytes.count), into: piece)
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return bytes
    }

    @Test("The ring keeps the last bytes, and they are those of their offsets")
    func wraps() throws {
        let scratch = try ScratchDirectory()
        let ring = ByteRing(offset: 500, capacity: 1 << 20, in: FilePath(scratch.file("radio")))
        var offset: Int64 = 500
        for count in Array(repeating: 70_001, count: 60) {
            append(count, to: ring, at: offset)
            offset += Int64(count)
        }
        #expect(waitUntil { ring.held.upperBound == offset })
        #expect(ring.held == offset - (1 << 20)..<offset)
        #expect(read(ring, ring.held).elementsEqual(ring.held.lazy.map(Self.byte)))
        #expect(read(ring, ring.held.lowerBound - 1..<offset).isEmpty, "that byte was overwritten")
        #expect(ring.firstMissing(from: ring.held.lowerBound) == offset && ring.firstMissing(from: 3) == 3)
        #expect(ring.holds(offset - 10..<offset) && !ring.holds(offset - 10..<offset + 1))
        let files = try FileManager.default.contentsOfDirectory(atPath: scratch.file("radio"))
        #expect(files.isEmpty, "the file has no name, so that it ends with the process")
    }

    @Test("A smaller limit keeps less, and bytes that do not follow are ignored")
    func limit() throws {
        let scratch = try ScratchDirectory()
        let ring = ByteRing(offset: 0, capacity: 4 << 20, in: FilePath(scratch.path))
        ring.limit = 0
        #expect(ring.limit == 1 << 20)
        append(3 << 20, to: ring, at: 0)
        append(10, to: ring, at: 5 << 20)
        append(10, to: ring, at: 3 << 20)
        #expect(waitUntil { ring.held.upperBound == (3 << 20) + 10 })
        #expect(ring.held.count == 1 << 20)
    }

    @Test("A folder that cannot be written breaks the ring, and nothing else")
    func failure() throws {
        let scratch = try ScratchDirectory()
        try Data().write(to: scratch.url("file"))
        let ring = ByteRing(offset: 0, capacity: 1 << 20, in: FilePath(scratch.file("file/radio")))
        append(10, to: ring, at: 0)
        #expect(waitUntil { ring.isBroken })
        #expect(ring.held.isEmpty && read(ring, 0..<10).isEmpty)
    }
}
