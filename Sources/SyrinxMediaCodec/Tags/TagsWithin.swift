internal import SyrinxByteStream

/// Reads tags inside containers for which libavformat keeps one value per field, and drops pictures of unstated format.
///
/// Reads only local files; nothing is downloaded for them.
enum TagsWithin {
    /// Reads bytes at an offset; fewer if they are unavailable.
    typealias Look = (_ offset: Int64, _ count: Int) -> [UInt8]

    /// Reads the tags of a container.
    static func read(_ container: Container, _ bridge: AVIOBridge) -> TagList {
        let stream = bridge.stream
        guard stream.isSeekable, !stream.isRemote else { return TagList() }
        let look: Look = { bridge.lookFar(at: $0, count: $1) }
        switch container.name {
        case Container.mp4.name: return MP4Tags.read(look)
        case Container.aiff.name, Container.wave.name: return ID3Chunk.read(look)
        case Container.matroska.name, "webm": return MatroskaTags.read(look)
        case "asf": return ASFTags.read(look)
        case "dsf": return ID3Chunk.readDSF(look)
        default: return TagList()
        }
    }
}
