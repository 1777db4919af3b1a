internal import CSyrinxFFmpeg

/// The cover picture of a recording, preferably the front cover, from any of its tags.
enum Cover {
    /// A picture from a tag that Syrinx parsed.
    case tag(MediaPicture)
    /// A picture that libavformat parsed.
    case stream(UnsafeMutablePointer<AVStream>)

    /// Returns the best picture of a container: the first of those that are most likely the front cover.
    /// - Parameters:
    ///   - tags: The recording's tags, whose pictures are preferred to those of libavformat.
    ///   - spare: Further tags, whose pictures come after those of libavformat.
    static func best(in context: UnsafeMutablePointer<AVFormatContext>, _ tags: TagList, spare: TagList) -> Cover? {
        var found: [(kind: PictureKind, cover: Cover)] = tags.picture.map { [($0.kind, .tag($0.file))] } ?? []
        for index in 0..<Int(context.pointee.nb_streams) {
            guard let stream = context.pointee.streams[index],
                stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0, stream.pointee.attached_pic.size > 0
            else { continue }
            var words: [String: String] = [:]
            words.merge(stream.pointee.metadata)
            // ID3v2, FLAC and ASF state the kind of a picture; an attached file is classified by its name.
            found.append((PictureKind(described: words["comment"] ?? words["filename"]), .stream(stream)))
        }
        if let (kind, file) = spare.picture { found.append((kind, .tag(file))) }
        // `min` returns the first of equal elements.
        return found.min { $0.kind < $1.kind }?.cover
    }

    /// The picture and its bytes; `nil` if the bytes are not available.
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
