internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// Reads the tags of a recording within an Ogg chain from its headers.
///
/// libavformat reports them with the headers of Vorbis, or with an Opus stream that has a new serial number. Otherwise,
/// the headers are returned as packets.
enum OggTags {
    /// Returns the tags of a FLAC or Opus header (RFC 9639, section 8.6; RFC 7845, section 5.2); `nil` for another
    /// header.
    static func inHeader(_ packet: UnsafePointer<AVPacket>, isFLAC: Bool) -> [String: String]? {
        let bytes = UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))
        if bytes.starts(with: "OpusTags".utf8) { return comments(bytes.dropFirst(8)) }
        return isFLAC && bytes.first.map { $0 & 0x7F } == 4 ? comments(bytes.dropFirst(4)) : nil
    }

    /// Fields of Vorbis comments that have other names in `MediaInfo`.
    private static let names = ["description": "comment"]

    /// Limits against hostile comment headers.
    private static let most = (fields: 10_000, bytes: 65_536)

    /// Parses Vorbis comments (Vorbis I specification, section 5.2.1), as far as they are complete.
    private static func comments(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> [String: String] {
        var rest = bytes
        func number() -> Int? {
            guard rest.count >= 4 else { return nil }
            defer { rest = rest.dropFirst(4) }
            return rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        var tags: [String: String] = [:]
        var origins: [String: String] = [:]
        guard let vendor = number(), vendor <= rest.count else { return tags }
        rest = rest.dropFirst(vendor)
        let count = min(number() ?? 0, most.fields)
        for _ in 0..<count {
            guard let length = number(), length <= rest.count else { break }
            let field = rest.prefix(length).split(separator: UInt8(ascii: "="), maxSplits: 1)
            rest = rest.dropFirst(length)
            guard field.count == 2 else { continue }
            let given = String(decoding: field[0], as: UTF8.self).lowercased()
            if given == "metadata_block_picture" || given.hasPrefix("chapter") { continue }
            let name = names[given] ?? TagName.common(given)
            // Another field with the same meaning repeats the value.
            guard origins[name, default: given] == given else { continue }
            origins[name] = given
            let value = String(utf8OrWindows1252: Array(field[1]))
            guard tags[name, default: ""].utf8.count + value.utf8.count < most.bytes else { continue }
            let joint = tags[name] == nil ? "" : ";"
            tags[name, default: ""].append(joint + value)
        }
        return tags.withoutMaking
    }
}
