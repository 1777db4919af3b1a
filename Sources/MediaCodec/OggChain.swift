/// Whether an Ogg file is several recordings one after the other, which RFC 3533 calls chained.
///
/// Each begins its positions anew, so the last of them says nothing of the whole.
enum OggChain {
    /// A page is no larger than this, so that one begins within so many bytes of the end.
    static let tailSize = 65_307

    /// - Parameters:
    ///   - head: The first bytes of the file.
    ///   - tail: The last bytes of it.
    /// - Returns: Whether the last page belongs to none of the streams that the file begins with.
    static func isChained(head: [UInt8], tail: [UInt8]) -> Bool {
        guard let last = lastSerial(in: tail) else { return false }
        let first = firstSerials(in: head)
        return !first.isEmpty && !first.contains(last)
    }

    private static let pageStart = Array("OggS".utf8)

    /// The serial numbers of the pages at the front that begin a stream.
    private static func firstSerials(in head: [UInt8]) -> [ArraySlice<UInt8>] {
        var serials: [ArraySlice<UInt8>] = []
        var offset = 0
        while offset + 27 <= head.count, head[offset..<offset + 4].elementsEqual(pageStart) {
            // Bit 1 of the flags: the first page of its stream.
            guard head[offset + 5] & 2 != 0 else { break }
            serials.append(head[offset + 14..<offset + 18])
            let lacing = Int(head[offset + 26])
            guard offset + 27 + lacing <= head.count else { break }
            offset += 27 + lacing + head[offset + 27..<offset + 27 + lacing].reduce(0) { $0 + Int($1) }
        }
        return serials
    }

    private static func lastSerial(in tail: [UInt8]) -> ArraySlice<UInt8>? {
        guard tail.count >= 27 else { return nil }
        return (0...tail.count - 27).reversed().first { tail[$0] == 0x4F && tail[$0..<$0 + 4].elementsEqual(pageStart) }
            .map { tail[$0 + 14..<$0 + 18] }
    }
}
