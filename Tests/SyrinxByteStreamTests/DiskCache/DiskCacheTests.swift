import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxByteStream

@Suite("DiskCache") struct DiskCacheTests {
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
    private let block = Int(DiskCacheEntry.blockSize)

    init() throws { scratch = try ScratchDirectory() }

    private func cache(_ limit: Int64 = 1 << 30) -> DiskCache {
        DiskCache(directory: scratch.file("cache/syrinx"), limit: limit)
    }

    private func entry(_ cache: DiskCache, _ name: String = "a") -> DiskCacheEntry {
        cache.entry(named: name) { _ in }
    }

    private func append(_ range: Range<Int>, to entry: DiskCacheEntry) {
        bytes[range].withUnsafeBytes { entry.append($0, at: Int64(range.lowerBound)) }
    }

    /// All that is kept, read back block by block, is what was put in.
    private func checkHeld(_ entry: DiskCacheEntry) throws {
        for range in entry.heldRanges {
            var offset = range.lowerBound
            while offset < range.upperBound {
                let (start, found) = try #require(entry.block(containing: offset))
                let isRight = isSame(found, bytes[Int(start)..<(Int(start) + found.count)])
                #expect(isRight)
                offset = start + Int64(found.count)
            }
        }
    }

    @Test("Cached bytes are there in the next run")
    func whatWasKeptIsThereInTheNextRun() throws {
        let first = cache()
        let writing = entry(first)
        writing.begin(resource)
        for start in stride(from: 0, to: 200_000, by: 7_777) {
            append(start..<min(200_000, start + 7_777), to: writing)
        }
        first.flush()
        #expect(writing.heldRanges == [0..<200_000])

        let reading = entry(cache())
        #expect(reading.resource == resource)
        #expect(reading.heldRanges == [0..<200_000])
        #expect(reading.firstMissing(from: 70_000) == 200_000)
        try checkHeld(reading)
        // The last piece is shorter than the others, and does not hold the end.
        #expect(reading.block(containing: 199_999) != nil)
        #expect(reading.block(containing: 200_000) == nil)
        // Another URL, or the same with other rights, is another resource.
        #expect(entry(cache(), "b").resource == nil)
    }

    @Test("The disk cache keeps whole pieces only")
    func onlyWholePiecesAreKept() throws {
        let cache = cache()
        let entry = entry(cache)
        entry.begin(resource)
        append(1_000..<block + 500, to: entry)
        append(block + 500..<2 * block + 10, to: entry)
        append(150_000..<150_100, to: entry)
        cache.flush()
        #expect(entry.heldRanges == [Int64(block)..<Int64(2 * block)])
        #expect(entry.firstMissing(from: 0) == 0)
        #expect(entry.firstMissing(from: Int64(block) + 1) == Int64(2 * block))
        try checkHeld(entry)
    }

    /// The head, the end, and what lies between, as of a file with its index at the end.
    @Test("A piece that arrives in parts is kept")
    func aPieceThatComesInPartsIsKept() throws {
        let cache = cache()
        let entry = entry(cache)
        entry.begin(resource)
        for range in [0..<98_304, 180_000..<200_000, 98_304..<150_000] { append(range, to: entry) }
        cache.flush()
        #expect(entry.heldRanges == [0..<Int64(2 * block), Int64(3 * block)..<200_000])
        // That the server has been asked once more takes nothing away.
        entry.begin(resource)
        append(140_000..<185_000, to: entry)
        cache.flush()
        #expect(entry.heldRanges == [0..<200_000])
        try checkHeld(self.entry(self.cache()))
    }

    @Test("Parts of two versions make no piece")
    func partsOfTwoVersionsMakeNoPiece() throws {
        let cache = cache()
        let entry = entry(cache)
        entry.begin(resource)
        append(0..<40_000, to: entry)
        var changed = resource
        changed.etag = "\"two\""
        entry.begin(changed)
        append(40_000..<block, to: entry)
        cache.flush()
        #expect(entry.heldRanges.isEmpty)
        append(0..<40_000, to: entry)
        cache.flush()
        #expect(entry.heldRanges == [0..<Int64(block)])
        try checkHeld(entry)
    }

    @Test("Cache files are readable by their user alone")
    func filesAreForTheUserAlone() throws {
        let cache = cache()
        let entry = entry(cache)
        entry.begin(resource)
        append(0..<200_000, to: entry)
        cache.flush()
        let all = try FileManager.default.subpathsOfDirectory(atPath: cache.directory)
        // Its folder, four pieces, what is known of it, and the lock.
        #expect(all.count == 7)
        for path in all {
            let full = cache.directory + "/" + path
            let attributes = try FileManager.default.attributesOfItem(atPath: full)
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            #expect(attributes[.posixPermissions] as? Int == (isFolder ? 0o700 : 0o600), "\(path)")
        }
    }

    /// Every byte of a kept file changed, one file after the other: nothing wrong is ever given.
    @Test("Any changed byte of a cache file is detected")
    func damageIsNoticed() throws {
        let cache = cache()
        let whole = entry(cache)
        whole.begin(resource)
        append(0..<200_000, to: whole)
        cache.flush()
        let file = whole.directory + "/1"
        let good = try Data(contentsOf: URL(fileURLWithPath: file))
        // The last are changes in two words that a weaker sum took for none.
        for places in [
            [0], [8], [15], [16], [23], [24], [30_000], [good.count - 1], [31, 35, 39], [31, 39], [24, 32],
        ] {
            var bad = good
            for place in places { bad[place] ^= 0x80 }
            try bad.write(to: URL(fileURLWithPath: file))
            let reading = entry(self.cache())
            #expect(reading.block(containing: Int64(block)) == nil, "bytes \(places)")
            #expect(reading.heldRanges.first == 0..<Int64(block))
            #expect(!FileManager.default.fileExists(atPath: file))
        }
        for count in [0, 10, 24, good.count - 1] {
            try good.prefix(count).write(to: URL(fileURLWithPath: file))
            #expect(entry(self.cache()).block(containing: Int64(block)) == nil)
        }
        try (good + [0]).write(to: URL(fileURLWithPath: file))
        #expect(entry(self.cache()).block(containing: Int64(block)) == nil)
        try good.write(to: URL(fileURLWithPath: file))
        #expect(entry(self.cache()).block(containing: Int64(block)) != nil)

        let about = whole.directory + "/about"
        var text = try Data(contentsOf: URL(fileURLWithPath: about))
        text[10] ^= 1
        try text.write(to: URL(fileURLWithPath: about))
        #expect(entry(self.cache()).resource == nil)
        #expect(entry(self.cache()).heldRanges.isEmpty)
    }

    @Test("A cache file in the place of another is detected")
    func aPieceInThePlaceOfAnotherIsNoticed() throws {
        let cache = cache()
        let whole = entry(cache)
        whole.begin(resource)
        append(0..<200_000, to: whole)
        cache.flush()
        let first = try Data(contentsOf: URL(fileURLWithPath: whole.directory + "/0"))
        try first.write(to: URL(fileURLWithPath: whole.directory + "/1"))
        let reading = entry(self.cache())
        #expect(reading.block(containing: Int64(block)) == nil)
        #expect(reading.block(containing: 0) != nil)
        #expect(reading.heldRanges.first == 0..<Int64(block))
    }

    @Test("Another version of a resource replaces the cached one")
    func anotherVersionReplacesTheFirst() throws {
        let cache = cache()
        let first = entry(cache)
        first.begin(resource)
        append(0..<200_000, to: first)
        cache.flush()
        // Somebody else has the first version open still.
        let other = entry(self.cache())
        var changed = resource
        changed.etag = "\"two\""
        first.begin(changed)
        #expect(first.heldRanges.isEmpty)
        append(0..<block, to: first)
        cache.flush()
        #expect(other.block(containing: 0) == nil)
        #expect(other.block(containing: Int64(block)) == nil)
        #expect(entry(self.cache()).resource == changed)
        first.drop()
        #expect(!FileManager.default.fileExists(atPath: first.directory))
    }

    @Test("The resource that was used least recently is evicted first")
    func whatWasUsedLongestAgoGoesFirst() throws {
        let cache = cache()
        for (index, name) in ["a", "b", "c"].enumerated() {
            let entry = entry(cache, name)
            entry.begin(resource)
            append(0..<200_000, to: entry)
            cache.flush()
            let date = Date(timeIntervalSince1970: 1_000_000 + Double(index))
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: entry.directory)
        }
        // Used once more: now it is the youngest.
        #expect(entry(cache, "a").resource != nil)
        self.cache(500_000).sweep()
        #expect(entry(cache, "a").heldRanges == [0..<200_000])
        #expect(entry(cache, "b").resource == nil)
        #expect(entry(cache, "c").heldRanges == [0..<200_000])
    }

    /// Each run writes less than is swept after.
    @Test("Many short runs keep the cache within its limit")
    func manyRunsKeepToTheLimit() throws {
        for index in 0..<12 {
            let cache = cache(1_000_000)
            let entry = entry(cache, "\(index)")
            entry.begin(resource)
            append(0..<200_000, to: entry)
            cache.flush()
            let files = try FileManager.default.subpathsOfDirectory(atPath: cache.directory)
            let sizes = try files.map { path in
                try FileManager.default.attributesOfItem(atPath: cache.directory + "/" + path)[.size] as? Int ?? 0
            }
            #expect(sizes.reduce(0, +) <= 1_000_000)
            #expect(entry.heldRanges == [0..<200_000])
        }
        #expect(entry(cache(), "11").resource != nil && entry(cache(), "0").resource == nil)
    }

    /// Another process may throw a folder away at any moment: the disk is none the worse for it.
    @Test("A cache folder that is removed is made again")
    func aFolderThatGoesAwayIsMadeAgain() throws {
        let folder = CacheDirectory(scratch.file("cache/syrinx")).entry("a")
        let isOver = Monitor(false)
        let thread = Thread {
            while !isOver.read({ $0 }) { folder.empty() }
            isOver.update { $0 = false }
        }
        thread.start()
        for index in 0..<500 {
            let failure = folder.write(Array(bytes[..<1_000]), to: "\(index)")
            #expect(failure == nil || failure == .busy)
        }
        isOver.update { $0 = true }
        #expect(waitUntil { !isOver.read { $0 } })
    }

    /// A walk over all entries may hold the last reference to one of them.
    @Test("Entries are made and released from several threads at once")
    func entriesMayComeAndGoAtOnce() throws {
        let cache = cache()
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<20_000 {
                let entry = entry(cache)
                #expect(!cache.others(of: entry).contains { $0 === entry })
            }
        }
    }

    @Test("A resource larger than the limit is kept in part")
    func aResourceLargerThanTheLimitIsKeptInPart() throws {
        let cache = cache(150_000)
        let entry = entry(cache)
        entry.begin(resource)
        for start in stride(from: 0, to: 200_000, by: 10_000) {
            append(start..<start + 10_000, to: entry)
            cache.flush()
        }
        #expect(entry.heldRanges == [0..<Int64(2 * block)])
    }

    /// Folders that cannot be made by any user: the parent is a file, or one of the kernel's.
    @Test("A cache directory without write permission is reported once")
    func aDiskThatMayNotBeWrittenToIsToldOnce() throws {
        try Data().write(to: URL(fileURLWithPath: scratch.file("file")))
        for directory in [scratch.file("file/syrinx"), "/sys/syrinx/cache"] {
            let cache = DiskCache(directory: directory)
            let told = Monitor<[String]>([])
            let entry = cache.entry(named: "x") { message in told.update { $0.append(message) } }
            entry.begin(resource)
            append(0..<200_000, to: entry)
            cache.flush()
            #expect(told.read { $0.count } == 1)
            // Not that there is no such folder, but why there is none.
            #expect(told.read { $0.first?.contains("No such file") } == false)
            #expect(entry.heldRanges.isEmpty)
            #expect(entry.firstMissing(from: 0) == 0)
        }
    }

    /// One piece finds no place, as on a disk that is full by then: a folder has its name.
    @Test("A disk that fills up is reported once")
    func aDiskThatWantsNoMoreInTheMiddleIsToldOnce() throws {
        let cache = cache()
        let told = Monitor<[String]>([])
        let entry = cache.entry(named: "a") { message in told.update { $0.append(message) } }
        entry.begin(resource)
        append(0..<block + 1_000, to: entry)
        cache.flush()
        let inTheWay = entry.directory + "/1"
        try FileManager.default.createDirectory(atPath: inTheWay, withIntermediateDirectories: false)
        append(block + 1_000..<2 * block, to: entry)
        cache.flush()
        try FileManager.default.removeItem(atPath: inTheWay)
        // There would be room again, but the end of caching has been reported, and callers may rely on it.
        append(2 * block..<200_000, to: entry)
        append(0..<200_000, to: entry)
        cache.flush()
        #expect(told.read { $0.count } == 1)
        for entry in [entry, self.entry(self.cache())] {
            #expect(entry.heldRanges == [0..<Int64(block)])
            #expect(entry.block(containing: Int64(block)) == nil)
            #expect(entry.firstMissing(from: 0) == Int64(block))
            try checkHeld(entry)
        }
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: entry.directory)) == ["about", "0"])
        // A later caller tries anew.
        let next = self.cache()
        let writing = self.entry(next)
        append(0..<200_000, to: writing)
        next.flush()
        #expect(writing.heldRanges == [0..<200_000])
        try checkHeld(writing)
    }

    @Test("Half-written cache files are never read")
    func halfWrittenFilesAreNeverSeen() throws {
        let cache = cache()
        let entry = entry(cache)
        entry.begin(resource)
        cache.flush()
        // What a process that was killed left behind: a part of a file, under the name that it had while it was written.
        try Data(bytes[..<1_000]).write(to: URL(fileURLWithPath: entry.directory + "/.1-2.part"))
        let reading = self.entry(self.cache())
        #expect(reading.resource == resource)
        #expect(reading.heldRanges.isEmpty)
    }

    @Test("The user's cache folder follows the XDG rules")
    func theUsersOwnFolder() {
        #expect(DiskCache.user(environment: ["XDG_CACHE_HOME": "/c", "HOME": "/h"])?.directory == "/c/syrinx")
        #expect(DiskCache.user(environment: ["XDG_CACHE_HOME": "c", "HOME": "/h"])?.directory == "/h/.cache/syrinx")
        #expect(DiskCache.user(environment: [:]) == nil)
    }
}
