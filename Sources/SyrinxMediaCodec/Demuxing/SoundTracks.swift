internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// An audio track of a recording.
package struct MediaSoundTrack: Sendable, Equatable {
    /// The language as the container states it, an ISO 639-2 code or a BCP 47 tag; `nil` if it states none.
    package var language: String?
    /// The title, if there is one.
    package var title: String?
    /// Whether this is the track that is read by default.
    package var isDefault: Bool
    /// Whether the track is a commentary, or an audio description for people with impaired vision.
    package var isSpecial: Bool
}

/// Returns the index of the audio track to read; `nil` selects the default.
package typealias SoundTrackChoice = @Sendable ([MediaSoundTrack]) -> Int?

/// The decodable audio tracks of an open container.
struct SoundTracks {
    /// The tracks, in the order of the container.
    let tracks: [MediaSoundTrack]
    /// The index of the selected track.
    private(set) var chosen: Int
    private let indices: [Int]

    /// The maximum number of tracks; further ones are ignored.
    private static let maximumCount = 256

    /// - Parameters:
    ///   - best: The index of the stream that libavformat prefers.
    ///   - offersOthers: Whether another stream of the container can be read.
    init(in context: UnsafeMutablePointer<AVFormatContext>, best: Int, offersOthers: Bool) {
        let count = min(Int(context.pointee.nb_streams), Self.maximumCount)
        let others = offersOthers ? (0..<count).filter { $0 != best && Self.isSound(context.pointee.streams[$0]) } : []
        indices = (others + [best]).sorted()
        tracks = indices.map { Self.track(context.pointee.streams[$0], isDefault: $0 == best) }
        chosen = indices.firstIndex(of: best) ?? 0
    }

    /// The index of the stream that is read.
    var streamIndex: Int { indices[chosen] }

    /// Selects the track that `choice` returns, if any.
    mutating func choose(_ choice: SoundTrackChoice?) {
        guard tracks.count > 1, let wanted = choice?(tracks), indices.indices.contains(wanted) else { return }
        chosen = wanted
    }

    /// Returns the error for a container without readable audio.
    static func noSound(in context: UnsafeMutablePointer<AVFormatContext>, _ name: String) -> SyrinxError {
        let streams = (0..<Int(context.pointee.nb_streams)).compactMap { context.pointee.streams[$0] }
        let kinds = streams.compactMap(\.pointee.codecpar?.pointee.codec_type)
        if let sound = streams.lazy.compactMap(\.pointee.codecpar).first(where: { isUndecodable($0) }) {
            return undecodable(sound, name)
        }
        if kinds.contains(AVMEDIA_TYPE_AUDIO) {
            return SyrinxError(.corrupt, "No sound could be found in it: it is damaged or cut off.", name: name)
        }
        let hasPictures = kinds.contains(AVMEDIA_TYPE_VIDEO)
        let message = hasPictures ? "It has pictures, but no sound." : "There is no sound in it."
        return SyrinxError(.notAudio, message, name: name)
    }

    /// Returns the error for audio in a codec that FFmpeg does not support.
    static func undecodable(_ parameters: UnsafePointer<AVCodecParameters>, _ name: String) -> SyrinxError {
        let message = "Its sound is in a codec that the FFmpeg here does not decode (\(codecName(parameters)))."
        return SyrinxError(.unsupported, message, name: name)
    }

    private static func isUndecodable(_ sound: UnsafePointer<AVCodecParameters>) -> Bool {
        sound.pointee.codec_type == AVMEDIA_TYPE_AUDIO && avcodec_find_decoder(sound.pointee.codec_id) == nil
    }

    /// FFmpeg's name of a codec, or the container's, if FFmpeg has none.
    private static func codecName(_ parameters: UnsafePointer<AVCodecParameters>) -> String {
        let known = avcodec_descriptor_get(parameters.pointee.codec_id).map { String(cString: $0.pointee.name) }
        if let known { return known }
        let tag = parameters.pointee.codec_tag
        let letters = (0..<4).map { UInt8(truncatingIfNeeded: tag >> (8 * $0)) }
        guard letters.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
            return tag == 0 ? "unknown" : "number 0x" + String(tag, radix: 16)
        }
        return "named " + String(decoding: letters, as: UTF8.self)
    }

    private static func isSound(_ stream: UnsafeMutablePointer<AVStream>?) -> Bool {
        guard let parameters = stream?.pointee.codecpar, parameters.pointee.codec_type == AVMEDIA_TYPE_AUDIO else {
            return false
        }
        return parameters.pointee.sample_rate > 0 && parameters.pointee.ch_layout.nb_channels > 0
            && avcodec_find_decoder(parameters.pointee.codec_id) != nil
    }

    private static func track(_ stream: UnsafeMutablePointer<AVStream>?, isDefault: Bool) -> MediaSoundTrack {
        guard let stream else { return MediaSoundTrack(isDefault: isDefault, isSpecial: false) }
        let text = { (key: String) -> String? in
            guard let value = av_dict_get(stream.pointee.metadata, key, nil, 0)?.pointee.value else { return nil }
            let text = String(cString: value)
            return text.isEmpty ? nil : text
        }
        let special = AV_DISPOSITION_COMMENT | AV_DISPOSITION_VISUAL_IMPAIRED | AV_DISPOSITION_KARAOKE
        return MediaSoundTrack(
            language: text("language"),
            title: text("title"),
            isDefault: isDefault,
            isSpecial: stream.pointee.disposition & special != 0
        )
    }
}
