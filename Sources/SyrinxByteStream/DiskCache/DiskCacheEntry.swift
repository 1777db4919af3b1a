import Synchronization

/// The cached blocks of one resource in a `DiskCache`.
///
/// Any thread may call the methods. Reading blocks for the disk; appending does not.
package final class DiskCacheEntry: Sendable {
    /// The description of the cached version, from the response of the server.
    package struct Resource: Equatable, Sendable {
        /// The length in bytes.
        package var length: Int64
        /// The strong or weak entity tag, including quotes.
        package var etag: String?
        /// The `Last-Modified` date as the server wrote it.
        package var lastModified: String?
        /// The MIME type in lower case.
        package var mimeType: String?
        /// The time of the last validation with the server, in seconds since 1970.
        package var checkedAt: Double
        /// The time until which no validation is needed, in seconds since 1970.
        package var freshUntil: Double

        /// Creates the description of a version.
        package init(
            length: Int64,
            etag: String?,
            lastModified: String?,
            mimeType: String?,
            checkedAt: Double,
            freshUntil: Double
        ) {
            self.length = length
            self.etag = etag
            self.lastModified = lastModified
            self.mimeType = mimeType
            self.checkedAt = checkedAt
            self.freshUntil = freshUntil
        }

        /// A hash that distinguishes this version from others.
        var fingerprint: UInt64 {
            Checksum.of(Array("\(length)\n\(etag ?? "")\n\(etag == nil ? lastModified ?? "" : "")".utf8))
        }
    }

    struct State {
        var resource: Resource?
        var blocks: Set<Int64> = []
        var heldByteCount: Int64 = 0
        var partial = BlockAssembler(blockSize: DiskCacheEntry.blockSize)
        /// Whether writing failed, so that nothing more is written.
        var isBroken = false
        /// Whether the entry is pinned, regardless of its size.
        var isKept = false
        var onGrowth: (@Sendable () -> Void)?
    }

    /// The size of a block in bytes: small compared to a recording, large compared to the overhead of a file.
    package static let blockSize: Int64 = 65_536
    private static let mark = Array("SYRXBLK3".utf8)
    private static let about = "about"
    /// A length limit in bytes above that of any real file: 256 TiB.
    private static let maximumLength: Int64 = 1 << 48
    /// The maximum freshness in seconds, 68 years (RFC 9111, 1.2.2).
    private static let maximumFreshness = 0x1p31

    let folder: CacheDirectory
    private let nameSum: UInt64
    let cache: DiskCache
    private let onFailure: @Sendable (String) -> Void
    let state: Mutex<State>

    init(folder: CacheDirectory, cache: DiskCache, onFailure: @escaping @Sendable (String) -> Void) {
        self.folder = folder
        nameSum = Checksum.of(Array((folder.name ?? "").utf8))
        self.cache = cache
        self.onFailure = onFailure
        var state = State()
        state.resource = Self.written(in: folder)
        state.isKept = folder.hasFile(Self.keptMark)
        if let length = state.resource?.length {
            for index in Self.blocks(in: folder, of: length) { state.insert(index, of: length) }
        }
        self.state = Mutex(state)
    }

    deinit { cache.left(directory) }

    /// The path of the entry's folder.
    var directory: String { folder.path }

    /// Reads the description of the cached version from its file.
    private static func written(in folder: CacheDirectory) -> Resource? {
        folder.read(about, limit: 16_384).flatMap(parse)
    }

    /// Returns the block indices of the existing block files; other files are ignored.
    private static func blocks(in folder: CacheDirectory, of length: Int64) -> [Int64] {
        folder.names.compactMap { name in
            Int64(name, radix: 16).flatMap { index in
                (0...(length - 1) / blockSize).contains(index) && fileName(index) == name ? index : nil
            }
        }
    }

    /// The version to which the cached bytes belong; `nil` if nothing is cached.
    package var resource: Resource? { state.withLock { $0.resource } }

    /// Starts caching the version `resource`; bytes of another version are deleted.
    ///
    /// Blocks of the same version that other processes have cached in the meantime are used.
    package func begin(_ resource: Resource) {
        let isNew = state.withLock { state in
            let isSame = state.resource?.fingerprint == resource.fingerprint
            if !isSame { state.forget() }
            state.resource = resource
            return !isSame
        }
        if isNew { takeOver(resource) }
        cache.write(Self.describe(resource), to: Self.about, in: folder) { [weak self] in self?.wrote($0) }
    }

    private func takeOver(_ resource: Resource) {
        var isKnown = Self.written(in: folder)?.fingerprint == resource.fingerprint
        var blocks = isKnown ? Set(Self.blocks(in: folder, of: resource.length)) : []
        for other in cache.others(of: self) {
            let held = other.state.withLock { $0.resource?.fingerprint == resource.fingerprint ? $0.blocks : nil }
            guard let held else { continue }
            isKnown = true
            blocks.formUnion(held)
        }
        guard isKnown else { return folder.empty(butFor: Self.keptMark) }
        for block in blocks { learn(block, resource.fingerprint) }
    }

    /// Notes that this or another process has written a block.
    private func learn(_ block: Int64, _ fingerprint: UInt64) {
        let onGrowth = state.withLock { state -> (@Sendable () -> Void)? in
            guard let resource = state.resource, resource.fingerprint == fingerprint else { return nil }
            state.insert(block, of: resource.length)
            return state.onGrowth
        }
        onGrowth?()
    }

    /// Sets a handler that is called, on any thread, when more bytes are cached.
    package func onGrowth(_ call: @escaping @Sendable () -> Void) { state.withLock { $0.onGrowth = call } }

    /// Deletes all bytes; a pinned entry stays pinned.
    package func drop() {
        state.withLock { state in
            state.resource = nil
            state.forget()
        }
        folder.empty(butFor: Self.keptMark)
    }

    /// The number of cached bytes.
    package var heldByteCount: Int64 { state.withLock { $0.heldByteCount } }

    /// The cached ranges, ascending and merged.
    package var heldRanges: [Range<Int64>] {
        state.withLock { state in
            guard let length = state.resource?.length else { return [] }
            let blocks = state.blocks.sorted().map { $0 * Self.blockSize..<min(length, ($0 + 1) * Self.blockSize) }
            return Array(RangeSet(blocks).ranges)
        }
    }

    /// Returns whether the whole `range` is cached.
    package func holds(_ range: Range<Int64>) -> Bool {
        let last = (range.upperBound - 1) / Self.blockSize
        return state.withLock { state in
            (range.lowerBound / Self.blockSize...last).allSatisfy(state.blocks.contains)
        }
    }

    /// Returns the first offset, starting at `offset`, that is not cached.
    package func firstMissing(from offset: Int64) -> Int64 {
        state.withLock { state in
            guard let length = state.resource?.length, offset >= 0 else { return offset }
            var block = offset / Self.blockSize
            guard offset < length, state.blocks.contains(block) else { return offset }
            while state.blocks.contains(block) { block += 1 }
            return min(length, block * Self.blockSize)
        }
    }

    /// Returns the first offset, starting at `offset`, that is cached; `nil` if there is none.
    package func firstHeld(from offset: Int64) -> Int64? {
        state.withLock { state in
            guard let length = state.resource?.length, (0..<length).contains(offset) else { return nil }
            let block = offset / Self.blockSize
            // Without sorting, because this is called often and there may be thousands of blocks.
            return state.blocks.lazy.filter { $0 >= block }.min().map { max($0 * Self.blockSize, offset) }
        }
    }

    // MARK: Reading

    /// Returns the block that contains `offset`, and its start; `nil` if it is not cached, or is damaged and therefore
    /// removed.
    package func block(containing offset: Int64) -> (start: Int64, bytes: [UInt8])? {
        let index = offset / Self.blockSize
        let found = state.withLock { state -> (fingerprint: UInt64, count: Int)? in
            guard let resource = state.resource, (0..<resource.length).contains(offset), state.blocks.contains(index)
            else { return nil }
            return (resource.fingerprint, Int(min(Self.blockSize, resource.length - index * Self.blockSize)))
        }
        guard let found else { return nil }
        let file = Self.fileName(index)
        if let bytes = folder.read(file, limit: Self.headSize + found.count + 1),
            let body = body(of: bytes, index, fingerprint: found.fingerprint, count: found.count)
        {
            return (index * Self.blockSize, body)
        }
        state.withLock { state in
            if state.blocks.remove(index) != nil { state.heldByteCount -= Int64(found.count) }
        }
        folder.remove(file)
        return nil
    }

    private static let headSize = 24

    /// Returns the content of a block file after its header, if it matches the header.
    private func body(of bytes: [UInt8], _ index: Int64, fingerprint: UInt64, count: Int) -> [UInt8]? {
        guard bytes.count == Self.headSize + count, bytes.starts(with: Self.mark) else { return nil }
        let body = Array(bytes[Self.headSize...])
        guard bytes[8..<16].elementsEqual(Self.words(fingerprint)), bytes[16..<24].elementsEqual(sum(of: body, index))
        else { return nil }
        return body
    }

    /// Returns the checksum of a block, which depends on its index, so that swapped files are detected.
    private func sum(of body: [UInt8], _ index: Int64) -> [UInt8] {
        Self.words(Checksum.of(body, seed: nameSum ^ UInt64(bitPattern: index)))
    }

    static func words(_ value: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    // MARK: Adding

    /// Adds bytes of the current version; complete blocks are written to disk.
    package func append(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
        // A block file needs up to 1/16 more disk space than its content.
        let limit = cache.limit / 16 * 15
        let whole = state.withLock { $0.add(bytes, at: offset, limit: $0.isKept ? .max : limit) }
        for block in whole {
            let content =
                // Bounded: these are bytes, joined.
                Self.mark + Self.words(block.fingerprint) + sum(of: block.bytes, block.index) + block.bytes
            cache.write(content, to: Self.fileName(block.index), in: folder) { [weak self] failure in
                self?.wrote(failure, block: block.index, block.fingerprint)
            }
        }
    }

    private func wrote(_ failure: CacheDirectory.Failure?, block: Int64? = nil, _ fingerprint: UInt64 = 0) {
        if failure == nil, let block {
            learn(block, fingerprint)
            for other in cache.others(of: self) { other.learn(block, fingerprint) }
        }
        let isNews = state.withLock { state in
            guard failure != nil, state.resource != nil else { return false }
            guard failure != .busy, !state.isBroken else { return false }
            state.isBroken = true
            state.forgetPartial()
            return true
        }
        if isNews, case .system(let message) = failure { onFailure(message) }
    }

    private static func fileName(_ index: Int64) -> String { String(index, radix: 16) }

    // MARK: The description file

    /// Encodes one field in each line; the last line is a checksum of those before.
    private static func describe(_ resource: Resource) -> [UInt8] {
        func line(_ text: String?) -> String { text.map { $0.filter { !$0.isNewline } } ?? "" }
        let fields = [
            "syrinx 3", "\(resource.length)", line(resource.etag), line(resource.lastModified), line(resource.mimeType),
            "\(resource.checkedAt)", "\(resource.freshUntil)",
        ]
        let text = fields.joined(separator: "\n") + "\n"
        let bytes = Array(text.utf8)
        return bytes + Array("\(Checksum.of(bytes))\n".utf8)
    }

    private static func parse(_ bytes: [UInt8]) -> Resource? {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 9, lines[0] == "syrinx 3", let length = Int64(lines[1]), 1...maximumLength ~= length,
            let checkedAt = Double(lines[5]), checkedAt.isFinite,
            let freshUntil = Double(lines[6]), freshUntil.isFinite, let sum = UInt64(lines[7]),
            sum == Checksum.of(Array((lines[..<7].joined(separator: "\n") + "\n").utf8))
        else { return nil }
        func field(_ index: Int) -> String? { lines[index].isEmpty ? nil : String(lines[index]) }
        return Resource(
            length: length,
            etag: field(2),
            lastModified: field(3),
            mimeType: field(4),
            checkedAt: checkedAt,
            freshUntil: min(freshUntil, checkedAt + maximumFreshness)
        )
    }
}

extension DiskCacheEntry.State {
    /// Forgets all blocks.
    mutating func forget() {
        blocks = []
        heldByteCount = 0
        forgetPartial()
    }

    mutating func forgetPartial() { partial = BlockAssembler(blockSize: DiskCacheEntry.blockSize) }

    mutating func insert(_ block: Int64, of length: Int64) {
        guard blocks.insert(block).inserted else { return }
        heldByteCount += min(DiskCacheEntry.blockSize, length - block * DiskCacheEntry.blockSize)
        // Another process may have written it.
        partial.remove(block)
    }

    struct Block {
        let index: Int64
        let fingerprint: UInt64
        let bytes: [UInt8]
    }

    /// Adds bytes to incomplete blocks, and returns the blocks that are now complete.
    mutating func add(_ bytes: UnsafeRawBufferPointer, at offset: Int64, limit: Int64) -> [Block] {
        guard let resource, !isBroken, heldByteCount <= limit - DiskCacheEntry.blockSize else { return [] }
        return partial.add(bytes, at: offset, of: resource.length, held: blocks).map { whole in
            Block(index: whole.index, fingerprint: resource.fingerprint, bytes: whole.bytes)
        }
    }
}
