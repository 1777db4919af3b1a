import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxByteStream

/// A cache whose folder contains files that the cache did not write.
@Suite("Foreign files in the cache")
struct ForeignCacheTests {
    private let scratch: ScratchDirectory
    private let bytes = patternedBytes(200_000)
    private let resource = DiskCacheEntry.Resource(
        length: 200_000,
        etag: "\"one\"",
        lastModified: nil,
        mimeType: "audio/mpeg",
        checkedAt: 1_000.5,
        freshUntil: 2_000.25
    )

    init() throws { scratch = try ScratchDirectory() }

    private var root: String { scratch.file("cache") }

    private func cache(_ limit: Int64 = 1 << 30) -> DiskCache { DiskCache(directory: root, limit: limit) }

    private func entry(_ cache: DiskCache, _ name: String = "a") -> DiskCacheEntry {
        cache.entry(named: name) { _ in }
    }

    /// Stores the whole resource in the entry of that name and returns its directory.
    @discardableResult
    private func keep(_ name: String = "a", limit: Int64 = 1 << 30) -> String {
        let cache = cache(limit)
        let entry = entry(cache, name)
        entry.begin(resource)
        bytes.withUnsafeBytes { entry.append($0, at: 0) }
        cache.flush()
        return entry.directory
    }

    /// Checks that every returned block is right and lies within the length.
    private func checkHeld(_ entry: DiskCacheEntry, _ comment: @autoclosure () -> Comment) throws {
        let length = try entry.resource?.length ?? #require(entry.heldRanges.isEmpty ? 0 : nil)
        for range in entry.heldRanges {
            #expect(0 <= range.lowerBound && range.upperBound <= length, comment())
            var offset = range.lowerBound
            // A damaged piece is found when it is read, and is none from then on.
            while offset < min(range.upperBound, 200_000) {
                guard let (start, found) = entry.block(containing: offset) else {
                    offset += DiskCacheEntry.blockSize
                    continue
                }
                let end = Int(start) + found.count
                let isRight = end <= bytes.count && isSame(found, bytes[Int(start)..<end])
                #expect(isRight, comment())
                offset = Int64(end)
            }
        }
        #expect(entry.heldByteCount <= length, comment())
    }

    @Test(
        "A file that is not named after a block is ignored",
        arguments: [
            "7fffffffffffffff", "8000000000000000", "-1", "-8000000000000000", "4", "ffffffffffff", "00", "+1", "0x1",
            "A",
            "7FFFFFFFFFFFFFFF", " 1", "１", "..b", "about2",
        ]
    )
    func names(name: String) throws {
        let folder = keep()
        try Data([1]).write(to: URL(fileURLWithPath: folder + "/" + name))
        let entry = entry(cache())
        #expect(entry.heldRanges == [0..<200_000])
        #expect(entry.heldByteCount == 200_000)
        #expect(entry.firstMissing(from: 0) == 200_000)
        try checkHeld(entry, "\(name)")
        entry.drop()
    }

    /// Gives a folder another time of change.
    private func setTime(_ path: String, _ seconds: Int) throws {
        let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
        try #require(utimensat(AT_FDCWD, path, times, 0) == 0)
    }

    @Test(
        "A folder with a time stamp far in the future or past is evicted first",
        arguments: [
            // 2300, the last second of 34 bits, which ext4 can hold, the greatest, the year 1700, and the least.
            10_413_792_000, 1 << 34 - 1, .max, -8_520_336_000, .min,
        ]
    )
    func times(seconds: Int) throws {
        let strange = keep("strange")
        try setTime(strange, seconds)
        let usage = try #require(CacheDirectory(root).entry("strange").usage)
        #expect(usage.size > 200_000)
        #expect(usage.lastUse <= Int64(time(nil) + 86_401) * 1_000_000_000)
        // There is room for two of the three.
        keep("b", limit: 600_000)
        keep("c", limit: 600_000)
        #expect(!FileManager.default.fileExists(atPath: strange + "/0"))
        for name in ["b", "c"] { #expect(entry(cache(), name).heldRanges == [0..<200_000]) }
    }

    @Test("An entry that is a symbolic link is neither read nor emptied")
    func links() throws {
        let stranger = keep("stranger")
        let target = scratch.file("target")
        try FileManager.default.moveItem(atPath: stranger, toPath: target)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: target + "/letter"))
        let files = try FileManager.default.contentsOfDirectory(atPath: target).sorted()
        let link = root + "/stranger"
        for act in [
            { _ in }, { $0.drop() }, { $0.erase() }, { _ = $0.keep([1]) },
            { entry in
                entry.begin(resource)
                bytes.withUnsafeBytes { entry.append($0, at: 0) }
            },
        ] as [(DiskCacheEntry) -> Void] {
            try? FileManager.default.removeItem(atPath: link)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            let cache = cache(300_000)
            let entry = entry(cache, "stranger")
            #expect(entry.resource == nil && entry.heldRanges.isEmpty)
            act(entry)
            cache.flush()
            #expect(try FileManager.default.contentsOfDirectory(atPath: target).sorted() == files)
        }
        // In its place is a folder now, as after any other answer.
        #expect(entry(cache(), "stranger").heldRanges == [0..<200_000])
        // Nor is a file that is a link read or written through.
        let folder = keep("b")
        try FileManager.default.removeItem(atPath: folder + "/1")
        try FileManager.default.createSymbolicLink(atPath: folder + "/1", withDestinationPath: target + "/1")
        let entry = entry(cache(), "b")
        #expect(entry.block(containing: 70_000) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: target).sorted() == files)
    }

    @Test(
        "A folder that belongs to another user is neither read, written nor emptied",
        .enabled("only root may give a folder away", { geteuid() == 0 })
    )
    func strangers() throws {
        let folder = keep()
        for place in [folder, root] {
            try #require(chown(place, 65_534, 65_534) == 0)
            defer { _ = chown(place, geteuid(), getegid()) }
            let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            let complaints = Monitor<[String]>([])
            let cache = cache()
            let entry = cache.entry(named: "a") { complaint in complaints.update { $0.append(complaint) } }
            #expect(entry.resource == nil && entry.heldRanges.isEmpty)
            entry.begin(resource)
            bytes.withUnsafeBytes { entry.append($0, at: 0) }
            cache.flush()
            #expect(complaints.read { $0 } == ["\(place) belongs to another user"])
            entry.erase()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == files)
        }
    }

    // MARK: By structure

    private static let numbers = [
        "0", "1", "-1", "65536", "65537", "199999", "2147483647", "4294967296", "281474976710656", "281474976710657",
        "4611686018427387904", "9223372036854775807", "-9223372036854775808", "18446744073709551616", "1e308", "-1e308",
        "nan", "inf", "-inf", "", "x",
    ]

    @Test("A changed field of an entry's description never returns wrong bytes", arguments: 0..<9)
    func descriptions(field: Int) throws {
        for number in Self.numbers {
            for isSummed in [true, false] {
                let folder = keep()
                let path = folder + "/about"
                let original = try String(decoding: Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
                var lines = original.components(separatedBy: "\n")
                lines[field] = number
                let text = lines[..<7].joined(separator: "\n") + "\n"
                if isSummed, field != 7 { lines[7] = "\(Checksum.of(Array(text.utf8)))" }
                try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
                // Names of the pieces behind the end, which a length that is too large lets in.
                for name in ["ffffffff", "100000000"] {
                    try Data().write(to: URL(fileURLWithPath: folder + "/" + name))
                }
                let cache = cache()
                let entry = entry(cache)
                try checkHeld(entry, "\(number) in line \(field)")
                if let resource = entry.resource {
                    #expect(1...1 << 48 ~= resource.length)
                    #expect(resource.freshUntil.isFinite && resource.freshUntil - resource.checkedAt <= 0x1p31)
                }
                for offset in [0, 1, 65_536, 199_999, 1 << 48, .max, -1] as [Int64] {
                    _ = entry.firstMissing(from: offset)
                    if offset >= 200_000 { #expect(entry.block(containing: offset) == nil) }
                }
                // The next answer makes good what is wrong.
                entry.begin(resource)
                cache.flush()
                #expect(entry.resource == resource)
            }
        }
    }

    @Test("A block with a byte changed, removed or added is not returned")
    func pieces() throws {
        let folder = keep()
        let path = URL(fileURLWithPath: folder + "/1")
        let original = try [UInt8](Data(contentsOf: path))
        var damaged: [[UInt8]] = [
            [], Array(original[..<7]), Array(original[..<24]), original.dropLast(), original + [0],
        ]
        for place in Array(0..<24) + [24, 1_000, original.count - 1] {
            for bit in [0x01, 0x80] as [UInt8] {
                var changed = original
                changed[place] ^= bit
                damaged.append(changed)
            }
        }
        // One piece in the place of another.
        damaged.append(try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder + "/2"))))
        for content in damaged {
            try Data(content).write(to: path)
            let entry = entry(cache())
            #expect(entry.block(containing: 70_000) == nil)
            #expect(entry.heldRanges == [0..<65_536, 131_072..<200_000])
            try checkHeld(entry, "\(content.count) bytes")
        }
        try Data(original).write(to: path)
        #expect(entry(cache()).block(containing: 70_000) != nil)
    }

    @Test("A directory, pipe or link in place of a file is ignored", arguments: ["about", "1", "kept"])
    func otherKinds(name: String) throws {
        for kind in ["folder", "pipe", "loop"] {
            let folder = keep()
            let path = folder + "/" + name
            try? FileManager.default.removeItem(atPath: path)
            switch kind {
            case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            case "pipe": try #require(mkfifo(path, 0o600) == 0)
            default: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
            }
            let cache = cache()
            let entry = entry(cache)
            #expect((entry.resource == nil) == (name == "about"))
            #expect(!entry.isKept)
            #expect(entry.block(containing: 70_000) == nil || name == "kept")
            _ = cache.keptRecords()
            entry.erase()
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }

    @Test("A damaged record of a pinned resource pins nothing")
    func records() throws {
        let folder = keep()
        let path = URL(fileURLWithPath: folder + "/kept")
        #expect(entry(cache()).keep([1, 2, 3]) == nil)
        let original = try [UInt8](Data(contentsOf: path))
        #expect(cache().keptRecords().map(\.record) == [[1, 2, 3]])
        for place in original.indices {
            var changed = original
            changed[place] ^= 0x10
            for content in [changed, Array(original[..<place])] {
                try Data(content).write(to: path)
                #expect(cache().keptRecords().isEmpty)
                // It may be of a later version, or unreadable for a while.
                #expect(try Data(contentsOf: path) == Data(content))
            }
        }
    }
}
