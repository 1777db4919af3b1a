internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// An open container, which owns libavformat's context and the bridge to the byte stream.
///
/// Not thread-safe.
final class LibavContext {
    let context: UnsafeMutablePointer<AVFormatContext>
    let bridge: AVIOBridge
    /// The description of the container.
    let container: Container
    /// The audio stream that is read; it belongs to `context`.
    let stream: UnsafeMutablePointer<AVStream>
    /// The offset of the first packet, if only an ID3v2 tag or nothing precedes it.
    let soundOffset: Int64
    /// The format of the samples in a stream without a header.
    let raw: RawSamples?
    /// The audio tracks, one of which is read.
    let soundTracks: SoundTracks
    /// The selection of an audio track, used again when the recording is reopened.
    let choice: SoundTrackChoice?
    /// The parser of a FLAC file's frames.
    var splitter: FLACFrameParser?
    /// The splitter of free-format MP3 frames.
    var freeSplitter: FreeFormatSplitter?
    /// The number of bytes of noise before the recording.
    ///
    /// `bridge` starts after them.
    let noiseSize: Int64
    /// The packet table of a long MP4 file, for which libavformat's index contains only the first packets.
    let longTable: LongTable?
    /// The track headers of an MP4 file by track number; `nil` if libavformat applies the edit lists.
    let tracks: [Int32: MP4TrackHeader]?

    /// The tags that Syrinx parsed, because libavformat loses some of their values.
    let tags: TagList
    /// The tags that supply fields that all other tags lack.
    let spareTags: TagList
    /// The offset of the first tag after the audio, or the length of the file; `nil` if it is unknown.
    let soundEnd: Int64?
    /// The chapters of a FLAC file's CUE sheet.
    let sheet: [MediaChapter]
    /// The cover picture of the recording.
    let cover: Cover?

    var name: String { bridge.stream.name }

    /// Opens a container.
    /// - Parameters:
    ///   - stream: The bytes.
    ///   - raw: The format of the samples, if the stream contains only raw samples.
    ///   - choice: Selects an audio track if there are several.
    ///   - readTable: Reads the packet table of a long MP4 file. If opening fails with it, libavformat reads the whole
    ///     table.
    /// - Throws: The errors of `MediaDemuxer.open`.
    static func open(
        _ stream: any ByteStream,
        raw: RawSamples? = nil,
        choosing choice: SoundTrackChoice? = nil,
        readingTable readTable: (AVIOBridge) -> MP4TableReader.Result? = LongTable.read(through:)
    ) throws(SyrinxError) -> LibavContext {
        var hasTable = false
        do throws(SyrinxError) {
            let format = try LibavContext(stream: stream, raw: raw, choosing: choice) { bridge in
                let table = readTable(bridge)
                hasTable = table != nil
                return table
            }
            guard format.longTable?.isUsable == false else { return format }
        } catch {
            guard hasTable, error.code != .cancelled else { throw error }
        }
        return try LibavContext(stream: stream, raw: raw, choosing: choice) { _ in nil }
    }

    /// Opens a container.
    /// - Parameters:
    ///   - stream: The bytes.
    ///   - raw: The format of the samples, if the stream has no header.
    ///   - choice: Selects an audio track if there are several.
    ///   - readTable: Reads the packet table of a long MP4 file; its result is `nil` if libavformat is to read the
    ///     table.
    /// - Throws: The errors of `open`.
    private init(
        stream: any ByteStream,
        raw: RawSamples?,
        choosing choice: SoundTrackChoice?,
        readingTable readTable: (AVIOBridge) -> MP4TableReader.Result?
    ) throws(SyrinxError) {
        // Otherwise FFmpeg prints messages to standard error; errors are reported by its results. The level is global
        // to the process, in which no other code uses FFmpeg.
        av_log_set_level(AV_LOG_QUIET)
        av_max_alloc(LibavOpening.largestAllocation)
        let (bridge, noiseSize) = try LibavOpening.bridge(to: stream, raw)
        self.bridge = bridge
        self.noiseSize = noiseSize
        self.raw = raw
        self.choice = choice
        let stream = bridge.stream
        let plan = try LibavOpening.plan(for: bridge, raw)
        soundOffset = plan.soundOffset
        bridge.watch(at: plan.soundOffset)
        bridge.setSeekable(stream.isSeekable && !plan.isForwardOnly)
        bridge.limitReading(to: LibavOpening.largestHeader)
        let front = TagsAtEdges.front(of: bridge, plan.tags)
        bridge.prepareForOgg()
        let tracks = plan.format == nil ? MP4TrackHeader.read(through: bridge) : nil
        self.tracks = tracks
        let table = tracks == nil ? nil : readTable(bridge)
        for correction in table?.corrections ?? [] { bridge.replace(correction.bytes, at: correction.offset) }
        do throws(SyrinxError) {
            context = try LibavOpening.open(bridge, plan, raw)
        } catch {
            throw bridge.isOverBudget ? LibavOpening.tooLargeHeader(bridge) : error
        }
        bridge.setBlank(nil)
        let found = plan.freeFormat == nil ? Container.of(context) : .mp3
        container = found.variant?(bridge) ?? found
        splitter = found.makeParser(context)
        do throws(SyrinxError) {
            let (tracks, found) = try LibavOpening.findAudio(in: context, container, bridge, choosing: choice)
            if bridge.isOverBudget { throw LibavOpening.tooLargeHeader(bridge) }
            try LibavOpening.checkIndex(of: found, container, bridge)
            plan.freeFormat?.describe(found)
            if let codec = plan.samples?.codec { found.pointee.codecpar?.pointee.codec_id = codec }
            longTable = if let table { LongTable(table, context, found) } else { nil }
            (tags, spareTags, soundEnd) = TagsAtEdges.ordered(container, front: front, bridge)
            sheet = LibavOpening.cueSheet(in: context, container, plan, found, bridge)
            cover = Cover.best(in: context, tags, spare: spareTags)
            // This comes last, because from now on `deinit` closes what the code below closes.
            self.stream = found
            soundTracks = tracks
        } catch {
            var context: UnsafeMutablePointer<AVFormatContext>? = context
            avformat_close_input(&context)
            throw bridge.isOverBudget ? LibavOpening.tooLargeHeader(bridge) : error
        }
        freeSplitter = plan.freeFormat.map(FreeFormatSplitter.init)
        bridge.limitReading(to: .max)
        bridge.endsWhereCut = true
        bridge.forgetFront()
        bridge.setSeekable(stream.isSeekable)
    }

    deinit {
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&context)
    }

    // MARK: Reading

    /// The maximum number of damaged places that are skipped before reading fails.
    private static let patience = 1024
    /// The maximum number of failures without progress; libavformat may have buffered several damaged packets.
    private static let stuckPatience = 32

    /// Returns the error for a missing packet after the stream has failed.
    private func error(_ failure: SyrinxError) -> SyrinxError {
        guard failure.code == .notSeekable, container.countIndexed != nil else { return failure }
        let message =
            "Its index lies at its end, and the server gives it from front to end only: it can be heard when it is downloaded."
        return SyrinxError(.notSeekable, message, name: name)
    }

    /// Reads the next packet of the audio stream; false at the end.
    func readPacket(into packet: UnsafeMutablePointer<AVPacket>) throws(SyrinxError) -> Bool {
        if splitter != nil { return try readFrame(into: packet) }
        return freeSplitter == nil ? try readChunk(into: packet) : try readFreeFrame(into: packet)
    }

    /// Calls libavformat in a way that lets it seek; after a failure it does not read through the bytes between.
    func jump(_ body: () -> Int32) -> Int32 {
        guard bridge.hasJustFailed, container.seeksDirectly else { return body() }
        return bridge.jump(body)
    }

    /// Seeks to the last packet whose timestamp is at most `timestamp`, or near it if the container has no index.
    /// - Returns: A negative error number of libavformat if the seek fails.
    func seek(toTimestamp timestamp: Int64) -> Int32 {
        if let longTable {
            longTable.seek(to: timestamp)
            return 0
        }
        return jump { av_seek_frame(context, stream.pointee.index, timestamp, AVSEEK_FLAG_BACKWARD) }
    }

    /// Seeks to a file offset.
    /// - Returns: A negative error number of libavformat if the seek fails.
    func seek(toOffset offset: Int64) -> Int32 {
        bridge.jump { av_seek_frame(context, stream.pointee.index, offset, AVSEEK_FLAG_BYTE) }
    }

    /// Records that the next packet is not adjacent to the last one.
    func breakOff() {
        splitter?.breakOff()
        freeSplitter?.breakOff()
    }

    /// Reads libavformat's next data of the audio stream: a packet, or some bytes of a FLAC file; false at the end.
    func readChunk(into packet: UnsafeMutablePointer<AVPacket>) throws(SyrinxError) -> Bool {
        var damaged = 0
        var stuck = 0
        while true {
            let before = avio_tell(bridge.context)
            // In MP4, only this call performs the pending seek.
            let status = jump { longTable?.readPacket(into: packet) ?? av_read_frame(context, packet) }
            if let failure = bridge.failure {
                // The failure may have truncated the last packet without an error.
                av_packet_unref(packet)
                throw error(failure)
            }
            if status >= 0 {
                // Remove an incomplete frame at the end of raw samples.
                // Bounded: a remainder is no more than the size.
                if let raw { av_shrink_packet(packet, packet.pointee.size - packet.pointee.size % raw.bytesPerFrame) }
                if packet.pointee.stream_index == stream.pointee.index, packet.pointee.size > 0 { return true }
                av_packet_unref(packet)
                continue
            }
            if status == syrinx_error_out_of_memory() { throw LibavOpening.tooLargeTable(name) }
            damaged += 1
            stuck = avio_tell(bridge.context) <= before ? stuck + 1 : 0
            let isHopeless = damaged > Self.patience || stuck > Self.stuckPatience
            if status != syrinx_error_invalid_data() || isHopeless { return false }
        }
    }

    // MARK: Description

    /// Removes and returns the stream's tags, so that later tags are not merged with them.
    func takeStreamTags() -> [String: String] {
        var tags: [String: String] = [:]
        tags.merge(stream.pointee.metadata)
        av_dict_free(&stream.pointee.metadata)
        return tags.withoutMaking
    }

    /// Returns the number of frames that the timestamps or the header state; `nil` if libavformat only estimates it.
    func statedFrameCount(_ timing: PacketTimeline) -> Int64? {
        guard timing.method == .timestamps, stream.pointee.duration > 0,
            context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_STREAM
        else { return nil }
        return timing.frameCount(ofTicks: stream.pointee.duration)
    }

    /// Whether the container also has video.
    var hasMovingPictures: Bool {
        (0..<Int(context.pointee.nb_streams)).contains { index in
            context.pointee.streams[index].map(VideoContainer.isPictures) ?? false
        }
    }

    /// Returns the description of the video; `nil` if there is none, or if too little was read to describe it.
    /// - Throws: `.unsupported` or `.corrupt` if the video cannot be decoded.
    func describePictures() throws(SyrinxError) -> VideoInfo? {
        let best = av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
        guard best >= 0, let pictures = context.pointee.streams[Int(best)], VideoContainer.isPictures(pictures),
            let parameters = pictures.pointee.codecpar, parameters.pointee.width > 0
        else { return nil }
        try VideoContainer.check(pictures, parameters, name)
        _ = try VideoDecoder(pictures, name: name)
        return VideoDescriber(pictures, in: context, bridge).info
    }
}
