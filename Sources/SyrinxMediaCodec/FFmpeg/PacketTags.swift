internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// The tags that libavformat returns with a packet if they change within a stream.
enum PacketTags {
    /// Returns the tags beside a packet; `nil` if there are none.
    static func beside(_ packet: UnsafePointer<AVPacket>) -> [String: String]? {
        var size = 0
        guard let data = av_packet_get_side_data(packet, AV_PKT_DATA_METADATA_UPDATE, &size) else { return nil }
        var dictionary: OpaquePointer?
        defer { av_dict_free(&dictionary) }
        guard av_packet_unpack_dictionary(data, size, &dictionary) >= 0 else { return nil }
        var tags: [String: String] = [:]
        tags.merge(dictionary)
        return tags.withoutMaking
    }
}

extension [String: String] {
    /// The tags without those that describe how an MP4 or WAV file was written.
    var withoutMaking: [String: String] {
        filter { name, _ in
            !["major_brand", "minor_version", "compatible_brands", "handler_name", "vendor_id"].contains(name)
        }
    }

    /// Adds the entries of an FFmpeg dictionary, each under its common name (`TagName`).
    mutating func merge(_ dictionary: OpaquePointer?) {
        var others: [String: String] = [:]
        var entry: UnsafeMutablePointer<AVDictionaryEntry>?
        while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
            entry = next
            guard let key = next.pointee.key, let value = next.pointee.value else { continue }
            let text = Self.text(value)
            guard !text.isEmpty else { continue }
            let name = String(cString: key).lowercased()
            if TagName.isAlias(name) { others[TagName.common(name)] = text } else { self[name] = text }
        }
        merge(others) { held, _ in held }
    }

    /// Decodes text of unknown encoding, as in old tags.
    private static func text(_ bytes: UnsafePointer<CChar>) -> String {
        String(utf8OrWindows1252: (0..<strlen(bytes)).map { UInt8(bitPattern: bytes[$0]) })
    }
}
