internal import CSyrinxFFmpeg
internal import CoreAudioTypes
internal import Foundation
internal import SyrinxByteStream

/// Creates a `MediaInfo` from libavformat's description of a container.
struct MediaInfoBuilder {
    let format: LibavContext
    let timing: PacketTimeline
    let statement: ContainerStatement

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
        var tags = self.tags
        let chapters = chapters(sheet: &tags, duration: duration, isExact: frameCount != nil)
        return MediaInfo(
            format: format.raw == nil ? format.container : .raw,
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
            chapters: chapters,
            artwork: artwork,
            bitDepth: StreamDescription.bitDepth(of: parameters),
            streamDescription: StreamDescription.of(parameters, framesPerPacket: timing.framesPerPacket)
        )
    }

    /// The container's statement about the number of frames.
    private var length: LengthStatement {
        if let raw = format.raw { return .frames(format.bridge.stream.length.map(raw.frameCount(ofBytes:))) }
        guard timing.method == .counted else { return statement.length(timing) }
        if let frames = statement.delay.soundFrames { return .frames(frames) }
        guard let packets = statement.delay.packetCount, packets > 0 else { return .byTimestamps }
        return .frames(timing.heardCount(ofPackets: packets))
    }

    /// The number of audible frames, if the container states it.
    private var frameCount: Int64? {
        switch length {
        case .frames(let count): count
        case .byTimestamps: format.statedFrameCount(timing)
        case .roughlyByTimestamps, .none: nil
        }
    }

    /// - Returns: The duration in seconds, and whether it is exact; `nil` if it is unknown.
    private func duration(size: Int64?) -> (seconds: Double, isExact: Bool)? {
        let ticks = context.pointee.duration
        if ticks > 0 && context.pointee.duration_estimation_method != AVFMT_DURATION_FROM_BITRATE {
            if length != .none {
                return (Double(ticks) / Double(AV_TIME_BASE), length != .roughlyByTimestamps && timing.startSkip == 0)
            }
        }
        // libavformat derives the duration from size and bit rate, but includes leading tags in the size.
        guard let size, let rate = stream.pointee.codecpar?.pointee.bit_rate, rate > 0, size > format.soundOffset else {
            return nil
        }
        return (Double(size.subtractingClamped(format.soundOffset)) * 8 / Double(rate), false)
    }

    private func bitRate(duration: Double?, size: Int64?) -> Int? {
        if let average = statement.average {
            let seconds = Double(average.packets) * Double(timing.framesPerPacket) / Double(timing.sampleRate)
            return Int(exactly: (Double(average.bytes) * 8 / seconds).rounded())
        }
        if let rate = stream.pointee.codecpar?.pointee.bit_rate, rate > 0 { return Int(clamping: rate) }
        guard let duration, duration > 0, let size else { return nil }
        return Int(exactly: (Double(size) * 8 / duration).rounded())
    }

    // MARK: Tags

    private var tags: [String: String] {
        var tags: [String: String] = [:]
        // Ogg stores tags per stream, other formats per container.
        tags.merge(stream.pointee.metadata)
        tags.merge(context.pointee.metadata)
        tags.merge(format.tags.texts) { $1 }
        tags.merge(format.spareTags.texts) { held, _ in held }
        return tags.withoutMaking
    }

    /// Returns the chapters in order of time; a file may store them in any order.
    ///
    /// Chapters may come from a tag with a CUE sheet of the whole recording, which is then removed from the tags.
    private func chapters(sheet tags: inout [String: String], duration: Double?, isExact: Bool) -> [MediaChapter] {
        var chapters = chapters(endingBy: isExact ? duration : nil)
        let sheet = tags["cuesheet"].map { CueSheet($0).chapters(duration: duration) } ?? []
        if !sheet.isEmpty {
            tags["cuesheet"] = nil
            chapters = sheet
        } else if !format.sheet.isEmpty, format.sheet.count >= chapters.count {
            chapters = format.sheet
        } else if format.tags.chapters.count > chapters.count {
            // The last chapter may end with the recording.
            chapters = format.tags.chapters.map {
                var chapter = $0
                if chapter.end <= chapter.start { chapter.end = max(duration ?? chapter.start, chapter.start) }
                return chapter
            }
        }
        return chapters.sorted { $0.start < $1.start }
    }

    /// - Parameter end: The end of the audio, in seconds, if it is known. libavformat includes the encoder's padding in
    ///   the last chapter.
    private func chapters(endingBy end: Double?) -> [MediaChapter] {
        (0..<Int(context.pointee.nb_chapters)).compactMap { index -> MediaChapter? in
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

    private var artwork: MediaArtwork? { format.cover?.artwork }
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

/// Returns FFmpeg's name of a channel layout, such as `stereo` or `5.1`.
func describe(layout: UnsafePointer<AVChannelLayout>) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
        var usual = AVChannelLayout()
        // If the file does not state the layout, assume the default layout of the channel count.
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
