internal import CSyrinxFFmpeg
internal import CoreAudioTypes
internal import Foundation
internal import SyrinxByteStream

/// Reads what libavformat has found into a `MediaInfo`.
struct MediaInfoBuilder {
    let format: LibavContext
    let timing: PacketTimeline
    let metadata: ContainerMetadata
    var length = LengthStatement.byTimestamps

    private var xing: XingHeader? { metadata.xing }
    private var stream: UnsafeMutablePointer<AVStream> { format.stream }
    private var context: UnsafeMutablePointer<AVFormatContext> { format.context }

    func build() -> MediaInfo? {
        guard let parameters = stream.pointee.codecpar else { return nil }
        let sampleRate = Double(parameters.pointee.sample_rate)
        let size = format.bridge.stream.length.map { $0.addingClamped(format.noiseSize) }
        let frameCount = StatedLimits.plausible(self.frameCount)
        let estimate = frameCount == nil ? self.duration(size: size) : nil
        let seconds = frameCount.map { Double($0) / sampleRate } ?? estimate?.seconds
        let duration = StatedLimits.plausible(seconds: seconds, sampleRate: sampleRate)
        return MediaInfo(
            container: container,
            codec: format.freeSplitter != nil ? "mp3" : String(cString: avcodec_get_name(parameters.pointee.codec_id)),
            profile: avcodec_profile_name(parameters.pointee.codec_id, parameters.pointee.profile)
                .map { String(cString: $0) },
            sampleRate: sampleRate,
            originalSampleRate: PacketTrim.opusInputRate(of: stream).map(Double.init),
            channelCount: Int(parameters.pointee.ch_layout.nb_channels),
            channelLayout: describe(layout: &parameters.pointee.ch_layout),
            bitRate: bitRate(duration: duration, size: size),
            duration: duration,
            durationIsExact: frameCount != nil || estimate?.isExact == true,
            frameCount: frameCount,
            isSeekable: format.bridge.stream.isSeekable,
            size: size,
            tags: tags,
            chapters: chapters(endingBy: frameCount == nil ? nil : duration),
            artwork: artwork,
            streamDescription: StreamDescription.of(parameters, framesPerPacket: timing.framesPerPacket)
        )
    }

    private var container: String {
        if format.raw != nil { return "raw" }
        let names = format.container
        let first = names.split(separator: ",").first.map(String.init) ?? names
        switch first {
        case "mov": return "mp4"
        case "matroska": return MatroskaHeader(bridge: format.bridge).documentType == "webm" ? "webm" : "matroska"
        default: return first
        }
    }

    /// The frame count that the container states, less the encoder's additions.
    private var frameCount: Int64? {
        switch length {
        case .none: return nil
        case .frames(let count): return count
        case .byTimestamps: break
        }
        if let raw = format.raw { return format.bridge.stream.length.map(raw.frameCount(ofBytes:)) }
        if timing.method == .counted {
            if xing?.startSkip ?? 0 == 0, let gapless = metadata.gapless { return gapless.frameCount }
            guard let xing, let packets = xing.packetCount, packets > 0 else { return nil }
            return timing.heardCount(ofPackets: packets)
        }
        if container == "caf" { return metadata.packetTable?.frameCount }
        if container == "wav" || container == "w64", let codec = stream.pointee.codecpar?.pointee.codec_id, isPCM(codec)
        {
            let bridge = format.bridge
            return WAVEDataLength(length: bridge.stream.length) { bridge.peek(at: $0, count: $1) }.frameCount()
        }
        guard let frames = format.statedFrameCount(timing) else { return nil }
        if container == "mp4" {
            return isOpenEnded || isLengthAmbiguous ? nil : mp4FrameCount(frames, mp4Boxes)
        }
        return frames
    }

    private var mp4Boxes: MP4Length {
        let bridge = format.bridge
        return MP4Length(bytes: { bridge.peek(at: $0, count: $1) })
    }

    /// Whether the length is that of the fragments that happen to have come: the others cannot be looked at beforehand.
    private var isOpenEnded: Bool {
        container == "mp4" && !format.bridge.stream.isSeekable && mp4Boxes.isFragmented()
    }

    private var isLengthAmbiguous: Bool { timing.startSkip > 0 && mp4Boxes.hasSegmentIndex() }

    /// Whether the length, of what has come, is right when all has.
    var growsToItsLength: Bool { isOpenEnded && timing.method == .timestamps && !isLengthAmbiguous }

    /// - Parameter edited: What the edit list says, which may be rounded.
    private func mp4FrameCount(_ edited: Int64, _ boxes: MP4Length) -> Int64 {
        if let gapless = metadata.gapless, gapless.frameCount <= edited { return gapless.frameCount }
        guard let media = boxes.soundTicks() else { return edited }
        let frames = Double(media.ticks) * Double(timing.sampleRate) / Double(media.timescale)
        guard let exact = Int64(exactly: frames.rounded()) else { return edited }
        // It settles the rounding of the edit list; what differs by more is another matter.
        return exact.subtractingClamped(edited).magnitude <= timing.sampleRate / 100 ? exact : edited
    }

    private func duration(size: Int64?) -> (seconds: Double, isExact: Bool)? {
        let ticks = context.pointee.duration
        if ticks > 0 && context.pointee.duration_estimation_method != AVFMT_DURATION_FROM_BITRATE {
            // A packet table without a remainder says how long the packets are, and no more.
            if length != .none, !isOpenEnded {
                return (Double(ticks) / Double(AV_TIME_BASE), container != "caf" && timing.startSkip == 0)
            }
        }
        // What libavformat makes of size and bit rate takes the tags at the front for sound.
        guard let size, let rate = stream.pointee.codecpar?.pointee.bit_rate, rate > 0, size > format.soundOffset else {
            return nil
        }
        return (Double(size.subtractingClamped(format.soundOffset)) * 8 / Double(rate), false)
    }

    private func bitRate(duration: Double?, size: Int64?) -> Int? {
        if let xing, !xing.isConstant, let bytes = xing.byteCount, let packets = xing.packetCount, packets > 0 {
            let seconds = Double(packets) * Double(timing.framesPerPacket) / Double(timing.sampleRate)
            return Int(exactly: (Double(bytes) * 8 / seconds).rounded())
        }
        if let rate = stream.pointee.codecpar?.pointee.bit_rate, rate > 0 { return Int(clamping: rate) }
        guard let duration, duration > 0, let size else { return nil }
        return Int(exactly: (Double(size) * 8 / duration).rounded())
    }

    // MARK: Tags

    private var tags: [String: String] {
        var tags: [String: String] = [:]
        // Ogg keeps them with the stream, the others with the container.
        tags.merge(stream.pointee.metadata)
        tags.merge(context.pointee.metadata)
        return tags.withoutMaking
    }

    /// - Parameter end: Where the sound ends, if that is known: libavformat lets the last chapter end with what the encoder has
    ///   added, too.
    private func chapters(endingBy end: Double?) -> [MediaChapter] {
        (0..<Int(context.pointee.nb_chapters)).compactMap { index in
            guard let chapter = context.pointee.chapters[index] else { return nil }
            let tick = chapter.pointee.time_base
            let seconds = { (ticks: Int64) in Double(ticks) * Double(tick.num) / Double(max(tick.den, 1)) }
            var tags: [String: String] = [:]
            tags.merge(chapter.pointee.metadata)
            return MediaChapter(
                start: seconds(chapter.pointee.start),
                end: min(seconds(chapter.pointee.end), end ?? .infinity),
                title: tags["title"]
            )
        }
    }

    private var artwork: MediaArtwork? {
        for index in 0..<Int(context.pointee.nb_streams) {
            guard let stream = context.pointee.streams[index], let parameters = stream.pointee.codecpar,
                stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
            else { continue }
            return MediaArtwork(
                mimeType: mimeType(of: parameters.pointee.codec_id),
                width: Int(parameters.pointee.width),
                height: Int(parameters.pointee.height),
                byteCount: Int(stream.pointee.attached_pic.size)
            )
        }
        return nil
    }
}

/// Returns the MIME type of a picture.
func mimeType(of codec: AVCodecID) -> String {
    switch codec {
    case AV_CODEC_ID_MJPEG: "image/jpeg"
    case AV_CODEC_ID_PNG: "image/png"
    case AV_CODEC_ID_GIF: "image/gif"
    case AV_CODEC_ID_BMP: "image/bmp"
    case AV_CODEC_ID_WEBP: "image/webp"
    case AV_CODEC_ID_TIFF: "image/tiff"
    default: "image/" + String(cString: avcodec_get_name(codec))
    }
}

/// `stereo`, `5.1`, … as FFmpeg calls a layout.
func describe(layout: UnsafePointer<AVChannelLayout>) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
        var usual = AVChannelLayout()
        // Where the file does not say how its channels are arranged, they are taken to be as they mostly are.
        if layout.pointee.order == AV_CHANNEL_ORDER_UNSPEC {
            av_channel_layout_default(&usual, layout.pointee.nb_channels)
        } else {
            av_channel_layout_copy(&usual, layout)
        }
        defer { av_channel_layout_uninit(&usual) }
        guard let base = text.baseAddress, av_channel_layout_describe(&usual, base, text.count) > 0 else { return "" }
        return String(cString: base)
    }
}
