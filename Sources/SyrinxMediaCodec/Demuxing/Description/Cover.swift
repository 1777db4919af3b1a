internal import CSyrinxFFmpeg

/// The picture of a recording: of several, the front cover, in whatever tag that lies.
enum Cover {
    /// One that was read here.
    case tag(MediaPicture)
    /// One that libavformat has read.
    case stream(UnsafeMutablePointer<AVStream>)

    /// Chooses among the pictures of a container, the first of those that come nearest to a cover of the front.
    /// - Parameters:
    ///   - tags: Of the recording, whose pictures come before those of libavformat.
    ///   - spare: Tags whose pictures come after them.
    static func best(in context: UnsafeMutablePointer<AVFormatContext>, _ tags: TagList, spare: TagList) -> Cover? {
        var found: [(kind: PictureKind, cover: Cover)] = tags.picture.map { [($0.kind, .tag($0.file))] } ?? []
        for index in 0..<Int(context.pointee.nb_streams) {
            guard let stream = context.pointee.streams[index],
                stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0, stream.pointee.attached_pic.size > 0
            else { continue }
            var words: [String: String] = [:]
            words.merge(stream.pointee.metadata)
            // ID3v2, FLAC and ASF state a kind. An attached file shows it by its name.
            found.append((PictureKind(described: words["comment"] ?? words["filename"]), .stream(stream)))
        }
        if let (kind, file) = spare.picture { found.append((kind, .tag(file))) }
        // The first of the least.
        return found.min { $0.kind < $1.kind }?.cover
    }

    /// The picture with its bytes.
    var picture: MediaPicture? {
        switch self {
        case .tag(let picture): return picture
        case .stream(let stream):
            guard let parameters = stream.pointee.codecpar else { return nil }
            let picture = stream.pointee.attached_pic
            return MediaPicture(
                mimeType: mimeType(of: parameters.pointee.codec_id),
                width: Int(parameters.pointee.width),
                height: Int(parameters.pointee.height),
                data: Array(UnsafeBufferPointer(start: picture.data, count: Int(picture.size)))
            )
        }
    }

    /// The description of the picture, without a copy of its bytes.
    var artwork: MediaArtwork? {
        switch self {
        case .tag(let picture):
            return MediaArtwork(
                mimeType: picture.mimeType,
                width: picture.width,
                height: picture.height,
                byteCount: picture.data.count
            )
        case .stream(let stream):
            guard let parameters = stream.pointee.codecpar else { return nil }
            return MediaArtwork(
                mimeType: mimeType(of: parameters.pointee.codec_id),
                width: Int(parameters.pointee.width),
                height: Int(parameters.pointee.height),
                byteCount: Int(stream.pointee.attached_pic.size)
            )
        }
    }
}
