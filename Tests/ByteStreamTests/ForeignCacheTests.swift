import Foundation
import TestSupport
import Testing

@testable import ByteStream

/// A cache folder in which somebody else has left things.
@Suite("A cache with foreign files") struct ForeignCacheTests {
    private let scratch: ScratchDirectory
    private let bytes = patternedBytes(200_000)
    private let resource = DiskCacheEntry.Resource(
        length: 200_000,
        etag: "\"one\"",
        lastModified: nil,
        mimeType: nil,
        checkedAt: 1_000,
        freshUntil: 2_000
    )

    init() throws { scratch = try ScratchDirectory() }

    private var root: String { scratch.file("cache/syrinx") }

    /// A cache that holds all of `bytes` under `name`.
    private func filled(_ name: String = "a") throws -> DiskCacheEntry {
        let cache = DiskCache(directory: root, limit: 1 << 30)
        let entry = cache.entry(named: name) { _ in }
        entry.begin(resource)
        bytes.withUnsafeBytes { entry.append($0, at: 0) }
        cache.flush()
        #expect(entry.heldRanges == [0..<200_000])
        return entry
    }

    private func reopened(_ name: String = "a") -> DiskCacheEntry {
        DiskCache(directory: root, limit: 1 << 30).entry(named: name) { _ in }
    }

    @Test(
        "A file that is named after a block that cannot be is passed over",
        arguments: ["7fffffffffffffff", "-1", "ffffffffffffffffff", "4000000000000000", "3", ""]
    )
    func names(name: String) throws {
        let folder = try filled().directory
        if !name.isEmpty { try Data(bytes.prefix(100)).write(to: URL(fileURLWithPath: folder + "/" + name)) }
        let entry = reopened()
        let held = entry.heldRanges
        #expect(held.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= 200_000 })
        #expect(held == [0..<200_000] || name == "3")
    }

    @Test(
        "A description of any numbers is that of no resource, or of one that can be",
        arguments: [
            "0", "-1", "2147483647", "4294967296", "4611686018427387904", "9223372036854775807", "1e400", "nan",
        ]
    )
    func descriptions(number: String) throws {
        let folder = try filled().directory
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let url = URL(fileURLWithPath: folder + "/" + file)
            guard let text = String(data: try Data(contentsOf: url), encoding: .utf8), text.contains("200000") else {
                continue
            }
            try Data(text.replacing("200000", with: number).replacing("1000", with: number).utf8).write(to: url)
        }
        let entry = reopened()
        for range in entry.heldRanges { #expect(range.lowerBound >= 0 && range.upperBound > range.lowerBound) }
        _ = entry.firstMissing(from: 0)
        DiskCache(directory: root, limit: 1).sweep()
    }

    @Test("A folder whose time lies beyond the year 2262 does not stop the cache")
    func farFuture() throws {
        let folder = try filled().directory
        var times = [timespec(), timespec()]
        for index in times.indices { times[index].tv_sec = 20_000_000_000 }
        try #require(utimensat(AT_FDCWD, folder, times, 0) == 0)
        DiskCache(directory: root, limit: 1 << 30).sweep()
        #expect(reopened().heldRanges == [0..<200_000])
        #expect(reopened("b").heldRanges.isEmpty)
    }

    @Test("A symbolic link in the place of an entry is not followed, and what it leads to stays")
    func symbolicLink() throws {
        let folder = try filled().directory
        let stranger = scratch.file("stranger")
        try FileManager.default.createDirectory(atPath: stranger, withIntermediateDirectories: false)
        try Data("kept".utf8).write(to: URL(fileURLWithPath: stranger + "/letter"))
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: stranger)
        let cache = DiskCache(directory: root, limit: 1)
        let entry = cache.entry(named: "a") { _ in }
        #expect(entry.resource == nil)
        entry.begin(resource)
        bytes.withUnsafeBytes { entry.append($0, at: 0) }
        cache.flush()
        cache.sweep()
        #expect(try FileManager.default.contentsOfDirectory(atPath: stranger) == ["letter"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: stranger + "/letter")) == Data("kept".utf8))
    }

    @Test("A folder of another owner is refused", .enabled(if: geteuid() == 0, "only root can give a folder away"))
    func stranger() throws {
        let folder = try filled().directory
        try #require(chown(folder, 12_345, 12_345) == 0)
        #expect(reopened().resource == nil)
        DiskCache(directory: root, limit: 1).sweep()
        #expect(try !FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
}
