internal import SyrinxByteStream

/// Opens recordings.
///
/// A container whose packets libavformat does not place rightly, or not at all, has a source of its own.
enum PacketSources {
    /// Opens a recording with the source that its container needs.
    static func open(
        _ stream: any ByteStream,
        raw: RawSamples? = nil,
        choosing choice: SoundTrackChoice? = nil
    ) throws(MediaError) -> any LibavBackedSource {
        let reader = try LibavPacketReader(stream: stream, raw: raw, choosing: choice)
        switch reader.format.container {
        case "ogg": return try OggPacketSource(reader)
        default: return try LibavPacketSource(reader)
        }
    }
}
