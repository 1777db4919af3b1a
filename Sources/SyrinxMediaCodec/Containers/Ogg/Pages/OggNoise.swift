internal import SyrinxByteStream

/// Finds where a file of Ogg begins behind bytes that belong to nothing: what was left of a connection, or of another file.
enum OggNoise {
    /// So far the first page is looked for: as far as libavformat looks for a start.
    private static let reach = 65_536

    /// The bytes before the first page of what `bridge` reads; `nil` if it begins with one, or has none near its start.
    static func size(before bridge: AVIOBridge) -> Int64? {
        let (head, stream) = (bridge.head, bridge.stream)
        guard !FormatProbe.beginsContainer(head) else { return nil }
        if let found = size(in: head) { return found }
        // Where each byte takes time, or is waited for, only those are looked at that have come.
        guard stream.isSeekable, !stream.isRemote, stream.length ?? 0 > Int64(head.count) else { return nil }
        return size(in: bridge.read(at: 0, count: reach))
    }

    /// Returns the start of the first whole page that begins a stream.
    static func size(in bytes: [UInt8]) -> Int64? {
        let mark = OggPage.mark
        return bytes.indices.dropFirst().first { place in
            guard bytes[place] == mark[0], let page = OggPage(bytes, at: place), page.isBeginning,
                page.end <= bytes.count
            else { return false }
            return OggPage.isWhole(Array(bytes[place..<page.end]))
        }.map(Int64.init)
    }
}
