internal import SyrinxByteStream

/// Finds the start of an Ogg file that follows unrelated bytes, such as the rest of an earlier connection or file.
enum OggNoise {
    /// The number of bytes that are searched for the first page, the same as in libavformat.
    private static let reach = 65_536

    /// Returns the number of bytes before the first page; `nil` if there are none, or no page is found near the start.
    static func size(before bridge: AVIOBridge) -> Int64? {
        let (head, stream) = (bridge.head, bridge.stream)
        guard !FormatProbe.beginsContainer(head) else { return nil }
        if let found = size(in: head) { return found }
        // If reading more bytes could wait for a network or a pipe, only the bytes that were already read are searched.
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
